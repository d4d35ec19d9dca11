// What is still the same after an update. The mappings take what was reloaded to its replacement; these
// do not, since whoever keeps something about an element keeps it of that one alone.

extension ValidatedChangeSet {
    /// Where the item at `oldPath` is now, unless it was deleted or replaced.
    ///
    /// Complexity: O(log k).
    package func survivingPath(of oldPath: ItemPath) -> ItemPath? {
        newPath(for: oldPath).flatMap { isReplacement($0) ? nil : $0 }
    }

    /// Where the item at `newPath` was, unless it came or replaced another.
    ///
    /// The reverse of `survivingPath(of:)`. Complexity: O(log k).
    package func formerPath(of newPath: ItemPath) -> ItemPath? {
        isReplacement(newPath) ? nil : oldPath(for: newPath)
    }

    /// Where the section at `oldSection` is now, unless it was deleted or replaced.
    ///
    /// Complexity: O(log k).
    package func survivingSection(of oldSection: Int) -> Int? {
        newSection(for: oldSection).flatMap { isReplacement(section: $0) ? nil : $0 }
    }

    /// Where the section at `newSection` was, unless it came or replaced another.
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

/// Rank and select over item edits, for items that neither left their section nor came into it.
struct ItemSurvival {
    /// Old paths, ascending.
    let removed: [ItemPath]
    /// New paths, ascending.
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
