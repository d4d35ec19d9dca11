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
