import CollectionElements

/// A view that publishes the updates of a controller to any number of readers, each at its own
/// speed.
///
/// Pass it to a ``DataController`` as its view, with nodes that render the content for readers
/// (``PublishedNode``). Every deployed update becomes a ``PublishedUpdate`` from one version to the
/// next, with the payloads of new and changed elements. A reader that joins receives the whole
/// state; a reader that reconnects states its version and receives what it missed. After that, each
/// receives the changes (``HubMessage``).
///
/// ```swift
/// let hub = UpdateHub()
/// let controller = DataController(dataSource: board, view: hub)
///
/// for await message in try hub.messages(from: lastVersion) {
///     try await connection.write(message)  // as slow as it may be
/// }
/// ```
///
/// Four guarantees, by name:
/// - **No Gap No Double**: every message starts at the version where the previous one ended. If the
///   hub has forgotten a reader's version, the reader receives the whole state
///   (``HubMessage/reset(_:_:)``).
/// - **Converges**: a reader that applies every message has the hub's state at each version, with
///   the same digest.
/// - **Slow Hurts Nobody**: a reader that does not accept the next message is paused at a version,
///   which costs a number and no buffer. No reader waits for another.
/// - **Resume Costs The Difference**: a reader receives all missed changes as one update. Its size
///   depends on what is different, not on how many updates there were.
///
/// Threading: every member may be called from any thread. On the main lane, publishing only reads
/// the payload of each node that an update inserts or changes. Everything else is done on the hub's
/// own lane, where the readers' callbacks run too. The hub never blocks.
///
/// Neither the controller nor the readers retain the hub. When it is released, readers are notified
/// that it is closed. Keep the hub in a variable: a hub that is created in the call to the
/// controller's initializer is released when the initializer returns (``CollectionView``). A hub
/// has one controller.
///
/// Complexity: O(k log n + s) for an update of k edits between s sections, whatever the number of
/// readers, and one call for each waiting reader. A paused reader of the whole list takes O(1)
/// memory, in addition to the changes since its version, which all readers at that version share.
/// While readers are paused, updates are also composed: for h updates, each remaining edit is
/// composed about log h times, amortised.
///
/// Source: the watch requests of etcd and Kubernetes, with revisions, bookmarks and "gone";
/// Electric's handles.
public final class UpdateHub: Sendable {
    private let core: HubCore

    /// The newest events, which event streams share.
    let recentEvents = RecentEvents()

    /// The main lane of the controller, once the hub is attached.
    private let mainLane = Lock<(any Lane)?>(nil)

    // These are read and written only on the main lane.
    private nonisolated(unsafe) var waiting = FIFO<ViewUpdate>()
    /// The number of updates that are deployed but not published.
    private nonisolated(unsafe) var unpublished = 0

    /// Creates a hub that has nothing to publish yet.
    ///
    /// - Parameters:
    ///   - configuration: The hub's options.
    ///   - environment: The environment that provides the hub's lane; a simulation passes its own.
    public init(
        configuration: HubConfiguration = HubConfiguration(),
        environment: any PipelineEnvironment = DispatchEnvironment()
    ) {
        core = HubCore(configuration, environment)
    }

    deinit { core.close() }

    /// The announced state with its version.
    ///
    /// When a submission completes as deployed, its generation is included, unless
    /// ``HubConfiguration/minimumInterval`` delays the announcement.
    public var snapshot: PublishedSnapshot { core.snapshot }

    /// Returns the first version whose state contains a submission.
    ///
    /// Readers may receive it a little later if ``HubConfiguration/minimumInterval`` delays the
    /// announcement. If the submission was not accepted or changed nothing, this is the current
    /// version.
    ///
    /// - Parameter result: The result of a submission to the hub's controller.
    public func version(of result: UpdateResult) -> PublishedVersion {
        let newest = core.snapshot.version
        guard let number = result.generation else { return newest }
        return PublishedVersion(handle: newest.handle, number: number)
    }

    /// The number of readers.
    public var numberOfReaders: Int { core.numberOfReaders }

    /// Adds a reader. It first receives the whole state, or the changes since a version that it
    /// already has.
    ///
    /// - Parameters:
    ///   - version: The version that the reader has; `nil` if it has no state.
    ///   - policy: The form in which the reader receives several missed updates.
    ///   - receive: Accepts one message, and returns whether it can accept another. It is called on
    ///     the hub's lane, never inside this call, with one message at a time. It must not block,
    ///     because all readers are served there: pass the message on, and return
    ///     ``ReaderDemand/pause`` if the reader has to wait.
    /// - Returns: The reader, which leaves when it is released. A callback that retains the reader
    ///   forms a retain cycle.
    /// - Throws: An error if there are too many readers.
    public func addReader(
        from version: PublishedVersion? = nil,
        policy: ReaderPolicy = .coalesced,
        receive: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) throws(HubError) -> HubReader {
        let reader = try addPausedReader(from: version, policy: policy, receive: receive)
        reader.resume()
        return reader
    }

    /// Adds a reader of a part of the list. It first receives everything in that part, and then the
    /// insertions, removals, moves and changes in it, with its position in the list
    /// (``WindowPlace``).
    ///
    /// A change outside the window costs the hub only a version number: the reader receives no
    /// message, and the next message starts from the version that it received last. Every update
    /// contains the total numbers of sections and items; a heartbeat sends an update if they have
    /// changed.
    ///
    /// ```swift
    /// let reader = try hub.addReader(window: .rows(0, count: 50)) { message in
    ///     outbox.add(message) ? .more : .pause
    /// }
    /// try reader.setWindow(.rows(200, count: 50))
    /// ```
    ///
    /// - Parameters:
    ///   - window: The part of the list; ``HubReader/setWindow(_:)`` replaces it.
    ///   - receive: Accepts one message, as in ``addReader(from:policy:receive:)``.
    /// - Returns: The reader, which leaves when it is released. A callback that retains the reader
    ///   forms a retain cycle.
    /// - Throws: An error if the window has negative rows or too many, or there are too many
    ///   readers.
    ///
    /// Complexity: some nanoseconds for an update that changes nothing in the window; otherwise O(k
    /// log k) for k rows, once for all readers of the same rows. The hub keeps the rows that the
    /// reader received last, O(k) memory, even while the reader is paused.
    public func addReader(
        window: PublishedWindow,
        receive: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) throws(HubError) -> HubReader {
        let reader = try addPausedReader(window: window, receive: receive)
        reader.resume()
        return reader
    }

    /// Adds a reader that receives nothing before it is resumed for the first time.
    func addPausedReader(
        from version: PublishedVersion?,
        policy: ReaderPolicy,
        receive: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) throws(HubError) -> HubReader {
        try core.admit()
        let progress = ReaderProgress(joiningFrom: version, policy: policy)
        return HubReader(core, ListReaderCore(progress, isPaused: true, receive))
    }

    func addPausedReader(
        window: PublishedWindow,
        receive: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) throws(HubError) -> HubReader {
        try window.check(limit: core.configuration.windowRowLimit)
        try core.admit()
        let progress = WindowProgress(joining: window)
        return HubReader(core, WindowReaderCore(progress, isPaused: true, receive))
    }

    /// Sends ``HubMessage/upToDate(_:digest:)`` to every up-to-date reader, so that the reader can
    /// check that its state is current.
    ///
    /// With ``HubConfiguration/heartbeat`` the hub does this at intervals. Paused readers receive
    /// nothing, and nothing is kept for them: a reader of ``HubMessages`` is paused unless its task
    /// waits in `next()`.
    public func sendHeartbeat() { core.beat() }

    /// Publishes an update that no controller deployed, for tests and benchmarks.
    package func publish(_ update: RenderedUpdate) { core.publish(update) {} }

    /// Publishes an update of the current history that was published elsewhere; `contents` is the
    /// resulting state.
    ///
    /// - Parameter completion: A closure that is called on the hub's lane when the update is
    ///   published.
    package func publish(
        _ update: PublishedUpdate,
        leadingTo contents: StateWithDigest,
        completion: @escaping @Sendable () -> Void
    ) {
        core.publish(update, leadingTo: contents, completion)
    }

    /// Continues from a state that was published elsewhere: of another history, or a later version
    /// of this one.
    package func jump(to contents: StateWithDigest, at version: PublishedVersion) {
        core.jump(to: contents, at: version)
    }

    /// Closes the hub and notifies the readers.
    package func close() { core.close() }

    /// Returns a report about the hub, which is made on the hub's lane.
    public func report() async -> HubReport { await suspend { report($0) } }

    package func report(_ body: @escaping @Sendable (HubReport) -> Void) { core.report(body) }
}

extension UpdateHub: CollectionView {
    /// Remembers the main lane. Stops the process if the hub already has another controller.
    public func attach(to lane: any Lane) {
        let isFirst = mainLane.withLock { mainLane in
            defer { mainLane = mainLane ?? lane }
            return mainLane == nil
        }
        require(isFirst, "A hub has only one controller: make a hub for each controller")
    }

    /// The size range of the configuration.
    public var elementSizeRange: SizeRange { core.configuration.elementSizeRange }

    /// Always `nil`: readers may look at any part of the list.
    public var firstVisiblePath: ItemPath? { nil }

    /// Deploys and publishes an update. If too many updates are not published yet, the update waits
    /// for them first.
    public func perform(_ update: ViewUpdate) {
        waiting.append(update)
        deployWaiting()
    }

    /// Notifies the readers that the hub is closed, on the hub's lane. ``report()`` returns after
    /// that, so a process that is about to end can wait for it.
    public func controllerDidClose() { core.close() }

    private func deployWaiting() {
        let limit = max(1, core.configuration.unpublishedUpdateLimit)
        while unpublished < limit, let update = waiting.popFirst() {
            var rendered: RenderedUpdate?
            // If a later reload replaces the update, nothing is rendered.
            update.deploy { rendered = RenderedUpdate(of: $0) }
            guard let rendered, let lane = mainLane.withLock({ $0 }) else { continue }
            unpublished += 1
            core.publish(rendered) { [weak self] in
                lane.enqueue { [weak self] in
                    update.finish()
                    self?.wasPublished()
                }
            }
        }
    }

    private func wasPublished() {
        unpublished -= 1
        deployWaiting()
    }
}

/// The options of a hub. They are fixed when the hub is made.
public struct HubConfiguration: Sendable {
    /// The name of the hub's lane; "hub" by default.
    public var name = "hub"

    /// The identifier of the hub's history; random by default. Set another one only in tests: every
    /// hub numbers its versions from the start, so versions of two hubs with the same identifier
    /// would be confused.
    public var handle = HistoryID.random()

    /// The minimum time between two announcements. Updates in between are announced as one, which
    /// is composed once for all readers. With the default, zero, every update of the controller is
    /// announced separately. With thousands of readers, a tenth of a second saves most of the
    /// writes, and no reader notices the delay.
    public var minimumInterval = Duration.zero

    /// The interval, in announcements, at which an update contains the digest of the state; at
    /// least 1, and 16 by default. A reader's error is found within that many updates, at a cost of
    /// about one byte for each.
    public var digestInterval = 16

    /// The interval at which the hub confirms to up-to-date readers that they are up to date. `nil`
    /// (the default), zero or a negative value disables it; the application can call
    /// ``UpdateHub/sendHeartbeat()`` instead.
    public var heartbeat: Duration?

    /// The number of announcements that are kept, so that readers that reconnect with an older
    /// version receive what they missed; 1,024 by default. Versions of connected readers are kept
    /// for longer; see ``retainedVersionLimit``.
    public var resumableUpdateLimit = 1024

    /// The maximum total number of edits in these announcements, and of sections and items in those
    /// that are kept whole; 262,144 by default, about 25 MB plus the payloads. In each
    /// announcement, eight sections of the list count as one edit.
    public var resumableEditLimit = 1 << 18

    /// The maximum number of older versions that are kept for paused readers; 4,096 by default.
    /// Beyond that the oldest is forgotten, and its readers receive the whole state when they
    /// resume.
    public var retainedVersionLimit = 4096

    /// The maximum total number of edits that are kept for these versions, including compositions
    /// made for queries; 1,048,576 by default, about 100 MB. Beyond that the oldest version is
    /// forgotten too.
    public var retainedEditLimit = 1 << 20

    /// The number of announcements that are kept whole, for readers that receive them separately;
    /// 64 by default.
    public var recentUpdateLimit = 64

    /// The maximum number of updates that are deployed but not published, at least 1; 8 by default.
    /// Beyond that the hub is a busy view, and the controller's backlog fills.
    public var unpublishedUpdateLimit = 8

    /// The maximum number of readers; 1,000,000 by default.
    public var readerLimit = 1_000_000

    /// The maximum number of rows in a reader's window; 10,000 by default. A window in which
    /// something has changed is compared row by row.
    public var windowRowLimit = 10_000

    /// The size range for measuring elements; unconstrained by default.
    public var elementSizeRange = SizeRange.unconstrained

    /// Creates a configuration with the default values.
    public init() {}
}

/// An error that occurs when a reader is added or its window is changed.
public struct HubError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code

    /// A sentence that describes the error, with its values.
    public let message: String

    /// The name of an error. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The hub has the maximum number of readers.
        public static let tooManyReaders = Code(rawValue: "tooManyReaders")
        /// A window has negative rows, or more rows than the limit.
        public static let invalidWindow = Code(rawValue: "invalidWindow")
        /// The reader follows the whole list, because it was added without a window.
        public static let notWindowed = Code(rawValue: "notWindowed")
    }

    /// The message.
    public var description: String { message }

    static func tooManyReaders(limit: Int) -> HubError {
        HubError(
            code: .tooManyReaders,
            message: "the hub has its maximum of \(limit) readers: raise"
                + " HubConfiguration.readerLimit, or reject the client"
        )
    }

    static func invalidWindow(_ window: PublishedWindow, limit: Int) -> HubError {
        HubError(
            code: .invalidWindow,
            message:
                "a window must have rows from 0, at most \(limit) of them, but is \(window): reject"
                + " the client, or raise HubConfiguration.windowRowLimit"
        )
    }

    static let notWindowed = HubError(
        code: .notWindowed,
        message: "only a reader that was added with a window can have another, but this one follows"
            + " the whole list: add it with addReader(window:receive:)"
    )
}
