// With which option an update treats a place. What names the place most closely decides: the edit of the item
// itself, then that of its section, then what is only updated in place.

extension ValidatedChangeSet {
    /// The option of the edit that brings, replaces or moves the item that is now at `newPath`: its own edit,
    /// or that of its section. An item that is only reconfigured has the option of that.
    ///
    /// Nil where there is neither, as for the neighbours that an edit shifts, and where there is no such item.
    /// Complexity: O(log k).
    public func animation(ofNewItem newPath: ItemPath) -> AnimationOption? {
        guard newShape.contains(newPath) else { return nil }
        if let position = itemInsertions.sortedPosition(of: newPath, by: { $0.path }) {
            return itemInsertions[position].animation
        }
        return animation(ofNewSection: newPath.section) ?? reconfiguration(of: newPath)
    }

    /// The option of the edit that removes, replaces or moves the item that was at `oldPath`: its own edit,
    /// or that of its section. An item that is only reconfigured has the option of that.
    ///
    /// Nil where there is neither, and where there was no such item. Complexity: O(log k).
    public func animation(ofOldItem oldPath: ItemPath) -> AnimationOption? {
        guard oldShape.contains(oldPath) else { return nil }
        let removals = itemRemovals
        let position = partitionPoint(removals.count) { removals[$0].path <= oldPath }
        if position < removals.count, removals[position].path == oldPath {
            return removals[position].animation
        }
        return animation(ofOldSection: oldPath.section)
            ?? newPath(for: oldPath).flatMap { reconfiguration(of: $0) }
    }

    /// The option of the edit that brings, replaces or moves the section that is now at `newSection`; nil for
    /// one that stays. Complexity: O(log k).
    public func animation(ofNewSection newSection: Int) -> AnimationOption? {
        sectionInsertion(at: newSection)?.animation
    }

    /// The option of the edit that removes, replaces or moves the section that was at `oldSection`; nil for
    /// one that stays. Complexity: O(log k).
    public func animation(ofOldSection oldSection: Int) -> AnimationOption? {
        sectionRemoval(at: oldSection)?.animation
    }

    /// The option with which supplementary elements are asked for again; nil where they are not.
    ///
    /// Complexity: O(log k).
    public func animation(
        ofReloaded kind: SupplementaryKind,
        inNewSection newSection: Int
    ) -> AnimationOption? {
        let reloads = supplementaryReloads
        let position = partitionPoint(reloads.count) {
            (reloads[$0].newSection, reloads[$0].kind) >= (newSection, kind)
        }
        guard position < reloads.count, reloads[position].newSection == newSection,
            reloads[position].kind == kind
        else { return nil }
        return reloads[position].animation
    }

    private func reconfiguration(of newPath: ItemPath) -> AnimationOption? {
        let position = reconfigurations.sortedPosition(of: newPath) { $0.newPath }
        return position.map { reconfigurations[$0].animation }
    }
}
