import CollectionElements

// Step 0, from any thread: a submission comes in by a turn of the main lane, outside every batch, when
// there is room in the backlog.

/// Somebody who wants to submit, from another thread or in a later turn.
struct Visitor {
    /// Whether it waits where the backlog is full.
    let needsRoom: Bool
    /// Its task's cancellation.
    let cancellation: CancellationBox?
    /// Whether its task has been cancelled, so that it must not come in any more.
    var isCancelled: Bool {
        cancellation?.isCancelled == true && !Mutant.ignoresCancellation.isActive
    }
    /// Submits; with a number that is taken now.
    let submit: (SubmissionID) -> Void
    /// Told where it does not come in, and why.
    let sendAway: (Reason) -> Void

    /// Why somebody does not come in.
    enum Reason {
        /// Its task was cancelled.
        case cancelled
        /// The controller is closing.
        case closing
    }
}

extension PipelineCore {
    /// Runs `submit` on the main lane, outside every batch, when there is room in the backlog.
    ///
    /// `submit` is given the number of its submission, and calls `completion` through it.
    func submitFromAnywhere(
        context: (any Sendable)?,
        cancellation: CancellationBox,
        completion: @escaping UpdateCompletion,
        _ submit: @escaping @Sendable (PipelineCore, SubmissionID) -> Void
    ) {
        lane.enqueue { [self] in
            receive(
                Visitor(
                    needsRoom: configuration.backlogPolicy == .suspend,
                    cancellation: cancellation,
                    submit: { [self] id in
                        cancellation.comeIn()
                        submit(self, id)
                    },
                    sendAway: { [self] reason in
                        switch reason {
                        case .cancelled:
                            let id = makeSubmissionID()
                            complete([completion], id, .cancelled, context: context)
                        case .closing:
                            let error = located(closingError, makeSubmissionID())
                            reject(error, completions: [completion], context: context)
                        }
                    }
                )
            )
        }
    }

    /// Lets a visitor in, now or in its turn, or sends it away.
    func receive(_ visitor: Visitor) {
        guard !visitor.isCancelled else { return visitor.sendAway(.cancelled) }
        guard shutdown.isOpen else { return visitor.sendAway(.closing) }
        let (needsRoom, backlog) = (visitor.needsRoom, delivery.backlog)
        guard !admission.arrived(visitor, needsRoom: needsRoom, backlog: backlog) else {
            return visitor.submit(makeSubmissionID())
        }
        guard let cancellation = visitor.cancellation else { return }
        cancellation.onCancel { [self] in
            lane.enqueue { [self] in
                admission.cancelled { $0.cancellation === cancellation }?.sendAway(.cancelled)
            }
        }
    }

    /// A turn of the admission: one of those who wait.
    func letIn() {
        if let visitor = admission.turnCame(backlog: delivery.backlog) {
            visitor.cancellation?.forget()
            visitor.isCancelled
                ? visitor.sendAway(.cancelled) : visitor.submit(makeSubmissionID())
        }
        proceed()
    }
}
