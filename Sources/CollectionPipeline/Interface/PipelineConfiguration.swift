/// How a controller behaves; fixed when it is made.
public struct PipelineConfiguration: Sendable {
    /// Whose verdicts change sets get; ``ValidationProfile/standard`` by default.
    public var profile: ValidationProfile = .standard

    /// How large the collection may get: 2²⁴ sections and items by default.
    public var limits = ShapeLimits()

    /// Whether a move is taken apart into a delete and an insert, as Texture does: the element or
    /// section is then a new one. Off, as by default: what moves keeps its identity, node and measurement.
    public var decomposesMoves = false

    /// How many change sets may be accepted and not yet deployed (Bounded Backlog), at least 1. At 64, the default, a view
    /// that stays busy holds back its producers after a second or so of updates at display rate.
    public var backlogLimit = 64

    /// What happens to a batch when the backlog is full; ``BacklogPolicy/suspend`` by default.
    public var backlogPolicy = BacklogPolicy.suspend

    /// What happens after a rejection; ``RejectionPolicy/report`` by default.
    public var rejectionPolicy = RejectionPolicy.report

    /// What is measured before the view gets a change set; ``MeasuringPolicy/everything`` by default. With a
    /// layout delegate, that decides.
    public var measuringPolicy = MeasuringPolicy.everything

    /// Whether the node of an element that is far from the viewport is released, where the view has a range controller:
    /// when it has left, and when an update of its own measured it there, but not when it came with a section. The
    /// element keeps its size, and another node is made and measured when it comes into a range again, is shown, or is
    /// asked for. Its provider is kept for that, and must make an equal node each time. Off by default.
    ///
    /// With ``MeasuringPolicy/onDemand(_:)``, or a layout delegate that measures on demand, only what is near is in
    /// memory. It has no effect with a layout delegate that does not.
    public var releasesNodes = false

    /// Whether everything is measured again by itself when the view says that it offers other sizes
    /// (``ElementMap/setNeedsRelayout()``), as a `SimulatedCollectionView` does that was resized, say: what was
    /// measured for other ones, on workers, nearest to the first visible element first, and as far as
    /// ``measuringPolicy`` has it measured at once. Until then it is shown with the sizes that it had. On by
    /// default; otherwise `relayoutAllNodes` does it, when the application says so.
    public var relayoutsWhenSizeRangeChanges = true

    /// How long something may wait before the observer is told (``PipelineEvent/Kind/stalled``): a batch for
    /// its end, a submission for room, step 3, the view or the main lane; nil for never, zero or less for
    /// at once. Ten seconds, the default, are more than any of these takes that works. Without an observer nothing is
    /// watched.
    public var stallTimeout: Duration? = .seconds(10)

    /// What is compared with the data source after every batch that is accepted, for tests and debug builds:
    /// see ``DataController/Isolated/firstDisagreement(by:)``. The observer is notified of a finding
    /// (``PipelineEvent/Kind/disagreed``), and ``DataController/Isolated/contentCheckFinding`` keeps the first. That
    /// items have no models to compare is a finding, reported once. Nothing by default.
    public var contentCheck = ContentCheck.never

    /// A name for the lanes that the controller makes, and for messages and events; "collection" by default. A main
    /// lane of the application's own keeps its label.
    public var name = "collection"

    /// The traits that nodes start with.
    public var traits = Traits()

    /// The defaults.
    public init() {}

    /// What step 3 measures of what a change set brings. What is put off is shown with an estimated size, by
    /// which the view lays it out until it is measured: what it had before, or what the layout says of what nobody
    /// measured. It has no node by then, unless somebody asks for that. Reconfigured elements are never put off.
    @nonexhaustive
    public enum MeasuringPolicy: Hashable, Sendable {
        /// Everything: the view gets a change set when all that it brings has its size.
        case everything
        /// So many elements, at least one: those nearest to the first visible one. All others follow, nearest first, as
        /// updates of their own that hold nothing up: some hundred elements each, one at a time, while nothing else is
        /// measured.
        case nearestFirst(Int)
        /// So many elements, at least one: those nearest to the first visible one. Others are measured when somebody
        /// wants them: see ``CollectionElement/setNeedsMeasuring()``.
        case onDemand(Int)

        /// How many of what may be put off are measured with a change set; nil for all.
        var limit: Int? {
            switch self {
            case .everything: nil
            case .nearestFirst(let count), .onDemand(let count): max(1, count)
            }
        }

        /// Whether what is put off follows by itself.
        var measuresRest: Bool {
            if case .nearestFirst = self { true } else { false }
        }
    }

    /// How much of the content is compared with the data source after every accepted batch.
    @nonexhaustive
    public enum ContentCheck: Hashable, Sendable {
        /// Nothing.
        case never
        /// So many items, going on where the last sample ended: all have been looked at after as many batches
        /// as it takes.
        case sample(Int)
        /// Everything; each batch then costs as much as the collection is large.
        case all
    }

    /// What happens to a batch when the backlog is full. Single edits and `reloadData` on the main
    /// lane follow a change of the model, so they are never rejected.
    @nonexhaustive
    public enum BacklogPolicy: Hashable, Sendable {
        /// Asynchronous callers wait, first come, first served, before their updates closure runs;
        /// synchronous ones are rejected.
        case suspend
        /// Every caller is rejected, before the updates closure runs.
        case reject
        /// Nobody waits or is rejected. The view is given as many sets as the limit allows before it has shown
        /// one; what comes meanwhile is accepted and collected, and reaches the view as one update, without what
        /// the later edits undo. A set that another was collected with completes as
        /// ``UpdateOutcome/superseded(by:)``. However many are submitted, the backlog is at most one above the
        /// limit; or a few, where somebody waits for the hand-over or the view refuses an update.
        case merge
    }

    /// What happens after a change set was rejected.
    @nonexhaustive
    public enum RejectionPolicy: Hashable, Sendable {
        /// The caller is told, and nothing else happens.
        case report
        /// The caller is told, and where its model may have changed the controller submits a reload of
        /// everything, unless one has come before it.
        case reload
    }
}
