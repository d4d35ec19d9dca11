import PersistentTrees

extension CollectionSnapshot: Hashable {
    /// Whether both have the same sections and items in the same order, whatever is marked.
    ///
    /// Complexity: O(k log n) for snapshots that are k edits apart, O(n) for those made one by one.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        guard left.numberOfItems == right.numberOfItems else { return false }
        return left.entries.hasSameElements(as: right.entries) { old, new in
            old === new
                || old.id == new.id && old.items.hasSameElements(as: new.items) { $0.id == $1.id }
        }
    }

    /// Feeds the order of sections and items. Complexity: O(n).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(numberOfSections)
        for entry in entries {
            hasher.combine(entry.id)
            hasher.combine(entry.items.count)
            for item in entry.items { hasher.combine(item.id) }
        }
    }
}

extension PersistentSequence {
    /// Whether both have the same elements, by `isSame`, where no element of either occurs twice: then
    /// nodes that both have are at one place, or the answer is no.
    @inlinable
    func hasSameElements(as old: Self, where isSame: (Element, Element) -> Bool) -> Bool {
        guard count == old.count else { return false }
        if isIdentical(to: old) { return true }
        return differingStretches(from: old, where: isSame).isEmpty
    }
}
