import CollectionElements
import Synchronization

/// One accepted change set on its way through the five steps.
///
/// What step 1 found out is constant. The completions belong to the main lane. What step 3 adds is
/// guarded by a lock, written by workers and read after the hand-over.
final class Submission: @unchecked Sendable {  // see above for who guards what
    let id: SubmissionID
    let context: (any Sendable)?
    let isAnimated: Bool
    let update: ValidatedChangeSet
    let oldMap: ElementMap
    let newMap: ElementMap
    /// What step 3 prepares, nearest to the first visible path first.
    let work: [ElementSlot]
    /// What is handed its new model when the map deploys.
    let reconfigured: [ElementSlot]
    /// Whose size may have changed without an edit, in the new map's space.
    let remeasuredPaths: [ItemPath]
    /// For the layout delegate, when there is one.
    let layoutContext: (any Sendable)?
    /// Whether it stands for everything that the view refused or missed.
    let isRecovery: Bool

    /// Main lane.
    var completions: [UpdateCompletion]

    private let layoutState = Lock<(any Sendable)?>(nil)

    init(
        id: SubmissionID,
        latched: Latched,
        oldMap: ElementMap,
        request: SubmissionRequest,
        isRecovery: Bool = false
    ) {
        self.id = id
        self.context = request.context
        self.isAnimated = request.isAnimated
        self.completions = request.completions
        self.update = latched.update
        self.oldMap = oldMap
        self.newMap = latched.map
        self.work = latched.work
        self.reconfigured = latched.reconfigured
        self.remeasuredPaths = latched.remeasuredPaths
        self.layoutContext = latched.layoutContext
        self.isRecovery = isRecovery
    }

    var layout: (any Sendable)? { layoutState.withLock { $0 } }

    func setLayout(_ layout: any Sendable) { layoutState.withLock { $0 = layout } }
}

/// What a caller wants with a submission, whatever it is.
struct SubmissionRequest {
    var id: SubmissionID
    var isAnimated = true
    var context: (any Sendable)?
    var completions: [UpdateCompletion] = []
}

/// What step 1 makes of a change set before anything is changed by it.
struct Latched {
    var update: ValidatedChangeSet
    var map: ElementMap
    var work: [ElementSlot] = []
    var reconfigured: [ElementSlot] = []
    /// Contents that become their elements' newest when the change set is accepted.
    var accepted: [ElementSlot] = []
    var remeasuredPaths: [ItemPath] = []
    var layoutContext: (any Sendable)?
    var nextSectionID: Int
}
