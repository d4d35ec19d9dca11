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
/// - *Reading* (``ReadingPhase``): finds the place in the log, then follows the log.
/// - *Leadership* (``LeadershipState``): campaigns, holds the lease, opens an epoch.
/// - *Pending records*: the records that a leader has sealed and not read back; appended in order,
///   and again after a failure.
/// - *Snapshots* (``SnapshotPublication``): stores a snapshot next to the log and sets the head to
///   it, at regular intervals and whenever the log lacks the records that it must continue from.
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
    /// Whether the member has a journal.
    let hasJournal: Bool
    var random: SeededNumbers
    /// The time at which the current input arrived.
    var now = Duration.zero
    var effects: [Effect] = []
    var lastTicket: UInt64 = 0

    /// The code of the last failure, if no request has succeeded since.
    var lastFailure: LogError.Code?

    // Reading.

    /// The applied records, with the resulting state; `nil` until the member has found a record or
    /// a snapshot.
    var chain: LogChain?
    /// The last applied record of each of the most recent leaderships. They identify every ancestor
    /// of those leaderships.
    var ancestors: [ChainPosition] = []
    var reading = ReadingPhase.idle
    var readingTicket: LogTicket?
    /// The number of consecutive failed reads while scanning or loading. After a failure, the
    /// member repeats the failed read.
    var failedReads = 0
    /// The number of attempts at one step of a long operation before the whole operation restarts.
    static let attempts = 16
    /// The log position of the last record that was examined.
    var position: UInt64 = 0
    /// The log position of the newest record, as reported by the last read.
    var logEnd: UInt64 = 0
    /// The log position of the last applied record; `nil` if it came with a snapshot.
    var acceptedAt: UInt64?
    /// The last record that is known to be in the log together with all records before it, if it
    /// came from the log.
    var checked: PlacedRecord?
    /// The last applied record, if it came from the log.
    var lastAccepted: PlacedRecord? {
        guard let acceptedAt, let chain else { return nil }
        return PlacedRecord(place: acceptedAt, position: chain.position)
    }
    /// Whether the member knows its place in the log.
    var isFollowing = false
    /// Whether the member has read to the end of the log.
    var isCurrent = false
    /// The time since which the member has lacked records of the log, or may have lacked some.
    private(set) var behindSince: Duration?
    /// The time since which the member has been ahead of the log.
    var aheadSince: Duration?
    /// The latest epoch of other members whose records delayed a snapshot that would have discarded
    /// them.
    var blockingEpoch: UInt64 = 0
    /// Whether the log has no head.
    var isOrphaned = false {
        didSet { orphanedSince = isOrphaned ? orphanedSince ?? now : nil }
    }
    private(set) var orphanedSince: Duration?
    /// Whether a record was ignored since the member last verified its place.
    var hasDoubt = false
    /// Whether a request failed after ignored records were read, so that they must be read again.
    var mustRereadIgnored = false
    /// The last log position at which a record was ignored.
    var passedThrough: UInt64 = 0
    /// Whether the member reads the head and the log again although nothing indicates that they
    /// changed.
    var isRechecking = false
    /// Whether the last read returned no records.
    var isIdle = false
    /// Whether records of another history were ignored.
    var hasIgnoredForeign = false
    /// An epoch in the head that is later than the member's, and whether the member has recovered
    /// because of it.
    var laterEpoch: (epoch: UInt64, isReported: Bool)?
    /// The greatest epoch that was seen anywhere.
    var greatestEpoch: UInt64 = 0

    /// The number of recoveries, since the last applied record, that the existing records and
    /// snapshots caused.
    var failedRecoveries = 0
    /// The time of the second of these recoveries.
    var stuckSince: Duration?

    /// The name of the last snapshot that could not be loaded.
    var unloadableSnapshot: String?

    // Requests for help.

    var helpTicket: LogTicket?
    /// The time of the last request for help.
    var helpRequestedAt: Duration?
    /// The revision of the last request that a leader has seen.
    var seenRequest: UInt64?

    // Leadership.

    var wantsLeadership = false
    /// Whether the member has ever seen a lease.
    var hasSeenLease = false
    var leadershipState = LeadershipState.none
    var leaseTicket: LogTicket?
    var fenceTicket: LogTicket?
    /// The log position from which the log continues the head's snapshot. If the broker rolls back,
    /// one of the member's own records may end up at or before this position, where members that
    /// join later do not read it.
    var headPosition: UInt64?
    /// The last record that the member sealed to open an epoch.
    var opening: PendingRecord?
    /// The difference between the version of an update and its number in the source.
    var sourceBase: Int?

    // Pending records.

    var pending = FIFO<PendingRecord>()
    /// The number of bytes of the pending records.
    var pendingBytes = 0
    /// The number of pending records that were appended, counted from the first.
    var appended = 0
    /// The ticket numbers of the appends without a response.
    var outstanding: Set<UInt64> = []
    var outstandingBytes = 0
    /// The log position after which the next append belongs.
    var nextPosition: UInt64 = 0
    /// Whether an append failed, so that all pending records must be appended again.
    var mustAppendAgain = false
    /// The greatest position that a conflict reported.
    var conflictPosition: UInt64 = 0
    /// Whether a timer is set to append again.
    var isWaitingToAppend = false
    /// The sequence numbers of the records that a snapshot will publish instead of the log.
    var detours: Set<UInt64> = []
    /// The sequence number of the last record that the journal contains.
    var journaledThrough: UInt64 = 0
    var isSourcePaused = false

    // Visibility.

    /// The records that were sealed and are not visible yet.
    var unshown = FIFO<PendingRecord>()
    /// The last position that was shown to readers.
    var shown: ChainPosition?

    // Snapshots.

    var publication: SnapshotPublication?
    var recordsSinceSnapshot = 0
    var bytesSinceSnapshot = 0
    var snapshotBytes = 0

    init(_ configuration: ReplicationConfiguration, hasJournal: Bool, seed: UInt64) {
        self.configuration = configuration
        self.hasJournal = hasJournal
        random = SeededNumbers(seed: seed)
    }

    /// Starts with the contents of a journal.
    mutating func restore(_ chain: LogChain, _ ancestors: [ChainPosition]) {
        self.chain = chain
        self.ancestors = ancestors
        remember(chain.position)
        see(chain.position.epoch)
    }

    /// The chain including all pending records.
    var tip: LogChain? { pending.last?.chain ?? chain }

    var isLeading: Bool {
        if case .leading = leadershipState { true } else { false }
    }

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
            journaledThrough = max(journaledThrough, sequence)
            showPending()
            append()
        case .journalFailed(let message):
            notify(.journalFailed(message))
            wantsLeadership = false
            // If the member was asked to campaign before its journal was read, it does not campaign
            // either.
            if holdsLease { leave(.journalFailed) } else { leadershipState = .none }
        case .encoded(let bytes, let ticket): encoded(bytes, ticket)
        case .decoded(let snapshot, let ticket): decoded(snapshot, ticket)
        }
        if case .idle = reading {
            behindSince = nil
        } else {
            behindSince = isCurrent && position >= logEnd ? nil : behindSince ?? now
        }
        defer { effects = [] }
        return effects
    }

    private mutating func begin() {
        guard case .idle = reading else { return }
        // Under `.afterBroker`, readers do not see journaled records that may still be lost.
        if let chain, configuration.visibility != .afterBroker { jump(to: chain) }
        locate()
    }

    private mutating func answered(_ ticket: LogTicket, _ answer: LogAnswer) {
        var answer = answer
        if case .batch(let batch) = answer, !batch.isPossible {
            answer = .failed(LogError(.rejected, "the log returned impossible positions"))
        }
        noteFailure(answer)
        switch ticket.purpose {
        case .reading where ticket == readingTicket: readingAnswered(answer)
        case .leasing where ticket == leaseTicket: leaseAnswered(answer)
        case .publication where ticket == publication?.ticket: publicationAnswered(answer)
        case .helping where ticket == helpTicket: helpAnswered(answer)
        case .fencing where ticket == fenceTicket: fenceAnswered(answer)
        case .appending: appendAnswered(ticket, answer)
        case .reading, .leasing, .publication, .helping, .fencing: break
        }
    }

    /// Reports a failure once, until a request succeeds or fails with another code.
    private mutating func noteFailure(_ answer: LogAnswer) {
        guard case .failed(let error) = answer else { return lastFailure = nil }
        if error.code == .conflict || error.code == lastFailure { return }
        lastFailure = error.code
        notify(.failed(error))
    }

    private mutating func elapsed(_ ticket: LogTicket) {
        switch ticket.purpose {
        case .reading where ticket == readingTicket: readingElapsed()
        case .leasing where ticket == leaseTicket: leaseElapsed()
        case .publication where ticket == publication?.ticket: publicationElapsed()
        case .appending:
            isWaitingToAppend = false
            // The position may belong to a log that has been replaced; otherwise the next conflict
            // reports it again.
            conflictPosition = 0
            append()
        case .reading, .leasing, .publication, .helping, .fencing: break
        }
    }

    // MARK: Requests and timers

    mutating func ticket(_ purpose: LogTicket.Purpose) -> LogTicket {
        lastTicket += 1
        return LogTicket(purpose: purpose, number: lastTicket)
    }

    /// Requests something from the log.
    ///
    /// - Returns: the ticket that the response carries.
    @discardableResult
    mutating func ask(_ purpose: LogTicket.Purpose, _ request: LogRequest) -> LogTicket {
        let ticket = ticket(purpose)
        effects.append(.ask(ticket, request))
        return ticket
    }

    /// Starts a timer.
    ///
    /// - Returns: the ticket that arrives when the time has passed.
    @discardableResult
    mutating func wait(_ purpose: LogTicket.Purpose, _ delay: Duration) -> LogTicket {
        let ticket = ticket(purpose)
        effects.append(.wait(ticket, delay))
        return ticket
    }

    mutating func notify(_ event: ReplicationEvent) { effects.append(.notify(event)) }

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

    /// Records an epoch that was seen anywhere.
    mutating func see(_ epoch: UInt64) { greatestEpoch = max(greatestEpoch, epoch) }
}

extension Member {
    mutating func remember(_ position: ChainPosition) { ancestors.remember(position) }

    /// Returns a snapshot of a chain, with the known ancestors.
    func snapshot(of chain: LogChain) -> EncodableSnapshot {
        var snapshot = chain.snapshot
        snapshot.ancestors = ancestors.filter { $0.epoch < chain.position.epoch }
        return snapshot
    }

    /// Returns whether the member's chain passed through a position, as far back as is known.
    func hasPassed(_ place: ChainPosition) -> Bool {
        guard let oldest = ancestors.first, place.epoch >= oldest.epoch else { return true }
        return ancestors.contains { $0.has(place) }
    }
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
