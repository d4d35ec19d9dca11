import CollectionElements
import CollectionPipeline

/// What a view did and met, the newest of it; and what went wrong.
struct ViewLog {
    var errors = ErrorNotes()
    private var kept: [ViewEvent] = []
    private let capacity: Int

    init(capacity: Int) { self.capacity = min(max(0, capacity), .max / 2) }

    /// The newest, oldest first.
    var events: [ViewEvent] { Array(kept.suffix(capacity)) }

    /// - Parameter event: made only if it is kept.
    mutating func append(_ event: @autoclosure () -> ViewEvent) {
        guard capacity > 0 else { return }
        kept.append(event())
        // Trimmed by halves, so that a full log costs nothing an event.
        if kept.count >= 2 * capacity { kept.removeFirst(kept.count - capacity) }
    }

    mutating func removeAll() { kept = [] }
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

/// Who is told and asked by a view; nobody is retained.
struct ViewAudience {
    weak var delegate: (any CollectionViewDelegate)?
    weak var layoutMetrics: (any LayoutMetrics)?
    weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)?
}

/// What a view shows, and who brings it up to date.
struct ViewSource {
    var content: any ViewContent = MapContent(map: .empty(generation: 0)) {
        didSet { version += 1 }
    }
    /// How often the content was replaced.
    private(set) var version = 0
    /// How many updates brought new items, reloads included.
    var arrivals = 0
    /// Loads at the beginning of every round of a pass what is to be loaded; nil where a pipeline brings what is
    /// new.
    var loader: (() -> Void)?
    /// Whether updates are on their way that were not deployed yet.
    var isExpectingUpdates = false
    /// Whether nothing comes any more.
    var isClosed = false
    /// Whether elements may have other sizes to choose from since somebody was told that last.
    var mayOfferOtherSizes = false
}

/// The lane that a view lives on; until it has one, what is to run there waits.
enum ViewLane {
    case none(waiting: [() -> Void])
    case attached(any Lane)

    var attached: (any Lane)? {
        if case .attached(let lane) = self { lane } else { nil }
    }

    /// - Returns: what waited for the lane; nil where there was one already, which stays.
    mutating func attach(to lane: any Lane) -> [() -> Void]? {
        guard case .none(let waiting) = self else { return nil }
        self = .attached(lane)
        return waiting
    }
}

/// Why a view would not apply an update.
public struct ViewRefusal: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An edit stands where the fixed order does not allow it.
        public static let wrongOrder = Code(rawValue: "wrongOrder")
        /// An edit names a section or item that does not exist by then.
        public static let wrongIndex = Code(rawValue: "wrongIndex")
        /// The counts after the edits are not those of the new map.
        public static let wrongCounts = Code(rawValue: "wrongCounts")
        /// The update does not start from what the view shows.
        public static let wrongBase = Code(rawValue: "wrongBase")
        /// A moved element is another one afterwards.
        public static let lostIdentity = Code(rawValue: "lostIdentity")
    }
}
