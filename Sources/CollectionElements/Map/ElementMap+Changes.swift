public import CollectionChanges
import PersistentTrees

extension ElementMap {
    /// Returns the update that turns `old` into this map, with the fewest moves.
    ///
    /// Elements and sections are the same if they are the same object; a reloaded one is removed
    /// and inserted. An item with different content is reconfigured. Intermediate maps do not
    /// matter: one update covers everything that has been accepted since `old`, for a view that
    /// returns or a record that was made for an older map. Supplementary elements are ignored.
    ///
    /// ```swift
    /// let seen = controller.pendingMap
    /// // later
    /// let missed = controller.pendingMap.changes(from: seen)
    /// ```
    ///
    /// Shape: old paths for removals, new paths for insertions.
    ///
    /// Threading: a pure function, callable from any thread.
    ///
    /// Complexity: O(k log n + sections) for maps of one controller that differ by k edits;
    /// otherwise O(n).
    ///
    /// - Parameter old: An earlier map of the same collection. From a map of another collection,
    ///   everything is removed and inserted.
    public func changes(from old: ElementMap) -> ValidatedChangeSet {
        isIdentical(to: old) ? .unchanged(shape) : MapDifference(from: old, to: self).update
    }

    /// Returns the new indexes, ascending, of the surviving sections whose supplementary elements
    /// differ from those in `old` in number, identity or content.
    ///
    /// Complexity: that of ``changes(from:)``, plus the number of supplementary elements of the
    /// sections that differ in any way.
    package func sectionsWithOtherSupplementaries(from old: ElementMap) -> [Int] {
        let entries = storage.entries
        let stretches = entries.differingStretches(from: old.storage.entries) { $0 === $1 }
        return stretches.flatMap(\.new).filter { index in
            guard let former = old.index(of: entries[index].section) else { return false }
            let (one, other) = (
                entries[index].supplementaries, old.supplementaries(inSection: former)
            )
            return !one.elementsEqual(other) {
                $0.kind == $1.kind && $0.contents.elementsEqual($1.contents)
            }
        }
    }

    /// Returns whether both are maps of the same collection, regardless of the changes in between.
    package func isOfSameCollection(as other: ElementMap) -> Bool {
        storage.reclaimer === other.storage.reclaimer
    }
}

/// The parts of one map that survive in another. Parts that both maps share are skipped; every
/// other element knows its own place.
private struct MapDifference {
    private let old: ElementMap
    private let new: ElementMap
    private var sections: [SurvivingSection] = []
    private var runs: [SurvivingRun] = []
    private var reconfigured: [ItemPath] = []

    init(from old: ElementMap, to new: ElementMap) {
        self.old = old
        self.new = new
        let (oldEntries, newEntries) = (old.storage.entries, new.storage.entries)
        var (oldIndex, newIndex) = (0, 0)
        func appendShared(upTo end: Int) {
            while oldIndex < end {
                let entry = oldEntries[oldIndex]
                appendSection(oldIndex, newIndex, entry.slots, entry.slots)
                (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
            }
        }
        for stretch in newEntries.differingStretches(from: oldEntries, where: { $0 === $1 }) {
            appendShared(upTo: stretch.old.lowerBound)
            for index in stretch.old {
                let entry = oldEntries[index]
                if let place = new.index(of: entry.section) {
                    appendSection(index, place, entry.slots, newEntries[place].slots)
                } else {
                    // The section was removed; items that moved out of it are in other sections.
                    appendItems(of: entry.slots, 0..<entry.slots.count, section: index)
                }
            }
            (oldIndex, newIndex) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        appendShared(upTo: oldEntries.count)
    }

    /// Appends a section that is in both maps.
    private mutating func appendSection(
        _ oldSection: Int,
        _ newSection: Int,
        _ oldSlots: ElementMap.Slots,
        _ newSlots: ElementMap.Slots
    ) {
        sections.append(SurvivingSection(oldSection: oldSection, newSection: newSection))
        let stretches = newSlots.differingStretches(from: oldSlots) {
            $0.element === $1.element && $0.content == $1.content
        }
        var (oldItem, newItem) = (0, 0)
        func appendShared(upTo end: Int) {
            appendRun(
                ItemPath(section: oldSection, item: oldItem),
                ItemPath(section: newSection, item: newItem),
                count: end - oldItem
            )
        }
        for stretch in stretches {
            appendShared(upTo: stretch.old.lowerBound)
            appendItems(of: oldSlots, stretch.old, section: oldSection)
            (oldItem, newItem) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        appendShared(upTo: oldSlots.count)
    }

    /// Appends those items that are in both maps.
    private mutating func appendItems(
        of slots: ElementMap.Slots,
        _ range: Range<Int>,
        section: Int
    ) {
        var iterator = slots.makeIterator(from: range.lowerBound)
        for item in range {
            guard let slot = iterator.next(), let place = new.path(of: slot.element) else {
                continue
            }
            let path = ItemPath(section: section, item: item)
            appendRun(path, place, count: 1)
            if new.content(at: place) != slot.content { reconfigured.append(path) }
        }
    }

    private mutating func appendRun(_ oldPath: ItemPath, _ newPath: ItemPath, count: Int) {
        guard count > 0 else { return }
        runs.append(SurvivingRun(from: oldPath, to: newPath, count: count))
    }

    var update: ValidatedChangeSet {
        ValidatedChangeSet(
            survivors: runs,
            sections: sections,
            from: old.shape,
            to: new.shape,
            reconfigured: reconfigured,
            replaced: [],
            animation: .automatic,
            profile: .standard
        )
    }
}

extension ElementMap {
    /// Returns the map after `update`, which must start from this map's shape or reload everything.
    ///
    /// Complexity: O(k log n) for k edits, new items and reconfigurations.
    package func applying(
        _ update: ValidatedChangeSet,
        _ change: ElementMapChange,
        generation: Int
    ) -> ElementMap {
        var editor = Editor(storage.entries, isReloadData: update.isReloadData)
        // No items are removed if everything is reloaded.
        editor.removeItems(update.itemRemovals)
        let carried = update.isReloadData ? [:] : editor.removeSections(update.sectionRemovals)
        editor.insertSections(update.sectionInsertions, carried, change.insertedSections)
        editor.insertItems(update.itemInsertions, change.insertedItems, from: storage.entries)
        editor.replaceContents(
            zip(update.reconfigurations, change.reconfiguredContents)
                .map { ($0.newPath, $1) }
        )
        editor.replaceSupplementaries(change.supplementaries)
        return with(editor.entries.commit(), shape: update.newShape, generation: generation)
    }

    /// Returns a map with the same places and other contents. Those of supplementary elements are
    /// sorted by section, and within it by kind.
    ///
    /// This is fastest if the contents of each section are adjacent.
    package func replacingContents(
        _ contents: [(path: ItemPath, content: ElementContent)],
        supplementaries: [(place: ElementPlace, content: ElementContent)],
        generation: Int
    ) -> ElementMap {
        var editor = Editor(storage.entries, isReloadData: false)
        editor.replaceContents(contents)
        editor.replaceSupplementaryContents(supplementaries)
        return with(editor.entries.commit(), shape: storage.shape, generation: generation)
    }
}

/// The data that a change set adds to a map, read from the data source before the new map is built.
package struct ElementMapChange {
    /// The sections of the third run that are inserted or reloaded, in the order of that run.
    package var insertedSections: [InsertedSection] = []

    /// One element for each edit of the fourth run, in the order of that run; `nil` for a move,
    /// whose element is kept.
    package var insertedItems: [CollectionElement?] = []

    /// One content revision for each reconfiguration, in order.
    package var reconfiguredContents: [ElementContent] = []

    /// All supplementary elements of the sections whose supplementary elements change, ascending by
    /// new section index, and by kind within a section.
    package var supplementaries: [Supplementaries] = []

    package init() {}

    /// The supplementary elements of one section.
    package struct Supplementaries {
        package let newSection: Int
        /// The kept elements of each kind, with the elements to append to them.
        package var runs: [(kept: SupplementaryRun, added: [CollectionElement])]

        package init(
            newSection: Int,
            runs: [(kept: SupplementaryRun, added: [CollectionElement])]
        ) {
            self.newSection = newSection
            self.runs = runs
        }
    }

    /// A section with the items that it is inserted with, before individual items are inserted.
    package struct InsertedSection: Sendable {
        let section: CollectionSection
        let slots: ElementMap.Slots

        package var count: Int { slots.count }

        /// Returns the content of the item at `offset`.
        package func content(at offset: Int) -> ElementContent { slots[offset].content }

        /// Complexity: O(n).
        package init(section: CollectionSection, elements: [CollectionElement]) {
            self.section = section
            let labels = OrderLabels.filling(elements.count)
            slots = ElementMap.Slots(count: elements.count) { position in
                ElementSlot(elements[position], in: section, label: labels[position])
            }
        }
    }
}
