import CollectionLayouts

/// An error of a collection view: a mistake of its layout, its data source, its delegate or its
/// caller.
///
/// A method throws the errors that its caller caused. Errors that occur while the view lays itself
/// out are in ``SimulatedCollectionView/errors`` and the event log, and are passed to
/// ``CollectionViewDelegate``; the view then continues without the faulty part. If UIKit has a text
/// for the same fault, the message contains it.
public struct ViewError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error. Minor releases may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The layout received a value that it could not use; see ``CollectionLayout/errors``.
        public static let layout = Code(rawValue: "layout")
        /// A reuse identifier or kind is empty.
        public static let identifier = Code(rawValue: "identifier")
        /// No class is registered for the view to dequeue.
        public static let notRegistered = Code(rawValue: "notRegistered")
        /// The view has no data source of views.
        public static let noDataSource = Code(rawValue: "noDataSource")
        /// The data source has no such view, or threw an error.
        public static let noView = Code(rawValue: "noView")
        /// The data source returned a view that was not dequeued for this place in this call.
        public static let notDequeued = Code(rawValue: "notDequeued")
        /// A view was dequeued but not returned.
        public static let notReturned = Code(rawValue: "notReturned")
        /// The data source returned an invalid count.
        public static let counts = Code(rawValue: "counts")
        /// A path does not exist.
        public static let noSuchPath = Code(rawValue: "noSuchPath")
        /// The layout placed an element twice or in a frame that is not finite, has no attributes
        /// for an element that needs them, or was prepared for other content.
        public static let layoutAttributes = Code(rawValue: "layoutAttributes")
        /// The layout returned different attributes although nothing was invalidated.
        public static let changedAttributes = Code(rawValue: "changedAttributes")
        /// The layout placed more views in the viewport than the view displays.
        public static let tooManyViews = Code(rawValue: "tooManyViews")
        /// A layout pass, an update or a change of layouts was requested from within a call to the
        /// layout, the data source or the delegate.
        public static let reentrantLayout = Code(rawValue: "reentrantLayout")
        /// The layout and the views did not agree on sizes.
        public static let layoutLoop = Code(rawValue: "layoutLoop")
        /// A scroll position names two positions on one axis.
        public static let scrollPosition = Code(rawValue: "scrollPosition")
        /// A number that must be finite is not.
        public static let notFinite = Code(rawValue: "notFinite")
        /// The tuning parameters of a range are not valid numbers of screenfuls.
        public static let rangeTuning = Code(rawValue: "rangeTuning")
        /// A fetch of more content failed, was configured with an invalid value, or ended in an
        /// invalid way.
        public static let batchFetching = Code(rawValue: "batchFetching")
        /// A cell was reconfigured incorrectly.
        public static let reconfiguration = Code(rawValue: "reconfiguration")
    }

    /// The kind of the error.
    public let code: Code

    /// The error in one sentence, with its values.
    public let message: String

    /// The place that the error concerns, in the view's index space.
    public let place: LayoutPlace?

    /// Creates an error.
    public init(_ code: Code, _ message: String, at place: LayoutPlace? = nil) {
        self.code = code
        self.message = message
        self.place = place
    }

    /// The message.
    public var description: String { message }
}

/// The reason that a view refused an update.
public struct ViewRefusal: Error, Hashable, Sendable {
    /// The kind of the fault.
    public let code: Code

    /// The fault in one sentence, with its values.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kind of a fault. Releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An edit is not in the fixed order.
        public static let wrongOrder = Code(rawValue: "wrongOrder")
        /// An edit names a section or item that does not exist at that point.
        public static let wrongIndex = Code(rawValue: "wrongIndex")
        /// The counts after the edits differ from those of the new map.
        public static let wrongCounts = Code(rawValue: "wrongCounts")
        /// The update does not start from the state that the view shows.
        public static let wrongBase = Code(rawValue: "wrongBase")
        /// A moved item is a different element after the update.
        public static let lostIdentity = Code(rawValue: "lostIdentity")
    }
}
