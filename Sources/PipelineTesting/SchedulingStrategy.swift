import CollectionElements

/// How a ``Simulation`` chooses what runs next, where more than one thing could.
///
/// No strategy finds everything: random choices find most, changes of priority find starvation, few
/// deliberate delays find what needs just those, and small runs can be gone through entirely.
///
/// Source: probabilistic concurrency testing (Burckhardt et al. 2010), delay-bounded scheduling (Emmi,
/// Qadeer and Rakamarić 2011).
@nonexhaustive
public enum SchedulingStrategy: Hashable, Sendable, Codable {
    /// What was enqueued first.
    case inOrder
    /// Anything, with equal chances.
    case random
    /// What runs, a lane or the workers, goes on, with this probability; else anything.
    case sticky(Double)
    /// Every lane, and the workers, have a priority; at so many random steps the highest of those that could
    /// run falls to the lowest. Of a fork any part comes next.
    case prioritized(changes: Int)
    /// What was enqueued first, but for so many random steps at which the next one overtakes it.
    case delayBounded(Int)
    /// A list of choices, and what was enqueued first when it is used up: a replay, or a case of an
    /// exhaustive search.
    case choices([Int])

    /// One that suits a seed: of all kinds but replays.
    public static func drawn(from random: inout SeededGenerator) -> SchedulingStrategy {
        switch random.next(below: 20) {
        case 0..<8: .random
        case 8..<13: .prioritized(changes: 1 + random.next(below: 3))
        case 13..<16: .sticky(0.5 + Double(random.next(below: 5)) / 10)
        case 16..<18: .delayBounded(1 + random.next(below: 4))
        default: .inOrder
        }
    }
}

extension SchedulingStrategy: CustomStringConvertible {
    /// The name, with its number.
    public var description: String {
        switch self {
        case .inOrder: "in-order"
        case .random: "random"
        case .sticky(let probability): "sticky(\(probability))"
        case .prioritized(let changes): "prioritized(\(changes))"
        case .delayBounded(let delays): "delay-bounded(\(delays))"
        case .choices(let list): "choices(\(list.count))"
        }
    }
}

/// Random numbers that come again from the same seed.
///
/// A value: a copy goes on with the same numbers.
///
/// Source: SplitMix64 (Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SeededNumbers

    /// Starts the sequence of a seed; every seed is as good as any other.
    public init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    /// The next number.
    public mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to, not including, `bound`, which must be positive.
    public mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Whether an event of one in so many chances happens.
    public mutating func isTrue(oneIn chances: Int) -> Bool { next(below: chances) == 0 }

    /// Whether an event of that probability happens.
    public mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}

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
