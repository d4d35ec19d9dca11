/// An error about a value that a layout cannot use, or that is probably a mistake.
///
/// A layout continues after an error: for example, an invalid size counts as zero. Layouts collect
/// their errors in ``CollectionLayout/errors``, which a program can check after
/// ``CollectionLayout/prepare()``.
public struct LayoutError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error. Minor releases may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The size of an item is negative, infinite or not a number; it counts as zero.
        public static let itemSize = Code(rawValue: "itemSize")
        /// The size or extent of a header or footer is invalid; the section then has none.
        public static let supplementarySize = Code(rawValue: "supplementarySize")
        /// A spacing is negative, or a spacing or inset is not a number; it counts as zero. Layouts
        /// of single sections also reject negative insets.
        public static let spacing = Code(rawValue: "spacing")
        /// An item is larger than its line; it is alone on the line, and may begin before the line
        /// does.
        public static let itemExceedsLine = Code(rawValue: "itemExceedsLine")
        /// The size that a view prefers is invalid or empty; it is ignored.
        public static let preferredSize = Code(rawValue: "preferredSize")
        /// The invalidation context has the class of another layout; everything is invalidated.
        public static let invalidationContext = Code(rawValue: "invalidationContext")
        /// `prepare()` was called during one of the layout's own queries; the call had no effect.
        public static let reentrantPrepare = Code(rawValue: "reentrantPrepare")
        /// The view's counts differ from the result of the update; everything was laid out again.
        public static let updateMismatch = Code(rawValue: "updateMismatch")
        /// The number of sections is negative, or larger than the layout supports; it counts as
        /// zero.
        public static let sectionCount = Code(rawValue: "sectionCount")
        /// The number of items in a section is negative, or larger than the layout supports; it
        /// counts as zero.
        public static let itemCount = Code(rawValue: "itemCount")
        /// The extent that a section's arrangement returns, or that it receives, is invalid; it
        /// counts as zero.
        public static let sectionExtent = Code(rawValue: "sectionExtent")
        /// The number of columns of a section is not positive, or larger than the layout supports;
        /// it counts as one.
        public static let columnCount = Code(rawValue: "columnCount")
    }

    /// The kind of this error.
    public let code: Code

    /// The affected element, in the view's index space when the error was found; `nil` if it does
    /// not concern a single element. In that case the message names the section, if there is one.
    public let place: LayoutPlace?

    /// A sentence that describes the error. If UIKit has a text for the same error, the message
    /// contains it.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, at place: LayoutPlace? = nil, message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

// Errors for values that a layout cannot use.

extension LayoutError {
    /// Returns an error with the expected value, the value that was found, and its location.
    static func unusable(
        _ found: String,
        as code: Code,
        named name: String? = nil,
        at place: LayoutPlace? = nil,
        section: Int? = nil,
        expected: String,
        outcome: String = "it counts as 0"
    ) -> LayoutError {
        let location =
            place.map { " of \($0.phrase)" } ?? section.map { " in section \($0)" } ?? ""
        return LayoutError(
            code,
            at: place,
            message:
                "\(name ?? code.rawValue)\(location): expected \(expected), found \(found); \(outcome)"
        )
    }
}

extension LayoutPlace {
    fileprivate var phrase: String {
        switch category {
        case .cell: "item \(path.item) in section \(path.section)"
        case .supplementary(.header): "the header of section \(path.section)"
        case .supplementary(.footer): "the footer of section \(path.section)"
        case .supplementary, .decoration: "\(category) at \(path)"
        }
    }
}
