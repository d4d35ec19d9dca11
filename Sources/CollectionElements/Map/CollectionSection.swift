import Synchronization

/// A section of a collection. Its identity stays the same from the change set that inserts it to
/// the one that removes it, even if it is moved.
public final class CollectionSection: Sendable {
    /// The identifier of the section: unique within a controller, and ascending in the order of
    /// insertion.
    public let id: Int

    /// The context that the data source attached to the section.
    public let sectionContext: (any SectionContext)?

    /// The places where maps hold the section, as with elements.
    private let places = Lock(Places())
    private let removal = Atomic<Bool>(false)

    private struct Places {
        /// The label of the first place; `nil` before the section has one.
        var firstLabel: Int?
        /// The later places. The array is replaced as a whole, so copies may be read on any thread.
        var later: [Weak<LaterSectionPlace>] = []
    }

    package init(id: Int, sectionContext: (any SectionContext)?) {
        self.id = id
        self.sectionContext = sectionContext
    }
}

/// A later place of a section. The entries of maps hold it, so the place stays known exactly as
/// long as a map has the section there.
final class LaterSectionPlace: Sendable {
    let label: Int

    init(label: Int) { self.label = label }
}

extension CollectionSection {
    /// Records a place. If it is not the first one, the caller keeps the returned object for as
    /// long as it holds the section there.
    func place(label: Int) -> LaterSectionPlace? {
        places.withLock { places in
            guard places.firstLabel != nil else {
                places.firstLabel = label
                return nil
            }
            // Safe under the lock: deallocating this object runs no user code.
            let place = LaterSectionPlace(label: label)
            places.later = places.later.filter { $0.object != nil } + [Weak(place)]
            return place
        }
    }

    /// Returns the first result of `transform` that is not `nil`, calling it for every label that
    /// the section may have, newest first.
    func firstPlace<Result>(_ transform: (_ label: Int) -> Result?) -> Result? {
        let (first, later) = places.withLock { ($0.firstLabel, $0.later) }
        for place in later.reversed() {
            if let place = place.object, let result = transform(place.label) { return result }
        }
        return first.flatMap(transform)
    }

    /// Whether a change set that removes the section was accepted.
    package var isRemoved: Bool { removal.load(ordering: .acquiring) }

    /// Records that a change set that removes the section was accepted. Main lane.
    package func markRemoved() { removal.store(true, ordering: .releasing) }
}

extension CollectionSection: Hashable {
    /// Returns whether both sections are the same object.
    public static func == (left: CollectionSection, right: CollectionSection) -> Bool {
        left === right
    }

    /// Hashes the identity of the section.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The data that an application attaches to a section when it is inserted. Layouts and delegates
/// read it later without querying the data source for a section that may no longer exist.
///
/// The data source provides the context once, when its section is inserted, reloaded or first
/// loaded. The context stays with the section, wherever the section moves.
public protocol SectionContext: AnyObject, Sendable {
    /// The name for logs and debug images; the type's name by default.
    var debugName: String { get }
}

extension SectionContext {
    /// The name of the type.
    public var debugName: String { String(describing: Self.self) }
}
