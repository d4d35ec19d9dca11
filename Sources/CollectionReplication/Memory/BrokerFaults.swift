import CollectionElements

/// Which faults a ``MemoryBroker`` has, and how large they are: drawn from a seed, or chosen by a simulation, which replays them.
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
/// Threading: usable from anywhere. With chances of their own, the faults of a run on Dispatch do not come again: which
/// request meets which depends on when it comes.
public final class BrokerFaults: Sendable {
    /// The longest that a request or an answer is under way, a member cut off or the broker down.
    public let longestDelay: Duration

    /// Records of other collections, which a stranger may append beside those that it finds.
    let foreignRecords: [[UInt8]]

    private let decide: @Sendable (BrokerFault) -> Bool
    private let random: Lock<SeededNumbers>
    private let isOver = Lock(false)

    /// Makes faults that happen when the caller says so, until they are ended.
    ///
    /// - Parameters:
    ///   - seed: decides how large faults are.
    ///   - longestDelay: how long they last.
    ///   - foreignRecords: records of other collections, which a stranger may append beside those that it finds.
    ///   - decide: returns whether a fault happens now.
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

    /// Makes faults that happen by chance.
    ///
    /// - Parameters:
    ///   - seed: decides which faults happen, and how large they are.
    ///   - rates: how likely each is where it could happen.
    ///   - longestDelay: how long they last.
    ///   - foreignRecords: records of other collections, which a stranger may append beside those that it finds.
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

    /// Lets no fault happen from now on.
    public func end() { isOver.withLock { $0 = true } }

    func happens(_ fault: BrokerFault) -> Bool { !isOver.withLock { $0 } && decide(fault) }

    /// A number from 0 up to, not including, `bound`.
    func number(below bound: Int) -> Int {
        random.withLock { Int.random(in: 0..<bound, using: &$0) }
    }

    /// How long something lasts: now about as long as it may, now a small part of that.
    func delay() -> Duration {
        random.withLock { random in
            let part = [1, 10, 100][Int.random(in: 0..<3, using: &random)]
            return longestDelay * (1 + Int.random(in: 0..<64, using: &random)) / (64 * part)
        }
    }

    /// Random bytes, up to so many.
    func bytes(upTo count: Int) -> [UInt8] {
        random.withLock { random in
            (0..<Int.random(in: 0..<count + 1, using: &random)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
        }
    }
}

/// Something that may go wrong between the members of a log and a ``MemoryBroker``, or with the broker.
@nonexhaustive
public enum BrokerFault: String, Hashable, Sendable, CaseIterable {
    /// A request does not reach the broker.
    case requestIsLost
    /// An answer of the broker does not reach the member that asked.
    case answerIsLost
    /// A request takes long; no append of one member overtakes another by that.
    case requestIsDelayed
    /// An answer takes long.
    case answerIsDelayed
    /// A request reaches the broker a second time, immediately or later, and either answer reaches the member: a register is
    /// set twice, and the second attempt is a conflict with the first.
    case requestComesTwice
    /// Nothing reaches the broker from a member, or the member from the broker, or both, for a time.
    case memberIsCutOff
    /// The broker does nothing for a time.
    case brokerIsDown
    /// The broker has an older copy of everything in place of the newest.
    case storeIsRolledBack
    /// The log is deleted, with its snapshots and registers, and must be made anew.
    case logIsDeleted
    /// An operator removes old records.
    case recordsArePurged
    /// A part of a snapshot is gone.
    case chunkIsLost
    /// A stranger appends something: bytes that are no record, an old record once more, a damaged copy of one, or a record of
    /// another collection.
    case strangerAppends
    /// A record is appended, or a register set, though something else is there than was expected.
    case expectationIsIgnored
    /// The broker no longer knows which appends it has seen.
    case appendsAreForgotten

    /// How likely each fault is for a request or an answer, so that most of a hundred requests meet one or another: the
    /// default rates of ``BrokerFaults``.
    public static let rates: [BrokerFault: Double] = [
        .requestIsLost: 0.02, .answerIsLost: 0.02, .requestIsDelayed: 0.05, .answerIsDelayed: 0.05,
        .requestComesTwice: 0.02, .memberIsCutOff: 0.01, .brokerIsDown: 0.005,
        .storeIsRolledBack: 0.003, .logIsDeleted: 0.002, .recordsArePurged: 0.003,
        .chunkIsLost: 0.003, .strangerAppends: 0.01, .expectationIsIgnored: 0.01,
        .appendsAreForgotten: 0.005,
    ]
}

// What goes wrong with a broker by itself: chosen whenever a request reaches it, so that there is no fault in between
// that nobody could notice.

extension MemoryBroker {
    /// How many older copies of everything there are, and how many records for strangers to copy.
    private static let keptCopies = 8

    /// Lets happen what is to happen before the next request.
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

    /// Keeps what faults need later of a record that was appended.
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
        // All of it as often as any part of it.
        let purged = faults.number(below: 2) == 0 ? count : 1 + faults.number(below: count)
        purge(through: contents.first + UInt64(purged) - 1)
    }

    /// A record that no member meant to be there.
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
