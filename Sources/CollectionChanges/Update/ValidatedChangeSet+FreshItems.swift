extension ValidatedChangeSet {
    /// The items that an inserted or reloaded section arrives with, in runs of neighbours, ascending;
    /// those between them are inserted singly.
    ///
    /// Complexity: O(log k) and the items that are inserted singly.
    package func freshItems(ofSection edit: SectionEdit) -> [Range<Int>] {
        guard edit.role != .move, let count = newShape.numberOfItems(inSection: edit.section) else {
            return []
        }
        var runs: [Range<Int>] = []
        var start = 0
        let filled = itemInsertions.positions(inSection: edit.section) { $0.path.section }
        for position in filled {
            let item = itemInsertions[position].path.item
            if item > start { runs.append(start..<item) }
            start = item + 1
        }
        if count > start { runs.append(start..<count) }
        return runs
    }
}
