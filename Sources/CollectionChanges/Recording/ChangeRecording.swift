/// A type into which change-set operations can be recorded.
///
/// The named methods are the vocabulary for every record, whether it is a plain
/// ``HierarchyChangeSet`` or the open batch of a controller. A function that records into either
/// must say `& ~Copyable`, because the recorder of a batch cannot be copied:
///
/// ```swift
/// func prepend(_ count: Int, to changes: inout some ChangeRecording & ~Copyable) {
///     changes.insertItems(at: (0..<count).map { ItemPath(section: 0, item: $0) })
/// }
/// ```
public protocol ChangeRecording: ~Copyable {
    /// Appends one operation without validating it.
    mutating func record(_ operation: HierarchyChangeSet.Operation)
}

extension ChangeRecording where Self: ~Copyable {
    /// Records that the items at `oldPaths` are deleted.
    public mutating func deleteItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.deleteItems(oldPaths, animation)) }

    /// Records that new items are inserted at `newPaths`.
    public mutating func insertItems(
        at newPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.insertItems(newPaths, animation)) }

    /// Records that the items at `oldPaths` are replaced by new ones.
    public mutating func reloadItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.reloadItems(oldPaths, animation)) }

    /// Records that the items at `oldPaths` have new models but keep their identity and node.
    public mutating func reconfigureItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.reconfigureItems(oldPaths, animation)) }

    /// Records that the item at `oldPath` moves to `newPath`.
    public mutating func moveItem(
        at oldPath: ItemPath,
        to newPath: ItemPath,
        animation: AnimationOption = .automatic
    ) { record(.moveItem(at: oldPath, to: newPath, animation)) }

    /// Records that `oldSections` are deleted with everything in them.
    public mutating func deleteSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.deleteSections(oldSections, animation)) }

    /// Records that new sections are inserted at `newSections`.
    public mutating func insertSections(
        _ newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.insertSections(newSections, animation)) }

    /// Records that `oldSections` are replaced by new sections; their item counts may change.
    public mutating func reloadSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.reloadSections(oldSections, animation)) }

    /// Records that every item of `oldSections` has a new model, except the items that the same
    /// record deletes or reloads.
    public mutating func reconfigureSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.reconfigureSections(oldSections, animation)) }

    /// Records that the section at `oldSection` moves to `newSection`, with the items that remain
    /// in it.
    public mutating func moveSection(
        _ oldSection: Int,
        toSection newSection: Int,
        animation: AnimationOption = .automatic
    ) { record(.moveSection(oldSection, toSection: newSection, animation)) }

    /// Records that the supplementary elements of `kind` in `newSections` have changed.
    public mutating func reloadSupplementaries(
        ofKind kind: SupplementaryKind,
        in newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.reloadSupplementaries(kind, in: newSections, animation)) }

    /// Records that everything is replaced; the record's other operations are ignored.
    public mutating func reloadData(animation: AnimationOption = .automatic) {
        record(.reloadData(animation))
    }
}

/// A type that accepts single edits. Each edit is a change set of its own; in an open batch, the
/// edits join the batch.
///
/// The caller changes the model before it calls these methods. They have the names of the methods
/// of ``ChangeRecording``, which collects edits in a value; here the edits take effect immediately,
/// so the receiver need not be a variable.
public protocol SingleEditing {
    /// The error with which an edit is rejected.
    associatedtype Failure: Error

    /// Submits one operation, or records it in the open batch.
    func submit(_ operation: HierarchyChangeSet.Operation) throws(Failure)
}

// None of these methods is inlined. If the conforming class is in the caller's own module, Swift
// 6.3.1 loses what its `submit(_:)` stores, in optimized builds.
extension SingleEditing {
    /// Submits the insertion of new items at `newPaths`.
    @inline(never)
    public func insertItems(
        at newPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.insertItems(newPaths, animation)) }

    /// Submits the deletion of the items at `oldPaths`.
    @inline(never)
    public func deleteItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.deleteItems(oldPaths, animation)) }

    /// Submits the replacement of the items at `oldPaths` by new ones.
    @inline(never)
    public func reloadItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reloadItems(oldPaths, animation)) }

    /// Submits the reconfiguration of the items at `oldPaths`, which have new models but keep their
    /// identity.
    @inline(never)
    public func reconfigureItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reconfigureItems(oldPaths, animation)) }

    /// Submits the move of the item at `oldPath` to `newPath`.
    @inline(never)
    public func moveItem(
        at oldPath: ItemPath,
        to newPath: ItemPath,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.moveItem(at: oldPath, to: newPath, animation)) }

    /// Submits the insertion of new sections at `newSections`.
    @inline(never)
    public func insertSections(
        _ newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.insertSections(newSections, animation)) }

    /// Submits the deletion of `oldSections` with everything in them.
    @inline(never)
    public func deleteSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.deleteSections(oldSections, animation)) }

    /// Submits the replacement of `oldSections` by new sections.
    @inline(never)
    public func reloadSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reloadSections(oldSections, animation)) }

    /// Submits the reconfiguration of every item of `oldSections`, which has a new model.
    @inline(never)
    public func reconfigureSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reconfigureSections(oldSections, animation)) }

    /// Submits the move of the section at `oldSection` to `newSection`.
    @inline(never)
    public func moveSection(
        _ oldSection: Int,
        toSection newSection: Int,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.moveSection(oldSection, toSection: newSection, animation)) }

    /// Submits a reload of the supplementary elements of `kind` in `newSections`.
    @inline(never)
    public func reloadSupplementaries(
        ofKind kind: SupplementaryKind,
        in newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) throws(Failure) { try submit(.reloadSupplementaries(kind, in: newSections, animation)) }
}
