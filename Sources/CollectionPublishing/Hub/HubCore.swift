import CollectionElements

/// The part of a hub that does not face the controller: it runs the ``HubLedger`` on a lane of its
/// own.
final class HubCore: Sendable {
    let configuration: HubConfiguration
    let environment: any PipelineEnvironment
    let lane: any Lane

    // These are read and written only on the hub's lane.
    private nonisolated(unsafe) var ledger: HubLedger
    /// The readers that are waiting for messages.
    private nonisolated(unsafe) var listeners = WaitingReaders()
    /// The earliest time of the next announcement.
    private nonisolated(unsafe) var nextAnnouncement = Duration.zero
    /// Whether a timer for the next announcement is running.
    private nonisolated(unsafe) var isAnnouncementScheduled = false
    /// Whether a timer for the next heartbeat is running.
    private nonisolated(unsafe) var isHeartbeatScheduled = false

    /// The announced state, for readers on any thread.
    private let announced: Lock<PublishedSnapshot>
    /// The number of readers.
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

    /// Publishes a deployed update, and then calls `completion` on the hub's lane.
    func publish(_ update: RenderedUpdate, _ completion: @escaping @Sendable () -> Void) {
        lane.enqueue { [self] in
            ledger.publish(update)
            scheduleAnnouncement()
            completion()
        }
    }

    /// Publishes an update that was published elsewhere, and then calls `completion` on the hub's
    /// lane.
    func publish(
        _ update: PublishedUpdate,
        leadingTo contents: StateWithDigest,
        _ completion: @escaping @Sendable () -> Void
    ) {
        lane.enqueue { [self] in
            ledger.publish(update, leadingTo: contents)
            scheduleAnnouncement()
            completion()
        }
    }

    /// Continues from a state that was published elsewhere.
    func jump(to contents: StateWithDigest, at version: PublishedVersion) {
        lane.enqueue { [self] in
            // Earlier updates are announced separately.
            announce()
            let (old, line) = (ledger.announced.version, ledger.line)
            ledger.jump(to: contents, at: version)
            announce(since: old)
            // If no update leads to the new state, the positions of all windows are unknown.
            if line != ledger.line { notifyWindowReaders() }
        }
    }

    /// Closes the hub and notifies all readers.
    func close() {
        lane.enqueue { [self] in
            let old = ledger.announced.version
            ledger.close()
            notifyReaders(since: old)
            notifyWindowReaders()
        }
    }

    private func scheduleAnnouncement() {
        guard !isAnnouncementScheduled else { return }
        guard configuration.minimumInterval > .zero else { return announce() }
        let now = environment.now
        if now >= nextAnnouncement { return announce() }
        isAnnouncementScheduled = true
        environment.schedule(after: nextAnnouncement - now, on: lane) { [weak self] in
            guard let self else { return }
            isAnnouncementScheduled = false
            announce()
        }
    }

    private func announce() { announce(since: ledger.announced.version) }

    private func announce(since old: PublishedVersion) {
        if configuration.minimumInterval > .zero {
            // A date more than a century away might overflow the addition below.
            let interval = min(configuration.minimumInterval, .seconds(3_155_760_000))
            nextAnnouncement = environment.now + interval
        }
        ledger.announce()
        notifyReaders(since: old)
    }

    private func notifyReaders(since old: PublishedVersion) {
        var snapshot = ledger.announced
        // The previous snapshot may hold the last reference to a large state, which is released
        // after the lock.
        announced.withLock { swap(&$0, &snapshot) }
        notifyListReaders()
        guard !listeners.windows.isEmpty, old != ledger.announced.version,
            let changes = ledger.announcedChanges()
        else { return }
        let touched = listeners.windows.removeTouched(by: changes, since: old.number)
        for reader in touched { notify(reader) }
    }

    /// Sends messages to all waiting readers of windows, whether or not their windows changed.
    private func notifyWindowReaders(_ prepare: (inout WindowProgress) -> Void = { _ in }) {
        for reader in listeners.windows.removeAll(at: ledger.announced.version.number) {
            prepare(&reader.progress)
            notify(reader)
        }
    }

    /// Sends messages to all waiting readers of the whole list, as many as each accepts.
    private func notifyListReaders() {
        for reader in exchange(&listeners.list, with: []) {
            reader.index = nil
            notify(reader)
        }
    }

    private func notify(_ reader: ReaderCore) {
        while !reader.isPaused {
            guard let message = reader.next(by: &ledger) else { break }
            if reader.receive(message) == .pause { reader.isPaused = true }
        }
        if reader.isDone { return end(reader) }
        reader.wait(among: &listeners, &ledger)
    }

    // MARK: Readers

    /// Counts one more reader; throws if the limit is reached.
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
            notify(reader)
            scheduleHeartbeat()
        }
    }

    /// Gives a reader another window.
    func setWindow(_ window: PublishedWindow, of reader: WindowReaderCore) {
        lane.enqueue { [self] in
            guard !reader.hasEnded else { return }
            reader.stopWaiting(among: &listeners, ledger)
            ledger.setWindow(window, of: &reader.progress)
            if reader.isPaused { ledger.pause(&reader.progress) } else { notify(reader) }
        }
    }

    func leave(_ reader: ReaderCore) {
        lane.enqueue { [self] in
            reader.stopWaiting(among: &listeners, ledger)
            reader.leave(&ledger)
            end(reader)
        }
    }

    /// Counts one reader less, only once for each reader.
    private func end(_ reader: ReaderCore) {
        guard !reader.hasEnded else { return }
        reader.end()
        readerCount.withLock { $0 -= 1 }
    }

    // MARK: Heartbeats

    /// Notifies all waiting readers that they are up to date.
    func beat() { lane.enqueue { [self] in sendHeartbeats() } }

    private func sendHeartbeats() {
        for reader in listeners.list { ledger.beat(for: &reader.progress) }
        notifyListReaders()
        notifyWindowReaders { $0.owesConfirmation = true }
    }

    /// Starts the timer for the next heartbeat, unless it is running or no reader is waiting.
    private func scheduleHeartbeat() {
        guard let heartbeat = configuration.heartbeat, heartbeat > .zero, !isHeartbeatScheduled,
            listeners.count > 0
        else {
            return
        }
        isHeartbeatScheduled = true
        environment.schedule(after: heartbeat, on: lane) { [weak self] in
            guard let self else { return }
            isHeartbeatScheduled = false
            sendHeartbeats()
            scheduleHeartbeat()
        }
    }

    // MARK: Report

    /// Calls `body` on the hub's lane with a report.
    func report(_ body: @escaping @Sendable (HubReport) -> Void) {
        lane.enqueue { [self] in
            body(
                HubReport(
                    version: ledger.announced.version,
                    readers: numberOfReaders,
                    waitingReaders: listeners.count,
                    knownVersions: ledger.knownVersions,
                    keptChangeSets: ledger.keptChangeSets
                )
            )
        }
    }
}
