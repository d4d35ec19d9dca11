import CollectionElements

extension DataController.Isolated {
    /// Compares the models of the pending map with those that the data source has now, and returns the first
    /// that differs: for tests, of what validation cannot see. Counts can be right and an index wrong.
    ///
    /// ```swift
    /// try await controller.performBatchUpdates { feed, changes in … }
    /// #expect(await controller.withIsolated { $0.firstDisagreement() } == nil)
    /// ```
    ///
    /// Only items with a model are compared (``CollectionDataSource/model(forItemAt:)``), not their nodes, nor
    /// supplementary elements or contexts; models that are not `Equatable` need a comparison. Nothing is found
    /// while a batch is open, before the first load, or by a data source of itself while it is asked.
    ///
    /// To look after every update see ``PipelineConfiguration/contentCheck``.
    ///
    /// Complexity: O(n log n).
    ///
    /// - Parameter areEqual: compares the map's model with the data source's; nil for `==`, where models have it.
    public func firstDisagreement(
        by areEqual: ((any Sendable, any Sendable) -> Bool)? = nil
    ) -> Disagreement? {
        core.lane.requireCurrent("firstDisagreement(by:)")
        guard let areEqual else { return core.firstDisagreement(PipelineCore.equality) }
        return core.firstDisagreement { areEqual($0, $1) }
    }
}
