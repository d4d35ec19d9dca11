import CollectionElements
import Synchronization

// The driver behind `DataController`, without its generic parameter. Its extensions follow the
// steps of a change set:
//
// - step 0, recording and admission: PipelineCore+Recording
// - step 1, latching, and step 2, the layout context: PipelineCore+Latching
// - step 3, measuring: Preparer
// - step 4, scheduling: MainSerialQueue
// - step 5, deploying and completing: PipelineCore+Deploying
//
// Further extensions contain Relayout, NodeLayout, Closing, Waiting, Watching and ContentCheck.

/// The driver of a controller on the main lane: it passes events to the state machines and performs
/// the actions that they return.
///
/// The state is in these values: ``Admission`` has the open batch and waiting submissions,
/// ``DataSourceState`` the state of the data source, ``Delivery`` the accepted change sets,
/// ``Milestones`` the waiting callbacks, ``Shutdown`` the phase of a close, ``StallWatch`` the
/// waits that take too long, and ``ContentAgreement`` the results of content checks.
/// ``DeferredMeasurements``, ``LayoutRequests`` and ``RelayoutLedger`` contain later and repeated
/// measurements. ``proceed()`` performs the actions that one value makes possible for another, with
/// two exceptions: the end of a close, which the last caller to leave the ``EventGate`` may also
/// enqueue, and the next relayout of everything.
///
/// All variable properties belong to the main lane, except `published`, `layoutRequests` and
/// `lost`, which any thread may use, `isCancelled`, which workers read, `eventGate` and
/// `stallWatch`.
final class PipelineCore: @unchecked Sendable {  // main-lane confined, see above
    let lane: any Lane
    let environment: any PipelineEnvironment
    let configuration: PipelineConfiguration
    let mainSerialQueue: MainSerialQueue
    let observer: (any PipelineObserver)?
    /// Whether there is an observer: reading the observer copies it.
    private let isObserved: Bool
    let facilitators: [any UpdateFacilitator]
    let layoutDelegate: (any LayoutDelegate)?
    let elementEnvironment: ElementEnvironment
    var traits: TraitSource { elementEnvironment.traits }
    let dataSourceName: String

    /// The core's own reference, which `deinit` releases on the main lane.
    private let ownedDataSource: Unmanaged<AnyObject>
    unowned(unsafe) let dataSource: any CollectionDataSource
    weak var view: (any CollectionView)?
    /// Whether the controller was created with a view, which the application must retain.
    let hasHadView: Bool
    /// Whether the observer was notified that the view was deallocated.
    var hasReportedGoneView = false

    /// The maps and the divergence, for readers on any thread; changed only on the main lane.
    let published: Lock<Published>
    /// Whether workers skip the remaining work.
    let isCancelled = Atomic<Bool>(false)
    /// The gate that lets events through until the controller has closed; cancelled work may end
    /// even later.
    let eventGate = EventGate()
    /// Whether the last event has been sent. Main lane.
    var isQuiet = false
    private(set) lazy var preparer = Preparer(core: self)
    /// The object that applies states, if the data source is one of states. Main lane.
    private(set) lazy var applier = (dataSource as? any OptionalNodeSource)?.makeApplier(self)
    let itemMaker: any ItemMaker
    /// The watch that looks for waits that last too long; `nil` if there is no observer or no
    /// timeout. Any thread.
    let stallWatch: SharedStallWatch?
    /// The lane of timers that must run even while the main lane is blocked.
    let watchingLane: LazyLane
    /// The object that releases large values. Any thread.
    let reclaimer: Reclaimer

    struct Published {
        var pendingMap: ElementMap
        var visibleMap: ElementMap
        var divergence: Divergence?
    }

    var admission: Admission<IncomingSubmission>
    var sourceState = DataSourceState()
    var delivery: Delivery<Submission>
    var milestones = Milestones()
    var shutdown = Shutdown()
    private var nextSubmission = 1

    /// The hand-over in progress that has not been reported yet: the view may deploy within it.
    var handingOver: (submission: Submission, start: Duration)?

    /// The histories that are notified of every accepted update.
    var histories: [WeakHistory] = []

    /// The results of comparisons of the content with the data source.
    var agreement = ContentAgreement()

    /// The value that the view received last: whether updates are on their way.
    var isViewExpecting = false

    /// The first line of the last rejection's error, for reports.
    var lastError: String?

    /// The elements that requested measurements; any thread adds to it.
    let layoutRequests = Lock(LayoutRequests())

    /// The deferred measurements of accepted change sets. Main lane.
    var deferredMeasurements = DeferredMeasurements()

    /// The state of relayouts of everything. Main lane.
    var relayouts = RelayoutLedger()

    /// The updates that the view dropped, by generation; any thread adds to it.
    let lost = Lock<[Int]>([])

    init(
        dataSource: any CollectionDataSource,
        view: (any CollectionView)?,
        configuration: PipelineConfiguration,
        lane: any Lane,
        environment: any PipelineEnvironment,
        layoutDelegate: (any LayoutDelegate)?,
        facilitators: [any UpdateFacilitator],
        observer: (any PipelineObserver)?
    ) {
        self.dataSource = dataSource
        ownedDataSource = Unmanaged.passRetained(dataSource)
        self.dataSourceName = String(describing: type(of: dataSource))
        self.view = view
        hasHadView = view != nil
        self.configuration = configuration
        self.lane = lane
        self.environment = environment
        self.layoutDelegate = layoutDelegate
        self.facilitators = facilitators
        self.observer = observer
        isObserved = observer != nil
        admission = Admission(backlogLimit: configuration.backlogLimit)
        delivery = Delivery(
            mergeLimit: configuration.backlogPolicy == .coalesce ? admission.backlogLimit : nil
        )
        mainSerialQueue = MainSerialQueue(lane: lane)
        elementEnvironment = ElementEnvironment(
            configuration.traits,
            releasesNodes: configuration.releasesNodes && layoutDelegate?.measuresOnDemand != false,
            makeSignal: { environment.makeSignal() }
        )
        itemMaker = makeItemMaker(dataSource, elementEnvironment)
        let timeout = observer == nil ? nil : configuration.stallTimeout
        let watchingLane = LazyLane(environment, label: "\(configuration.name).watching")
        self.watchingLane = watchingLane
        stallWatch = timeout.map { SharedStallWatch(timeout: $0, watchingLane) }
        reclaimer = Reclaimer(
            environment,
            label: "\(configuration.name).reclaiming",
            elementEnvironment: elementEnvironment
        )
        let empty = ElementMap.empty(generation: 0, reclaimer: reclaimer)
        published = Lock(Published(pendingMap: empty, visibleMap: empty))
        view?.attach(to: lane)
        elementEnvironment.owner = self
    }

    deinit {
        // A worker may release the last reference to the core, but the data source must be released
        // on its lane. The reference is unmanaged, so that only the block can release it, and not
        // this thread or the code that destroys the block.
        let leaving = Leaving(dataSource: ownedDataSource)
        lane.enqueue { leaving.dataSource.release() }
    }

    private struct Leaving: @unchecked Sendable {  // the only reference
        let dataSource: Unmanaged<AnyObject>
    }

    var pendingMap: ElementMap { published.withLock { $0.pendingMap } }
    var visibleMap: ElementMap { published.withLock { $0.visibleMap } }

    var sizeRangeRule: SizeRangeRule {
        SizeRangeRule(
            isUnconstrained: layoutDelegate != nil,
            viewRange: view?.elementSizeRange ?? .unconstrained
        )
    }

    var divergence: Divergence? { published.withLock { $0.divergence } }

    func makeSubmissionID() -> SubmissionID {
        defer { nextSubmission += 1 }
        return SubmissionID(rawValue: nextSubmission)
    }

    // MARK: Progress

    /// Performs the actions that the latest event has made possible: each value decides whether it
    /// needs one. It is called at the end of everything that completes, hands over, deploys, or
    /// ends a batch.
    ///
    /// Complexity: O(1), plus the number of callbacks to call.
    func proceed() {
        // During a close no change set is handed over any longer, so callbacks must not wait for
        // it.
        let isAwaited = !milestones.isEmpty
        if isAwaited {
            call(milestones.takeHandedOver { delivery.isHandedOver(through: $0) })
        }
        if delivery.isHolding, let submission = delivery.released() {
            mainSerialQueue.perform { [self] in handOver(submission) }
        }
        if isAwaited, isSynchronized { callCompleted() }
        if !admission.isEmpty, admission.needsTurn(backlog: delivery.backlog) {
            lane.enqueue { [self] in admitNext() }
        }
        if !deferredMeasurements.isEmpty,
            deferredMeasurements.needsTurn(isPreparing: delivery.isPreparing)
        {
            lane.enqueue { [self] in measureDeferred() }
        }
        if !shutdown.isOpen, shutdown.needsTurn(isDrained: delivery.isEmpty) {
            lane.enqueue { [self] in end() }
        }
        watch()
    }

    var isProcessingUpdates: Bool { delivery.isPreparing }

    var isSynchronized: Bool {
        delivery.isEmpty && shutdown.hasCompleted && admission.isEmpty && applier?.isEmpty != false
    }

    // MARK: Events

    /// Sends an event to the observer, if there is one.
    ///
    /// - Parameters:
    ///   - kind: The kind of event.
    ///   - submission: The submission that the event belongs to, if any.
    ///   - callerContext: The caller's context.
    ///   - start: The time at which the operation began that ends with the event.
    ///   - detail: A closure that sets further fields of the event.
    /// - Returns: The time of the event; zero without an observer.
    @discardableResult
    func observe(
        _ kind: PipelineEvent.Kind,
        _ submission: SubmissionID?,
        _ callerContext: (any Sendable)?,
        since start: Duration? = nil,
        _ detail: (inout PipelineEvent) -> Void = { _ in }
    ) -> Duration {
        guard isObserved, let observer else { return .zero }
        var now = Duration.zero
        whileNotifying {
            now = environment.now
            tell(observer, kind, submission, callerContext, since: start, at: now, detail)
        }
        return now
    }

    /// Runs `body`, which sends events to the observer, unless the last event was sent. A close
    /// waits until `body` ends.
    func whileNotifying(_ body: () -> Void) {
        if eventGate.enter() {
            body()
            if eventGate.leave() { lane.enqueue { [self] in end() } }
        } else if lane.isCurrent, !isQuiet {
            // The gate is shut, but the close still waits for another thread, so the main lane may
            // send events.
            body()
        }
    }

    /// Sends an event that happened at `now`. It must be called within `whileNotifying`.
    func tell(
        _ observer: any PipelineObserver,
        _ kind: PipelineEvent.Kind,
        _ submission: SubmissionID?,
        _ callerContext: (any Sendable)?,
        since start: Duration?,
        at now: Duration,
        _ detail: (inout PipelineEvent) -> Void
    ) {
        var event = PipelineEvent(
            kind: kind,
            pipeline: configuration.name,
            submission: submission,
            callerContext: callerContext,
            timestamp: now
        )
        event.duration = start.map { now - $0 }
        detail(&event)
        observer.observe(event)
    }
}
