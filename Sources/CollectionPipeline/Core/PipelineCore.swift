import CollectionElements
import Synchronization

// The driver behind `DataController`, without its generic parameter. The files beside this one hold
// its steps: Batches and Admission (0), Latch (1, 2), Accepting (1), Deploying (4, 5); and Completing, Rejecting,
// Waiting, Closing, Relayout, SizeRanges, NodeLayout, Watching, Reporting, Agreeing.

/// What a controller does, on the main lane: it tells the machines what happened, and does what they
/// answer.
///
/// Where state is: ``Admission`` has who comes in, ``DataSourceState`` what is known of the data source, ``Delivery`` what
/// was accepted, ``Milestones`` who waits, ``Shutdown`` how it ends, ``StallWatch`` what takes too long,
/// ``ContentAgreement`` whether content was checked, and ``PutOffWork``, ``LayoutRequests`` and ``RelayoutLedger`` what
/// is measured later, or again. What one of them makes possible for another happens in ``proceed()``, but for the end
/// of a close, which the last to leave the ``EventGate`` enqueues too, and for the next relayout of everything.
///
/// Every property that changes belongs to the main lane, except `published`, `layoutRequests` and `lost`, which any
/// thread may use, `isCancelled`, which workers read, `eventGate` and `stallWatch`.
final class PipelineCore: @unchecked Sendable {  // main-lane confined, see above
    let lane: any Lane
    let environment: any PipelineEnvironment
    let configuration: PipelineConfiguration
    let mainSerialQueue: MainSerialQueue
    let observer: (any PipelineObserver)?
    let facilitators: [any UpdateFacilitator]
    let layoutDelegate: (any LayoutDelegate)?
    let surroundings: ElementSurroundings
    var traits: TraitSource { surroundings.traits }
    let dataSourceName: String

    /// The core's own reference, which `deinit` gives up on the main lane.
    private let ownedDataSource: Unmanaged<AnyObject>
    unowned(unsafe) let dataSource: any CollectionDataSource
    weak var view: (any CollectionView)?
    /// Whether a view was given, which the application keeps.
    let hasHadView: Bool
    /// Whether the observer knows that the view is gone.
    var hasReportedGoneView = false

    /// The maps, and what goes with them, for readers on any thread; written on the main lane only.
    let published: Lock<Published>
    /// Tells workers to skip what is left.
    let isCancelled = Atomic<Bool>(false)
    /// Lets events out until the end; work that was cancelled may still be ending then.
    let eventGate = EventGate()
    /// The last event was told. Main lane.
    var isQuiet = false
    private(set) lazy var preparer = Preparer(core: self)
    /// Applies states to a data source that is one. Main lane.
    private(set) lazy var applier = (dataSource as? any OptionallyShownSource)?.makeApplier(self)
    let itemMaker: any ItemMaker
    /// Looks for waits that last too long; nil where nobody would be told. Any thread.
    let stallWatch: SharedStallWatch?
    /// For timers that must come while the main lane does not go on.
    let watchingLane: LazyLane
    /// Frees what is large. Any thread.
    let reclaimer: Reclaimer

    struct Published {
        var pendingMap: ElementMap
        var visibleMap: ElementMap
        var divergence: Divergence?
    }

    var admission: Admission<Visitor>
    var sourceState = DataSourceState()
    var delivery: Delivery<Submission>
    var milestones = Milestones()
    var shutdown = Shutdown()
    private var nextSubmission = 1

    /// The hand-over that is under way and has not been told: the view may deploy within it.
    var handingOver: (submission: Submission, start: Duration)?

    /// Who is told of every update that is accepted.
    var histories: [WeakHistory] = []

    /// How far the content was found to agree with the data source.
    var agreement = ContentAgreement()

    /// What the view was told last: whether updates are on their way.
    var isViewExpecting = false

    /// Why something was rejected last, for reports.
    var lastError: String?

    /// Who asked to be measured again; added to from any thread.
    let layoutRequests = Lock(LayoutRequests())

    /// What is yet to be measured of what was accepted. Main lane.
    var putOffWork = PutOffWork()

    /// What everything was measured for. Main lane.
    var relayouts = RelayoutLedger()

    /// Updates that the view dropped, by generation; added to from any thread.
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
        admission = Admission(backlogLimit: configuration.backlogLimit)
        delivery = Delivery(
            mergeLimit: configuration.backlogPolicy == .merge ? admission.backlogLimit : nil
        )
        mainSerialQueue = MainSerialQueue(lane: lane)
        surroundings = ElementSurroundings(
            configuration.traits,
            releasesNodes: configuration.releasesNodes && layoutDelegate?.measuresOnDemand != false,
            makeSignal: { environment.makeSignal() }
        )
        itemMaker = makeItemMaker(dataSource, surroundings)
        let timeout = observer == nil ? nil : configuration.stallTimeout
        let watchingLane = LazyLane(environment, label: "\(configuration.name).watching")
        self.watchingLane = watchingLane
        stallWatch = timeout.map { SharedStallWatch(timeout: $0, watchingLane) }
        reclaimer = Reclaimer(
            environment,
            label: "\(configuration.name).reclaiming",
            surroundings: surroundings
        )
        let empty = ElementMap.empty(generation: 0, reclaimer: reclaimer)
        published = Lock(Published(pendingMap: empty, visibleMap: empty))
        view?.attach(to: lane)
        surroundings.owner = self
    }

    deinit {
        // The last reference to the core may go away on a worker; the data source lives, and ends,
        // on its lane. The block gives up the one reference that there is, so that neither this
        // thread nor the block's own end can be the last to hold it.
        let leaving = Leaving(dataSource: ownedDataSource)
        lane.enqueue { leaving.dataSource.release() }
    }

    private struct Leaving: @unchecked Sendable {  // nobody else has it any more
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

    // MARK: What has become possible

    /// Does what has become possible by what just happened: each part says what it waits for, here it is
    /// looked for. Called at the end of everything that completes, hands over, deploys, or ends a batch.
    ///
    /// Complexity: O(1), plus those who are due.
    func proceed() {
        // A close hands nothing over any more, and nobody must wait for it.
        call(milestones.takeHandedOver { delivery.isHandedOver(through: $0) })
        if let submission = delivery.released() {
            mainSerialQueue.perform { [self] in handOver(submission) }
        }
        if isSynchronized { callCompleted(milestones.takeCompleted()) }
        if admission.needsTurn(backlog: delivery.backlog) {
            lane.enqueue { [self] in letIn() }
        }
        if putOffWork.needsTurn(isPreparing: delivery.isPreparing) {
            lane.enqueue { [self] in measurePutOff() }
        }
        if shutdown.needsTurn(isDrained: delivery.isEmpty) {
            lane.enqueue { [self] in end() }
        }
        watch()
    }

    var isProcessingUpdates: Bool { delivery.isPreparing }

    var isSynchronized: Bool {
        delivery.isEmpty && shutdown.hasCompleted && admission.isEmpty && applier?.isEmpty != false
    }

    // MARK: Events

    /// Tells the observer, if there is one, of an event.
    ///
    /// - Parameter start: when what ends with the event began.
    /// - Returns: when it happened; zero where nobody is told.
    @discardableResult
    func observe(
        _ kind: PipelineEvent.Kind,
        _ submission: SubmissionID?,
        _ context: (any Sendable)?,
        since start: Duration? = nil,
        _ detail: (inout PipelineEvent) -> Void = { _ in }
    ) -> Duration {
        guard let observer else { return .zero }
        var now = Duration.zero
        whileTelling {
            now = environment.now
            tell(observer, kind, submission, context, since: start, at: now, detail)
        }
        return now
    }

    /// Runs `body`, which tells the observer something, unless the last event was told. A close waits for its end.
    func whileTelling(_ body: () -> Void) {
        if eventGate.enter() {
            body()
            if eventGate.leave() { lane.enqueue { [self] in end() } }
        } else if lane.isCurrent, !isQuiet {
            // The close waits for another thread, and the main lane goes on meanwhile.
            body()
        }
    }

    /// Tells of an event that happened at `now`; within `whileTelling`.
    func tell(
        _ observer: any PipelineObserver,
        _ kind: PipelineEvent.Kind,
        _ submission: SubmissionID?,
        _ context: (any Sendable)?,
        since start: Duration?,
        at now: Duration,
        _ detail: (inout PipelineEvent) -> Void
    ) {
        var event = PipelineEvent(
            kind: kind,
            pipeline: configuration.name,
            submission: submission,
            context: context,
            timestamp: now
        )
        event.duration = start.map { now - $0 }
        detail(&event)
        observer.observe(event)
    }
}
