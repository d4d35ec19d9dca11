/// Anything that change-set operations can be recorded into.
///
/// The named methods are the vocabulary in which every record is written, whether it is a plain
/// ``HierarchyChangeSet`` or a batch that a controller has open. A function that records into either must say
/// `& ~Copyable`, since the recorder of a batch cannot be copied:
///
/// ```swift
/// func prepend(_ count: Int, to changes: inout some ChangeRecording & ~Copyable) {
///     changes.insertItems(at: (0..<count).map { ItemPath(section: 0, item: $0) })
/// }
/// ```
public protocol ChangeRecording: ~Copyable {
    /// Appends one operation; nothing is validated.
    mutating func record(_ operation: HierarchyChangeSet.Operation)
}

extension ChangeRecording where Self: ~Copyable {
    /// Records that the items at `oldPaths` are gone.
    public mutating func deleteItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.deleteItems(oldPaths, animation)) }

    /// Records that there are items at `newPaths` that were not there before.
    public mutating func insertItems(
        at newPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.insertItems(newPaths, animation)) }

    /// Records that the items at `oldPaths` are to be replaced by fresh ones.
    public mutating func reloadItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.reloadItems(oldPaths, animation)) }

    /// Records that the items at `oldPaths` have a new model, and keep their identity and node.
    public mutating func reconfigureItems(
        at oldPaths: [ItemPath],
        animation: AnimationOption = .automatic
    ) { record(.reconfigureItems(oldPaths, animation)) }

    /// Records that the item at `oldPath` is now at `newPath`.
    public mutating func moveItem(
        at oldPath: ItemPath,
        to newPath: ItemPath,
        animation: AnimationOption = .automatic
    ) { record(.moveItem(at: oldPath, to: newPath, animation)) }

    /// Records that `oldSections` are gone with all that was in them.
    public mutating func deleteSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.deleteSections(oldSections, animation)) }

    /// Records that there are sections at `newSections` that were not there before.
    public mutating func insertSections(
        _ newSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.insertSections(newSections, animation)) }

    /// Records that `oldSections` are to be replaced by fresh ones; their item counts may change.
    public mutating func reloadSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.reloadSections(oldSections, animation)) }

    /// Records that every item of `oldSections` has a new model; items that the same record deletes
    /// or reloads are left out.
    public mutating func reconfigureSections(
        _ oldSections: SectionSet,
        animation: AnimationOption = .automatic
    ) { record(.reconfigureSections(oldSections, animation)) }

    /// Records that the section at `oldSection` is now at `newSection`, with what is left in it.
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

    /// Records that everything is to be replaced; the record's other operations are dropped.
    public mutating func reloadData(animation: AnimationOption = .automatic) {
        record(.reloadData(animation))
    }
}
