import PersistentTrees

extension ElementMap {
    /// Applies the runs of a change set to the entries of a map, in their order.
    ///
    /// Each run is sorted, so the edits of a section are adjacent: in each run, a section's items
    /// are opened and committed once.
    struct Editor: ~Copyable {
        var entries: Entries.Transaction
        /// The runs continue each other's work: only the last version of a section is used.
        private let owner = NodeOwner()

        /// A section whose items are edited.
        private struct OpenSection: ~Copyable {
            let entry: SectionEntry
            var slots: Slots.Transaction
            /// The labels of the items that were inserted last.
            var newestLabels: ClosedRange<Int>?

            init(_ entry: SectionEntry, _ owner: NodeOwner) {
                self.entry = entry
                slots = entry.slots.transaction(of: owner)
                newestLabels = entry.newestLabels
            }

            consuming func commit() -> SectionEntry {
                entry.replacingSlots(slots.commit(), newestLabels: newestLabels)
            }
        }

        init(_ old: Entries, isReloadData: Bool) {
            entries = (isReloadData ? Entries() : old).transaction()
        }

        /// Applies the first run. Moved items are looked up in the old map, so nothing is kept
        /// here. Items are also removed from sections that are removed or moved afterwards.
        mutating func removeItems(_ edits: [ItemEdit]) {
            var position = 0
            while position < edits.count {
                let section = edits[position].path.section
                var open = OpenSection(entries[section], owner)
                while position < edits.count, edits[position].path.section == section {
                    // Adjacent items are removed together.
                    let last = edits[position].path.item
                    var first = last
                    position += 1
                    while position < edits.count,
                        edits[position].path == ItemPath(section: section, item: first - 1)
                    {
                        first -= 1
                        position += 1
                    }
                    open.slots.removeSubrange(first..<(last + 1))
                }
                entries.replace(at: section, with: open.commit())
            }
        }

        /// Applies the second run; returns the moved sections with their remaining items, by new
        /// index.
        mutating func removeSections(_ edits: [SectionEdit]) -> [Int: SectionEntry] {
            var carried: [Int: SectionEntry] = [:]
            for edit in edits {
                let entry = entries.remove(at: edit.section)
                if edit.role == .move, let newSection = edit.associatedWith {
                    carried[newSection] = entry
                }
            }
            return carried
        }

        /// Applies the third run; `inserted` contains the sections that do not move, in order.
        mutating func insertSections(
            _ edits: [SectionEdit],
            _ carried: [Int: SectionEntry],
            _ inserted: [ElementMapChange.InsertedSection]
        ) {
            var nextInserted = 0
            var position = 0
            while position < edits.count {
                // Adjacent sections are inserted together.
                let first = edits[position].section
                let count = runLength(of: edits, from: position) { $0.section - first }
                let labels = entries.labels(forInserting: count, at: first) { $0.relabelled($1) }
                for offset in 0..<count {
                    let label = labels[offset]
                    let entry: SectionEntry
                    if let moved = carried[first + offset] {
                        entry = moved.relabelled(label)
                    } else {
                        let section = inserted[nextInserted]
                        nextInserted += 1
                        entry = SectionEntry(section.section, section.slots, [], label: label)
                    }
                    entries.insert(entry, at: first + offset)
                }
                position += count
            }
        }

        /// Applies the fourth run; `inserted` has an element for each edit except moves, whose
        /// elements are in `old`.
        mutating func insertItems(
            _ edits: [ItemEdit],
            _ inserted: [CollectionElement?],
            from old: Entries
        ) {
            func slot(_ position: Int, in section: CollectionSection, label: Int) -> ElementSlot {
                if let element = inserted[position] {
                    return ElementSlot(element, in: section, label: label)
                }
                guard let oldPath = edits[position].associatedWith else {
                    fatalError("an insertion without a new element must be a move")
                }
                let moved = old[oldPath.section].slots[oldPath.item]
                return moved.placed(in: section, label: label)
            }
            var position = 0
            while position < edits.count {
                let index = edits[position].path.section
                var open = OpenSection(entries[index], owner)
                let section = open.entry.section
                while position < edits.count, edits[position].path.section == index {
                    // Adjacent items are inserted together.
                    let first = edits[position].path.item
                    let count = runLength(of: edits, from: position) {
                        $0.path.section == index ? $0.path.item - first : -1
                    }
                    let labels = open.slots.labels(
                        forInserting: count,
                        at: first,
                        newest: open.newestLabels
                    ) { $0.placed(in: section, label: $1) }
                    open.newestLabels = labels.range(count: count)
                    let run = (0..<count).map { offset in
                        slot(position + offset, in: section, label: labels[offset])
                    }
                    open.slots.insert(contentsOf: run, at: first)
                    position += count
                }
                entries.replace(at: index, with: open.commit())
            }
        }

        /// Returns the number of edits from `start` on that insert at adjacent places.
        private func runLength<Edit>(
            of edits: [Edit],
            from start: Int,
            offset: (Edit) -> Int
        ) -> Int {
            var end = start + 1
            while end < edits.count, offset(edits[end]) == end - start { end += 1 }
            return end - start
        }

        /// Replaces the contents of items, by new path.
        mutating func replaceContents(_ contents: [(path: ItemPath, content: ElementContent)]) {
            var position = 0
            while position < contents.count {
                let section = contents[position].path.section
                var open = OpenSection(entries[section], owner)
                while position < contents.count, contents[position].path.section == section {
                    let (path, content) = contents[position]
                    let slot = open.slots[path.item].showing(content)
                    open.slots.replace(at: path.item, with: slot)
                    position += 1
                }
                entries.replace(at: section, with: open.commit())
            }
        }

        /// Replaces the supplementary elements of sections, by new index.
        mutating func replaceSupplementaries(_ changes: [ElementMapChange.Supplementaries]) {
            for change in changes {
                let entry = entries[change.newSection]
                let runs = change.runs.map { kept, added in
                    var contents = kept.contents.transaction()
                    for element in added {
                        // Their numbers are their labels: kept elements keep their numbers.
                        _ = element.place(in: entry.section, label: contents.count)
                        contents.insert(element.firstContent, at: contents.count)
                    }
                    return SupplementaryRun(kind: kept.kind, contents: contents.commit())
                }
                entries.replace(at: change.newSection, with: entry.replacingSupplementaries(runs))
            }
        }

        /// Replaces the contents of supplementary elements, by new place.
        mutating func replaceSupplementaryContents(
            _ contents: [(place: ElementPlace, content: ElementContent)]
        ) {
            var position = 0
            while position < contents.count {
                let start = position
                let section = contents[position].place.path.section
                let entry = entries[section]
                let runs = entry.supplementaries.map { run in
                    var transaction = run.contents.transaction()
                    while position < contents.count,
                        contents[position].place.path.section == section,
                        contents[position].place.kind == run.kind
                    {
                        let (place, content) = contents[position]
                        transaction.replace(at: place.path.item, with: content)
                        position += 1
                    }
                    return SupplementaryRun(kind: run.kind, contents: transaction.commit())
                }
                guard position > start else { fatalError("contents out of order") }
                entries.replace(at: section, with: entry.replacingSupplementaries(runs))
            }
        }
    }
}
