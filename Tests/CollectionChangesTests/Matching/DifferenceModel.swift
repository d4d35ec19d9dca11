import TestSupport
import Testing

@testable import CollectionChanges

// The requirements of a difference, checked by counting and by applying it.

struct Row: Identifiable, Equatable {
    var id: Int
    var revision: Int
}

/// Identifiers with only three different hashes.
struct Colliding: Hashable {
    var id: Int

    func hash(into hasher: inout Hasher) { hasher.combine(id % 3) }
}

/// Records the faults of `update` as the difference of two states.
func check(
    _ update: ValidatedChangeSet,
    _ old: [[Int]],
    _ new: [[Int]],
    _ profile: ValidationProfile,
    _ comment: String = ""
) {
    func fail(_ text: String) {
        let isLong = old.joined().count + new.joined().count > 100
        Issue.record("\(comment) \(profile)\(isLong ? "" : " \(old) to \(new)"): \(text)")
    }
    if let fault = update.fault(in: profile) { return fail(fault) }
    // Survivors carry their old paths; new items are `nil`.
    let start = old.indices.map { section in
        old[section].indices.map { ItemPath(section: section, item: $0) as ItemPath? }
    }
    guard let result = try? update.apply(to: start, makeItem: { _ in nil }) else {
        return fail("not applied")
    }
    guard result.map(\.count) == new.map(\.count) else { return fail("wrong shape") }
    var surviving: [Int: Int] = [:]
    var staying: [Int: [Int]] = [:]
    var crossing = 0
    for section in new.indices {
        for (item, origin) in result[section].enumerated() {
            guard let origin else { continue }
            let id = old[origin.section][origin.item]
            if id != new[section][item] { return fail("\(id) became \(new[section][item])") }
            surviving[id, default: 0] += 1
            if update.survivingSection(of: origin.section) == section {
                staying[section, default: []].append(origin.item)
            } else {
                crossing += 1
            }
        }
    }
    let moves = staying.values.map { $0.count - lengthOfLongestIncreasing($0) }.reduce(0, +)
    let itemMoves = update.itemRemovals.count { $0.role == .move }
    if itemMoves != crossing + moves { fail("\(itemMoves) moves, not \(crossing) + \(moves)") }
    // In other profiles the sections decide whether an item may move.
    let isOneSection =
        old.count == 1 && new.count == 1 && update.survivingSection(of: 0) == 0
    guard profile == .standard || (profile == .strict && isOneSection) else { return }
    let (oldCounts, newCounts) = (counts(old), counts(new))
    for (id, count) in oldCounts {
        let expected = min(count, newCounts[id] ?? 0)
        if surviving[id] ?? 0 != expected {
            fail("\(id) survives \(surviving[id] ?? 0) times, not \(expected)")
        }
    }
}

private func counts(_ state: [[Int]]) -> [Int: Int] {
    state.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
}

/// Returns the length of the longest increasing subsequence, from the lowest end of each length.
func lengthOfLongestIncreasing(_ keys: [Int]) -> Int {
    var ends: [Int] = []
    for key in keys {
        let place = ends.firstIndex { $0 >= key } ?? ends.count
        if place == ends.count { ends.append(key) } else { ends[place] = key }
    }
    return ends.count
}

/// Every sequence of four identifiers.
func everySequence(upTo length: Int) -> [[Int]] {
    var all: [[Int]] = [[]]
    var longest: [[Int]] = [[]]
    for _ in 0..<length {
        longest = longest.flatMap { sequence in (0..<4).map { sequence + [$0] } }
        all += longest
    }
    return all
}

/// Whether the first occurrences of the identifiers are in ascending order.
func isCanonical(_ sequence: [Int]) -> Bool {
    var next = 0
    for id in sequence {
        if id > next { return false }
        if id == next { next += 1 }
    }
    return true
}

/// Returns the first place with an earlier occurrence of its identifier, and that occurrence.
func duplicate(_ sequence: [Int]) -> (Int, Int)? {
    for index in sequence.indices {
        if let first = sequence[..<index].firstIndex(of: sequence[index]) { return (first, index) }
    }
    return nil
}

/// Every state of at most two sections with at most three different items.
func everySectionedState() -> [[(String, [Int])]] {
    var orders: [[Int]] = [[]]
    for first in 0..<3 {
        orders.append([first])
        for second in 0..<3 where second != first {
            orders.append([first, second])
            orders.append([first, second, 3 - first - second])
        }
    }
    var states: [[(String, [Int])]] = [[]]
    for order in orders {
        for name in ["a", "b"] {
            states.append([(name, order)])
            for cut in 0...order.count {
                let other = name == "a" ? "b" : "a"
                states.append([(name, Array(order[..<cut])), (other, Array(order[cut...]))])
            }
        }
    }
    return states
}

/// Draws sectioned states and edits of them, mostly of blocks. The seed determines everything.
struct RandomStates {
    struct Section {
        var id: Int
        var items: [Int]
    }

    private var generator: SeededNumbers
    private var nextID = 0

    init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    mutating func isRare() -> Bool { generator.isTrue(oneIn: 10) }

    mutating func state(sections: Int, items: Int) -> [Section] {
        (0..<(1 + generator.next(below: sections))).map { _ in
            Section(id: makeNumbers(1)[0], items: makeNumbers(generator.next(below: items + 1)))
        }
    }

    mutating func edited(_ state: [Section]) -> [Section] {
        var state = state
        for _ in 0..<generator.next(below: 12) { edit(&state) }
        return state
    }

    /// Swaps neighbours, and some items with distant ones, so that most surviving runs have one
    /// item.
    mutating func scattered(_ state: [Section]) -> [Section] {
        var state = state
        for section in state.indices {
            for item in stride(from: 1, to: state[section].items.count, by: 2) {
                let other = isRare() ? generator.next(below: item) : item - 1
                state[section].items.swapAt(item, other)
            }
        }
        return state
    }

    private mutating func edit(_ state: inout [Section]) {
        guard !state.isEmpty else {
            state.append(Section(id: makeNumbers(1)[0], items: makeNumbers(5)))
            return
        }
        let section = generator.next(below: state.count)
        let other = generator.next(below: state.count)
        let block = range(in: state[section].items.count)
        switch generator.next(below: 10) {
        case 0, 1: state[section].items.removeSubrange(block)
        case 2, 3:
            state[section].items.insert(contentsOf: makeNumbers(block.count), at: block.lowerBound)
        case 4: state[section].items[block].shuffle(using: &generator)
        case 5: state[section].items[block].reverse()
        case 6, 7:
            let items = Array(state[section].items[block])
            state[section].items.removeSubrange(block)
            let place = generator.next(below: state[other].items.count + 1)
            state[other].items.insert(contentsOf: items, at: place)
        case 8:
            let moved = state.remove(at: section)
            if !isRare() { state.insert(moved, at: generator.next(below: state.count + 1)) }
        default:
            let items = makeNumbers(generator.next(below: 9)) + state[section].items[block]
            state[section].items.removeSubrange(block)
            state.insert(Section(id: makeNumbers(1)[0], items: items), at: other)
        }
    }

    private mutating func range(in count: Int) -> Range<Int> {
        let start = generator.next(below: count + 1)
        let length = isRare() ? count : min(count, 1 + generator.next(below: 20))
        return start..<(start + generator.next(below: min(length, count - start) + 1))
    }

    private mutating func makeNumbers(_ count: Int) -> [Int] {
        nextID += count
        return Array((nextID - count)..<nextID)
    }
}
