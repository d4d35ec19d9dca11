/// Makes the choices of one run, and keeps them: a list of small numbers that replays the run.
struct ChoiceSource {
    /// One that had alternatives.
    struct Choice: Hashable {
        var value: Int
        var count: Int
    }

    private let strategy: SchedulingStrategy
    private var random: SeededGenerator
    private(set) var made: [Choice] = []
    /// By key of a candidate: what is highest runs first.
    private var priorities: [Int: Int] = [:]
    private var lowest = 0
    /// The steps at which priorities change or something is overtaken, descending.
    private var turningPoints: [Int] = []
    private var last: Int?

    /// How long runs commonly are; where turning points are drawn from.
    private static let commonLength = 400

    init(_ strategy: SchedulingStrategy, seed: UInt64) {
        self.strategy = strategy
        random = SeededGenerator(seed: seed)
        let points =
            switch strategy {
            case .prioritized(let changes): changes
            case .delayBounded(let delays): delays
            default: 0
            }
        turningPoints = (0..<max(0, points)).map { _ in random.next(below: Self.commonLength) }
            .sorted(by: >)
    }

    /// Chooses one of `candidates`, which are in the order of enqueuing, by its key; at least one.
    mutating func next(among candidates: [Int]) -> Int {
        guard candidates.count > 1 else {
            last = candidates[0]
            return 0
        }
        let position = draw(candidates)
        last = candidates[position]
        made.append(Choice(value: position, count: candidates.count))
        return position
    }

    private mutating func draw(_ candidates: [Int]) -> Int {
        let isTurning = turningPoints.last.map { made.count >= $0 } ?? false
        if isTurning { turningPoints.removeLast() }
        switch strategy {
        case .inOrder: return 0
        case .random: return random.next(below: candidates.count)
        case .sticky(let probability):
            if let last, let position = candidates.firstIndex(of: last),
                random.chance(probability)
            {
                return position
            }
            return random.next(below: candidates.count)
        case .prioritized:
            if isTurning, let highest = highest(candidates) {
                lowest -= 1
                priorities[candidates[highest]] = lowest
            }
            return highest(candidates) ?? 0
        case .delayBounded: return isTurning ? 1 : 0
        case .choices(let list): return replayed(list, candidates.count)
        }
    }

    private mutating func highest(_ candidates: [Int]) -> Int? {
        for key in candidates where priorities[key] == nil {
            priorities[key] = 1 + random.next(below: 1 << 30)
        }
        return candidates.indices.max { left, right in
            (priorities[candidates[left]] ?? 0) < (priorities[candidates[right]] ?? 0)
        }
    }

    /// Whether something of this probability happens; never where a replayed list has ended.
    mutating func happens(_ probability: Double) -> Bool {
        guard probability > 0 else { return false }
        let value: Int
        if case .choices(let list) = strategy {
            value = replayed(list, 2)
        } else {
            value = random.chance(probability) ? 1 : 0
        }
        made.append(Choice(value: value, count: 2))
        return value == 1
    }

    private func replayed(_ list: [Int], _ count: Int) -> Int {
        made.count < list.count ? min(max(0, list[made.count]), count - 1) : 0
    }

    /// The list of the next case of an exhaustive search in which this was the last; nil where this was the
    /// last of all.
    var successor: [Int]? {
        var list = made
        while let choice = list.popLast() {
            guard choice.value + 1 < choice.count else { continue }
            return list.map(\.value) + [choice.value + 1]
        }
        return nil
    }
}
