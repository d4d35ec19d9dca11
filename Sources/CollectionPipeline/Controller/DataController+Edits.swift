// Single edits from any thread: a batch of one, with the change of the model that it speaks of. Their parameters
// and results are those of `performBatchUpdates`.

extension DataController {
    /// Changes the model so that there are items at `newPaths` that were not there before, and returns when they
    /// are deployed.
    @discardableResult
    public func insertItems(
        at newPaths: [ItemPath],
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.insertItems(newPaths, animation), context, updateModel)
    }

    /// Changes the model so that the items at `oldPaths` are gone, and returns when that is deployed.
    @discardableResult
    public func deleteItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.deleteItems(oldPaths, animation), context, updateModel)
    }

    /// Changes the model so that the items at `oldPaths` are to be replaced by fresh ones, and returns when
    /// that is deployed.
    @discardableResult
    public func reloadItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.reloadItems(oldPaths, animation), context, updateModel)
    }

    /// Changes the models of the items at `oldPaths`, which keep their identity, and returns when that is
    /// deployed.
    @discardableResult
    public func reconfigureItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.reconfigureItems(oldPaths, animation), context, updateModel)
    }

    /// Changes the model so that the item at `oldPath` is at `newPath`, and returns when that is deployed.
    @discardableResult
    public func moveItem(
        at oldPath: ItemPath,
        to newPath: ItemPath,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.moveItem(at: oldPath, to: newPath, animation), context, updateModel)
    }

    /// Changes the model so that there are sections at `newSections` that were not there before, and returns when
    /// they are deployed.
    @discardableResult
    public func insertSections(
        _ newSections: SectionSet,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.insertSections(newSections, animation), context, updateModel)
    }

    /// Changes the model so that `oldSections` are gone with all that was in them, and returns when that is
    /// deployed.
    @discardableResult
    public func deleteSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.deleteSections(oldSections, animation), context, updateModel)
    }

    /// Changes the model so that `oldSections` are to be replaced by fresh ones, and returns when that is
    /// deployed.
    @discardableResult
    public func reloadSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.reloadSections(oldSections, animation), context, updateModel)
    }

    /// Changes the models of all items of `oldSections`, which keep their identity, and returns when that is
    /// deployed.
    @discardableResult
    public func reconfigureSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(.reconfigureSections(oldSections, animation), context, updateModel)
    }

    /// Changes the model so that the section at `oldSection` is at `newSection`, and returns when that is
    /// deployed.
    @discardableResult
    public func moveSection(
        _ oldSection: Int,
        toSection newSection: Int,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(
            .moveSection(oldSection, toSection: newSection, animation),
            context,
            updateModel
        )
    }

    /// Changes the supplementary elements of `kind` in `newSections`, and returns when that is deployed.
    @discardableResult
    public func reloadSupplementaries(
        ofKind kind: SupplementaryKind,
        in newSections: SectionSet,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await perform(
            .reloadSupplementaries(kind, in: newSections, animation),
            context,
            updateModel
        )
    }

    private func perform(
        _ operation: HierarchyChangeSet.Operation,
        _ context: (any Sendable)?,
        _ updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await performBatchUpdates(context: context) { source, changes in
            try updateModel(source)
            changes.record(operation)
        }
    }
}
