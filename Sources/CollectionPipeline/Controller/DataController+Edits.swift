// Single edits, for code on the main lane: each is a batch of one, or joins the open batch. The model
// has changed before they are called, so a full backlog never rejects them.

extension DataController {
    /// Submits that there are items at `newPaths` that were not there before.
    public func insertItems(
        at newPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.insertItems(newPaths, animation))
    }

    /// Submits that the items at `oldPaths` are gone.
    public func deleteItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.deleteItems(oldPaths, animation))
    }

    /// Submits that the items at `oldPaths` are replaced by fresh ones.
    public func reloadItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.reloadItems(oldPaths, animation))
    }

    /// Submits that the items at `oldPaths` have new models and keep their identity.
    public func reconfigureItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.reconfigureItems(oldPaths, animation))
    }

    /// Submits that the item at `oldPath` is now at `newPath`.
    public func moveItem(
        from oldPath: ItemPath,
        to newPath: ItemPath,
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.moveItem(from: oldPath, to: newPath, animation))
    }

    /// Submits that there are sections at `newSections` that were not there before.
    public func insertSections(
        _ newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.insertSections(newSections, animation))
    }

    /// Submits that `oldSections` are gone with all that was in them.
    public func deleteSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.deleteSections(oldSections, animation))
    }

    /// Submits that `oldSections` are replaced by fresh ones.
    public func reloadSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.reloadSections(oldSections, animation))
    }

    /// Submits that every item of `oldSections` has a new model.
    public func reconfigureSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.reconfigureSections(oldSections, animation))
    }

    /// Submits that the section at `oldSection` is now at `newSection`.
    public func moveSection(
        _ oldSection: Int,
        to newSection: Int,
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.moveSection(from: oldSection, to: newSection, animation))
    }

    /// Submits that the supplementary elements of `kind` in `newSections` have changed.
    public func reloadSupplementaries(
        ofKind kind: SupplementaryKind,
        in newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(UpdateError) {
        try edit(.reloadSupplementaries(kind, in: newSections, animation))
    }
}
