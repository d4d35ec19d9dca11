import CollectionElements
import Synchronization

// The end of a submission: completions and callbacks, each in a turn of its own.

extension PipelineCore {
    /// Runs the completions of a submission in a turn of the lane of their own.
    ///
    /// - Parameters:
    ///   - generation: the map that shows it, if nothing had to be accepted.
    ///   - accepted: what was accepted of it, if it was.
    func complete(
        _ completions: [UpdateCompletion],
        _ id: SubmissionID,
        _ outcome: UpdateOutcome,
        context: (any Sendable)?,
        generation: Int? = nil,
        accepted: Submission? = nil
    ) {
        let result = UpdateResult(
            submission: id,
            outcome: outcome,
            generation: accepted?.generation ?? generation,
            context: context,
            failedElements: accepted?.failedElements ?? FailedElements(),
            viewWasGone: accepted?.viewWasGone.load(ordering: .relaxed) ?? false
        )
        enqueue(.completions) { [self] in
            for completion in completions { completion(result) }
            observe(.completed, id, context)
        }
    }

    func complete(_ entries: [SubmissionLedger<Submission>.Entry]) {
        for entry in entries {
            let submission = entry.payload
            complete(
                submission.completions + submission.joined.withLock { $0 },
                submission.id,
                entry.outcome,
                context: submission.context,
                accepted: submission
            )
        }
    }

    /// Calls who waited for everything, unless something has begun until their turn comes.
    func callCompleted(_ callbacks: [Milestones.Callback]) {
        guard !callbacks.isEmpty else { return }
        enqueue(.others) { [self] in
            guard isSynchronized else { return milestones.putBack(completed: callbacks) }
            for callback in callbacks { callback() }
        }
    }

    func call(_ callbacks: [Milestones.Callback]) {
        guard !callbacks.isEmpty else { return }
        enqueue(.others) { for callback in callbacks { callback() } }
    }

    /// Calls completions or callbacks in a turn of the lane of their own; the last callback of a close
    /// comes after.
    func enqueue(_ callbacks: Shutdown.Callbacks, _ run: @escaping @Sendable () -> Void) {
        shutdown.scheduled(callbacks)
        lane.enqueue { [self] in
            run()
            shutdown.ran(callbacks)
            proceed()
        }
    }
}
