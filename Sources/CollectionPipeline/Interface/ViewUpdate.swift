import CollectionElements

/// One change set on its way into the view: what changed, and the key to showing it.
///
/// The view calls ``deploy(_:)`` when it is ready, which swaps the visible map and lets the view apply
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

    private let core: PipelineCore
    /// Main lane; the lock is for `deinit`, which may run anywhere.
    private let progress = Lock(Progress.waiting)

    private enum Progress {
        case waiting
        case deploying
        case deployed
        case finished
    }

    init(_ submission: Submission, core: PipelineCore) {
        self.submission = submission.id
        self.changeSet = submission.update
        self.oldMap = submission.oldMap
        self.newMap = submission.newMap
        self.isAnimated = submission.isAnimated
        self.remeasured = submission.remeasuredPlaces
        self.layout = submission.layout
        self.core = core
    }

    /// Swaps the visible map and calls `apply` to show the edits, in one go.
    ///
    /// `apply` runs before this returns, with the visible map already new; it must not wait for the
    /// pipeline. If it throws, the view counts as having refused the update, and a reload of
    /// everything follows, unless this was one. `apply` does not run, and the answer is false, where the update has been
    /// replaced by such a reload, or the controller is closed; the view then just drops it.
    ///
    /// Stops the process where updates are deployed twice or in another order than they came.
    @discardableResult
    public func deploy(_ apply: (ViewUpdate) throws -> Void) -> Bool {
        core.lane.requireCurrent("ViewUpdate.deploy(_:)")
        let isFirst = progress.withLock { progress in
            defer { progress = .deploying }
            return progress == .waiting
        }
        require(isFirst, "Update \(submission) must be deployed once, but was deployed again")
        defer { progress.withLock { $0 = .deployed } }
        return core.deploy(self, apply)
    }

    /// Tells that the view is done with the update, animations included. Later calls do nothing.
    ///
    /// Stops the process where the update has not been deployed.
    public func finish() {
        core.lane.requireCurrent("ViewUpdate.finish()")
        let wasDeployed = progress.withLock { progress in
            defer { progress = .finished }
            return progress == .deployed || progress == .finished
        }
        require(wasDeployed, "Update \(submission) must be deployed before it is finished")
        core.finish(newMap.generation)
    }

    deinit {
        let progress = progress.withLock { $0 }
        guard progress != .finished else { return }
        core.viewDropped(newMap.generation)
    }
}
