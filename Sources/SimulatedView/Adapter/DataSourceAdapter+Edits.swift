import CollectionPipeline

// Single edits, as UICollectionView has them: each is an animated batch of one, or joins the open batch. The model has
// changed before they are called; where the view was not loaded yet, or is to be reloaded, it reads the model
// instead. All throw what `performBatchUpdates` throws.

extension DataSourceAdapter {
    /// There are items at `newPaths` that were not there before.
    public func insertItems(
        at newPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.insertItems(newPaths, animation))
    }

    /// The items at `oldPaths` are gone.
    public func deleteItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.deleteItems(oldPaths, animation))
    }

    /// The items at `oldPaths` are replaced by fresh ones; to keep them and their cells, use
    /// ``reconfigureItems(at:)``.
    public func reloadItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.reloadItems(oldPaths, animation))
    }

    /// The item at `oldPath` is now at `newPath`.
    public func moveItem(
        from oldPath: ItemPath,
        to newPath: ItemPath,
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.moveItem(from: oldPath, to: newPath, animation))
    }

    /// There are sections at `newSections` that were not there before.
    public func insertSections(
        _ newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.insertSections(newSections, animation))
    }

    /// `oldSections` are gone with all that was in them.
    public func deleteSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.deleteSections(oldSections, animation))
    }

    /// `oldSections` are replaced by fresh ones.
    public func reloadSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.reloadSections(oldSections, animation))
    }

    /// The section at `oldSection` is now at `newSection`.
    public func moveSection(
        _ oldSection: Int,
        to newSection: Int,
        animation: AnimationOption = .automatic
    ) throws {
        try edit(.moveSection(from: oldSection, to: newSection, animation))
    }
}
