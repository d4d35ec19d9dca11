import CollectionChanges
import CollectionElements
import CollectionPublishing

/// What a member of a replicated log does, as a value: something happens, and it says what is to be done.
///
/// It reads the log and follows its chain all the time, also when it leads: what a leader appended counts when it was
/// read back in its place, since the order of the log alone decides who led. So one way leads through every fault of a
/// broker: find out whether the last record that was taken in is in the log, and go on behind it, or from the newest
/// snapshot.
///
/// - *Reading* (``ReadingPhase``): find the place in the log, and follow.
/// - *Office* (``Office``): stand for leadership, hold the lease, open an epoch.
/// - *Pending*: what a leader has sealed and not read back; appended in order, again where that failed.
/// - *Anchoring*: put a snapshot beside the log and say so in its head; every so often, and wherever the log does not
///   have what it is to go on from.
struct Member {
    /// What happens.
    enum Input: Sendable {
        case begin
        case answered(LogTicket, LogAnswer)
        case elapsed(LogTicket)
        case stand
        case resign
        case published(SourceChange)
        case journaled(through: UInt64)
        case journalFailed(String)
        case encoded([UInt8], LogTicket)
        case decoded(SnapshotForm?, LogTicket)
    }

    /// What the source of a leader published.
    enum SourceChange: Sendable {
        case everything(PublishedState, number: Int)
        case update(ValidatedChangeSet, PublishedContents, number: Int)

        var number: Int {
            switch self {
            case .everything(_, let number), .update(_, _, let number): number
            }
        }
    }

    /// What is to be done.
    enum Effect: Sendable {
        case ask(LogTicket, LogRequest)
        case wait(LogTicket, Duration)
        /// Give readers what follows on what they were given.
        case show(PublishedUpdate, KeptState)
        /// Give readers something else than what follows.
        case jump(KeptState, PublishedVersion)
        /// An update of the source was shown, at this version.
        case shown(source: Int, PublishedVersion)
        /// Begin the journal with a state.
        case rebaseJournal(SnapshotForm)
        case journal(PendingRecord)
        case encode(SnapshotForm, LogTicket)
        case decode([UInt8], LogTicket)
        case began(PublishedSnapshot)
        case ended(ResignationReason)
        case resumeSource
        case notify(ReplicationEvent)
    }

    let configuration: ReplicationConfiguration
    /// Whether there is a journal of its own.
    let hasJournal: Bool
    var random: SeededNumbers
    /// When the input came that is handled.
    var now = Duration.zero
    var effects: [Effect] = []
    var lastTicket: UInt64 = 0

    /// What failed last, if nothing has gone well since.
    var lastFailure: LogError.Code?

    // Reading.

    /// What was taken in; nil before anything was found.
    var chain: LogChain?
    /// The last record of each of the last leaderships that was taken in, so that what is an ancestor is known to be one,
    /// however far back it lies.
    var ancestors: [ChainPosition] = []
    var reading = ReadingPhase.idle
    var readingTicket: LogTicket?
    /// How many reads have failed one after another, on a way that goes on where one failed.
    var failedReads = 0
    /// How often a part of a long way is tried before the way is begun anew.
    static let attempts = 16
    /// Where the record is in the log that was looked at last.
    var position: UInt64 = 0
    /// Where the newest record is, as far as a read has told.
    var logEnd: UInt64 = 0
    /// Where the one is that was taken in last; nil where it came with a snapshot.
    var acceptedAt: UInt64?
    /// The last record that is known to have been there together with those before it, where they came from the log.
    var checked: PlacedRecord?
    /// What it took in last, where that came from the log.
    var lastAccepted: PlacedRecord? {
        guard let acceptedAt, let chain else { return nil }
        return PlacedRecord(place: acceptedAt, position: chain.position)
    }
    /// Whether its place in the log is known.
    var isFollowing = false
    /// Whether everything was read that there was.
    var isCurrent = false
    /// Since when it has not everything that is in the log, or does not know.
    private(set) var behindSince: Duration?
    /// Since when it has more than the log.
    var aheadSince: Duration?
    /// The latest epoch of others whose records have held up a snapshot that would have gone over them.
    var heldUpBy: UInt64 = 0
    /// Whether there is no head.
    var isOrphaned = false {
        didSet { orphanedSince = isOrphaned ? orphanedSince ?? now : nil }
    }
    private(set) var orphanedSince: Duration?
    /// Whether anything was passed over since that was last looked into.
    var hasDoubt = false
    /// Whether anything failed since what was passed over was read.
    var mustLookBack = false
    /// The last position at which something was passed over.
    var passedThrough: UInt64 = 0
    /// Whether it looks at the head and the log again, though nothing says that they are others.
    var isLookingAgain = false
    /// Whether the last read found nothing.
    var isIdle = false
    /// Whether records of another history were.
    var hasMetForeign = false
    /// An epoch of the head that is later than that of what it has, and whether it has looked for that.
    var laterEpoch: (epoch: UInt64, isTold: Bool)?
    /// The greatest epoch that was seen anywhere.
    var greatestEpoch: UInt64 = 0

    /// How often it had to find its place since a record was taken in, where what there is did not lead on.
    var fruitlessRecoveries = 0
    /// Since when that is more than once.
    var stuckSince: Duration?

    /// The snapshot that it has tried in vain to load last.
    var triedSnapshot: String?

    // Help.

    var helpTicket: LogTicket?
    /// When it asked for help last.
    var helpAskedAt: Duration?
    /// The last request that a leader has seen.
    var seenRequest: UInt64?

    // Office.

    var wantsOffice = false
    /// Whether there ever was a lease.
    var hasSeenLease = false
    var office = Office.none
    var leaseTicket: LogTicket?
    var fenceTicket: LogTicket?
    /// Where the log goes on from the head; a record of its own that comes to lie before it, since the broker went back, is
    /// none that late members read.
    var headPosition: UInt64?
    /// What it has sealed last to open an epoch.
    var opening: PendingRecord?
    /// What to add to a number of the source to have a version.
    var sourceBase: Int?

    // Pending.

    var pending = FIFO<PendingRecord>()
    /// How many bytes these have.
    var pendingBytes = 0
    /// How many of these, from the first on, were appended.
    var appended = 0
    /// Appends that are not answered.
    var outstanding: Set<UInt64> = []
    var outstandingBytes = 0
    /// Where the next append belongs.
    var nextPosition: UInt64 = 0
    /// Whether an append failed, so that all from the first on are to be appended again.
    var mustAppendAgain = false
    /// The greatest position that a conflict told.
    var conflictPosition: UInt64 = 0
    /// Whether a timer will try to append again.
    var isWaitingToAppend = false
    /// The records that go round the log.
    var detours: Set<UInt64> = []
    /// The last record that the journal has.
    var journaledThrough: UInt64 = 0
    var isSourcePaused = false

    // Shown.

    /// What was sealed and not shown.
    var unshown = FIFO<PendingRecord>()
    /// The last position that was shown.
    var shown: ChainPosition?

    // Anchoring.

    var anchoring: Anchoring?
    var recordsSinceSnapshot = 0
    var bytesSinceSnapshot = 0
    var snapshotBytes = 0

    init(_ configuration: ReplicationConfiguration, hasJournal: Bool, seed: UInt64) {
        self.configuration = configuration
        self.hasJournal = hasJournal
        random = SeededNumbers(seed: seed)
    }

    /// Begins with what a journal has.
    mutating func restore(_ chain: LogChain, _ ancestors: [ChainPosition]) {
        self.chain = chain
        self.ancestors = ancestors
        remember(chain.position)
        see(chain.position.epoch)
    }

    /// What was sealed last, or taken in where nothing is pending.
    var tip: LogChain? { pending.last?.chain ?? chain }

    var isLeading: Bool {
        if case .leading = office { true } else { false }
    }

    /// Handles an input, and says what is to be done.
    mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        self.now = now
        switch input {
        case .begin: begin()
        case .answered(let ticket, let answer): answered(ticket, answer)
        case .elapsed(let ticket): elapsed(ticket)
        case .stand: stand()
        case .resign: stepDown()
        case .published(let change): publish(change)
        case .journaled(let sequence):
            journaledThrough = max(journaledThrough, sequence)
            showPending()
            append()
        case .journalFailed(let message):
            notify(.journalFailed(message))
            wantsOffice = false
            // Nor does it stand any more, where it was to lead before its journal was read.
            if holdsLease { leave(.journalFailed) } else { office = .none }
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
        // What may be lost yet is not shown again.
        if let chain, configuration.visibility != .afterBroker { jump(to: chain) }
        locate()
    }

    private mutating func answered(_ ticket: LogTicket, _ answer: LogAnswer) {
        var answer = answer
        if case .batch(let batch) = answer, !batch.isPossible {
            answer = .failed(LogError(.rejected, "there are no such positions in a log"))
        }
        noteFailure(answer)
        switch ticket.asker {
        case .reading where ticket == readingTicket: readingAnswered(answer)
        case .leasing where ticket == leaseTicket: leaseAnswered(answer)
        case .anchoring where ticket == anchoring?.ticket: anchoringAnswered(answer)
        case .helping where ticket == helpTicket: helpAnswered(answer)
        case .fencing where ticket == fenceTicket: fenceAnswered(answer)
        case .appending: appendAnswered(ticket, answer)
        case .reading, .leasing, .anchoring, .helping, .fencing: break
        }
    }

    /// Tells of what fails, once until something does not.
    private mutating func noteFailure(_ answer: LogAnswer) {
        guard case .failed(let error) = answer else { return lastFailure = nil }
        if error.code == .conflict || error.code == lastFailure { return }
        lastFailure = error.code
        notify(.failed(error))
    }

    private mutating func elapsed(_ ticket: LogTicket) {
        switch ticket.asker {
        case .reading where ticket == readingTicket: readingElapsed()
        case .leasing where ticket == leaseTicket: leaseElapsed()
        case .anchoring where ticket == anchoring?.ticket: anchoringElapsed()
        case .appending:
            isWaitingToAppend = false
            // Of a log that is another by now; or it is told again.
            conflictPosition = 0
            append()
        case .reading, .leasing, .anchoring, .helping, .fencing: break
        }
    }

    // MARK: Asking

    mutating func ticket(_ asker: LogTicket.Asker) -> LogTicket {
        lastTicket += 1
        return LogTicket(asker: asker, number: lastTicket)
    }

    /// - Returns: what the answer comes with.
    @discardableResult
    mutating func ask(_ asker: LogTicket.Asker, _ request: LogRequest) -> LogTicket {
        let ticket = ticket(asker)
        effects.append(.ask(ticket, request))
        return ticket
    }

    /// - Returns: what comes when the time has passed.
    @discardableResult
    mutating func wait(_ asker: LogTicket.Asker, _ delay: Duration) -> LogTicket {
        let ticket = ticket(asker)
        effects.append(.wait(ticket, delay))
        return ticket
    }

    mutating func notify(_ event: ReplicationEvent) { effects.append(.notify(event)) }

    // MARK: What a broker holds, where somebody with the key wrote it

    func head(in value: LogRegisterValue?) -> LogHead? {
        value.flatMap { try? LogHead(decoding: $0.bytes, key: configuration.key) }
    }

    func lease(in value: LogRegisterValue?) -> LogLease? {
        value.flatMap { try? LogLease(decoding: $0.bytes, key: configuration.key) }
    }

    func record(in bytes: [UInt8]) -> LogRecord? {
        try? LogRecord(decoding: bytes, key: configuration.key)
    }

    /// An epoch was seen somewhere.
    mutating func see(_ epoch: UInt64) { greatestEpoch = max(greatestEpoch, epoch) }
}
