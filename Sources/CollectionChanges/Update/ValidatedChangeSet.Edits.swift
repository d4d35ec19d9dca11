extension ValidatedChangeSet {
    /// The edits of an update in the fixed order, as one collection over the four runs.
    public struct Edits: RandomAccessCollection, Sendable {
        let itemRemovals: [ItemEdit]
        let sectionRemovals: [SectionEdit]
        let sectionInsertions: [SectionEdit]
        let itemInsertions: [ItemEdit]

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
    /// Applies the edits to an array of arrays of the old shape.
    ///
    /// This is the plain meaning of the four runs, for clients that keep arrays of their own; `fresh`
    /// makes the item that is new at a path. Moved items and sections are carried over. The items of
    /// an inserted or reloaded section are asked for ascending, skipping paths that items are moved
    /// or inserted to afterwards.
    ///
    /// Complexity: O(k · n) array moves for k edits in sections of n items, and O(s) for s sections.
    ///
    /// - Throws: `sectionCount` or `itemCount` of `HierarchyUpdateError` where `sections` has another shape, before
    ///   anything is asked for; else what `fresh` throws.
    public func apply<Item>(
        to sections: [[Item]],
        fresh: (_ newPath: ItemPath) throws -> Item
    ) throws -> [[Item]] {
        try checkStart(sections.map(\.count))
        return try applyUnchecked(to: sections, fresh: fresh)
    }

    private func checkStart(_ itemCounts: [Int]) throws(HierarchyUpdateError) {
        let expected = oldShape.itemCounts
        guard itemCounts.count == expected.count else {
            let summary =
                "the update starts from \(expected.count) sections, but \(itemCounts.count) were given"
            throw HierarchyUpdateError(.sectionCount, summary, summary: summary)
                .between(oldShape, newShape)
        }
        for (section, (found, expected)) in zip(itemCounts, expected).enumerated()
        where found != expected {
            let summary =
                "the update starts from \(expected) items in section \(section), but \(found) were given"
            throw HierarchyUpdateError(
                .itemCount,
                summary,
                section: section,
                oldShape: oldShape,
                newShape: newShape,
                summary: summary
            )
        }
    }

    /// What ``apply(to:fresh:)`` does to arrays that are known to have the old shape; others stop the process.
    package func applyUnchecked<Item>(
        to sections: [[Item]],
        fresh: (_ newPath: ItemPath) throws -> Item
    ) rethrows -> [[Item]] {
        var sections = sections
        var carriedItems: [ItemPath: Item] = [:]
        var carriedSections: [Int: [Item]] = [:]
        for edit in itemRemovals {
            let item = sections[edit.path.section].remove(at: edit.path.item)
            if edit.role == .move, let newPath = edit.associatedWith {
                carriedItems[newPath] = item
            }
        }
        for edit in sectionRemovals {
            let section = sections.remove(at: edit.section)
            if edit.role == .move, let target = edit.associatedWith {
                carriedSections[target] = section
            }
        }
        for edit in sectionInsertions {
            if let carried = carriedSections.removeValue(forKey: edit.section) {
                sections.insert(carried, at: edit.section)
            } else {
                let items = try freshPaths(ofSection: edit).map(fresh)
                sections.insert(items, at: edit.section)
            }
        }
        for edit in itemInsertions {
            let item = try carriedItems.removeValue(forKey: edit.path) ?? fresh(edit.path)
            sections[edit.path.section].insert(item, at: edit.path.item)
        }
        return sections
    }

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
