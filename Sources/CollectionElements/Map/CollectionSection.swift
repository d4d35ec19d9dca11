import Synchronization

/// One section: an identity that stays the same from the change set that brings it to the one that
/// removes it, through moves.
public final class CollectionSection: Sendable {
    /// Unique within a controller, and ascending in the order in which sections came.
    public let id: Int

    /// What the data source attached to the section.
    public let context: (any SectionContext)?

    /// Where maps hold the section; the same idea as with elements.
    private let places = Lock(Places())
    private let removal = Atomic<Bool>(false)

    private struct Places {
        /// The label of the first place; nil before.
        var firstLabel: Int?
        /// Replaced as a whole, so that copies may be read anywhere.
        var later: [Weak<SectionPlacing>] = []
    }

    package init(id: Int, context: (any SectionContext)?) {
        self.id = id
        self.context = context
    }
}

/// A later place of a section: the entries of maps hold it, so that the place is known as long as a
/// map has the section there, and no longer.
final class SectionPlacing: Sendable {
    let label: Int

    init(label: Int) { self.label = label }
}

extension CollectionSection {
    /// Notes a place; where it is not the first, the answer has to be held by whoever holds the
    /// section there.
    func place(label: Int) -> SectionPlacing? {
        places.withLock { places in
            guard places.firstLabel != nil else {
                places.firstLabel = label
                return nil
            }
            // A placing holds nothing whose end could run user code.
            let place = SectionPlacing(label: label)
            places.later = places.later.filter { $0.object != nil } + [Weak(place)]
            return place
        }
    }

    /// The first answer of `ask` that is not nil, asked with every label that the section may have,
    /// newest first.
    func firstPlace<Result>(_ ask: (_ label: Int) -> Result?) -> Result? {
        let (first, later) = places.withLock { ($0.firstLabel, $0.later) }
        for place in later.reversed() {
            if let place = place.object, let result = ask(place.label) { return result }
        }
        return first.flatMap(ask)
    }

    /// Whether a change set that removes the section was accepted.
    package var isRemoved: Bool { removal.load(ordering: .acquiring) }

    /// Notes that a change set that removes the section was accepted. Main lane.
    package func markRemoved() { removal.store(true, ordering: .releasing) }
}

extension CollectionSection: Hashable {
    /// Whether both are the same object.
    public static func == (left: CollectionSection, right: CollectionSection) -> Bool {
        left === right
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The data that an application attaches to a section when it is inserted. Layouts and delegates read it later without
/// asking about a section that may no longer exist.
///
/// A context is asked for once, when its section is inserted, reloaded or first loaded, and stays with
/// the section wherever it moves.
public protocol SectionContext: AnyObject, Sendable {
    /// A name for logs and pictures; the type's name by default.
    var debugName: String { get }
}

extension SectionContext {
    /// The name of the type.
    public var debugName: String { String(describing: Self.self) }
}
