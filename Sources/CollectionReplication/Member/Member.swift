import CollectionChanges
import CollectionElements
import CollectionPublishing

/// The state machine of a member of a replicated log: a value that receives inputs and returns
/// effects.
///
/// A member always reads the log and follows its chain, even while it leads. A leader's own record
/// counts only when it was read back at its place, because the order of the log alone decides which
/// member led. Recovery from every fault of a broker is therefore the same: check whether the last
/// applied record is in the log, then continue after it or from the newest snapshot.
///
/// Its parts are values:
///
/// - *Reading* (``LogReading``, ``LogCursor``, ``Obstacles``): finds the place in the log, then
///   follows the log.
/// - *Leadership* (``Leadership``, ``KnownHead``): campaigns, holds the lease, opens an epoch.
/// - *Pending records* (``PendingRecords``, ``Visibility``): the records that a leader has sealed
///   and not read back; appended in order, and again after a failure.
/// - *Snapshots* (``SnapshotPublication``, ``SnapshotSchedule``): stores a snapshot next to the log
///   and sets the head to it, at intervals and if the log lacks the records to continue from.
struct Member {
    /// An event that the member handles.
    enum Input: Sendable {
        case begin
        case answered(LogTicket, LogAnswer)
        case elapsed(LogTicket)
        case campaign
        case resign
        case published(SourceChange)
        case journaled(through: UInt64)
        case journalFailed(String)
        case encoded([UInt8], LogTicket)
        case decoded(EncodableSnapshot?, LogTicket)
    }

    /// An update that the source of a leader published.
    enum SourceChange: Sendable {
        case everything(PublishedState, number: Int)
        case update(ValidatedChangeSet, PublishedContents, number: Int)

        var number: Int {
            switch self {
            case .everything(_, let number), .update(_, _, let number): number
            }
        }
    }

    /// An action that the driver performs.
    enum Effect: Sendable {
        case ask(LogTicket, LogRequest)
        case wait(LogTicket, Duration)
        /// Show readers an update that continues the state that they have.
        case show(PublishedUpdate, StateWithDigest)
        /// Show readers a state that does not continue the one that they have.
        case jump(StateWithDigest, PublishedVersion)
        /// An update of the source is visible, in this version.
        case shown(source: Int, PublishedVersion)
        /// Start the journal with this state.
        case rebaseJournal(EncodableSnapshot)
        case journal(PendingRecord)
        case encode(EncodableSnapshot, LogTicket)
        case decode([UInt8], LogTicket)
        case began(PublishedSnapshot)
        case ended(ResignationReason)
        case resumeSource
        case notify(ReplicationEvent)
    }

    let configuration: ReplicationConfiguration
    var random: SeededNumbers
    /// The time at which the current input arrived.
    private(set) var now = Duration.zero
    var effects = EffectList()
    var history = ChainHistory()
    var reading = LogReading()
    var cursor = LogCursor()
    var obstacles: Obstacles
    var leadership = Leadership()
    var knownHead = KnownHead()
    var pending = PendingRecords()
    var visibility: Visibility
    var publication: SnapshotPublication?
    var schedule = SnapshotSchedule()

    init(_ configuration: ReplicationConfiguration, hasJournal: Bool, seed: UInt64) {
        self.configuration = configuration
        random = SeededNumbers(seed: seed)
        obstacles = Obstacles(gracePeriod: configuration.rollbackGracePeriod)
        visibility = Visibility(hasJournal: hasJournal)
    }

    /// Starts with the contents of a journal.
    mutating func restore(_ chain: LogChain, _ ancestors: [ChainPosition]) {
        history.restart(at: chain, after: ancestors)
        leadership.see(chain.position.epoch)
    }

    var chain: LogChain? { history.chain }

    /// The chain including all pending records.
    var tip: LogChain? { pending.records.last?.chain ?? chain }

    /// Handles an input, and returns the effects for the driver to perform, in order.
    mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        self.now = now
        switch input {
        case .begin: begin()
        case .answered(let ticket, let answer): answered(ticket, answer)
        case .elapsed(let ticket): elapsed(ticket)
        case .campaign: campaign()
        case .resign: stepDown()
        case .published(let change): publish(change)
        case .journaled(let sequence):
            visibility.journaled(through: sequence)
            showPending()
            append()
        case .journalFailed(let message):
            effects.notify(.journalFailed(message))
            // If the application called `campaign` before its journal was read, it does not
            // campaign either.
            stop(.journalFailed)
        case .encoded(let bytes, let ticket): encoded(bytes, ticket)
        case .decoded(let snapshot, let ticket): decoded(snapshot, ticket)
        }
        cursor.updateLag(isReading: reading.hasBegun, at: now)
        return effects.removeAll()
    }

    private mutating func begin() {
        guard !reading.hasBegun else { return }
        // Under `.afterBroker`, readers do not see journaled records that may still be lost.
        if let chain, configuration.visibility != .afterBroker { jump(to: chain) }
        locate()
    }

    private mutating func answered(_ ticket: LogTicket, _ answer: LogAnswer) {
        var answer = answer
        if case .batch(let batch) = answer, !batch.isPossible {
            answer = .failed(LogError(.rejected, "the log returned impossible positions"))
        }
        effects.notifyFailure(answer)
        guard effects.isNewest(ticket) else { return }
        switch ticket.purpose {
        case .reading: readingAnswered(answer)
        case .leasing: leaseAnswered(answer)
        case .publication: publicationAnswered(answer)
        case .helping: helpAnswered(answer)
        case .fencing: fenceAnswered(answer)
        case .appending: appendAnswered(ticket, answer)
        }
    }

    private mutating func elapsed(_ ticket: LogTicket) {
        guard effects.isNewest(ticket) else { return }
        switch ticket.purpose {
        case .reading: readingElapsed()
        case .leasing: leaseElapsed()
        case .publication: publicationElapsed()
        case .appending: appendingElapsed()
        case .helping, .fencing: break
        }
    }

    // MARK: Decoding values that the broker stores

    func head(in value: LogRegisterValue?) -> LogHead? {
        value.flatMap { try? LogHead(decoding: $0.bytes, key: configuration.key) }
    }

    func lease(in value: LogRegisterValue?) -> LogLease? {
        value.flatMap { try? LogLease(decoding: $0.bytes, key: configuration.key) }
    }

    func record(in bytes: [UInt8]) -> LogRecord? {
        try? LogRecord(decoding: bytes, key: configuration.key)
    }
}

/// The effects of the current input, in the order in which the driver performs them.
///
/// A request or timer supersedes the previous one with the same purpose, except for appends: a late
/// response is ignored.
struct EffectList {
    private var effects: [Member.Effect] = []
    private var lastTicket: UInt64 = 0
    /// The number of the newest ticket of each purpose.
    private var newest: [LogTicket.Purpose: UInt64] = [:]
    /// The code of the last failure, if no request has succeeded since.
    private var lastFailure: LogError.Code?

    mutating func append(_ effect: Member.Effect) { effects.append(effect) }

    mutating func removeAll() -> [Member.Effect] { exchange(&effects, with: []) }

    mutating func notify(_ event: ReplicationEvent) { append(.notify(event)) }

    /// Reports a failure once, until a request succeeds or fails with another code.
    mutating func notifyFailure(_ answer: LogAnswer) {
        guard case .failed(let error) = answer else { return lastFailure = nil }
        if error.code == .conflict || error.code == lastFailure { return }
        lastFailure = error.code
        notify(.failed(error))
    }

    mutating func ticket(_ purpose: LogTicket.Purpose) -> LogTicket {
        lastTicket += 1
        newest[purpose] = lastTicket
        return LogTicket(purpose: purpose, number: lastTicket)
    }

    func isNewest(_ ticket: LogTicket) -> Bool {
        ticket.purpose == .appending || newest[ticket.purpose] == ticket.number
    }

    func isAwaiting(_ purpose: LogTicket.Purpose) -> Bool { newest[purpose] != nil }

    mutating func forget(_ purpose: LogTicket.Purpose) { newest[purpose] = nil }

    /// Requests something from the log. Returns the ticket that the response carries.
    @discardableResult
    mutating func ask(_ purpose: LogTicket.Purpose, _ request: LogRequest) -> LogTicket {
        let ticket = ticket(purpose)
        append(.ask(ticket, request))
        return ticket
    }

    mutating func wait(_ purpose: LogTicket.Purpose, _ delay: Duration) {
        append(.wait(ticket(purpose), delay))
    }
}

/// The records that a member has applied, and the leaderships that sealed them. The last ancestor
/// is the position of the chain.
struct ChainHistory {
    /// The applied records, with the resulting state; `nil` until the member has found a record or
    /// a snapshot.
    private(set) var chain: LogChain?
    /// The last applied record of each of the most recent leaderships. They identify every ancestor
    /// of those leaderships.
    private(set) var ancestors: [ChainPosition] = []

    /// Replaces the history with that of a journal or a snapshot.
    mutating func restart(at chain: LogChain, after ancestors: [ChainPosition]) {
        self.ancestors = ancestors
        advance(to: chain)
    }

    /// Continues the history to a later chain.
    mutating func advance(to chain: LogChain) {
        self.chain = chain
        ancestors.remember(chain.position)
    }

    /// Returns a snapshot of a chain, with the known ancestors.
    func snapshot(of chain: LogChain) -> EncodableSnapshot {
        var snapshot = chain.snapshot
        snapshot.ancestors = ancestors.filter { $0.epoch < chain.position.epoch }
        return snapshot
    }

    /// Returns whether the chain passed through a position, as far back as is known.
    func hasPassed(_ place: ChainPosition) -> Bool {
        guard let oldest = ancestors.first, place.epoch >= oldest.epoch else { return true }
        return contains(place)
    }

    /// Returns whether a position is known to be at or before the last record of a leadership.
    func contains(_ place: ChainPosition) -> Bool { ancestors.contains { $0.has(place) } }
}

extension [ChainPosition] {
    /// The number of leaderships whose last record is kept.
    private static var limit: Int { 64 }

    /// Keeps the last position of each leadership.
    mutating func remember(_ position: ChainPosition) {
        if let last, last.epoch == position.epoch, last.writer == position.writer {
            self[count - 1] = position
            return
        }
        append(position)
        if count > Self.limit { removeFirst(count - Self.limit) }
    }
}

extension ChainPosition {
    /// Returns whether a record is at or before this position in the same leadership. A leader
    /// seals its records one after another, so a chain with this position contains all earlier
    /// records of that leadership.
    func has(_ other: ChainPosition) -> Bool {
        other.epoch == epoch && other.writer == writer && other.sequence <= sequence
    }
}
