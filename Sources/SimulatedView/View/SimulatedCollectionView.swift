import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// A collection view without a screen: it consumes updates, asks its layout, makes and reuses views,
/// scrolls, selects and reports as UIKit's view does, in its own turns of the main lane.
///
/// Given to a `DataController`, it shows the pipeline's elements. With a ``DataSourceAdapter`` it is
/// driven by a data source of views instead, without a pipeline. It can be made busy, as if it scrolled
/// or animated; updates then wait in its queue. It checks the order and the counts of every update
/// again on its own, and refuses what does not fit, whoever made it.
///
/// What is visible stays where it is when anything around it changes. A collection that shows its beginning goes on
/// showing it, unless what changes was fetched for its head. Otherwise the place is held by the first of these that
/// there is: a visible cell that stays, at best one whose beginning is visible; a visible cell that is reloaded; a
/// visible supplementary view; the nearest element out of sight that stays; a visible cell that moves. A view without
/// extent keeps its place until it has one again.
///
/// ```swift
/// let view = SimulatedCollectionView(size: Size(width: 80, height: 24), layout: FlowLayout())
/// let controller = DataController(dataSource: Feed(), view: view)
/// ```
///
/// Laying out happens in a later turn, so that any number of changes lead to one pass;
/// ``layoutIfNeeded()`` does it at once. Every call that the view makes or receives is in its
/// ``eventLog``, and whatever goes wrong in ``errors``.
///
/// Shape: paths are of the state that the view shows; frames and bounds are in content coordinates,
/// in the unit in which elements are measured.
///
/// Threading: every member belongs to the main lane of the controller or adapter that the view was given
/// to, and stops the process elsewhere. Before that, it belongs to whoever made it.
///
/// Complexity: checking an update costs O(k + s) for k item edits and s sections, and O(s) for each section
/// edit; a pass costs what is in the viewport, and what the layout needs.
///
/// Source: UICollectionView.
public final class SimulatedCollectionView: CollectionView, LayoutHost, @unchecked Sendable {
    // All changing state belongs to the main lane, which is set once, before any other use.
    var lane = ViewLane.none(waiting: [])
    var turns = TurnQueue<ViewUpdate>()
    var pass = LayoutPass()
    var viewport: Viewport
    var offsetRule = OffsetRule()
    var scrolling = ScrollState()
    /// What time it is; nil where nothing takes any.
    let clock: (any PipelineEnvironment)?
    var source = ViewSource()
    var shownLayout: CollectionLayout
    var display = DisplayState()
    var supply = SupplyState()
    var selection = SelectionState()
    var log: ViewLog
    private(set) var audience = ViewAudience()

    /// Told of what the view does; held weakly.
    public var delegate: (any CollectionViewDelegate)? {
        get { audience.delegate }
        set { audience.delegate = newValue }
    }

    /// Answers the layout's questions about metrics; see the layouts for what they look for. Held weakly.
    public var layoutMetrics: (any LayoutMetrics)? {
        get { audience.layoutMetrics }
        set { audience.layoutMetrics = newValue }
    }

    /// Told which items may be needed soon; asked in ``idleTick(preparing:)``. Held weakly.
    public var prefetchDataSource: (any CollectionViewDataSourcePrefetching)? {
        get { audience.prefetchDataSource }
        set { audience.prefetchDataSource = newValue }
    }

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - size: the extent of the viewport, in the unit in which nodes measure themselves; what is no
    ///     size is reported and counts as none.
    ///   - layout: where elements are; belongs to this view alone from now on.
    ///   - logCapacity: how many events the log keeps, the newest.
    ///   - clock: tells the time for content that moves by itself, a frame every sixtieth of a second; without one
    ///     such content is at once where it leads.
    public init(
        size: Size,
        layout: sending CollectionLayout = ListLayout(),
        logCapacity: Int = 1024,
        clock: (any PipelineEnvironment)? = nil
    ) {
        self.clock = clock
        viewport = Viewport(bounds: Rect(origin: .zero, size: size.isValid ? size : .zero))
        log = ViewLog(capacity: logCapacity)
        shownLayout = layout
        take(layout)
        if !size.isValid { reportInvalid(size) }
    }

    /// Makes a layout this view's own.
    func take(_ layout: CollectionLayout) {
        require(layout.host == nil, "A layout belongs to one collection view")
        layout.attach(to: self)
    }

    // MARK: Lanes

    /// Stops the process on another lane than the view's, once it has one.
    func requireLane(_ member: String) {
        lane.attached?.requireCurrent(
            "SimulatedCollectionView.\(member)",
            instead: "use a controller's 'await withIsolated(_:)'"
        )
    }

    /// Makes `lane` the view's own; the controller or adapter calls it, and a second one stops the process.
    public func attach(to lane: any Lane) {
        let waiting = self.lane.attach(to: lane)
        require(
            waiting != nil,
            "A SimulatedCollectionView belongs to one controller; make another for this one"
        )
        turns.attached()
        waiting?.forEach(later)
    }

    /// Runs `work` in a later turn of the lane; where there is none yet, when it comes.
    func later(_ work: @escaping () -> Void) {
        switch lane {
        case .none(let waiting): lane = .none(waiting: waiting + [work])
        case .attached(let lane):
            // The view belongs to the lane, and so does what its callers hand it there.
            nonisolated(unsafe) let work = work
            lane.enqueue { work() }
        }
    }

    // MARK: What happened

    /// What happened so far, oldest first, as far as the log reaches back.
    public var eventLog: [ViewEvent] {
        requireLane("eventLog")
        return log.events
    }

    /// Empties the log.
    public func clearEventLog() {
        requireLane("clearEventLog()")
        log.removeAll()
    }

    /// What went wrong while the view laid itself out, oldest first: the first 64. ``errorCount``
    /// tells how many there were. What its layout could not use is among them.
    public var errors: [ViewError] {
        requireLane("errors")
        return log.errors.first
    }

    /// How many errors there were.
    public var errorCount: Int {
        requireLane("errorCount")
        return log.errors.count
    }

    /// Forgets the errors.
    public func clearErrors() {
        requireLane("clearErrors()")
        log.errors = ErrorNotes()
    }

    func reportInvalid(_ size: Size) {
        report(
            ViewError(.notFinite, "expected a size, found \(size.width) × \(size.height)")
        )
    }

    func report(_ error: ViewError) {
        log.errors.add(error)
        log.append(.error(error))
        delegate?.collectionView(self, didMeet: error)
    }
}
