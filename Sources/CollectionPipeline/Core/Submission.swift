import CollectionChanges
import CollectionElements
import Synchronization

/// One accepted change set on its way through the five steps.
///
/// The results of step 1 are constant. A lock guards the results of step 3, and the time is atomic.
final class Submission: Sendable, Deliverable {
    let id: SubmissionID
    let callerContext: (any Sendable)?
    let isAnimated: Bool
    /// The edits of the change set, or a reload that replaces them.
    let update: ValidatedChangeSet
    let oldMap: ElementMap
    let newMap: ElementMap
    /// The number of elements that step 3 prepares.
    let workCount: Int
    /// Whether step 3 has work to do.
    var needsPreparing: Bool { workCount > 0 || layoutContext != nil }
    /// The work of step 3. Step 3 removes it and releases it outside the main lane, because for a
    /// reload it contains every element.
    private let work: Lock<PreparationWork?>
    /// The contents that receive their new model when the map deploys.
    let reconfigured: [ElementContent]
    /// The contents that were measured again without a new model.
    let remeasured: [ElementContent]
    /// The contents that the view requested. This change set measures them again, or measures them
    /// for the first time if earlier change sets deferred them.
    let requested: Set<ElementContent>
    /// The places of elements whose size may have changed without an edit, in the index space of
    /// the new map.
    let remeasuredPlaces: [ElementPlace]
    /// The generation of the traits at the time of acceptance. Nodes that are created later have
    /// those traits or have received them.
    let traitsGeneration: UInt32
    /// The context of the layout delegate, if there is one.
    let layoutContext: (any Sendable)?

    private let lastArrival = Atomic<Duration>(.zero)

    /// Whether the change set was deployed after its view was deallocated.
    let viewWasGone = Atomic<Bool>(false)

    /// The completions, which are called once on the main lane.
    let completions: [UpdateCompletion]

    /// The completions of states that change nothing and are therefore shown together with this
    /// change set; called after its own.
    let joined = Lock<[UpdateCompletion]>([])

    /// The update for the view if earlier change sets were merged into this one.
    let merged = Lock<Delivered?>(nil)

    /// The update for the view.
    struct Delivered {
        let update: ValidatedChangeSet
        let oldMap: ElementMap
        let isAnimated: Bool
        /// The places of elements whose size may have changed without an edit, in the index space
        /// of the new map.
        let remeasuredPlaces: [ElementPlace]
    }

    /// The results of step 3.
    private let findings = Lock(Findings())

    private struct Findings {
        var layout: (any Sendable)?
        var failures = FailedElements()
        var deferred: PreparationPlan?
    }

    init(
        id: SubmissionID,
        latched: LatchedChangeSet,
        update: ValidatedChangeSet? = nil,
        oldMap: ElementMap,
        request: SubmissionRequest,
        traitsGeneration: UInt32
    ) {
        self.id = id
        self.callerContext = request.callerContext
        self.isAnimated = request.isAnimated
        self.completions = request.completions
        self.update = update ?? latched.update
        self.oldMap = oldMap
        self.newMap = latched.map
        self.workCount = latched.work.count
        self.work = Lock(latched.work)
        self.reconfigured = latched.reconfigured
        self.remeasured = latched.remeasured
        self.requested = latched.requested
        self.remeasuredPlaces = latched.remeasuredPlaces
        self.layoutContext = latched.layoutContext
        self.traitsGeneration = traitsGeneration
    }

    /// The generation of the new map, which orders submissions by acceptance.
    var generation: Int { newMap.generation }

    /// The time at which the submission reached its current state: accepted, measuring, measured,
    /// with the view, or deployed; zero without an observer.
    var arrival: Duration { lastArrival.load(ordering: .acquiring) }

    func arrived(at time: Duration) { lastArrival.store(time, ordering: .releasing) }

    /// Returns the work of step 3 on the first call, and no work after that.
    func takeWork() -> PreparationWork {
        work.withLock { $0.take() } ?? PreparationWork()
    }

    var layout: (any Sendable)? { findings.withLock { $0.layout } }

    func setLayout(_ layout: any Sendable) { findings.withLock { $0.layout = layout } }

    /// Stores the work that is deferred until after this change set.
    func deferMeasuring(_ plan: PreparationPlan) { findings.withLock { $0.deferred = plan } }

    /// Returns the deferred work on the first call, and `nil` after that.
    func takeDeferred() -> PreparationPlan? {
        findings.withLock { $0.deferred.take() }
    }

    /// The elements that have failed so far.
    var failedElements: FailedElements { findings.withLock { $0.failures } }

    /// Adds a failed element; called on a worker.
    func failed(_ failure: ElementFailure) { findings.withLock { $0.failures.append(failure) } }
}

/// The properties of a submission that its caller chooses.
struct SubmissionRequest {
    var id: SubmissionID
    var isAnimated = true
    var callerContext: (any Sendable)?
    var completions: [UpdateCompletion] = []
    var backlogEffect = PipelineCore.BacklogEffect.ignored
    /// Whether the controller itself makes the submission, after a rejection.
    var isAutomatic = false
    /// Whether the caller declares all content current that no change set has brought again.
    var declaresContentCurrent = false
    /// Whether the caller restores its model if the submission is rejected.
    var restoresModel = false
}

// Merging: with a full backlog several change sets may reach the view as one.

extension Submission {
    /// The update for the view: the edits, combined with those of merged change sets, or a reload
    /// that replaces them.
    var delivered: Delivered {
        merged.withLock { $0 }
            ?? Delivered(
                update: update,
                oldMap: oldMap,
                isAnimated: isAnimated,
                remeasuredPlaces: remeasuredPlaces
            )
    }

    /// Merges earlier change sets into this one, so that they reach the view together. Main lane.
    ///
    /// The view animates if one of them should be animated.
    ///
    /// - Parameter earlier: The change sets accepted directly before this one, in order; the view
    ///   has seen none of them.
    /// - Complexity: O(k log k) for all their edits together.
    func merge(_ earlier: [Submission]) {
        guard let first = earlier.first else { return }
        let all = earlier + [self]
        // Each update starts at the end of the previous one, so they can be composed.
        let update =
            (try? ValidatedChangeSet(composing: all.lazy.map(\.update)))
            ?? .reloadingData(from: first.oldMap.shape, to: newMap.shape)
        let delivered = Delivered(
            update: update,
            oldMap: first.oldMap,
            isAnimated: all.contains(where: \.isAnimated),
            remeasuredPlaces: places(
                of: all.lazy.flatMap { $0.remeasured + $0.requested },
                in: first.oldMap
            )
        )
        merged.withLock { $0 = delivered }
    }

    /// Returns the current places of the elements of `contents` that the view already has: items
    /// first, each group ascending.
    private func places(
        of contents: some Sequence<ElementContent>,
        in oldMap: ElementMap
    ) -> [ElementPlace] {
        let places = Set(
            contents.compactMap { content -> ElementPlace? in
                let element = content.element
                guard let path = newMap.path(of: element), oldMap.path(of: element) != nil else {
                    return nil
                }
                return ElementPlace(path: path, kind: element.kind)
            }
        )
        return places.sorted { one, other in
            guard (one.kind == nil) == (other.kind == nil) else { return one.kind == nil }
            return one.path == other.path
                ? "\(one)" < "\(other)" : one.path < other.path
        }
    }
}
