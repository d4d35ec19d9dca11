import CollectionElements

// Step 0, from any thread: a submission comes in by a turn of the main lane, outside every batch, when
// there is room in the backlog.

/// Somebody who wants to submit, from another thread or in a later turn.
struct Visitor {
    /// The number of its submission.
    let id: SubmissionID
    /// The value that it submits with.
    var context: (any Sendable)?
    /// When it came; zero without an observer.
    var arrival = Duration.zero
    /// Whether it waits where the backlog is full.
    let needsRoom: Bool
    /// Its task's cancellation.
    var cancellation: CancellationBox?
    /// Whether its task has been cancelled, so that it must not come in any more.
    var isCancelled: Bool {
        cancellation?.isCancelled == true
    }
    let submit: () -> Void
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
        watchArrival()
        lane.enqueue { [self] in
            watchArrived()
            let id = makeSubmissionID()
            receive(
                Visitor(
                    id: id,
                    context: context,
                    needsRoom: configuration.backlogPolicy == .suspend,
                    cancellation: cancellation,
                    submit: { [self] in
                        cancellation.comeIn()
                        submit(self, id)
                    },
                    sendAway: { [self] reason in
                        switch reason {
                        case .cancelled:
                            complete([completion], id, .cancelled, context: context)
                        case .closing:
                            let error = located(closingError, id)
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
        var visitor = visitor
        visitor.arrival = startTime()
        let suspended = admission.waiting.suspended
        guard !admission.arrived(visitor, needsRoom: needsRoom, backlog: backlog) else {
            return visitor.submit()
        }
        observe(.suspended, visitor.id, visitor.context) {
            $0.wait = admission.waiting.suspended > suspended ? .room : .batchEnd
        }
        watch()
        guard let cancellation = visitor.cancellation else { return }
        cancellation.onCancel { [self] in
            lane.enqueue { [self] in
                guard let visitor = admission.cancelled({ $0.cancellation === cancellation })
                else { return }
                leaves(visitor)
                visitor.sendAway(.cancelled)
            }
        }
    }

    /// A visitor waits no longer: it comes in, or is sent away.
    func leaves(_ visitor: Visitor) {
        visitor.cancellation?.forget()
        observe(.resumed, visitor.id, visitor.context, since: visitor.arrival)
    }

    /// A turn of the admission: one of those who wait.
    func letIn() {
        if let visitor = admission.turnCame(backlog: delivery.backlog) {
            leaves(visitor)
            visitor.isCancelled ? visitor.sendAway(.cancelled) : visitor.submit()
        }
        proceed()
    }
}
