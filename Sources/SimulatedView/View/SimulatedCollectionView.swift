import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// A collection view without a screen. It applies updates, queries its layout, makes and reuses
/// views, scrolls, selects and reports as UIKit's view does, in its own turns of the main lane.
///
/// With a `DataController`, it shows the pipeline's elements. With a ``DataSourceAdapter``, a data
/// source of views fills it, without a pipeline. It can be marked as busy, as if it scrolled or
/// animated; updates then wait in its queue. The view checks the order and the counts of every
/// update itself, and refuses an update that does not fit.
///
/// Visible content keeps its position on the screen when anything around it changes. If the
/// beginning of the content is visible, it stays visible, unless the change was fetched for the
/// head. Otherwise the first of these elements that exists keeps its position: a visible cell that
/// stays, preferably one whose beginning is visible; a visible cell that is reloaded; a visible
/// supplementary view; the nearest element outside the viewport that stays; a visible cell that
/// moves. A view without extent keeps its position until it has an extent again.
///
/// ```swift
/// let view = SimulatedCollectionView(size: Size(width: 80, height: 24), layout: FlowLayout())
/// let controller = DataController(dataSource: Feed(), view: view)
/// ```
///
/// The layout pass runs in a later turn, so that any number of changes causes only one pass;
/// ``layoutIfNeeded()`` runs it immediately. ``eventLog`` records every call that the view makes or
/// receives, and ``errors`` has the first errors.
///
/// Shape: paths refer to the state that the view shows; frames and bounds are in content
/// coordinates, in the unit in which elements are measured.
///
/// Threading: every member belongs to the main lane of the controller or adapter that the view is
/// attached to, and stops the process on any other lane. Before that, the view belongs to the code
/// that made it.
///
/// Complexity: checking an update takes O(k + s) for k item edits and s sections, and O(s) for each
/// section edit. The cost of a pass depends on the content of the viewport, and on the layout.
///
/// Source: UICollectionView.
public final class SimulatedCollectionView: CollectionView, LayoutHost, @unchecked Sendable {
    // `@unchecked`: all mutable state belongs to the main lane, which is set once, before any other
    // use.
    var lane = ViewLane.none(waiting: [])
    var turns = TurnQueue<ViewUpdate>()
    var pass = LayoutPass()
    var viewport: Viewport
    var offsetRule = OffsetRule()
    var scrolling = ScrollState()
    /// The clock for content that moves by itself; `nil` if such moves take no time.
    let clock: (any PipelineEnvironment)?
    var source = ViewSource()
    var shownLayout: CollectionLayout
    var display = DisplayState()
    var reuse = ReuseState()
    var selection = SelectionState()
    let log: ViewLog
    private(set) var delegates = ViewDelegates()

    /// The object that is notified of the view's events; held weakly.
    public var delegate: (any CollectionViewDelegate)? {
        get { delegates.delegate }
        set { delegates.delegate = newValue }
    }

    /// The object that provides metrics to the layout, such as item sizes; each layout documents
    /// the protocol that it looks for. Held weakly.
    public var layoutMetrics: (any LayoutMetrics)? {
        get { delegates.layoutMetrics }
        set { delegates.layoutMetrics = newValue }
    }

    /// The object that is notified of items that may be needed soon, during
    /// ``idleTick(preparing:)``. Held weakly.
    public var prefetchDataSource: (any CollectionViewDataSourcePrefetching)? {
        get { delegates.prefetchDataSource }
        set { delegates.prefetchDataSource = newValue }
    }

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - size: The extent of the viewport, in the unit in which nodes measure themselves. An
    ///     invalid size is reported and replaced by zero.
    ///   - layout: The layout, which belongs to this view alone from now on. To change its properties
    ///     later, get it from ``collectionViewLayout`` on the main lane. A function that creates
    ///     layouts returns them as `sending CollectionLayout`.
    ///   - logCapacity: The number of events that the log keeps; the oldest are dropped first.
    ///   - clock: The clock for content that moves by itself, one frame every sixtieth of a second.
    ///     Without a clock such content reaches its target immediately.
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

    /// Attaches a layout to this view.
    func take(_ layout: CollectionLayout) {
        require(layout.host == nil, "A layout belongs to one collection view")
        layout.attach(to: self)
    }

    // MARK: Lanes

    /// Stops the process if the view has a lane and the caller does not run on it.
    ///
    /// - Parameter member: The public member that was called, which the message names.
    func requireLane(_ member: String = #function) {
        lane.attached?.requireCurrent(
            "SimulatedCollectionView.\(member)",
            instead: "use a controller's 'await withIsolated(_:)'"
        )
    }

    /// Attaches the view to a lane. The controller or adapter calls it; a second call stops the
    /// process.
    public func attach(to lane: any Lane) {
        let waiting = self.lane.attach(to: lane)
        require(
            waiting != nil,
            "A SimulatedCollectionView belongs to one controller; make another for this one"
        )
        turns.attached()
        waiting?.forEach(later)
    }

    /// Runs `work` in a later turn of the lane; if the view has no lane yet, once it has one.
    func later(_ work: @escaping () -> Void) {
        switch lane {
        case .none(let waiting): lane = .none(waiting: waiting + [work])
        case .attached(let lane):
            // The view belongs to the lane, and so does everything that its callers pass to it
            // there.
            nonisolated(unsafe) let work = work
            lane.enqueue { work() }
        }
    }

    // MARK: Events and errors

    /// The events so far, oldest first; at most as many as the capacity of the log.
    public var eventLog: [ViewEvent] {
        requireLane()
        return log.events
    }

    /// Empties the log.
    public func clearEventLog() {
        requireLane()
        log.removeAll()
    }

    /// The first 64 errors that occurred while the view laid itself out, oldest first, including
    /// those of its layout. ``errorCount`` counts all of them.
    public var errors: [ViewError] {
        requireLane()
        return log.errors.first
    }

    /// The number of errors so far.
    public var errorCount: Int {
        requireLane()
        return log.errors.count
    }

    /// Removes all errors.
    public func clearErrors() {
        requireLane()
        log.errors = ErrorLog()
    }

    func reportInvalid(_ size: Size) {
        report(.notFinite, "expected a size, found \(size.width) × \(size.height)")
    }

    func report(_ code: ViewError.Code, _ message: String, at place: LayoutPlace? = nil) {
        report(ViewError(code, message, at: place))
    }

    func report(_ error: ViewError) {
        log.errors.add(error)
        log.append(.error(error))
        delegate?.collectionView(self, didEncounter: error)
    }
}

// Geometry: the viewport, the size of the content, and the insets.

extension SimulatedCollectionView {
    /// The layout of the elements. To change it, use
    /// ``setCollectionViewLayout(_:animated:completion:)``.
    public var collectionViewLayout: CollectionLayout {
        requireLane()
        return shownLayout
    }

    /// The viewport in content coordinates; its origin is the content offset.
    public var bounds: Rect {
        requireLane()
        return viewport.bounds
    }

    /// The extent of the viewport; ``resize(to:animated:)`` changes it.
    public var size: Size {
        requireLane()
        return viewport.bounds.size
    }

    /// The size of the content as of the last layout pass.
    public var contentSize: Size {
        requireLane()
        return viewport.contentSize
    }

    /// The space that the view keeps free around the content; values that are not finite count as
    /// 0.
    public var contentInset: EdgeInsets {
        get { insets().content }
        set { changeInsets { $0.content = newValue.finite } }
    }

    /// The distances from the edges of the viewport that bars and rounded corners cover.
    public var safeAreaInsets: EdgeInsets {
        get { insets().safeArea }
        set { changeInsets { $0.safeArea = newValue.finite } }
    }

    /// The margins that content should keep.
    public var layoutMargins: EdgeInsets {
        get { insets().margins }
        set { changeInsets { $0.margins = newValue.finite } }
    }

    /// Whether content runs from right to left.
    public var isRightToLeft: Bool {
        get { insets().isRightToLeft }
        set { changeInsets { $0.isRightToLeft = newValue } }
    }

    /// The number of pixels in a unit; 1 if it is set to a value that is not a positive, finite
    /// number.
    public var displayScale: Double {
        get { insets().displayScale }
        set { changeInsets { $0.displayScale = newValue > 0 && newValue.isFinite ? newValue : 1 } }
    }

    /// The part of the safe area that is added to ``adjustedContentInset``.
    public var contentInsetAdjustmentBehavior: ContentInsetAdjustmentBehavior {
        get { insets().adjustment }
        set { changeInsets { $0.adjustment = newValue } }
    }

    /// The content inset plus the part of the safe area that ``contentInsetAdjustmentBehavior``
    /// adds.
    public var adjustedContentInset: EdgeInsets {
        requireLane()
        return viewport.inset
    }

    /// Changes insets and invalidates the whole layout, since layouts take insets into account. If
    /// the beginning of the content was visible, it stays visible.
    private func changeInsets(
        _ member: String = #function,
        _ change: (inout ViewInsets) -> Void
    ) {
        var changed = insets(member)
        change(&changed)
        guard changed != viewport.insets else { return }
        noteAnchor()
        viewport.insets = changed
        source.mayHaveNewSizeRanges = true
        shownLayout.invalidateLayout()
    }

    private func insets(_ member: String = #function) -> ViewInsets {
        requireLane(member)
        return viewport.insets
    }
}

extension EdgeInsets {
    /// The same insets with 0 for every value that is not finite.
    var finite: EdgeInsets {
        func usable(_ value: Double) -> Double { value.isFinite ? value : 0 }
        return EdgeInsets(
            top: usable(top),
            left: usable(left),
            bottom: usable(bottom),
            right: usable(right)
        )
    }
}

// Inversion: conversions between content coordinates and the coordinates that a reader sees.

extension SimulatedCollectionView {
    /// Whether readers see the content inverted, as in a chat; `false` by default. Inverted content
    /// begins at the lower or right edge, along the scrolling axis of the layout, and cells stay
    /// upright. The value may change at any time.
    ///
    /// ```swift
    /// view.isInverted = true
    /// let bubble = view.convertToViewport(cell.frame)
    /// let touched = view.hitTest(Point(x: 20, y: 580))?.element
    /// ```
    ///
    /// Inversion changes nothing else. Frames, bounds, offsets, insets, ranges and paths remain
    /// those of the content, and so do the distances and velocities of a finger. If the first item
    /// is at the lower edge, then offset 0, the upper insets and an item scrolled to
    /// ``ScrollPosition/top`` are at that edge too.
    ///
    /// Shape: the axis is the layout's `scrollDirection`, vertical for a layout that does not
    /// declare one.
    ///
    /// Source: Texture's inverted collection and table nodes, which are mirrored vertically in any
    /// layout.
    public var isInverted: Bool {
        get {
            requireLane()
            return viewport.isInverted
        }
        set {
            requireLane()
            viewport.isInverted = newValue
        }
    }

    // MARK: Converting

    /// Converts a point from content coordinates to viewport coordinates, relative to the upper
    /// left corner that a reader sees.
    public func convertToViewport(_ point: Point) -> Point {
        requireLane()
        return viewport.seen(point, along: shownLayout.scrollDirection)
    }

    /// Converts a rectangle, such as a frame, from content coordinates to viewport coordinates,
    /// relative to the upper left corner that a reader sees.
    public func convertToViewport(_ rect: Rect) -> Rect {
        requireLane()
        return viewport.seen(rect, along: shownLayout.scrollDirection)
    }

    /// Converts a point of the viewport to content coordinates.
    public func convertFromViewport(_ point: Point) -> Point {
        requireLane()
        return viewport.content(at: point, along: shownLayout.scrollDirection)
    }

    /// Converts a rectangle of the viewport to content coordinates.
    public func convertFromViewport(_ rect: Rect) -> Rect {
        requireLane()
        return viewport.content(at: rect, along: shownLayout.scrollDirection)
    }

    // MARK: Touching

    /// Returns the frontmost view at a point of the viewport, as of the last layout pass: the view
    /// that a reader touches there. Returns `nil` if there is no view at the point, or the point is
    /// outside the viewport.
    ///
    /// Views with an `alpha` below 0.01 are ignored. A view includes its left and upper edges, as a
    /// reader sees them.
    ///
    /// - Parameter point: The point, relative to the viewport's upper left corner. For a point of
    ///   the content, use ``indexPathForItem(at:)``.
    ///
    /// Complexity: O(v) for v visible views.
    ///
    /// Source: UIView's hit test.
    public func hitTest(_ point: Point) -> CollectionReusableView? {
        requireLane()
        guard Rect(origin: .zero, size: viewport.bounds.size).contains(point) else { return nil }
        let axis = shownLayout.scrollDirection
        return front(display.shown.all) {
            $0.alpha >= 0.01 && viewport.seen($0.frame, along: axis).contains(point)
        }?.view
    }

    /// Returns the frontmost of the views for which `isAtPoint` returns `true`.
    func front(
        _ views: some Sequence<ShownView>,
        where isAtPoint: (LayoutAttributes) -> Bool
    ) -> ShownView? {
        views.filter { isAtPoint($0.attributes) }.max { $0.attributes.isBehind($1.attributes) }
    }
}
