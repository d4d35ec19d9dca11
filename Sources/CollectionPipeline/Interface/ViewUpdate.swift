import CollectionElements

/// One change set on its way into the view: what changed, and the key to showing it.
///
/// The view calls ``deploy(_:file:line:)`` when it is ready, which swaps the visible map and lets the view apply
/// the edits in one go, and ``finish()`` when it is done, animations included. An update that the view
/// drops deploys and finishes by itself, so no completion is ever lost.
///
/// Threading: every member belongs to the main lane, but the values may be read from anywhere.
public final class ViewUpdate: Sendable {
    /// The submission that this is.
    public let submission: SubmissionID

    /// The edits, in the fixed order.
    public let changeSet: ValidatedChangeSet

    /// The visible map before the update: what the view shows, or, in a reload that follows on a
    /// refusal, what it would show if it had not refused.
    public let oldMap: ElementMap

    /// The map that it shows afterwards.
    public let newMap: ElementMap

    /// Whether the view should animate; each edit has an option of its own besides.
    public let isAnimated: Bool

    /// The elements that were measured again without an edit of theirs, in the new map's space: items
    /// first, each ascending.
    public let remeasured: [ElementPlace]

    /// What the layout delegate laid out, where there is one.
    public let layout: (any Sendable)?

    /// The pipeline; or what stands between it and a view under test.
    private let destination: any ViewUpdateDestination
    /// Main lane; the lock is for `deinit`, which may run anywhere.
    private let progress = Lock(Progress.waiting)

    private enum Progress {
        case waiting
        case deploying
        case deployed
        case finished
    }

    init(_ submission: Submission, core: PipelineCore) {
        let delivered = submission.delivered
        self.submission = submission.id
        self.changeSet = delivered.update
        self.oldMap = delivered.oldMap
        self.newMap = submission.newMap
        self.isAnimated = delivered.isAnimated
        self.remeasured = delivered.remeasuredPlaces
        self.layout = submission.layout
        self.destination = core
    }

    /// One that stands for `update` on its way to a view: what becomes of it is told to `destination` alone.
    package init(standingFor update: ViewUpdate, destination: any ViewUpdateDestination) {
        submission = update.submission
        changeSet = update.changeSet
        oldMap = update.oldMap
        newMap = update.newMap
        isAnimated = update.isAnimated
        remeasured = update.remeasured
        layout = update.layout
        self.destination = destination
    }

    /// Swaps the visible map and calls `apply` to show the edits, in one go.
    ///
    /// `apply` runs before this returns, with the visible map already new; it must not wait for the
    /// pipeline. If it throws, the view counts as having refused the update, and a reload of
    /// everything follows: where this was one, only if sets wait behind it, or else in place of the next set's edits.
    /// `apply` does not run, and the answer is false, where the update has been
    /// replaced by such a reload, or the controller is closed; the view then just drops it.
    ///
    /// Stops the process where updates are deployed twice or in another order than they came.
    @discardableResult
    public func deploy(
        _ apply: (ViewUpdate) throws -> Void,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        destination.lane.requireCurrent("ViewUpdate.deploy(_:)", file: file, line: line)
        let isFirst = progress.withLock { progress in
            guard progress == .waiting else { return false }
            progress = .deploying
            return true
        }
        guard isFirst else {
            destination.misused(self, "must be deployed once, but was deployed again")
            return false
        }
        defer { progress.withLock { $0 = .deployed } }
        return destination.deploy(self, apply)
    }

    /// Tells that the view is done with the update, animations included. Later calls do nothing.
    ///
    /// Stops the process where the update has not been deployed.
    public func finish() {
        destination.lane.requireCurrent("ViewUpdate.finish()")
        let wasDeployed = progress.withLock { progress in
            guard progress == .deployed || progress == .finished else { return false }
            progress = .finished
            return true
        }
        guard wasDeployed else {
            return destination.misused(self, "must be deployed before it is finished")
        }
        destination.finish(newMap.generation)
    }

    deinit {
        let progress = progress.withLock { $0 }
        guard progress != .finished else { return }
        destination.viewDropped(newMap.generation)
    }
}

/// Where it is told what becomes of an update: the pipeline, or what stands in for it.
package protocol ViewUpdateDestination: AnyObject, Sendable {
    var lane: any Lane { get }

    /// See ``ViewUpdate/deploy(_:file:line:)``.
    func deploy(_ update: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool

    /// The view is done with the update of a generation. Main lane; may come again.
    func finish(_ generation: Int)

    /// The last reference to an update that was not finished is gone. From any thread.
    func viewDropped(_ generation: Int)

    /// An update was used otherwise than it may be; nothing has happened by that. Main lane.
    func misused(_ update: ViewUpdate, _ problem: String)
}

extension PipelineCore: ViewUpdateDestination {
    package func misused(_ update: ViewUpdate, _ problem: String) {
        require(false, "Update \(update.submission) \(problem)")
    }
}
