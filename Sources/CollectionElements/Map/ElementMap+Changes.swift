public import CollectionChanges
import PersistentTrees

extension ElementMap {
    /// The update that turns `old` into this map, with the fewest moves.
    ///
    /// Elements and sections are the same where they are the same object; one that was reloaded is removed and
    /// inserted. An item whose content is another is reconfigured. What became of a map in between does not matter,
    /// so this is one update for all that was accepted since `old`: for a view that comes back, or a record that was
    /// made against an older map. Supplementary elements do not count.
    ///
    /// ```swift
    /// let seen = controller.pendingMap
    /// // later
    /// let missed = controller.pendingMap.changes(from: seen)
    /// ```
    ///
    /// Shape: old paths for removals, new ones for insertions.
    ///
    /// Threading: a pure function, callable from anywhere.
    ///
    /// Complexity: O(k log n + sections) for maps of one controller that k edits are between; else O(n).
    ///
    /// - Parameter old: an earlier map of the same collection; from another one everything is removed and inserted.
    public func changes(from old: ElementMap) -> ValidatedChangeSet {
        isIdentical(to: old) ? .unchanged(shape) : MapDifference(from: old, to: self).update
    }

    /// The sections that stayed and have other supplementary elements or contents of them than in `old`, or another
    /// number of them; new indexes, ascending.
    ///
    /// Complexity: as ``changes(from:)``, and what the sections have that differ in anything.
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

    /// Whether both are maps of one collection, whatever happened in between.
    package func isOfSameCollection(as other: ElementMap) -> Bool {
        storage.reclaimer === other.storage.reclaimer
    }
}

/// What survives from one map to another. What both share need not be looked at; of all else each element says
/// itself where it is.
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
                    // Gone; what moved out of it is elsewhere.
                    appendItems(of: entry.slots, 0..<entry.slots.count, section: index)
                }
            }
            (oldIndex, newIndex) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        appendShared(upTo: oldEntries.count)
    }

    /// A section that is on both sides.
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

    /// Items that are not known to be on both sides.
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
        runs.append(
            SurvivingRun(
                oldSection: oldPath.section,
                oldItem: oldPath.item,
                newSection: newPath.section,
                newItem: newPath.item,
                count: count
            )
        )
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
