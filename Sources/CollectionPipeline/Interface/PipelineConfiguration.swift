/// The options of a controller, which are fixed when the controller is created.
public struct PipelineConfiguration: Sendable {
    /// The profile that validates change sets; ``ValidationProfile/standard`` by default.
    public var profile: ValidationProfile = .standard

    /// The limits of the collection's size: 2²⁴ sections and items by default.
    public var limits = ShapeLimits()

    /// Whether a move is split into a deletion and an insertion, as in Texture; the element or
    /// section is then a new one. The default is `false`: a moved element or section keeps its
    /// identity, node and measurement.
    public var decomposesMoves = false

    /// The number of change sets that may be accepted and not yet deployed (Bounded Backlog), at
    /// least 1. With the default of 64, a view that stays busy slows down its producers after about
    /// one second of updates at display rate.
    public var backlogLimit = 64

    /// The handling of a batch when the backlog is full; ``BacklogPolicy/suspend`` by default.
    public var backlogPolicy = BacklogPolicy.suspend

    /// The action after a rejection; ``RejectionPolicy/report`` by default.
    public var rejectionPolicy = RejectionPolicy.report

    /// The elements that are measured before the view receives a change set;
    /// ``MeasuringPolicy/everything`` by default. A layout delegate makes this decision instead.
    public var measuringPolicy = MeasuringPolicy.everything

    /// Whether the node of an element that is far from the viewport is released, if the view has a
    /// range controller. A node is released when the element has left the ranges, and after the
    /// element was measured far from the viewport, unless it was inserted with its section. The
    /// element keeps its size. Another node is created and measured when the element enters a range
    /// again, is shown, or its node is requested. The provider is retained for that purpose, and
    /// must create an equal node each time. The default is `false`.
    ///
    /// With ``MeasuringPolicy/onDemand(initialCount:)``, or with a layout delegate that measures on
    /// demand, only nodes near the viewport are kept in memory. The property has no effect with a
    /// layout delegate that does not measure on demand.
    public var releasesNodes = false

    /// Whether elements are measured again automatically when the view reports that its size range
    /// has changed (``ElementMap/setNeedsRelayout()``), as a `SimulatedCollectionView` does after
    /// it was resized. Workers measure the elements that were measured for another range, starting
    /// with those nearest to the first visible element. Elements that ``measuringPolicy`` defers
    /// are measured later. Until then, elements are shown with their previous sizes. The default is
    /// `true`; otherwise the application calls `relayoutAllNodes`.
    public var relayoutsWhenSizeRangeChanges = true

    /// The time after which the observer is notified of a wait (``PipelineEvent/Kind/stalled``): a
    /// batch that waits for its end, a submission that waits for capacity, or a wait for step 3,
    /// the view or the main lane. `nil` disables the notification; with zero or less it is
    /// immediate. The default of ten seconds is longer than any of these waits in a working
    /// program. Without an observer nothing is monitored.
    public var stallTimeout: Duration? = .seconds(10)

    /// The content that is compared with the data source after every accepted batch, for tests and
    /// debug builds: see ``DataController/Isolated/firstContentMismatch(by:)``. The observer is
    /// notified of a finding (``PipelineEvent/Kind/disagreed``), and
    /// ``DataController/Isolated/contentCheckFinding`` keeps the first one. Items without
    /// comparable models are also a finding, which is reported once. The default is
    /// ``ContentCheck/never``.
    public var contentCheck = ContentCheck.never

    /// The name of the controller in messages, in events and in the labels of lanes that it
    /// creates; "collection" by default. A main lane that the application supplies keeps its label.
    public var name = "collection"

    /// The initial traits of nodes.
    public var traits = Traits()

    /// Creates a configuration with the defaults.
    public init() {}

    /// The elements of a change set that step 3 measures. An element whose measurement is deferred
    /// is shown with an estimated size until it is measured: its previous size, or the layout's
    /// estimate if it was never measured. It has no node until then, unless the node is requested.
    /// Measurements of reconfigured elements are never deferred.
    @nonexhaustive
    public enum MeasuringPolicy: Hashable, Sendable {
        /// All elements: the view receives a change set when all its elements have their sizes.
        case everything
        /// The given number of elements, at least one: those nearest to the first visible element.
        /// All others follow, nearest first, in separate updates that do not delay other change
        /// sets: some hundred elements each, one update at a time, while nothing else is measured.
        case progressive(initialCount: Int)
        /// The given number of elements, at least one: those nearest to the first visible element.
        /// Others are measured on request: see ``CollectionElement/setNeedsMeasuring()``.
        case onDemand(initialCount: Int)

        /// The number of deferrable elements that are measured with a change set; `nil` for all.
        var limit: Int? {
            switch self {
            case .everything: nil
            case .progressive(let count), .onDemand(let count): max(1, count)
            }
        }

        /// Whether deferred measurements follow automatically.
        var measuresRest: Bool {
            if case .progressive = self { true } else { false }
        }
    }

    /// The part of the content that is compared with the data source after every accepted batch.
    @nonexhaustive
    public enum ContentCheck: Hashable, Sendable {
        /// No comparison.
        case never
        /// The given number of items, continuing after the previous sample, so that a sequence of
        /// batches covers all items.
        case sample(Int)
        /// All items. The cost of each batch is then proportional to the size of the collection.
        case all
    }

    /// The handling of a batch when the backlog is full. Single edits and `reloadData` on the main
    /// lane follow a change to the model, so they are never rejected.
    @nonexhaustive
    public enum BacklogPolicy: Hashable, Sendable {
        /// Asynchronous callers wait, in first-in, first-out order, before their updates closure
        /// runs; synchronous ones are rejected.
        case suspend
        /// Every caller is rejected before its updates closure runs.
        case reject
        /// Change sets beyond the limit are accepted and merged; no caller waits or is rejected.
        /// The view receives as many change sets as the limit allows before it has shown one. Later
        /// ones are collected, and reach the view as one update, without edits that later edits
        /// undo. A change set that was merged into a later one completes as
        /// ``UpdateOutcome/superseded(by:)``. The backlog exceeds the limit by at most one, however
        /// many change sets are submitted, or by a few if a caller waits for the hand-over or the
        /// view refuses an update.
        case coalesce
    }

    /// The action after a change set was rejected.
    @nonexhaustive
    public enum RejectionPolicy: Hashable, Sendable {
        /// The controller passes the error to the caller, and does nothing else.
        case report
        /// The controller passes the error to the caller. If the caller's model may have changed,
        /// the controller then submits a reload of everything, unless another reload precedes it.
        case reload
    }
}
