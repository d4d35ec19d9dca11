import CollectionLayouts

/// What a collection view, its layout, its data source or its caller did that it could not follow.
///
/// What a caller asks for is thrown; what comes up while the view lays itself out is found in
/// ``SimulatedCollectionView/errors``, the event log and ``CollectionViewDelegate``, and the view goes on
/// without it. Where UIKit has a text for the same, the message contains that.
public struct ViewError: Error, Hashable, Sendable {
    /// Which mistake it is. More may come in minor releases.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The layout was given something that it could not use; see ``CollectionLayout/errors``.
        public static let layout = Code(rawValue: "layout")
        /// A reuse identifier or kind is empty.
        public static let identifier = Code(rawValue: "identifier")
        /// No class is registered for what was to be dequeued.
        public static let notRegistered = Code(rawValue: "notRegistered")
        /// There is nobody to give a view.
        public static let noDataSource = Code(rawValue: "noDataSource")
        /// The data source has no such view, or threw.
        public static let noView = Code(rawValue: "noView")
        /// The data source gave a view that was not dequeued for this place in this call.
        public static let notDequeued = Code(rawValue: "notDequeued")
        /// A view was dequeued and not given back.
        public static let notReturned = Code(rawValue: "notReturned")
        /// The data source answered counts that are none.
        public static let counts = Code(rawValue: "counts")
        /// A path does not exist.
        public static let noSuchPath = Code(rawValue: "noSuchPath")
        /// The layout placed something that does not exist, or twice, or where no place is.
        public static let layoutAttributes = Code(rawValue: "layoutAttributes")
        /// The layout answered differently, though nothing was invalidated.
        public static let changedAttributes = Code(rawValue: "changedAttributes")
        /// The layout placed more views in the viewport than a view keeps.
        public static let tooManyViews = Code(rawValue: "tooManyViews")
        /// The view was asked to lay itself out from within its layout's or data source's answer.
        public static let reentrantLayout = Code(rawValue: "reentrantLayout")
        /// Layout and views did not come to an agreement over sizes.
        public static let layoutLoop = Code(rawValue: "layoutLoop")
        /// A scroll position asks for two things at once.
        public static let scrollPosition = Code(rawValue: "scrollPosition")
        /// A number that must be finite is not.
        public static let notFinite = Code(rawValue: "notFinite")
        /// A range of elements is tuned to reach no number of screenfuls.
        public static let rangeTuning = Code(rawValue: "rangeTuning")
        /// Fetching more content failed, was set up or ended as it cannot be.
        public static let batchFetching = Code(rawValue: "batchFetching")
        /// A cell was reconfigured wrongly.
        public static let reconfiguration = Code(rawValue: "reconfiguration")
    }

    /// Which mistake it is.
    public let code: Code

    /// The mistake in a sentence, with its values.
    public let message: String

    /// The place concerned, in the view's index space.
    public let place: LayoutPlace?

    /// Makes an error.
    public init(_ code: Code, _ message: String, at place: LayoutPlace? = nil) {
        self.code = code
        self.message = message
        self.place = place
    }
}

extension ViewError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
