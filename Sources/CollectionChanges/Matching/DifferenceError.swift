/// The reason why a difference between two states could not be computed.
public struct DifferenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the fault.
    public let code: Code

    /// A sentence that describes the fault, with its values.
    public let message: String

    /// The first occurrence of a duplicate identifier. If a section is duplicated, only the path's
    /// section is meaningful.
    public let firstPath: ItemPath?

    /// The second occurrence of a duplicate identifier. If a section is duplicated, only the path's
    /// section is meaningful.
    public let secondPath: ItemPath?

    @usableFromInline
    init(_ code: Code, _ message: String, _ first: ItemPath? = nil, _ second: ItemPath? = nil) {
        self.code = code
        self.message = message
        firstPath = first
        secondPath = second
    }

    @inlinable
    static func duplicateItem(
        _ id: some Hashable,
        _ first: ItemPath,
        _ second: ItemPath,
        isOld: Bool
    ) -> DifferenceError {
        DifferenceError(
            isOld ? .duplicateOldItem : .duplicateNewItem,
            "Items must occur once on each side, but \(id) is at \(first) and at \(second)"
                + " \(isOld ? "before" : "after") the change",
            first,
            second
        )
    }

    @inlinable
    static func duplicateSection(
        _ id: some Hashable,
        _ first: ItemPath,
        _ second: ItemPath,
        isOld: Bool
    ) -> DifferenceError {
        DifferenceError(
            isOld ? .duplicateOldSection : .duplicateNewSection,
            "Sections must occur once on each side, but \(id) is at \(first.item) and at"
                + " \(second.item) \(isOld ? "before" : "after") the change",
            ItemPath(section: first.item, item: 0),
            ItemPath(section: second.item, item: 0)
        )
    }

    @usableFromInline
    static var cancelled: DifferenceError {
        DifferenceError(.cancelled, "The difference was cancelled before it was complete")
    }

    /// The name of a fault. New codes may be added, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An identifier occurs twice among the items before the change.
        public static let duplicateOldItem = Code(rawValue: "duplicateOldItem")
        /// An identifier occurs twice among the items after the change.
        public static let duplicateNewItem = Code(rawValue: "duplicateNewItem")
        /// An identifier occurs twice among the sections before the change.
        public static let duplicateOldSection = Code(rawValue: "duplicateOldSection")
        /// An identifier occurs twice among the sections after the change.
        public static let duplicateNewSection = Code(rawValue: "duplicateNewSection")
        /// One side has more items than can be numbered.
        public static let tooManyItems = Code(rawValue: "tooManyItems")
        /// The caller cancelled the difference.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
