import CollectionChanges

/// An update that is under way: where views are now that were elsewhere, and the other way round.
struct UpdateTransition {
    let update: ValidatedChangeSet

    /// The attributes of a view before the update, given its place then.
    let attributesBefore: (_ oldPlace: LayoutPlace) -> LayoutAttributes?

    /// Where something was that was there before and was not replaced.
    ///
    /// Complexity: O(log k) for k edits.
    func oldPlace(of newPlace: LayoutPlace) -> LayoutPlace? {
        guard newPlace.category == .cell else {
            return update.formerSection(of: newPlace.path.section).map(newPlace.inSection)
        }
        return update.formerPath(of: newPlace.path).map(LayoutPlace.cell)
    }

    /// Where something is that is still there and was not replaced.
    ///
    /// Complexity: O(log k) for k edits.
    func newPlace(of oldPlace: LayoutPlace) -> LayoutPlace? {
        guard oldPlace.category == .cell else {
            return update.survivingSection(of: oldPlace.path.section).map(oldPlace.inSection)
        }
        return update.survivingPath(of: oldPlace.path).map(LayoutPlace.cell)
    }

    /// Whether an item came, and did not replace another.
    func isInserted(_ newPath: ItemPath) -> Bool { update.oldPath(for: newPath) == nil }

    /// Whether an item went, and was not replaced by another.
    func isDeleted(_ oldPath: ItemPath) -> Bool { update.newPath(for: oldPath) == nil }
}

extension LayoutPlace {
    /// The same place of another section.
    fileprivate func inSection(_ section: Int) -> LayoutPlace {
        LayoutPlace(category, ItemPath(section: section, item: path.item))
    }
}
