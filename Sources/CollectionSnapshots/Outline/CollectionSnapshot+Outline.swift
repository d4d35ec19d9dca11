import CollectionChanges

extension CollectionSnapshot {
    /// Gives a section the visible items of an outline; a section that does not exist is added at the end.
    ///
    /// Items that are in another section are moved here. Throws where there would be more items than a
    /// snapshot can number, and changes nothing then.
    ///
    /// Complexity: O(m + d log n), for m items of the section or the outline, of which d stand together
    /// with all that differs.
    public mutating func apply(
        _ outline: SectionSnapshot<ItemID>,
        toSection section: SectionID
    ) throws(SnapshotError) {
        let new = outline.visibleItems
        var copy = self
        if !copy.containsSection(section) { try copy.appendSections([section]) }
        let old = try copy.itemIdentifiers(inSection: section)
        var head = 0
        while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < min(old.count, new.count) - head,
            old[old.count - 1 - tail] == new[new.count - 1 - tail]
        {
            tail += 1
        }
        let middle = new[head..<(new.count - tail)]
        let kept = Set(middle)
        try copy.deleteItems(old[head..<(old.count - tail)].filter { !kept.contains($0) })
        if head > 0 {
            try copy.insertItems(middle, afterItem: new[head - 1])
        } else if tail > 0 {
            try copy.insertItems(middle, beforeItem: new[new.count - tail])
        } else {
            try copy.appendItems(middle, toSection: section)
        }
        self = copy
    }
}
