import CollectionElements

extension DataController {
    /// Ends the controller: takes in nothing more, and calls `completion` after every outstanding
    /// completion, as the very last callback (Quiet After Close). From any thread.
    ///
    /// - Parameters:
    ///   - draining: whether what was accepted still deploys; otherwise it completes as cancelled. What still waits
    ///     to come in is rejected in either case. A
    ///     measurement that is under way then runs to its end, and its result is dropped.
    ///   - timeout: how long draining may take before the rest is cancelled; nil for as long as it
    ///     takes, which with a view that never finishes is for ever. A negative one leaves no time.
    ///   - completion: called once, on the main lane.
    public func close(
        draining: Bool = true,
        timeout: Duration? = nil,
        completion: @escaping @Sendable () -> Void
    ) {
        core.lane.enqueue { [core] in
            core.close(draining: draining, timeout: timeout, completion)
        }
    }

    /// Ends the controller, and returns after every outstanding completion has run.
    ///
    /// The parameters are those of ``close(draining:timeout:completion:)``.
    public func close(draining: Bool = true, timeout: Duration? = nil) async {
        await suspend { resume in
            close(draining: draining, timeout: timeout) { resume(()) }
        }
    }

    /// Lives as long as the controller: returns when it is closed. Cancelling the task closes it,
    /// draining what was accepted.
    ///
    /// A graceful shutdown of swift-service-lifecycle cancels nothing by itself; there a service's `run()` is
    /// `await cancelWhenGracefulShutdown { await controller.run(drainingTimeout: .seconds(10)) }`. Since a task
    /// is cancelled only once, the group's own limits cannot cut the draining short: `drainingTimeout` does.
    ///
    /// - Parameter drainingTimeout: how long draining may take before the rest is cancelled; nil for as
    ///   long as it takes, which is for ever where a view never finishes.
    public func run(drainingTimeout: Duration? = nil) async {
        await withTaskCancellationHandler {
            await suspend { resume in
                core.lane.enqueue { [core] in core.whenClosed { resume(()) } }
            }
        } onCancel: {
            close(draining: true, timeout: drainingTimeout) {}
        }
    }
}
