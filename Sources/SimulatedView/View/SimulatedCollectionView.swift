import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// A collection view without a screen: it consumes updates, asks its layout, makes and reuses views,
/// scrolls, selects and reports as UIKit's view does, call for call, in its own turns of the main lane.
///
/// Given to a `DataController`, it shows the pipeline's elements. With a ``DataSourceAdapter`` it is
/// driven by a data source of views instead, without a pipeline. It can be made busy, as if it scrolled
/// or animated; updates then wait in its queue. It checks the order and the counts of every update
/// again on its own, and refuses what does not fit, whoever made it.
///
/// What is in sight stays where it is when content before it changes, by identity; a collection that
/// shows its beginning goes on showing its beginning.
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
    var log: ViewLog
    var noted = ErrorNotes()

    // MARK: What is shown

    var shownContent: any ViewContent = MapContent(map: .empty(generation: 0))
    var shown = ShownViews()
    /// Views that animations take away, a group an animation, until it ends.
    var leaving = FIFO<[ShownView]>()
    var pool = ReusePool()
    /// Views that were dequeued in the answer that is under way, or left over from earlier ones.
    var dequeued: [(view: CollectionReusableView, place: LayoutPlace)] = []
    var reconfiguring: (place: LayoutPlace, view: CollectionReusableView)?
    var touches = TouchState()
    var chosen = SelectedItems()
    var selectionRules = SelectionRules()
    var prefetching = PrefetchState()
    var lastTransitions: [ViewTransition] = []
    /// Loads what is to be loaded before a pass: the adapter's.
    var loader: (() -> Void)?

    // MARK: Where it is shown

    var shownLayout: CollectionLayout
    var window = AttributeWindow()
    var viewport: Viewport
    var offsetRule = OffsetRule()
    var pass = LayoutPass()
    /// How many views the viewport shows at most, since elements without extent would otherwise all be
    /// shown at once.
    var viewLimit = 10_000
    /// Whether the next pass, or that under way, is that of an animated update.
    var isAnimatingPass = false
    var turns = TurnQueue<ViewUpdate>()

    /// Told of what the view does.
    public weak var delegate: (any CollectionViewDelegate)?

    /// Answers the layout's questions about metrics; see the layouts for what they look for.
    public weak var layoutMetrics: AnyObject?

    /// Told which items may be needed soon; asked in ``idleTick(preparing:)``.
    public weak var prefetchDataSource: (any PrefetchDataSource)?

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - size: the extent of the viewport, in the unit in which nodes measure themselves; what is no
    ///     size is reported and counts as none.
    ///   - layout: where elements are; belongs to this view alone from now on.
    ///   - logCapacity: how many events the log keeps, the newest.
    public init(
        size: Size,
        layout: sending CollectionLayout = ListLayout(),
        logCapacity: Int = 1024
    ) {
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
        lane.attached?.requireCurrent("SimulatedCollectionView.\(member)")
    }

    /// Makes `lane` the view's own; the controller or adapter calls it.
    public func attach(to lane: any Lane) {
        let waiting = self.lane.attach(to: lane)
        require(waiting != nil, "A SimulatedCollectionView belongs to one controller")
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
    /// tells how many there were.
    public var errors: [ViewError] {
        requireLane("errors")
        return noted.first
    }

    /// How many errors there were.
    public var errorCount: Int {
        requireLane("errorCount")
        return noted.count
    }

    /// Forgets the errors.
    public func clearErrors() {
        requireLane("clearErrors()")
        noted = ErrorNotes()
    }

    func reportInvalid(_ size: Size) {
        report(
            ViewError(.notFinite, "expected a size, found \(size.width) × \(size.height)")
        )
    }

    func report(_ error: ViewError) {
        noted.add(error)
        log.append(.error(error))
        delegate?.collectionView(self, didMeet: error)
    }
}

/// The first errors, since one mistake mostly shows in every element.
struct ErrorNotes {
    private(set) var first: [ViewError] = []
    private(set) var count = 0

    mutating func add(_ error: ViewError) {
        count += 1
        if first.count < 64 { first.append(error) }
    }
}
