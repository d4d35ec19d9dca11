import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// The newest events of a view, and its errors. A class, because almost every call of a view appends
/// an event, and a view without a log must not pay for that.
final class ViewLog {
    var errors = ErrorLog()
    private var kept: [ViewEvent] = []
    private let capacity: Int

    init(capacity: Int) { self.capacity = min(max(0, capacity), .max / 2) }

    /// The newest events, oldest first.
    var events: [ViewEvent] { Array(kept.suffix(capacity)) }

    /// - Parameter event: The event; evaluated only if the log keeps events.
    func append(_ event: @autoclosure () -> ViewEvent) {
        guard capacity > 0 else { return }
        kept.append(event())
        // Half of the array is removed at a time, so that appending to a full log takes amortized
        // O(1).
        if kept.count >= 2 * capacity { kept.removeFirst(kept.count - capacity) }
    }

    func removeAll() { kept = [] }
}

/// The first errors and the number of all, since one mistake usually causes an error in every
/// element.
struct ErrorLog {
    private(set) var first: [ViewError] = []
    private(set) var count = 0

    mutating func add(_ error: ViewError) {
        count += 1
        if first.count < 64 { first.append(error) }
    }
}

/// The objects that a view notifies and queries; held weakly.
struct ViewDelegates {
    weak var delegate: (any CollectionViewDelegate)?
    weak var layoutMetrics: (any LayoutMetrics)?
    weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)?
}

/// The content that a view shows, and the arrival of new content.
struct ViewSource {
    var content: any ViewContent = MapContent(map: .empty(generation: 0)) {
        didSet { version += 1 }
    }
    /// The number of times that the content was replaced.
    private(set) var version = 0
    /// The number of updates that inserted items, including reloads.
    var arrivals = 0
    /// Loads pending content at the beginning of every round of a pass; `nil` if a pipeline fills
    /// the view.
    var loader: (() -> Void)?
    /// Whether the controller has updates in flight that the view has not deployed yet.
    var isExpectingUpdates = false
    /// Whether the controller has closed.
    var isClosed = false
    /// Whether the size ranges of elements may have changed since the map was last notified of
    /// that.
    var mayHaveNewSizeRanges = false
    /// The object that fetches more content.
    var fetcher: BatchFetcher?
    /// The continuations of callers that wait until no fetch is in progress.
    var fetchWaiters: [() -> Void] = []
}

/// The lane that a view lives on; until it is set, work for it waits.
enum ViewLane {
    case none(waiting: [() -> Void])
    case attached(any Lane)

    var attached: (any Lane)? {
        if case .attached(let lane) = self { lane } else { nil }
    }

    /// - Returns: The work that waited for the lane; `nil` if a lane was already attached, which
    ///   then stays.
    mutating func attach(to lane: any Lane) -> [() -> Void]? {
        guard case .none(let waiting) = self else { return nil }
        self = .attached(lane)
        return waiting
    }
}

/// The views in the viewport, and those that are disappearing.
struct DisplayState {
    var shown = ShownViews()
    /// The attributes that the layout returned for the viewport and its surroundings.
    var window = AttributeWindow()
    /// The errors of the layout that were already reported.
    var layoutErrors: [LayoutError] = []
    /// The object that notifies nodes of their distance from the viewport.
    var ranges: RangeController?
    /// Views that disappear in an animation, one group per animation, until it ends.
    var leaving = FIFO<[ShownView]>()
    /// The transitions of the last change, if it was animated.
    var transitions: [ViewTransition] = []
    /// The animated update that the next or current pass belongs to.
    var animated: ValidatedChangeSet?
    /// The maximum number of views in the viewport. Without it, all elements without extent would
    /// be shown at the same time.
    var viewLimit = 10_000
}

/// The views that are not shown: those to reuse, prepared cells and dequeued views.
struct ReuseState {
    var pool = ReusePool()
    var prefetching = PrefetchState()
    /// Views that were dequeued during the current call to the data source, or left over from
    /// earlier ones.
    var dequeued: [(view: CollectionReusableView, place: LayoutPlace)] = []
    /// The view that the data source is reconfiguring, and its place.
    var reconfiguring: (place: LayoutPlace, view: CollectionReusableView)?
}
