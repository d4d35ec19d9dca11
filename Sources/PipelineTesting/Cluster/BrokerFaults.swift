import CollectionElements

/// Which faults a ``MemoryBroker`` has, and how large they are: drawn from a seed, either by chances of their own or as
/// choices of a ``Simulation``, which replays them.
///
/// ```swift
/// let simulation = Simulation(seed: 7, faultRates: FaultPoint.brokerRates)
/// let broker = MemoryBroker(
///     environment: simulation.environment,
///     faults: BrokerFaults(in: simulation, seed: 7)
/// )
/// let log = broker.makeLog(label: "first")
/// ```
///
/// Threading: usable from anywhere. With chances of their own the faults of a run on Dispatch do not come again: which
/// request meets which depends on when it comes.
public final class BrokerFaults: Sendable {
    /// The longest that a request or an answer is under way, a member cut off or the broker down.
    public let longestDelay: Duration

    /// What a stranger may append, beside what it finds: records of other collections.
    let foreignRecords: [[UInt8]]

    private let decide: @Sendable (FaultPoint) -> Bool
    private let random: Lock<SeededGenerator>
    private let isOver = Lock(false)

    /// Faults that happen where a simulation says so, by its rates, until it ends them.
    ///
    /// - Parameters:
    ///   - simulation: has rates for ``FaultPoint/brokerRates``, or some of them.
    ///   - seed: of how large faults are.
    ///   - longestDelay: how long they last.
    ///   - foreignRecords: what a stranger may append, beside what it finds.
    public init(
        in simulation: Simulation,
        seed: UInt64,
        longestDelay: Duration = .milliseconds(500),
        foreignRecords: [[UInt8]] = []
    ) {
        decide = { simulation.happens($0) }
        random = Lock(SeededGenerator(seed: seed))
        self.longestDelay = longestDelay
        self.foreignRecords = foreignRecords
    }

    /// Faults that happen by chance.
    ///
    /// - Parameters:
    ///   - seed: of which happen, and of how large they are.
    ///   - rates: how likely each is where it could happen.
    ///   - longestDelay: how long they last.
    ///   - foreignRecords: what a stranger may append, beside what it finds.
    public init(
        seed: UInt64,
        rates: [FaultPoint: Double] = FaultPoint.brokerRates,
        longestDelay: Duration = .milliseconds(20),
        foreignRecords: [[UInt8]] = []
    ) {
        let chances = Lock(SeededGenerator(seed: ~seed))
        decide = { fault in
            let rate = rates[fault] ?? 0
            return rate > 0 && chances.withLock { $0.chance(rate) }
        }
        random = Lock(SeededGenerator(seed: seed))
        self.longestDelay = longestDelay
        self.foreignRecords = foreignRecords
    }

    /// Lets no fault happen from now on.
    public func end() { isOver.withLock { $0 = true } }

    func happens(_ fault: FaultPoint) -> Bool { !isOver.withLock { $0 } && decide(fault) }

    /// A number from 0 up to, not including, `bound`.
    func number(below bound: Int) -> Int { random.withLock { $0.next(below: bound) } }

    /// How long something lasts: now about as long as it may, now a small part of that.
    func delay() -> Duration {
        random.withLock { random in
            let part = [1, 10, 100][random.next(below: 3)]
            return longestDelay * (1 + random.next(below: 64)) / (64 * part)
        }
    }

    /// Random bytes, up to so many.
    func bytes(upTo count: Int) -> [UInt8] {
        random.withLock { random in
            (0..<random.next(below: count + 1)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
        }
    }
}
