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

    /// Whether the view has, or will be given, what the data source has: then a state that changes nothing need not be
    /// submitted.
    var isAsSubmitted: Bool { !delivery.needsReload && divergence == nil }

    /// Completes a state that changes nothing with the set that was accepted last, or soon if the view shows that.
    ///
    /// - Parameter superseded: the callers whose states it stands for.
    func join(_ caller: StateCaller, superseding superseded: [StateCaller]) {
        let completion: UpdateCompletion = { [self] result in
            for caller in superseded { completed(caller, inside: result) }
            caller.completion(result)
        }
        guard let last = delivery.lastAccepted else {
            return complete(
                [completion],
                caller.id,
                .deployed,
                context: caller.context,
                generation: pendingMap.generation
            )
        }
        last.joined.withLock {
            $0.append { [self] result in
                completion(result.of(caller))
                observe(.completed, caller.id, caller.context)
            }
        }
    }

    /// A state ends that a later one superseded before it was submitted: the same as that one, or inside it.
    func completed(_ caller: StateCaller, inside result: UpdateResult) {
        let id = result.submission
        var result = result.of(caller)
        switch result.outcome {
        case .deployed, .deployedByReload: result.outcome = .superseded(by: id)
        default: break
        }
        caller.completion(result)
        observe(.completed, caller.id, caller.context)
    }
}

extension UpdateResult {
    /// The same end of what another caller submitted.
    fileprivate func of(_ caller: StateCaller) -> UpdateResult {
        var outcome = outcome
        switch outcome {
        case .rejected(var error):
            error.submission = caller.id
            outcome = .rejected(error)
        case .refused(var error):
            error.submission = caller.id
            outcome = .refused(error)
        default: break
        }
        return UpdateResult(
            submission: caller.id,
            outcome: outcome,
            generation: generation,
            context: caller.context,
            viewWasGone: viewWasGone
        )
    }
}
