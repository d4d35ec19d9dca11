/// Which of the stretches that are at home in a section have to move so that the others need not.
struct MoveChoice {
    /// By position in the section; nil where all can stay.
    let moving: [Bool]?

    private struct Candidate {
        var oldItem: Int
        var position: Int
    }

    init(_ stretches: [ItemStretch], home: Int) {
        guard home >= 0 else {
            moving = nil
            return
        }
        var inOrder: [Candidate] = []
        var strays: [Candidate] = []
        var total = 0
        var isInOrder = true
        var end = 0
        for (position, stretch) in stretches.enumerated() where stretch.oldSection == home {
            let candidate = Candidate(oldItem: stretch.oldItem, position: position)
            total += stretch.count
            isInOrder = isInOrder && stretch.oldItem >= end
            end = stretch.oldItem + stretch.count
            // What never moved is in order by itself, so that little is left to sort.
            if stretch.history.arrival == 0,
                inOrder.last.map({ $0.oldItem < stretch.oldItem }) ?? true
            {
                inOrder.append(candidate)
            } else {
                strays.append(candidate)
            }
        }
        if isInOrder {
            moving = nil
            return
        }
        strays.sort { $0.oldItem < $1.oldItem }
        let ascending = merged(inOrder, strays) { $0.oldItem < $1.oldItem }
        moving = Self.choose(stretches, ascending.map(\.position), total: total)
    }

    /// - Parameter ascending: the positions of those at home, ascending by where they were.
    private static func choose(
        _ stretches: [ItemStretch],
        _ ascending: [Int],
        total: Int
    ) -> [Bool] {
        var ranks = Array(repeating: -1, count: stretches.count)
        for (rank, position) in ascending.enumerated() { ranks[position] = rank }
        let weights = StayingWeights(total: total)
        var order = HeaviestIncreasingSubsequence(bound: ascending.count, capacity: ascending.count)
        // Neighbours that still stand one behind the other stay or move together, and are asked about once.
        var groups: [(lastRank: Int, weight: UInt64, end: Int)] = []
        for (position, rank) in ranks.enumerated() where rank >= 0 {
            let stretch = stretches[position]
            let isUnmoved = stretch.history.arrival == 0
            let keeping = weights.kept + (isUnmoved ? weights.unmoved : 0)
            let weight = UInt64(stretch.count) * (stretch.isKept ? keeping : weights.replaced)
            let last = groups.count - 1
            if last >= 0, groups[last].lastRank + 1 == rank {
                groups[last].lastRank = rank
                groups[last].weight += weight
                groups[last].end = position + 1
            } else {
                groups.append((rank, weight, position + 1))
            }
        }
        for group in groups { order.append(group.lastRank, weight: group.weight) }
        var moving = ranks.map { $0 >= 0 }
        order.finish { number in
            let start = number == 0 ? 0 : groups[number - 1].end
            for position in start..<groups[number].end { moving[position] = false }
        }
        return moving
    }
}

/// Two ascending arrays as one.
func merged<Element>(
    _ left: [Element],
    _ right: [Element],
    _ isBefore: (Element, Element) -> Bool
) -> [Element] {
    if right.isEmpty { return left }
    var result: [Element] = []
    result.reserveCapacity(left.count + right.count)
    var position = 0
    for element in left {
        while position < right.count, isBefore(right[position], element) {
            result.append(right[position])
            position += 1
        }
        result.append(element)
    }
    result += right[position...]
    return result
}
