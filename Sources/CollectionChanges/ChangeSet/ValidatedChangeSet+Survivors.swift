// The items and sections that survive an update. The index mappings map a reloaded element to its
// replacement. These methods do not, because data kept for an element does not belong to its
// replacement.

extension ValidatedChangeSet {
    /// Returns the new path of the item at `oldPath`, or `nil` if it was deleted or replaced.
    ///
    /// Complexity: O(log k).
    package func survivingPath(of oldPath: ItemPath) -> ItemPath? {
        newPath(for: oldPath).flatMap { isReplacement($0) ? nil : $0 }
    }

    /// Returns the old path of the item at `newPath`, or `nil` if it was inserted or replaced
    /// another.
    ///
    /// The reverse of `survivingPath(of:)`. Complexity: O(log k).
    package func formerPath(of newPath: ItemPath) -> ItemPath? {
        isReplacement(newPath) ? nil : oldPath(for: newPath)
    }

    /// Returns the new index of the section at `oldSection`, or `nil` if it was deleted or
    /// replaced.
    ///
    /// Complexity: O(log k).
    package func survivingSection(of oldSection: Int) -> Int? {
        newSection(for: oldSection).flatMap { isReplacement(section: $0) ? nil : $0 }
    }

    /// Returns the old index of the section at `newSection`, or `nil` if it was inserted or
    /// replaced another.
    ///
    /// The reverse of `survivingSection(of:)`. Complexity: O(log k).
    package func formerSection(of newSection: Int) -> Int? {
        isReplacement(section: newSection) ? nil : oldSection(for: newSection)
    }

    private func isReplacement(_ newPath: ItemPath) -> Bool {
        let position = itemInsertions.sortedPosition(of: newPath) { $0.path }
        return position.map { itemInsertions[$0].role } == .reload
    }

    private func isReplacement(section newSection: Int) -> Bool {
        sectionInsertion(at: newSection)?.role == .reload
    }
}

/// Rank and select over item edits, for items that neither left their section nor entered it.
struct ItemSurvival {
    /// The old paths of removed items, ascending.
    let removed: [ItemPath]
    /// The new paths of inserted items, ascending.
    let inserted: [ItemPath]

    func newItem(for oldPath: ItemPath, in newSection: Int) -> Int {
        let listed = removed.positions(inSection: oldPath.section) { $0.section }
        let rankOfSurvivor =
            oldPath.item
            - rank(of: oldPath.item, among: listed.count) {
                removed[listed.lowerBound + $0].item
            }
        let placed = inserted.positions(inSection: newSection) { $0.section }
        return unlistedInteger(rank: rankOfSurvivor, among: placed.count) {
            inserted[placed.lowerBound + $0].item
        }
    }
}

// The animation with which an update treats a position. The most specific edit decides: the edit of
// the item itself, then that of its section, then a reconfiguration.

extension ValidatedChangeSet {
    /// Returns the animation of the edit that inserts, replaces or moves the item that is now at
    /// `newPath`: its own edit, or that of its section. For an item that is only reconfigured,
    /// returns the animation of the reconfiguration.
    ///
    /// Returns `nil` if there is no such edit, as for the neighbours that an edit shifts, and if
    /// there is no such item. Complexity: O(log k).
    public func animation(ofNewItem newPath: ItemPath) -> AnimationOption? {
        guard newShape.contains(newPath) else { return nil }
        if let position = itemInsertions.sortedPosition(of: newPath, by: { $0.path }) {
            return itemInsertions[position].animation
        }
        return animation(ofNewSection: newPath.section) ?? reconfiguration(of: newPath)
    }

    /// Returns the animation of the edit that removes, replaces or moves the item that was at
    /// `oldPath`: its own edit, or that of its section. For an item that is only reconfigured,
    /// returns the animation of the reconfiguration.
    ///
    /// Returns `nil` if there is no such edit, and if there was no such item. Complexity: O(log k).
    public func animation(ofOldItem oldPath: ItemPath) -> AnimationOption? {
        guard oldShape.contains(oldPath) else { return nil }
        if let removal = itemRemoval(at: oldPath) { return removal.animation }
        return animation(ofOldSection: oldPath.section)
            ?? newPath(for: oldPath).flatMap { reconfiguration(of: $0) }
    }

    /// Returns the animation of the edit that inserts, replaces or moves the section that is now at
    /// `newSection`, or `nil` if the section stays. Complexity: O(log k).
    public func animation(ofNewSection newSection: Int) -> AnimationOption? {
        sectionInsertion(at: newSection)?.animation
    }

    /// Returns the animation of the edit that removes, replaces or moves the section that was at
    /// `oldSection`, or `nil` if the section stays. Complexity: O(log k).
    public func animation(ofOldSection oldSection: Int) -> AnimationOption? {
        sectionRemoval(at: oldSection)?.animation
    }

    /// Returns the animation with which supplementary elements are reloaded, or `nil` if they are
    /// not.
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
