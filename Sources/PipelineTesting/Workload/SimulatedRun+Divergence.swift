import CollectionPipeline

// What is done to a model behind the controller's back, and what must bring the two together again.

extension SimulatedRun {
    func reload(
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        try controller.assumeIsolated().reloadData { [self] in
            checkAccepted($0.outcome)
            completion($0)
        }
        if let divergence = controller.divergence {
            note("Whole Or Nothing", "a reload was accepted and leaves \(divergence)")
        }
    }

    func reloadSection(
        _ seed: UInt64,
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        // From a model that is ahead of what was accepted no record can be made.
        guard controller.divergence?.countsSince == nil else {
            return try reload(controller, completion)
        }
        try controller.assumeIsolated().performBatchUpdates(
            { model, changes in
                var random = SeededGenerator(seed: seed)
                if let section = model.replaceSection(&random) { changes.reloadSections([section]) }
            },
            completion: completion
        )
    }

    /// The items that were changed are shown as they were, which the controller must say from then on.
    func changeAndThrow(
        _ seed: UInt64,
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        // Else counts may agree by chance where the items do not.
        guard controller.divergence?.countsSince == nil else {
            return try reload(controller, completion)
        }
        _ = try? controller.assumeIsolated().performBatchUpdates(
            { model, changes in
                var random = SeededGenerator(seed: seed)
                model.reconfigureSome(&random, &changes)
                throw PlannedFailure()
            },
            completion: nil
        )
        try controller.assumeIsolated().performBatchUpdates(completion: completion)
    }
}
