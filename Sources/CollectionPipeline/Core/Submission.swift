import CollectionElements
import Synchronization

/// One accepted change set on its way through the five steps.
///
/// What step 1 found out is constant; what step 3 adds is guarded by a lock, and the one time is atomic.
final class Submission: Sendable, Deliverable {
    let id: SubmissionID
    let context: (any Sendable)?
    let isAnimated: Bool
    /// What it brings: the edits, or a reload in their place.
    let update: ValidatedChangeSet
    let oldMap: ElementMap
    let newMap: ElementMap
    /// How many elements step 3 prepares.
    let workCount: Int
    /// Whether step 3 has anything to do.
    var needsPreparing: Bool { workCount > 0 || layoutContext != nil }
    /// Step 3 takes it, and releases it off the main lane: for a reload it holds every element.
    private let work: Lock<PreparationWork?>
    /// What is handed its new model when the map deploys.
    let reconfigured: [ElementContent]
    /// What was measured again without a new model.
    let remeasured: [ElementContent]
    /// What somebody asked for: put off by earlier sets, of which it is part, or measured again.
    let asked: Set<ElementContent>
    /// Whose size may have changed without an edit, in the new map's space.
    let remeasuredPlaces: [ElementPlace]
    /// The traits when it was accepted, which nodes made since then have or were told.
    let traitsGeneration: UInt32
    /// For the layout delegate, when there is one.
    let layoutContext: (any Sendable)?

    private let lastArrival = Atomic<Duration>(.zero)

    /// Whether it deployed without its view, which was gone.
    let viewWasGone = Atomic<Bool>(false)

    /// Called once, on the main lane.
    let completions: [UpdateCompletion]

    /// Called after these: of states that change nothing, and so are shown when this is.
    let joined = Lock<[UpdateCompletion]>([])

    /// What the view is to do where earlier sets are part of this one.
    let merged = Lock<Delivered?>(nil)

    /// What the view is to do.
    struct Delivered {
        let update: ValidatedChangeSet
        let oldMap: ElementMap
        let isAnimated: Bool
        /// Whose size may have changed without an edit, in the new map's space.
        let remeasuredPlaces: [ElementPlace]
    }

    /// What step 3 found out.
    private let findings = Lock(Findings())

    private struct Findings {
        var layout: (any Sendable)?
        var failures = FailedElements()
        var putOff: PreparationPlan?
    }

    init(
        id: SubmissionID,
        latched: Latched,
        update: ValidatedChangeSet? = nil,
        oldMap: ElementMap,
        request: SubmissionRequest,
        traitsGeneration: UInt32
    ) {
        self.id = id
        self.context = request.context
        self.isAnimated = request.isAnimated
        self.completions = request.completions
        self.update = update ?? latched.update
        self.oldMap = oldMap
        self.newMap = latched.map
        self.workCount = latched.work.count
        self.work = Lock(latched.work)
        self.reconfigured = latched.reconfigured
        self.remeasured = latched.remeasured
        self.asked = latched.asked
        self.remeasuredPlaces = latched.remeasuredPlaces
        self.layoutContext = latched.layoutContext
        self.traitsGeneration = traitsGeneration
    }

    /// The generation of the map that it leads to, which orders submissions by acceptance.
    var generation: Int { newMap.generation }

    /// When it came where it is: accepted, measuring, measured, with the view, deployed; zero without an observer.
    var arrival: Duration { lastArrival.load(ordering: .acquiring) }

    func arrived(at time: Duration) { lastArrival.store(time, ordering: .releasing) }

    /// What step 3 prepares; empty when it was asked before.
    func takeWork() -> PreparationWork {
        work.withLock { work in
            defer { work = nil }
            return work ?? PreparationWork()
        }
    }

    var layout: (any Sendable)? { findings.withLock { $0.layout } }

    func setLayout(_ layout: any Sendable) { findings.withLock { $0.layout = layout } }

    /// Some of what it brings is measured after it.
    func putOff(_ plan: PreparationPlan) { findings.withLock { $0.putOff = plan } }

    /// What is measured after it, for who asks first.
    func takePutOff() -> PreparationPlan? {
        findings.withLock { findings in
            defer { findings.putOff = nil }
            return findings.putOff
        }
    }

    /// Which elements have failed so far.
    var failedElements: FailedElements { findings.withLock { $0.failures } }

    /// An element failed; on a worker.
    func failed(_ failure: ElementFailure) { findings.withLock { $0.failures.append(failure) } }
}

/// What a caller wants with a submission, whatever it is.
struct SubmissionRequest {
    var id: SubmissionID
    var isAnimated = true
    var context: (any Sendable)?
    var completions: [UpdateCompletion] = []
    var backlogEffect = PipelineCore.BacklogEffect.ignored
    /// Whether the controller itself submits it, after a rejection.
    var isAutomatic = false
    /// Whether the caller answers for all content that no set brings again.
    var declaresContentCurrent = false
    /// Whether the caller takes its model back where the submission is rejected.
    var restoresModel = false
}
