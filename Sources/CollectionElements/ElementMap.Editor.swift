extension ElementMap {
    /// Applies the runs of a change set to the entries of a map, in their order.
    ///
    /// Each run comes sorted, so the edits of a section stand together: a section's items are opened
    /// and committed once in each run.
    struct Editor: ~Copyable {
        var entries: Entries.Transaction

        init(_ old: Entries, isReloadData: Bool) {
            entries = (isReloadData ? Entries() : old).transaction()
        }

        /// The first run. Items that move are found in the old map, so nothing is kept here; items
        /// are also taken out of sections that leave afterwards, whole or moved.
        mutating func takeOutItems(_ edits: [ItemEdit]) {
            var position = 0
            while position < edits.count {
                let section = edits[position].path.section
                let entry = entries[section]
                var slots = entry.slots.transaction()
                while position < edits.count, edits[position].path.section == section {
                    // Neighbours go together.
                    let last = edits[position].path.item
                    var first = last
                    position += 1
                    while position < edits.count,
                        edits[position].path == ItemPath(section: section, item: first - 1)
                    {
                        first -= 1
                        position += 1
                    }
                    slots.removeSubrange(first..<(last + 1))
                }
                entries.replace(at: section, with: entry.replacingSlots(slots.commit()))
            }
        }

        /// The second run; returns the sections that move, by new index, with what is left in them.
        mutating func takeOutSections(_ edits: [SectionEdit]) -> [Int: SectionEntry] {
            var carried: [Int: SectionEntry] = [:]
            for edit in edits {
                let entry = entries.remove(at: edit.section)
                if edit.role == .move, let newSection = edit.counterpart {
                    carried[newSection] = entry
                }
            }
            return carried
        }

        /// The third run; `fresh` has the sections that do not move, in order.
        mutating func putInSections(
            _ edits: [SectionEdit],
            _ carried: [Int: SectionEntry],
            _ fresh: [ElementMapChange.FreshSection]
        ) {
            var nextFresh = 0
            for edit in edits {
                if let entry = carried[edit.section] {
                    entries.insert(entry, at: edit.section)
                    continue
                }
                let section = fresh[nextFresh]
                nextFresh += 1
                let entry = SectionEntry(
                    section: section.section,
                    slots: Slots(section.slots),
                    supplementaries: []
                )
                entries.insert(entry, at: edit.section)
            }
        }

        /// The fourth run; `fresh` has a slot for each edit but the moves, whose slots are in `old`.
        mutating func putInItems(
            _ edits: [ItemEdit],
            _ fresh: [ElementSlot?],
            from old: Entries
        ) {
            func slot(_ position: Int) -> ElementSlot {
                if let slot = fresh[position] { return slot }
                guard let oldPath = edits[position].counterpart else {
                    fatalError("a put-in without a fresh element must be a move")
                }
                return old[oldPath.section].slots[oldPath.item]
            }
            var position = 0
            while position < edits.count {
                let section = edits[position].path.section
                let entry = entries[section]
                var slots = entry.slots.transaction()
                while position < edits.count, edits[position].path.section == section {
                    // Neighbours go together.
                    let first = edits[position].path.item
                    var run = [slot(position)]
                    position += 1
                    while position < edits.count,
                        edits[position].path
                            == ItemPath(section: section, item: first + run.count)
                    {
                        run.append(slot(position))
                        position += 1
                    }
                    slots.insert(contentsOf: run, at: first)
                }
                entries.replace(at: section, with: entry.replacingSlots(slots.commit()))
            }
        }

        /// Gives items other contents, by new path.
        mutating func replaceContents(_ contents: [(path: ItemPath, content: ElementContent)]) {
            var position = 0
            while position < contents.count {
                let section = contents[position].path.section
                let entry = entries[section]
                var slots = entry.slots.transaction()
                while position < contents.count, contents[position].path.section == section {
                    let (path, content) = contents[position]
                    let element = slots[path.item].element
                    slots.replace(at: path.item, with: ElementSlot(element, content))
                    position += 1
                }
                entries.replace(at: section, with: entry.replacingSlots(slots.commit()))
            }
        }

        /// Gives sections other supplementary elements, by new index.
        mutating func replaceSupplementaries(
            _ supplementaries: [(newSection: Int, slots: [SupplementarySlot])]
        ) {
            for (newSection, slots) in supplementaries {
                let entry = entries[newSection]
                let changed = SectionEntry(
                    section: entry.section,
                    slots: entry.slots,
                    supplementaries: slots
                )
                entries.replace(at: newSection, with: changed)
            }
        }
    }
}
