import CollectionElements

/// A hub without its face towards the controller: does what the ``HubLedger`` says, on a lane of its own.
final class HubCore: Sendable {
    let configuration: HubConfiguration
    let environment: any PipelineEnvironment
    let lane: any Lane

    // The hub's lane alone reads and writes these.
    private nonisolated(unsafe) var ledger: HubLedger
    /// The readers that can be told more, in no order that means anything.
    private nonisolated(unsafe) var listening: [ReaderCore] = []
    /// When the next announcement may be made.
    private nonisolated(unsafe) var nextAnnouncement = Duration.zero
    /// Whether a timer will make it.
    private nonisolated(unsafe) var isAnnouncing = false
    /// Whether a timer will beat.
    private nonisolated(unsafe) var isBeating = false

    /// What is announced, for who asks from anywhere.
    private let announced: Lock<PublishedSnapshot>
    /// How many readers there are.
    private let readerCount = Lock(0)

    init(_ configuration: HubConfiguration, _ environment: any PipelineEnvironment) {
        self.configuration = configuration
        self.environment = environment
        lane = environment.makeLane(label: configuration.name)
        let ledger = HubLedger(configuration)
        announced = Lock(ledger.announced)
        self.ledger = ledger
    }

    var snapshot: PublishedSnapshot { announced.withLock { $0 } }
    var numberOfReaders: Int { readerCount.withLock { $0 } }

    // MARK: Publishing

    /// Publishes what was deployed, and then calls `completion`, on the hub's lane.
    func publish(_ update: RenderedUpdate, _ completion: @escaping @Sendable () -> Void) {
        lane.enqueue { [self] in
            ledger.publish(update)
            announceInTime()
            completion()
        }
    }

    /// Nothing is published any more; readers are told.
    func close() {
        lane.enqueue { [self] in
            ledger.close()
            tellAnnounced()
        }
    }

    private func announceInTime() {
        guard !isAnnouncing else { return }
        guard configuration.minimumInterval > .zero else { return announce() }
        let now = environment.now
        if now >= nextAnnouncement { return announce() }
        isAnnouncing = true
        environment.schedule(after: nextAnnouncement - now, on: lane) { [weak self] in
            guard let self else { return }
            isAnnouncing = false
            announce()
        }
    }

    private func announce() {
        if configuration.minimumInterval > .zero {
            // More than a century would be too far away to be added.
            let interval = min(configuration.minimumInterval, .seconds(3_155_760_000))
            nextAnnouncement = environment.now + interval
        }
        ledger.announce()
        tellAnnounced()
    }

    private func tellAnnounced() {
        var snapshot = ledger.announced
        // The one before may be the last reference to much, which is freed behind the lock.
        announced.withLock { swap(&$0, &snapshot) }
        tellListening()
    }

    /// Tells those who can be told more, each as much as it takes.
    private func tellListening() {
        let readers = listening
        listening = []
        for reader in readers {
            reader.position = nil
            tell(reader)
        }
    }

    private func tell(_ reader: ReaderCore) {
        while !reader.isPaused || Mutant.tellsPaused.isActive {
            guard let message = ledger.next(for: &reader.progress) else { break }
            if reader.receive(message) == .pause { reader.isPaused = true }
        }
        if reader.progress.position == .ended {
            end(reader)
        } else if !reader.isPaused {
            reader.position = Int32(clamping: listening.count)
            listening.append(reader)
        }
    }

    // MARK: Readers

    /// Counts one more reader, where there may be one.
    func admit() throws(HubError) {
        let limit = configuration.readerLimit
        let isAdmitted = readerCount.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { throw .tooManyReaders(limit: limit) }
    }

    func resume(_ reader: ReaderCore) {
        lane.enqueue { [self] in
            guard reader.isPaused else { return }
            reader.isPaused = false
            if !Mutant.forgetsResumed.isActive { tell(reader) }
            beatInTime()
        }
    }

    func leave(_ reader: ReaderCore) {
        lane.enqueue { [self] in
            ledger.leave(&reader.progress)
            if let position = reader.position {
                let last = listening.removeLast()
                if last !== reader {
                    listening[Int(position)] = last
                    last.position = position
                }
                reader.position = nil
            }
            end(reader)
        }
    }

    /// Counts one less, once.
    private func end(_ reader: ReaderCore) {
        guard !reader.hasEnded else { return }
        reader.end()
        readerCount.withLock { $0 -= 1 }
    }

    // MARK: Heartbeats

    /// Tells those who have everything that they do, and could be told.
    func beat() { lane.enqueue { [self] in tellUpToDate() } }

    private func tellUpToDate() {
        for reader in listening { ledger.beat(for: &reader.progress) }
        tellListening()
    }

    /// Beats from now on, as long as somebody listens.
    private func beatInTime() {
        guard let heartbeat = configuration.heartbeat, heartbeat > .zero, !isBeating,
            !listening.isEmpty
        else {
            return
        }
        isBeating = true
        environment.schedule(after: heartbeat, on: lane) { [weak self] in
            guard let self else { return }
            isBeating = false
            tellUpToDate()
            beatInTime()
        }
    }

    // MARK: What there is

    /// Calls `body` on the hub's lane with how much is kept.
    func report(_ body: @escaping @Sendable (HubReport) -> Void) {
        lane.enqueue { [self] in
            body(
                HubReport(
                    version: ledger.announced.version,
                    readers: numberOfReaders,
                    listeningReaders: listening.count,
                    knownVersions: ledger.knownVersions,
                    keptChangeSets: ledger.keptChangeSets
                )
            )
        }
    }
}

/// A reader as the hub has it; everything belongs to the hub's lane.
final class ReaderCore: Sendable {
    // The hub's lane alone reads and writes these.
    nonisolated(unsafe) var progress: ReaderProgress
    /// Whether it cannot be told more until it is resumed.
    nonisolated(unsafe) var isPaused: Bool
    /// Where it stands among those who listen.
    nonisolated(unsafe) var position: Int32?
    /// What it is told by; nil when it has ended.
    private nonisolated(unsafe) var receiver: (@Sendable (HubMessage) -> ReaderDemand)?

    init(
        _ progress: ReaderProgress,
        isPaused: Bool,
        _ receiver: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) {
        self.progress = progress
        self.isPaused = isPaused
        self.receiver = receiver
    }

    var hasEnded: Bool { receiver == nil }

    func receive(_ message: HubMessage) -> ReaderDemand { receiver?(message) ?? .pause }

    func end() { receiver = nil }
}
