/// What differences are taken of, from fixed seeds.
///
/// Source: `dk` is the workload that DifferenceKit publishes its figures for; the others are what lists
/// commonly go through.
enum DifferenceInput: String, CaseIterable {
    /// Nothing has changed, in arrays of their own.
    case same
    /// A hundredth more at the end.
    case append
    /// A hundredth more at the start.
    case prepend
    /// A hundredth deleted, and as many inserted, anywhere.
    case rand1
    /// A tenth deleted as one block, a tenth inserted as another, and a fiftieth at the start shuffled.
    case dk
    /// All in random order.
    case shuffle
    /// All in the opposite order.
    case reverse

    func make(_ count: Int) -> (old: [Int], new: [Int]) {
        let old = Array(0..<count)
        let more = count..<(count + count / 100)
        var random = SplitMix64()
        switch self {
        case .same: return (old, old.map { opaque($0) })
        case .append: return (old, old + more)
        case .prepend: return (old, more + old)
        case .rand1: return (old, Self.edited(old, more, using: &random))
        case .dk:
            let block = count / 10
            var new = old
            new.removeSubrange((2 * block)..<(3 * block))
            new.insert(contentsOf: count..<(count + block), at: 3 * block)
            new[..<(count / 50)].shuffle(using: &random)
            return (old, new)
        case .shuffle: return (old, old.shuffled(using: &random))
        case .reverse: return (old, old.reversed())
        }
    }

    /// Each of `more` at a random place, and as many others gone.
    private static func edited(
        _ old: [Int],
        _ more: Range<Int>,
        using random: inout SplitMix64
    ) -> [Int] {
        let gone = distinct(more.count, below: old.count, using: &random)
        let places = distinct(more.count, below: old.count, using: &random)
        var next = more.lowerBound
        var new: [Int] = []
        new.reserveCapacity(old.count)
        for (index, element) in old.enumerated() {
            if places.contains(index) {
                new.append(next)
                next += 1
            }
            if !gone.contains(index) { new.append(element) }
        }
        return new
    }

    private static func distinct(
        _ count: Int,
        below bound: Int,
        using random: inout SplitMix64
    ) -> Set<Int> {
        var numbers = Set<Int>()
        while numbers.count < count { numbers.insert(Int.random(in: 0..<bound, using: &random)) }
        return numbers
    }
}

/// Sections of a thousand identifiers each.
enum SectionedInput: String, CaseIterable {
    /// A hundredth of each section replaced, anywhere.
    case rand1
    /// A hundredth of all moved to other places in any sections.
    case cross
    /// A hundredth of the sections replaced.
    case secs

    typealias Sections = [(id: Int, items: [Int])]

    static let itemsPerSection = 1_000

    func make(sections count: Int) -> (old: Sections, new: Sections) {
        let size = Self.itemsPerSection
        let old: Sections = (0..<count).map { ($0, Array(($0 * size)..<(($0 + 1) * size))) }
        var new = old
        var fresh = count * size
        var random = SplitMix64()
        func item(_ section: Int) -> Int {
            Int.random(in: new[section].items.indices, using: &random)
        }
        switch self {
        case .rand1:
            for section in new.indices {
                for _ in 0..<(size / 100) {
                    new[section].items.remove(at: item(section))
                    new[section].items.insert(fresh, at: item(section))
                    fresh += 1
                }
            }
        case .cross:
            for _ in 0..<(count * size / 100) {
                let from = Int.random(in: new.indices, using: &random)
                let to = Int.random(in: new.indices, using: &random)
                let moved = new[from].items.remove(at: item(from))
                new[to].items.insert(moved, at: item(to))
            }
        case .secs:
            for number in 0..<max(1, count / 100) {
                new.remove(at: Int.random(in: new.indices, using: &random))
                let items = Array(fresh..<(fresh + size))
                fresh += size
                let place = Int.random(in: 0...new.count, using: &random)
                new.insert((count + number, items), at: place)
            }
        }
        return (old, new)
    }
}
