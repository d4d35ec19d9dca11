import CollectionElements

/// Who applied a state, and is told of it when the state itself is gone.
struct StateCaller: Sendable {
    let id: SubmissionID
    let context: (any Sendable)?
    /// When it came to the main lane.
    let arrival: Duration
    let cancellation: CancellationBox
    let completion: UpdateCompletion
}

extension PipelineCore {
    /// Lets go of states that are no longer needed, and not on the main lane where they are large.
    ///
    /// - Parameter shapes: some that say how large the states are.
    func free<State: CollectionState>(_ states: [State], like shapes: [HierarchyShape]) {
        let isLarge = shapes.contains {
            $0.numberOfItems.map { items in items > ElementMap.inlineLimit } ?? true
                || $0.numberOfSections > ElementMap.inlineLimit
        }
        guard isLarge else { return }
        // In a later turn, when nobody on this lane has them any more, so that the last to let go is not here.
        let leaving = Unmanaged.passRetained(Leaving(states))
        lane.enqueue { [reclaimer] in reclaimer.reclaim { leaving.release() } }
    }

    private final class Leaving<State: CollectionState>: Sendable {
        let states: [State]
        init(_ states: [State]) { self.states = states }
    }

    /// A state ends that a later one superseded before it was submitted: the same as that one, or inside it.
    func completed(_ caller: StateCaller, inside result: UpdateResult) {
        var outcome = result.outcome
        switch outcome {
        case .deployed, .deployedByReload: outcome = .superseded(by: result.submission)
        case .rejected(var error):
            error.submission = caller.id
            outcome = .rejected(error)
        case .refused(var error):
            error.submission = caller.id
            outcome = .refused(error)
        default: break
        }
        caller.completion(
            UpdateResult(
                submission: caller.id,
                outcome: outcome,
                generation: result.generation,
                context: caller.context,
                viewWasGone: result.viewWasGone
            )
        )
        observe(.completed, caller.id, caller.context)
    }
}
