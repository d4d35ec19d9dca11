import CollectionElements

/// A hub without its face towards the controller: does what the ``HubLedger`` says, on a lane of its own.
final class HubCore: Sendable {
    let configuration: HubConfiguration
    let environment: any PipelineEnvironment
    let lane: any Lane

    // The hub's lane alone reads and writes these.
    private nonisolated(unsafe) var ledger: HubLedger
    /// Who can be told more.
    private nonisolated(unsafe) var listeners = Listeners()
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

    /// Publishes what was published elsewhere, and then calls `completion`, on the hub's lane.
    func publish(
        _ update: PublishedUpdate,
        leadingTo contents: KeptState,
        _ completion: @escaping @Sendable () -> Void
    ) {
        lane.enqueue { [self] in
            ledger.publish(update, leadingTo: contents)
            announceInTime()
            completion()
        }
    }

    /// Goes on from what was published elsewhere.
    func jump(to contents: KeptState, at version: PublishedVersion) {
        lane.enqueue { [self] in
            // What was published before is a step of its own.
            announce()
            let (old, line) = (ledger.announced.version, ledger.line)
            ledger.jump(to: contents, at: version)
            announce(since: old)
            // Where no update leads there, nobody's rows are known any more.
            if line != ledger.line { tellWindows() }
        }
    }

    /// Nothing is published any more; readers are told.
    func close() {
        lane.enqueue { [self] in
            let old = ledger.announced.version
            ledger.close()
            tellAnnounced(since: old)
            tellWindows()
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

    private func announce() { announce(since: ledger.announced.version) }

    private func announce(since old: PublishedVersion) {
        if configuration.minimumInterval > .zero {
            // More than a century would be too far away to be added.
            let interval = min(configuration.minimumInterval, .seconds(3_155_760_000))
            nextAnnouncement = environment.now + interval
        }
        ledger.announce()
        tellAnnounced(since: old)
    }

    private func tellAnnounced(since old: PublishedVersion) {
        var snapshot = ledger.announced
        // The one before may be the last reference to much, which is freed behind the lock.
        announced.withLock { swap(&$0, &snapshot) }
        tellListening()
        guard !listeners.windows.isEmpty, old != ledger.announced.version,
            let changes = ledger.announcedChanges()
        else { return }
        let touched = listeners.windows.removeTouched(by: changes, since: old.number)
        for reader in touched { tell(reader) }
    }

    /// Tells those who see a window, whatever happened in it.
    private func tellWindows(_ prepare: (inout WindowProgress) -> Void = { _ in }) {
        for reader in listeners.windows.removeAll(at: ledger.announced.version.number) {
            prepare(&reader.progress)
            tell(reader)
        }
    }

    /// Tells those who can be told more of the whole list, each as much as it takes.
    private func tellListening() {
        let readers = listeners.list
        listeners.list = []
        for reader in readers {
            reader.index = nil
            tell(reader)
        }
    }

    private func tell(_ reader: ReaderCore) {
        while !reader.isPaused {
            guard let message = reader.next(by: &ledger) else { break }
            if reader.receive(message) == .pause { reader.isPaused = true }
        }
        if reader.isDone { return end(reader) }
        reader.wait(among: &listeners, &ledger)
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
            tell(reader)
            beatInTime()
        }
    }

    /// Lets a reader see another part.
    func setWindow(_ window: PublishedWindow, of reader: WindowReaderCore) {
        lane.enqueue { [self] in
            guard !reader.hasEnded else { return }
            reader.stopWaiting(among: &listeners, ledger)
            ledger.setWindow(window, of: &reader.progress)
            if reader.isPaused { ledger.pause(&reader.progress) } else { tell(reader) }
        }
    }

    func leave(_ reader: ReaderCore) {
        lane.enqueue { [self] in
            reader.stopWaiting(among: &listeners, ledger)
            reader.leave(&ledger)
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
        for reader in listeners.list { ledger.beat(for: &reader.progress) }
        tellListening()
        tellWindows { $0.isOwedMark = true }
    }

    /// Beats from now on, as long as somebody listens.
    private func beatInTime() {
        guard let heartbeat = configuration.heartbeat, heartbeat > .zero, !isBeating,
            listeners.count > 0
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
                    listeningReaders: listeners.count,
                    knownVersions: ledger.knownVersions,
                    keptChangeSets: ledger.keptChangeSets
                )
            )
        }
    }
}
