import CollectionElements

extension DataController {
    /// Calls `callback` once no change set is on its way to the view any more, in a later turn of the
    /// main lane; at once there means in the next turn. Callbacks run in the order in which they were
    /// added. Main lane.
    public func onDidFinishProcessingUpdates(_ callback: @escaping @Sendable () -> Void) {
        core.lane.requireCurrent("onDidFinishProcessingUpdates(_:)")
        core.onDidFinishProcessingUpdates(callback)
    }

    /// Calls `callback` once every submission has completed, animations included, in a later turn of
    /// the main lane. Callbacks run in the order in which they were added. Main lane.
    public func onDidFinishSynchronizing(_ callback: @escaping @Sendable () -> Void) {
        core.lane.requireCurrent("onDidFinishSynchronizing(_:)")
        core.onDidFinishSynchronizing(callback)
    }

    /// **Blocks** until every change set accepted before this call was handed to the view; the view
    /// may deploy it later.
    ///
    /// Callable from the main lane, where it runs step 4 of those change sets meanwhile, and from any
    /// other thread. It stops the process where it would wait for itself: in data-source callbacks,
    /// while an update is deployed, and on workers.
    public func waitUntilAllUpdatesAreProcessed() {
        core.waitUntilAllUpdatesAreProcessed()
    }

    /// Returns when every change set accepted before this call was handed to the view.
    public func updatesProcessed() async {
        await suspend { resume in
            core.lane.enqueue { [core] in core.whenHandedOver { resume(()) } }
        }
    }
}
