import CollectionElements

/// One change set for the view: its edits, and the calls that show it.
///
/// The view calls ``deploy(_:file:line:)`` when it is ready, which swaps the visible map and lets
/// the view apply the edits in one step. It calls ``finish()`` when it has finished, including
/// animations. An update that the view drops deploys and finishes by itself, so that no completion
/// is ever lost.
///
/// Threading: every method belongs to the main lane; the properties may be read from any thread.
public final class ViewUpdate: Sendable {
    /// The number of the submission.
    public let submission: SubmissionID

    /// The edits, in the fixed order.
    public let changeSet: ValidatedChangeSet

    /// The visible map before the update: the map that the view shows or, for a reload that follows
    /// a refusal, the map that the view would show if it had not refused.
    public let oldMap: ElementMap

    /// The visible map after the update.
    public let newMap: ElementMap

    /// Whether the view should animate; each edit also has its own animation option.
    public let isAnimated: Bool

    /// The elements that were measured again without an edit, in the index space of the new map:
    /// items first, each group ascending.
    public let remeasured: [ElementPlace]

    /// The layout of the layout delegate, or `nil` without a delegate.
    public let layout: (any Sendable)?

    /// The pipeline, or an object between it and a view under test.
    private let destination: any ViewUpdateDestination
    /// Main lane. The lock is needed for `deinit`, which may run on any thread.
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

    /// Creates an update that is passed to a view instead of `update`. Only `destination` is
    /// notified of its progress.
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

    /// Swaps the visible map and calls `apply` to show the edits, in one step.
    ///
    /// `apply` runs before this method returns, when the visible map is already the new one; it
    /// must not wait for the pipeline. If it throws, the view has refused the update, and a reload
    /// of everything follows. If the refused update was a reload itself, another reload follows
    /// only if change sets wait after it; otherwise the next change set is delivered as a reload
    /// instead of its edits. `apply` does not run, and the method returns `false`, if such a reload
    /// has replaced the update or the controller is closed; the view then drops the update.
    ///
    /// Stops the process if an update is deployed twice, or if updates are not deployed in the
    /// order in which the view received them.
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

    /// Notifies the controller that the view has finished the update, including animations. Later
    /// calls do nothing.
    ///
    /// Stops the process if the update has not been deployed.
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

/// The object that is notified of an update's progress: the pipeline, or an object that replaces
/// it.
package protocol ViewUpdateDestination: AnyObject, Sendable {
    var lane: any Lane { get }

    /// Deploys an update; see ``ViewUpdate/deploy(_:file:line:)``.
    func deploy(_ update: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool

    /// Records that the view has finished the update with a generation. It is called on the main
    /// lane, possibly more than once.
    func finish(_ generation: Int)

    /// Records that the last reference to an unfinished update was released. It may be called from
    /// any thread.
    func viewDropped(_ generation: Int)

    /// Reports a misuse of an update that had no other effect. It is called on the main lane.
    func misused(_ update: ViewUpdate, _ problem: String)
}

extension PipelineCore: ViewUpdateDestination {
    package func misused(_ update: ViewUpdate, _ problem: String) {
        require(false, "Update \(update.submission) \(problem)")
    }
}
