import CollectionElements

/// The way in which a ``Simulation`` chooses the next step, if there is more than one candidate.
///
/// No strategy finds every bug. Random choices find most, changing priorities find starvation, a
/// few deliberate delays find the bugs that need exactly those, and small runs can be searched
/// exhaustively.
///
/// Source: probabilistic concurrency testing (Burckhardt et al. 2010), delay-bounded scheduling
/// (Emmi, Qadeer and Rakamarić 2011).
@nonexhaustive
public enum SchedulingStrategy: Hashable, Sendable, Codable {
    /// Runs ready work in first-in, first-out order.
    case inOrder
    /// Runs any ready work, with equal probability.
    case random
    /// Continues with the lane (or the workers) of the last step with this probability. Otherwise
    /// runs any ready work.
    case sticky(Double)
    /// Gives each lane and the workers random priorities, and runs the ready work with the highest
    /// priority. At `changes` random steps, the highest candidate falls to the lowest priority. The
    /// next part of a fork is chosen at random.
    case prioritized(changes: Int)
    /// Runs ready work in first-in, first-out order, except that at this number of random steps the
    /// second candidate overtakes the first.
    case delayBounded(Int)
    /// Follows a list of choices, and then runs in first-in, first-out order: a replay, or a case
    /// of an exhaustive search.
    case choices([Int])

    /// Returns a random strategy of any kind except ``choices(_:)``.
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
    /// The name of the strategy with its parameter.
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

/// A random number generator that produces the same sequence for the same seed.
///
/// It is a value: a copy continues with the same numbers.
///
/// Source: SplitMix64 (Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SeededNumbers

    /// Starts the sequence of a seed. All seeds are equally good.
    public init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    /// Returns the next number.
    public mutating func next() -> UInt64 { numbers.next() }

    /// Returns a number from 0 up to, but not including, `bound`, which must be positive.
    public mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Returns `true` with a probability of one in `chances`.
    public mutating func isTrue(oneIn chances: Int) -> Bool { next(below: chances) == 0 }

    /// Returns `true` with the given probability.
    public mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}

/// Makes and records the choices of one run. The list of choices replays the run.
struct ChoiceSource {
    /// A choice between several alternatives.
    struct Choice: Hashable {
        var value: Int
        var count: Int
    }

    private let strategy: SchedulingStrategy
    private var random: SeededGenerator
    private(set) var made: [Choice] = []
    /// The priority of each place. The candidate with the highest priority runs first.
    private var priorities: [Simulation.Executor: Int] = [:]
    private var lowest = 0
    /// The numbers of the choices at which priorities change or a candidate is overtaken, in
    /// descending order.
    private var turningPoints: [Int] = []
    /// The place of the last step.
    private var last: Simulation.Executor?

    /// The usual length of a run. Turning points are drawn from this range.
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

    /// Chooses one of the ready candidates, given by their places in the order in which they were
    /// enqueued. There must be at least one.
    mutating func next(among places: [Simulation.Executor]) -> Int {
        let position = choose(among: places.count, at: places)
        last = places[position]
        return position
    }

    /// Chooses one of `count` parts of a fork. There must be at least one. All parts belong to the
    /// workers, so neither stickiness nor priorities apply.
    mutating func nextPart(of count: Int) -> Int { choose(among: count, at: []) }

    private mutating func choose(among count: Int, at places: [Simulation.Executor]) -> Int {
        guard count > 1 else { return 0 }
        let position = draw(count, at: places)
        made.append(Choice(value: position, count: count))
        return position
    }

    private mutating func draw(_ count: Int, at places: [Simulation.Executor]) -> Int {
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

    private mutating func highest(_ places: [Simulation.Executor]) -> Int {
        for place in places where priorities[place] == nil {
            priorities[place] = 1 + random.next(below: 1 << 30)
        }
        let highest = places.indices.max { left, right in
            (priorities[places[left]] ?? 0) < (priorities[places[right]] ?? 0)
        }
        return highest ?? 0
    }

    /// Returns `true` with the given probability. Returns `false` after the end of a replayed list.
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

    /// The list of choices for the next case of an exhaustive search; `nil` if this was the last
    /// case.
    var successor: [Int]? {
        var list = made
        while let choice = list.popLast() {
            guard choice.value + 1 < choice.count else { continue }
            return list.map(\.value) + [choice.value + 1]
        }
        return nil
    }
}
