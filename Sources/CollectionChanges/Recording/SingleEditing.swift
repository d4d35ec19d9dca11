/// Whoever takes single edits, each of them a change set of its own; in an open batch they join it.
///
/// The model has changed before they are called. The words are those of ``ChangeRecording``, which gathers edits in a
/// value; here they take effect at once, so that nothing needs to be a variable.
public protocol SingleEditing {
    /// Why an edit is rejected.
    associatedtype Failure: Error

    /// Submits one operation, or records it in the open batch.
    func submit(_ operation: HierarchyChangeSet.Operation) throws(Failure)
}

// None of these is inlined: where the conforming class is in the caller's own module, Swift 6.3.1 then loses what its
// `submit(_:)` stores, in optimized builds.
extension SingleEditing {
    /// Submits that there are items at `newPaths` that were not there before.
    @inline(never)
    public func insertItems(
        at newPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.insertItems(newPaths, animation)) }

    /// Submits that the items at `oldPaths` are gone.
    @inline(never)
    public func deleteItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.deleteItems(oldPaths, animation)) }

    /// Submits that the items at `oldPaths` are replaced by fresh ones.
    @inline(never)
    public func reloadItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reloadItems(oldPaths, animation)) }

    /// Submits that the items at `oldPaths` have new models and keep their identity.
    @inline(never)
    public func reconfigureItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reconfigureItems(oldPaths, animation)) }

    /// Submits that the item at `oldPath` is now at `newPath`.
    @inline(never)
    public func moveItem(
        at oldPath: ItemPath,
        to newPath: ItemPath,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.moveItem(at: oldPath, to: newPath, animation)) }

    /// Submits that there are sections at `newSections` that were not there before.
    @inline(never)
    public func insertSections(
        _ newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.insertSections(newSections, animation)) }

    /// Submits that `oldSections` are gone with all that was in them.
    @inline(never)
    public func deleteSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.deleteSections(oldSections, animation)) }

    /// Submits that `oldSections` are replaced by fresh ones.
    @inline(never)
    public func reloadSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reloadSections(oldSections, animation)) }

    /// Submits that every item of `oldSections` has a new model.
    @inline(never)
    public func reconfigureSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reconfigureSections(oldSections, animation)) }

    /// Submits that the section at `oldSection` is now at `newSection`.
    @inline(never)
    public func moveSection(
        _ oldSection: Int,
        toSection newSection: Int,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.moveSection(oldSection, toSection: newSection, animation)) }

    /// Submits that the supplementary elements of `kind` in `newSections` have changed.
    @inline(never)
    public func reloadSupplementaries(
        ofKind kind: SupplementaryKind,
        in newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reloadSupplementaries(kind, in: newSections, animation)) }
}
