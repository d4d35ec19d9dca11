extension ValidatedChangeSet {
    /// The edits of an update in the fixed order, as one collection over the four runs.
    public struct Edits: RandomAccessCollection, Sendable {
        var itemRemovals: [ItemEdit] = []
        var sectionRemovals: [SectionEdit] = []
        var sectionInsertions: [SectionEdit] = []
        var itemInsertions: [ItemEdit] = []

        /// Always 0.
        public var startIndex: Int { 0 }

        /// The number of edits; a reload or move counts as two.
        public var endIndex: Int {
            itemRemovals.count + sectionRemovals.count + sectionInsertions.count
                + itemInsertions.count
        }

        /// The edit at `position` of the fixed order, which must be one of the indices; ``element(at:)`` takes any.
        public subscript(position: Int) -> HierarchyEdit {
            var position = position
            if position < itemRemovals.count { return .removeItem(itemRemovals[position]) }
            position -= itemRemovals.count
            if position < sectionRemovals.count {
                return .removeSection(sectionRemovals[position])
            }
            position -= sectionRemovals.count
            if position < sectionInsertions.count {
                return .insertSection(sectionInsertions[position])
            }
            return .insertItem(itemInsertions[position - sectionInsertions.count])
        }

        /// The edit at `position` of the fixed order; nil where there is none.
        public func element(at position: Int) -> HierarchyEdit? {
            indices.contains(position) ? self[position] : nil
        }
    }

    /// `itemRemovals`, cut where the animation option changes.
    public var itemRemovalGroups: [ArraySlice<ItemEdit>] { groups(of: itemRemovals, \.animation) }

    /// `sectionRemovals`, cut where the animation option changes.
    public var sectionRemovalGroups: [ArraySlice<SectionEdit>] {
        groups(of: sectionRemovals, \.animation)
    }

    /// `sectionInsertions`, cut where the animation option changes.
    public var sectionInsertionGroups: [ArraySlice<SectionEdit>] {
        groups(of: sectionInsertions, \.animation)
    }

    /// `itemInsertions`, cut where the animation option changes.
    public var itemInsertionGroups: [ArraySlice<ItemEdit>] {
        groups(of: itemInsertions, \.animation)
    }

    /// Neighbours of equal option form one group; a gap between their indexes does not split it.
    private func groups<Edit>(
        of run: [Edit],
        _ animation: KeyPath<Edit, AnimationOption>
    ) -> [ArraySlice<Edit>] {
        var groups: [ArraySlice<Edit>] = []
        var start = 0
        for position in run.indices.dropFirst()
        where run[position][keyPath: animation] != run[position - 1][keyPath: animation] {
            groups.append(run[start..<position])
            start = position
        }
        if start < run.count { groups.append(run[start...]) }
        return groups
    }
}

extension ValidatedChangeSet {
    /// The new paths of the items that an inserted or reloaded section arrives with, ascending.
    ///
    /// They are all its paths but those that the fourth run fills.
    package func freshPaths(ofSection edit: SectionEdit) -> [ItemPath] {
        guard edit.role != .move, let count = newShape.numberOfItems(inSection: edit.section) else {
            return []
        }
        var paths: [ItemPath] = []
        paths.reserveCapacity(edit.freshItemCount)
        let filled = itemInsertions.positions(inSection: edit.section) { $0.path.section }
        var next = filled.lowerBound
        for item in 0..<count {
            if next < filled.upperBound, itemInsertions[next].path.item == item {
                next += 1
            } else {
                paths.append(ItemPath(section: edit.section, item: item))
            }
        }
        return paths
    }
}
