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
    /// By place: what is highest runs first.
    private var priorities: [Simulation.Place: Int] = [:]
    private var lowest = 0
    /// The numbers of the choices at which priorities change or something is overtaken, descending.
    private var turningPoints: [Int] = []
    /// Where the last step ran.
    private var last: Simulation.Place?

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

    /// Chooses one of what is ready, by the places where it would run, in the order of enqueuing; at least one.
    mutating func next(among places: [Simulation.Place]) -> Int {
        let position = choose(among: places.count, at: places)
        last = places[position]
        return position
    }

    /// Chooses one of so many parts of a fork; at least one. They are all the workers', so nothing of them goes
    /// on and none has a priority.
    mutating func nextPart(of count: Int) -> Int { choose(among: count, at: []) }

    private mutating func choose(among count: Int, at places: [Simulation.Place]) -> Int {
        guard count > 1 else { return 0 }
        let position = draw(count, at: places)
        made.append(Choice(value: position, count: count))
        return position
    }

    private mutating func draw(_ count: Int, at places: [Simulation.Place]) -> Int {
        switch strategy {
        case .inOrder: return 0
        case .sticky(let probability):
            if let last, let position = places.firstIndex(of: last), random.chance(probability) {
                return position
            }
        case .prioritized where !places.isEmpty:
            if isTurning() {
                lowest -= 1
                priorities[places[highest(places)]] = lowest
            }
            return highest(places)
        case .delayBounded: return isTurning() ? 1 : 0
        case .choices(let list): return replayed(list, count)
        case .random, .prioritized: break
        }
        return random.next(below: count)
    }

    private mutating func isTurning() -> Bool {
        guard let point = turningPoints.last, made.count >= point else { return false }
        turningPoints.removeLast()
        return true
    }

    private mutating func highest(_ places: [Simulation.Place]) -> Int {
        for place in places where priorities[place] == nil {
            priorities[place] = 1 + random.next(below: 1 << 30)
        }
        let highest = places.indices.max { left, right in
            (priorities[places[left]] ?? 0) < (priorities[places[right]] ?? 0)
        }
        return highest ?? 0
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
