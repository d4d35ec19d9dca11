/// What a layout was given and could not use, or finds doubtful.
///
/// Layouts go on regardless: a size that is no size counts as zero, and so on. What they met they
/// collect in ``CollectionLayout/errors``, for a program to look at after ``CollectionLayout/prepare()``.
public struct LayoutError: Error, Hashable, Sendable {
    /// What is wrong. More may come in minor releases.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The size of an item is negative, infinite or not a number; it counts as zero.
        public static let itemSize = Code(rawValue: "itemSize")
        /// The size or extent of a header or footer is no size; there is none then.
        public static let supplementarySize = Code(rawValue: "supplementarySize")
        /// A spacing is negative, or a spacing or inset is no number; it counts as zero. Layouts of single
        /// sections take no negative insets either.
        public static let spacing = Code(rawValue: "spacing")
        /// An item is larger than its line; it is alone on it, and may begin before it.
        public static let itemExceedsLine = Code(rawValue: "itemExceedsLine")
        /// The size that a view prefers is no size, or empty; it is ignored.
        public static let preferredSize = Code(rawValue: "preferredSize")
        /// The context of an invalidation is of another layout's class; everything is invalidated.
        public static let invalidationContext = Code(rawValue: "invalidationContext")
        /// The layout was asked to prepare from within a question of its own; that call did nothing.
        public static let reentrantPrepare = Code(rawValue: "reentrantPrepare")
        /// The view's counts are not those that the update led to; everything was laid out again.
        public static let updateMismatch = Code(rawValue: "updateMismatch")
        /// The number of sections is negative, or larger than what is laid out; it counts as zero.
        public static let sectionCount = Code(rawValue: "sectionCount")
        /// The number of items of a section is negative, or larger than what is laid out; it counts as
        /// zero.
        public static let itemCount = Code(rawValue: "itemCount")
        /// The extent that a section's arrangement answers with, or that it is given, is none; it counts
        /// as zero.
        public static let sectionExtent = Code(rawValue: "sectionExtent")
        /// The number of columns of a section is not positive, or larger than what is laid out; it counts
        /// as one.
        public static let columnCount = Code(rawValue: "columnCount")
    }

    /// What is wrong.
    public let code: Code

    /// The element concerned, in the view's index space when it was met; nil where it is not one alone.
    /// The message names the section then, if it is one.
    public let place: LayoutPlace?

    /// What was found, in a sentence; where UIKit has a text for the same, it contains that.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, at place: LayoutPlace? = nil, message: String) {
        self.code = code
        self.place = place
        self.message = message
    }
}

extension LayoutError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
