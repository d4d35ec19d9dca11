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
        let path = newPlace.path
        guard newPlace.category == .cell else {
            guard !isReplaced(newSection: path.section) else { return nil }
            return update.oldSection(for: path.section).map {
                LayoutPlace(newPlace.category, ItemPath(section: $0, item: path.item))
            }
        }
        return isReplaced(path) ? nil : update.oldPath(for: path).map(LayoutPlace.cell)
    }

    /// Where something is that is still there and was not replaced.
    ///
    /// Complexity: O(log k) for k edits.
    func newPlace(of oldPlace: LayoutPlace) -> LayoutPlace? {
        let path = oldPlace.path
        guard oldPlace.category == .cell else {
            guard let section = update.newSection(for: path.section),
                !isReplaced(newSection: section)
            else { return nil }
            return LayoutPlace(oldPlace.category, ItemPath(section: section, item: path.item))
        }
        guard let newPath = update.newPath(for: path), !isReplaced(newPath) else { return nil }
        return .cell(newPath)
    }

    /// Whether an item came, and did not replace another.
    func isInserted(_ newPath: ItemPath) -> Bool { update.oldPath(for: newPath) == nil }

    /// Whether an item went, and was not replaced by another.
    func isDeleted(_ oldPath: ItemPath) -> Bool { update.newPath(for: oldPath) == nil }

    private func isReplaced(_ newPath: ItemPath) -> Bool {
        let putIns = update.itemPutIns
        return putIns.sortedPosition(of: newPath, by: { $0.path })
            .map { putIns[$0].role == .reload } ?? false
    }

    private func isReplaced(newSection: Int) -> Bool {
        update.sectionPutIn(at: newSection)?.role == .reload
    }
}
