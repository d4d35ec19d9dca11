import PersistentTrees

extension PublishedState {
    /// The update that turns `old`, another part of the same history, into this: by numbers, with the fewest moves.
    ///
    /// Complexity: O(n log n).
    package func changes(from old: PublishedState) -> ValidatedChangeSet {
        let edits: ValidatedChangeSet
        do throws(DifferenceError) {
            edits = try ValidatedChangeSet(from: old.rows, to: rows)
        } catch {
            fatalError("numbers of a state are different from each other: \(error)")
        }
        let headers = changedHeaders(from: old, edits)
        if headers.isEmpty { return edits }
        var recorded = HierarchyChangeSet()
        recorded.reloadSupplementaries(ofKind: .header, in: SectionSet(headers))
        var sum = ChangeSetComposition(from: old.shape)
        do throws(HierarchyUpdateError) {
            try sum.append(edits)
            try sum.append(recorded.inPlace(in: shape))
        } catch {
            fatalError("what changes in place must start where the edits end: \(error)")
        }
        return sum.update
    }

    /// The new indexes of sections that are there in both and have another header.
    private func changedHeaders(from old: PublishedState, _ edits: ValidatedChangeSet) -> [Int] {
        (0..<numberOfSections).filter { index in
            guard let oldIndex = edits.oldSection(for: index) else { return false }
            return old.entries[oldIndex].section != entries[index].section
        }
    }

    private var rows: [(UInt64, [NumberedItem])] {
        entries.map { ($0.section.number, $0.items.map(NumberedItem.init)) }
    }
}

/// An item that is the same as another where their numbers are.
private struct NumberedItem: Identifiable, Equatable {
    let item: PublishedItem

    var id: UInt64 { item.number }
}
