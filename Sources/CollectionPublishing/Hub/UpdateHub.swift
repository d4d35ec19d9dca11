import CollectionElements

/// A view that publishes what a controller deploys: to any number of readers, each at its own speed.
///
/// Give it to a ``DataController`` as its view, with nodes that render what readers are shown (``PublishedNode``).
/// Every deployed update becomes a ``PublishedUpdate``, from one version to the next, with the payloads of what it
/// brings. A reader joins with everything, or comes back with the version that it has, and is told from then on what
/// has changed (``HubMessage``).
///
/// ```swift
/// let hub = UpdateHub()
/// let controller = DataController(dataSource: board, view: hub)
///
/// for await message in try hub.messages(from: lastVersion) {
///     try await connection.write(json(try WireMessage(message)))  // as slow as it may be
/// }
/// ```
///
/// Four guarantees, by name:
/// - **No Gap No Double**: every message starts where the one before left its reader. What is not known any more is
///   answered by everything (``HubMessage/reset(_:_:)``), never by a hole.
/// - **Converges**: who applies every message has at each version what the hub has, digest included.
/// - **Slow Hurts Nobody**: who does not take the next message is paused at a version: a number, not a buffer. Nobody
///   waits for anybody.
/// - **Resume Costs The Difference**: whatever was missed comes as one update that says what is different, whose cost
///   does not follow how often it changed in between.
///
/// Threading: every member may be called from anywhere. Publishing costs the main lane one look at each node that an
/// update brings; everything else is done on a lane of the hub's own, where callbacks of readers run too. Never blocks.
///
/// The hub is retained by who made it, not by the controller or by readers; when it goes, readers are told that it is
/// closed. So keep it in a variable: a hub that is made in the call that makes the controller is gone when the call
/// returns (``CollectionView``). A hub has one controller.
///
/// Complexity: O(k log n + s) for an update of k edits between s sections, whatever the number of readers; a call for each
/// reader that can be told; O(1) memory for each that cannot, but for windows, beside what has changed since its version, which all at that
/// version share. While some are paused, what was missed is composed too: amortised, some log h times what is left of it
/// over h updates.
///
/// Source: the watch of etcd and Kubernetes, with revisions, bookmarks and "gone"; Electric's handles.
public final class UpdateHub: Sendable {
    private let core: HubCore

    /// What readers that are connections share.
    let recentEvents = RecentEvents()

    /// The main lane of the controller, once there is one.
    private let mainLane = Lock<(any Lane)?>(nil)

    // The main lane alone reads and writes these.
    private nonisolated(unsafe) var waiting = FIFO<ViewUpdate>()
    /// How many updates are deployed and not published.
    private nonisolated(unsafe) var unpublished = 0

    /// Makes a hub, with nothing to publish yet.
    ///
    /// - Parameters:
    ///   - configuration: how to behave.
    ///   - environment: where its lane comes from; for a simulation.
    public init(
        configuration: HubConfiguration = HubConfiguration(),
        environment: any PipelineEnvironment = DispatchEnvironment()
    ) {
        core = HubCore(configuration, environment)
    }

    deinit { core.close() }

    /// What is announced: everything, with its version, taken together.
    ///
    /// When a submission completes as deployed, its generation is there, unless
    /// ``HubConfiguration/minimumInterval`` holds it back.
    public var snapshot: PublishedSnapshot { core.snapshot }

    /// Returns the version from which on every state that readers receive contains what was submitted.
    ///
    /// Readers may be told it a little later, if ``HubConfiguration/minimumInterval`` holds it back. A submission that was
    /// not accepted, or changed nothing, is contained in what there is.
    ///
    /// - Parameter result: that of a submission to the hub's controller.
    public func version(of result: UpdateResult) -> PublishedVersion {
        let newest = core.snapshot.version
        guard let number = result.generation else { return newest }
        return PublishedVersion(handle: newest.handle, number: number)
    }

    /// How many readers there are.
    public var numberOfReaders: Int { core.numberOfReaders }

    /// Adds a reader, which is told everything first, or what has changed since the version that it has.
    ///
    /// - Parameters:
    ///   - version: what it has; nil where it has nothing.
    ///   - policy: what it is given when it is some updates behind.
    ///   - receive: takes one message, and says whether it can take more. Called on the hub's lane, never inline in this
    ///     call, one message at a time. It must not block, since all readers are told there: hand the message over, and
    ///     say ``ReaderDemand/pause`` where it has to wait.
    /// - Returns: the reader, which leaves when it is released; a callback that keeps it keeps itself.
    /// - Throws: where there are too many readers.
    public func addReader(
        from version: PublishedVersion? = nil,
        policy: ReaderPolicy = .merged,
        receive: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) throws(HubError) -> HubReader {
        let reader = try addPausedReader(from: version, policy: policy, receive: receive)
        reader.resume()
        return reader
    }

    /// Adds a reader that sees a part of the list: it is told everything in it first, and then what comes, goes, moves
    /// and changes in it; and where in the list that is (``WindowPlace``).
    ///
    /// What happens outside costs it a number: it is not told, and the next message goes on from the version that it was
    /// told last. How many sections and items there are in all comes with every update, and with heartbeats.
    ///
    /// ```swift
    /// let reader = try hub.addReader(window: .rows(0, count: 50)) { message in
    ///     outbox.add(message) ? .more : .pause
    /// }
    /// try reader.setWindow(.rows(200, count: 50))
    /// ```
    ///
    /// - Parameters:
    ///   - window: which part; ``HubReader/setWindow(_:)`` gives it another.
    ///   - receive: takes one message, as that of ``addReader(from:policy:receive:)``.
    /// - Returns: the reader, which leaves when it is released; a callback that keeps it keeps itself.
    /// - Throws: where the window has negative rows or too many, or there are too many readers.
    ///
    /// Complexity: some nanoseconds for an update that does nothing in the window; O(k log k) otherwise for k rows, once for
    /// all readers of the same rows. What it was told last is kept, O(k) memory, whether or not it can be told more.
    public func addReader(
        window: PublishedWindow,
        receive: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) throws(HubError) -> HubReader {
        let reader = try addPausedReader(window: window, receive: receive)
        reader.resume()
        return reader
    }

    /// The same, but that nothing comes before it is resumed for the first time.
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

    /// Tells every reader that has everything which version that is, so that it can prove that it is current.
    ///
    /// ``HubConfiguration/heartbeat`` does it by itself. Paused readers receive nothing, and nothing is kept for them: a
    /// reader of ``HubMessages`` is paused unless its task waits in `next()`.
    public func sendUpToDate() { core.beat() }

    /// Publishes what no controller deployed: for tests and benchmarks.
    package func publish(_ update: RenderedUpdate) { core.publish(update) {} }

    /// Publishes what was published elsewhere, in the history that is there, and what it leads to.
    ///
    /// - Parameter completion: called on the hub's lane when that is done.
    package func publish(
        _ update: PublishedUpdate,
        leadingTo contents: KeptState,
        completion: @escaping @Sendable () -> Void
    ) {
        core.publish(update, leadingTo: contents, completion)
    }

    /// Goes on from what was published elsewhere: another history, or a later version of this one.
    package func jump(to contents: KeptState, at version: PublishedVersion) {
        core.jump(to: contents, at: version)
    }

    /// Nothing is published any more; readers are told.
    package func close() { core.close() }

    /// Finds out how the hub is doing; answered on the hub's lane.
    public func report() async -> HubReport { await suspend { report($0) } }

    package func report(_ body: @escaping @Sendable (HubReport) -> Void) { core.report(body) }
}

extension UpdateHub: CollectionView {
    /// Takes down the main lane; stops the process where the hub has another controller already.
    public func attach(to lane: any Lane) {
        let isFirst = mainLane.withLock { mainLane in
            defer { mainLane = mainLane ?? lane }
            return mainLane == nil
        }
        require(isFirst, "A hub publishes what one controller deploys: make a hub for each")
    }

    /// That of the configuration.
    public var elementSizeRange: SizeRange { core.configuration.elementSizeRange }

    /// None: readers look at whatever they like.
    public var firstVisiblePath: ItemPath? { nil }

    /// Deploys an update and publishes it; where too many are not published yet, when they are.
    public func perform(_ update: ViewUpdate) {
        waiting.append(update)
        deployWaiting()
    }

    /// Readers are told that nothing comes any more.
    public func controllerDidClose() { core.close() }

    private func deployWaiting() {
        let limit = max(1, core.configuration.unpublishedUpdates)
        while unpublished < limit, let update = waiting.popFirst() {
            var rendered: RenderedUpdate?
            // Where a reload stands for it, nothing is shown.
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
