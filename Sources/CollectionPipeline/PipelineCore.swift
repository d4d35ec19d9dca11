import CollectionElements
import Synchronization

// The driver behind `DataController`, without its generic parameter. The files beside this one hold
// its steps: Batches (0), Latch (1, 2), Deploying (5), Refusing, Waiting, Closing, Relayout.

/// What a controller does, on the main lane.
///
/// Every property that changes belongs to the main lane, except `published`, which any thread may
/// read, and the two flags, which workers do.
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

    /// The maps, and what goes with them, for readers on any thread; written on the main lane only.
    let published: Lock<Published>
    /// Tells workers to skip what is left.
    let isCancelled = Atomic<Bool>(false)
    /// The last event was told; work that was cancelled may still be ending.
    let isQuiet = Atomic<Bool>(false)
    private(set) lazy var preparer = Preparer(core: self)
    let itemMaker: any ItemMaker

    struct Published {
        var pendingMap: ElementMap
        var visibleMap: ElementMap
        var divergence: Divergence?
    }

    var ledger = SubmissionLedger()
    var divergences = DivergenceBook()
    var batch: OpenBatch?
    var phase = Phase.open
    /// Nothing accepted is left, and the last callbacks are on their way.
    var isFinishingClose = false
    var hasLoaded = false
    var nextSubmission = 1
    var nextSectionID = 0
    var isLatching = false
    var isDeploying = false
    /// Set when the data source submits while it is asked: the set being latched is then refused.
    var latchFault: UpdateError?
    /// The reload that stands for what the view refused, until it deploys.
    var recovery: Recovery?
    /// Updates that the view let go of, by generation; added to from any thread.
    let dropped = Lock<[Int]>([])
    /// Submissions that wait for room in the backlog, first come, first served.
    var suspended = FIFO<Suspended>()
    /// Submissions that came while a batch was open across turns.
    var deferred = FIFO<() -> Void>()
    var isRunningDeferred = false
    var processingCallbacks: [@Sendable () -> Void] = []
    var synchronisationCallbacks: [@Sendable () -> Void] = []
    var handOverWaiters: [(generation: Int, resume: @Sendable () -> Void)] = []
    var closeCallbacks: [@Sendable () -> Void] = []
    var hasCalledCloseCallbacks = false
    /// How many turns of the lane are enqueued that will call completions or callbacks.
    var scheduledCallbacks = 0
    /// How many of those will call completions.
    var scheduledCompletions = 0

    /// A reload that stands for sets which the view refused or can no longer apply.
    struct Recovery {
        let id: SubmissionID
        let generation: Int
        /// The generation of the refused set, whose models reached their nodes before the refusal.
        let shown: Int
    }

    enum Phase {
        case open
        case closing
        case closed
    }

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
        self.configuration = configuration
        self.lane = lane
        self.environment = environment
        self.layoutDelegate = layoutDelegate
        self.facilitators = facilitators
        self.observer = observer
        mainSerialQueue = MainSerialQueue(lane: lane)
        surroundings = ElementSurroundings(
            configuration.traits,
            makeSignal: { environment.makeSignal() }
        )
        itemMaker = makeItemMaker(dataSource, surroundings)
        let reclaimer = Reclaimer(environment, label: "\(configuration.name).reclaiming")
        let empty = ElementMap.empty(generation: 0, reclaimer: reclaimer)
        published = Lock(Published(pendingMap: empty, visibleMap: empty))
        view?.attach(to: lane)
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

    /// At least one, or nothing would ever get in.
    var backlogLimit: Int {
        max(1, configuration.backlogLimit) + (isActive(.overfillsBacklog) ? 2 : 0)
    }

    var divergence: Divergence? { published.withLock { $0.divergence } }

    /// Set while counts may differ.
    var divergedSince: SubmissionID? { divergence?.countsSince }

    func makeSubmissionID() -> SubmissionID {
        defer { nextSubmission += 1 }
        return SubmissionID(rawValue: nextSubmission)
    }

    // MARK: Completing

    /// Runs the completions of a submission in a turn of the lane of their own.
    func complete(
        _ completions: [UpdateCompletion],
        _ id: SubmissionID,
        _ outcome: UpdateOutcome,
        context: (any Sendable)?
    ) {
        let result = UpdateResult(submission: id, outcome: outcome, context: context)
        scheduledCompletions += 1
        enqueueCallbacks { [self] in
            for completion in completions { completion(result) }
            observe(.completed, id, context)
            scheduledCompletions -= 1
            notifyIfSynchronized()
        }
    }

    /// Runs `callbacks` in a turn of the lane of its own; the last callback of a close comes after.
    func enqueueCallbacks(_ callbacks: @escaping @Sendable () -> Void) {
        if isActive(.completesInline) { return callbacks() }
        scheduledCallbacks += 1
        lane.enqueue { [self] in
            callbacks()
            scheduledCallbacks -= 1
        }
    }

    func complete(_ entries: [SubmissionLedger.Entry]) {
        for entry in entries {
            let submission = entry.submission
            complete(
                submission.completions,
                submission.id,
                entry.outcome,
                context: submission.context
            )
        }
    }

    // MARK: Events

    func observe(
        _ kind: PipelineEvent.Kind,
        _ submission: SubmissionID?,
        _ context: (any Sendable)?,
        _ detail: (inout PipelineEvent) -> Void = { _ in }
    ) {
        guard let observer, !isQuiet.load(ordering: .acquiring) else { return }
        var event = PipelineEvent(
            kind: kind,
            pipeline: configuration.name,
            submission: submission,
            context: context,
            timestampNanoseconds: environment.nowNanoseconds
        )
        detail(&event)
        observer.observe(event)
    }

    /// The start of something that an event will give the duration of; no clock read without an
    /// observer.
    func startTime() -> UInt64 { observer == nil ? 0 : environment.nowNanoseconds }

    func duration(since start: UInt64) -> UInt64 { environment.nowNanoseconds - start }
}
