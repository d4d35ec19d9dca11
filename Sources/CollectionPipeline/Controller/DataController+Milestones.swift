import CollectionElements

// Knowing when things are done: for a task, with a callback, and for a thread.

extension DataController {
    /// Returns when `milestone` is reached; from any thread.
    public func reached(_ milestone: Milestone) async {
        await suspend { resume in whenReached(milestone) { resume(()) } }
    }

    /// Calls `callback` when `milestone` is reached, in a later turn of the main lane; from any thread.
    /// Callbacks of one milestone run in the order in which they were added.
    public func whenReached(_ milestone: Milestone, _ callback: @escaping @Sendable () -> Void) {
        core.lane.enqueue { [core] in core.whenReached(milestone, callback) }
    }

    /// **Blocks** until `milestone` is reached.
    ///
    /// From any thread but the workers. On the main lane it can wait for ``Milestone/handedOver`` alone, and runs
    /// step 4 of those change sets meanwhile. It stops the process where it would wait for itself: in data-source
    /// callbacks, while an update is deployed, and on workers.
    public func waitUntilReached(_ milestone: Milestone) { core.waitUntilReached(milestone) }

    /// What the controller is doing and waiting for, as text when it is printed.
    ///
    /// From any thread, also while the main lane does not go on: where it has not answered for a second, the
    /// report says so, and what is known without it.
    public func report() async -> PipelineReport {
        await suspend { resume in core.report(resume) }
    }
}
