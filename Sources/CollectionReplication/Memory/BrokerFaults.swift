import CollectionElements

/// The faults of a ``MemoryBroker``, and their sizes: drawn from a seed, or chosen by a simulation
/// that can replay them.
///
/// ```swift
/// let simulation = Simulation(seed: 7, faultRates: [FaultPoint(rawValue: "answerIsLost"): 0.1])
/// let broker = MemoryBroker(
///     environment: simulation.environment,
///     faults: BrokerFaults(seed: 7) { simulation.happens(FaultPoint(rawValue: $0.rawValue)) }
/// )
/// let log = broker.makeLog(label: "first")
/// ```
///
/// Threading: usable on any thread. On Dispatch, faults that are drawn from a seed cannot be
/// reproduced: they depend on the order in which requests arrive.
public final class BrokerFaults: Sendable {
    /// The longest time for which a request or a response is delayed, a member is cut off, or the
    /// broker is down.
    public let longestDelay: Duration

    /// The records of other collections that a third party may append in addition to those of the
    /// log.
    let foreignRecords: [[UInt8]]

    private let decide: @Sendable (BrokerFault) -> Bool
    private let random: Lock<SeededNumbers>
    private let isOver = Lock(false)

    /// Creates faults that happen when `decide` returns `true`, until ``end()`` is called.
    ///
    /// - Parameters:
    ///   - seed: The seed that determines the sizes of the faults.
    ///   - longestDelay: The longest duration of a fault.
    ///   - foreignRecords: Records of other collections that a third party may append in addition
    ///     to those of the log.
    ///   - decide: A closure that returns whether a fault happens now.
    public init(
        seed: UInt64,
        longestDelay: Duration = .milliseconds(500),
        foreignRecords: [[UInt8]] = [],
        deciding decide: @escaping @Sendable (BrokerFault) -> Bool
    ) {
        self.decide = decide
        random = Lock(SeededNumbers(seed: seed))
        self.longestDelay = longestDelay
        self.foreignRecords = foreignRecords
    }

    /// Creates faults that happen at random.
    ///
    /// - Parameters:
    ///   - seed: The seed that determines which faults happen, and their sizes.
    ///   - rates: The probability of each fault at every opportunity.
    ///   - longestDelay: The longest duration of a fault.
    ///   - foreignRecords: Records of other collections that a third party may append in addition
    ///     to those of the log.
    public convenience init(
        seed: UInt64,
        rates: [BrokerFault: Double] = BrokerFault.rates,
        longestDelay: Duration = .milliseconds(20),
        foreignRecords: [[UInt8]] = []
    ) {
        let chances = Lock(SeededNumbers(seed: ~seed))
        self.init(seed: seed, longestDelay: longestDelay, foreignRecords: foreignRecords) { fault in
            let rate = rates[fault] ?? 0
            return rate > 0
                && chances.withLock { Double.random(in: 0..<1, using: &$0) < rate }
        }
    }

    /// Ends all faults permanently.
    public func end() { isOver.withLock { $0 = true } }

    func happens(_ fault: BrokerFault) -> Bool { !isOver.withLock { $0 } && decide(fault) }

    /// Returns a random number from 0 up to, but not including, `bound`.
    func number(below bound: Int) -> Int {
        random.withLock { Int.random(in: 0..<bound, using: &$0) }
    }

    /// Returns a random duration on the order of the longest delay, a tenth of it or a hundredth of
    /// it.
    func delay() -> Duration {
        random.withLock { random in
            let part = [1, 10, 100][Int.random(in: 0..<3, using: &random)]
            return longestDelay * (1 + Int.random(in: 0..<64, using: &random)) / (64 * part)
        }
    }

    /// Returns at most `count` random bytes.
    func bytes(upTo count: Int) -> [UInt8] {
        random.withLock { random in
            (0..<Int.random(in: 0..<count + 1, using: &random)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
        }
    }
}

/// A fault of a ``MemoryBroker``, or of the connection between the broker and a member.
@nonexhaustive
public enum BrokerFault: String, Hashable, Sendable, CaseIterable {
    /// A request does not reach the broker.
    case requestIsLost
    /// A response of the broker does not reach the member that sent the request.
    case answerIsLost
    /// A request is delayed. Appends of one member still arrive in order.
    case requestIsDelayed
    /// A response is delayed.
    case answerIsDelayed
    /// A request reaches the broker twice, the second time immediately or later, and one of the two
    /// responses reaches the member. If the request sets a register, the second attempt conflicts
    /// with the first.
    case requestComesTwice
    /// For a while, requests of a member do not reach the broker, or responses do not reach the
    /// member, or both.
    case memberIsCutOff
    /// The broker does not respond for a while.
    case brokerIsDown
    /// The broker returns to an older copy of all its data.
    case storeIsRolledBack
    /// The log is deleted with its snapshots and registers, and must be created again.
    case logIsDeleted
    /// An operator removes old records.
    case recordsArePurged
    /// A chunk of a snapshot is lost.
    case chunkIsLost
    /// A third party appends bytes that are not a record, a copy of an old record, a damaged copy,
    /// or a record of another collection.
    case strangerAppends
    /// A record is appended, or a register is set, although the expected position or revision is
    /// wrong.
    case expectationIsIgnored
    /// The broker forgets earlier appends.
    case appendsAreForgotten

    /// The default probability of each fault for a request or a response. With these, most
    /// sequences of a hundred requests have at least one fault.
    public static let rates: [BrokerFault: Double] = [
        .requestIsLost: 0.02, .answerIsLost: 0.02, .requestIsDelayed: 0.05, .answerIsDelayed: 0.05,
        .requestComesTwice: 0.02, .memberIsCutOff: 0.01, .brokerIsDown: 0.005,
        .storeIsRolledBack: 0.003, .logIsDeleted: 0.002, .recordsArePurged: 0.003,
        .chunkIsLost: 0.003, .strangerAppends: 0.01, .expectationIsIgnored: 0.01,
        .appendsAreForgotten: 0.005,
    ]
}

// The broker's own faults are drawn before each request is carried out, so that each fault affects
// a request.

extension MemoryBroker {
    /// The maximum number of older copies of the data, and of records for a third party to copy.
    private static let keptCopies = 8

    /// Draws the faults that happen before the next request, and applies them.
    func disturb() {
        guard let faults else { return }
        if faults.happens(.brokerIsDown) { stopForAWhile(faults) }
        if faults.happens(.storeIsRolledBack) { rollBack(faults) }
        if faults.happens(.logIsDeleted) { restore(nil) }
        if faults.happens(.recordsArePurged) { purgeSome(faults) }
        if faults.happens(.chunkIsLost) { loseChunk(faults.number(below: 1 << 20)) }
        if faults.happens(.appendsAreForgotten) { forgetAppends() }
        if faults.happens(.strangerAppends) { appendFromStranger(strangeRecord(faults)) }
    }

    /// Keeps the data that later faults need when a record is appended.
    func keepForFaults(_ record: [UInt8]) {
        guard let faults else { return }
        let place = faults.number(below: 2 * Self.keptCopies)
        state.withLock { state in
            guard place < Self.keptCopies, let contents = state.contents else { return }
            if state.copies.count < Self.keptCopies {
                state.copies.append(contents)
                state.seen.append(record)
            } else {
                (state.copies[place], state.seen[place]) = (contents, record)
            }
        }
    }

    private func stopForAWhile(_ faults: BrokerFaults) {
        stop()
        let stops = state.withLock { $0.stops }
        environment.schedule(after: faults.delay(), on: lane) { [weak self] in
            self?.change { if $0.stops == stops { $0.isDown = false } }
        }
    }

    private func rollBack(_ faults: BrokerFaults) {
        let copies = state.withLock { $0.copies }
        if copies.isEmpty { return }
        restore(copies[faults.number(below: copies.count)])
    }

    private func purgeSome(_ faults: BrokerFaults) {
        guard let contents, contents.first <= contents.last else { return }
        let count = Int(contents.last - contents.first) + 1
        // All records are purged as often as only some of them.
        let purged = faults.number(below: 2) == 0 ? count : 1 + faults.number(below: count)
        purge(through: contents.first + UInt64(purged) - 1)
    }

    /// Returns a record that no member appended to this log.
    private func strangeRecord(_ faults: BrokerFaults) -> [UInt8] {
        let seen = state.withLock { $0.seen }
        let known = seen.isEmpty ? [] : seen[faults.number(below: seen.count)]
        switch faults.number(below: 5) {
        case 0: return faults.bytes(upTo: 200)
        case 1: return known
        case 2: return Array(known.prefix(faults.number(below: known.count + 1)))
        case 3:
            var damaged = known
            if known.isEmpty { return [] }
            let place = faults.number(below: known.count)
            damaged[place] ^= 1 << UInt8(faults.number(below: 8))
            return damaged
        default:
            let foreign = faults.foreignRecords
            return foreign.isEmpty ? known : foreign[faults.number(below: foreign.count)]
        }
    }
}
