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
