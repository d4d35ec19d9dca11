/// What an application attaches to a section when it is inserted, for layouts and delegates to read
/// later without asking about a section that may no longer exist.
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

/// One section: an identity that stays the same from the change set that brings it to the one that
/// removes it, through moves.
public final class CollectionSection: Sendable {
    /// Unique within a controller, and ascending in the order in which sections came.
    public let id: Int

    /// What the data source attached to the section.
    public let context: (any SectionContext)?

    package init(id: Int, context: (any SectionContext)?) {
        self.id = id
        self.context = context
    }
}

extension CollectionSection: Hashable {
    /// Whether both are the same object.
    public static func == (left: CollectionSection, right: CollectionSection) -> Bool {
        left === right
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
