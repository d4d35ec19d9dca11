import PersistentTrees

extension PublishedState {
    /// The state after `changeSet`, which starts from this state's shape, with contents that fit it.
    ///
    /// Complexity: O(k log n) for k edits, fresh items and reconfigurations.
    func applying(_ changeSet: ValidatedChangeSet, _ contents: PublishedContents) -> PublishedState
    {
        var editor = Editor(old: entries, isReloadData: changeSet.isReloadData)
        if !changeSet.isReloadData {
            editor.removeItems(changeSet.itemRemovals)
            editor.removeSections(changeSet.sectionRemovals)
        }
        editor.insertSections(changeSet.sectionInsertions, contents.freshSections)
        editor.insertItems(changeSet.itemInsertions, contents.insertedItems)
        editor.replaceItems(changeSet.reconfigurations.map(\.newPath), contents.changedItems)
        editor.replaceSections(contents.changedSections)
        return PublishedState(editor.entries.commit(), shape: changeSet.newShape)
    }

    /// Applies the runs of a change set in their order. The edits of a section stand together in each run, so its items
    /// are opened and committed once in each.
    private struct Editor: ~Copyable {
        let old: Entries
        var entries: Entries.Transaction
        /// The sections that move, by new index, with what is left in them.
        var carried: [Int: SectionEntry] = [:]

        init(old: Entries, isReloadData: Bool) {
            self.old = old
            entries = (isReloadData ? Entries() : old).transaction()
        }

        /// Calls `edit` with the items of the section at `index`, to be changed.
        private mutating func editItems(
            ofSection index: Int,
            _ edit: (inout Items.Transaction) -> Void
        ) {
            let entry = entries[index]
            var items = entry.items.transaction()
            edit(&items)
            entries.replace(at: index, with: SectionEntry(entry.section, items.commit()))
        }

        mutating func removeItems(_ edits: [ItemEdit]) {
            for (section, edits) in edits.runs(by: \.path.section) {
                editItems(ofSection: section) { items in
                    for edit in edits { items.remove(at: edit.path.item) }
                }
            }
        }

        mutating func removeSections(_ edits: [SectionEdit]) {
            for edit in edits {
                let entry = entries.remove(at: edit.section)
                if edit.role == .move, let newIndex = edit.associatedWith {
                    carried[newIndex] = entry
                }
            }
        }

        mutating func insertSections(
            _ edits: [SectionEdit],
            _ fresh: [PublishedContents.FreshSection]
        ) {
            var fresh = fresh[...]
            for edit in edits {
                if let moved = carried[edit.section] {
                    entries.insert(moved, at: edit.section)
                } else if let section = fresh.popFirst() {
                    let entry = SectionEntry(section.section, Items(section.items))
                    entries.insert(entry, at: edit.section)
                }
            }
        }

        mutating func insertItems(_ edits: [ItemEdit], _ fresh: [PublishedItem]) {
            var fresh = fresh[...]
            let old = old
            for (section, edits) in edits.runs(by: \.path.section) {
                editItems(ofSection: section) { items in
                    for edit in edits {
                        // What moves is found in the old state, so nothing is kept of it in between.
                        let moved = edit.role == .move ? edit.associatedWith : nil
                        let item = moved.map { old[$0.section].items[$0.item] } ?? fresh.popFirst()
                        if let item { items.insert(item, at: edit.path.item) }
                    }
                }
            }
        }

        mutating func replaceItems(_ paths: [ItemPath], _ changed: [PublishedItem]) {
            var changed = changed[...]
            for (section, paths) in paths.runs(by: \.section) {
                editItems(ofSection: section) { items in
                    for path in paths {
                        if let item = changed.popFirst() {
                            items.replace(at: path.item, with: item)
                        }
                    }
                }
            }
        }

        mutating func replaceSections(_ changed: [PublishedContents.ChangedSection]) {
            for change in changed {
                let items = entries[change.newIndex].items
                let entry = SectionEntry(change.section, items)
                entries.replace(at: change.newIndex, with: entry)
            }
        }
    }
}

extension Array {
    /// The elements in runs of neighbours with one key.
    fileprivate func runs<Key: Equatable>(by key: (Element) -> Key) -> [(Key, ArraySlice<Element>)]
    {
        var runs: [(Key, ArraySlice<Element>)] = []
        var start = 0
        for end in indices where end + 1 == count || key(self[end + 1]) != key(self[start]) {
            runs.append((key(self[start]), self[start...end]))
            start = end + 1
        }
        return runs
    }
}
