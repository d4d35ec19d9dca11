import CollectionChanges
import PersistentTrees

// What two snapshots share need not be looked at: one made from the other by a few edits has almost all of
// its nodes. What is shared survives as it is; the stretches between go to the matching of identifiers, each
// as if it were a section, so that what moved from one stretch to another is found.

/// What survives from one snapshot to another, before edits are made of it.
@usableFromInline
struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
    @usableFromInline typealias Snapshot = CollectionSnapshot<SectionID, ItemID>
    @usableFromInline typealias Entry = SnapshotEntry<SectionID, ItemID>

    @usableFromInline let old: Snapshot
    @usableFromInline let new: Snapshot

    /// Ascending by old index.
    @usableFromInline var sections: [SurvivingSection] = []
    /// What is known to survive.
    @usableFromInline var runs: [SurvivingRun] = []

    // What is to be matched: stretches of both, where they begin, and which lie opposite each other.
    @usableFromInline var oldStretches: [[ItemID]] = []
    @usableFromInline var newStretches: [[ItemID]] = []
    @usableFromInline var oldStarts: [ItemPath] = []
    @usableFromInline var newStarts: [ItemPath] = []
    @usableFromInline var opposites: [SurvivingSection] = []

    @inlinable
    init(from old: Snapshot, to new: Snapshot) {
        self.old = old
        self.new = new
        var (oldIndex, newIndex) = (0, 0)
        var insertedSections: [Int] = []
        let stretches = new.entries.differingStretches(from: old.entries) { $0 === $1 }
        let end = PersistentSequence<Entry, SnapshotSummary<SectionID, ItemID>>.DifferingStretch(
            old: old.numberOfSections..<old.numberOfSections,
            new: new.numberOfSections..<new.numberOfSections
        )
        for stretch in stretches + [end] {
            while oldIndex < stretch.old.lowerBound {
                let entry = old.entries[oldIndex]
                append(entry, entry, oldIndex, newIndex)
                oldIndex += 1
                newIndex += 1
            }
            for index in stretch.old {
                let entry = old.entries[index]
                if let place = new.indexOfSection(entry.id) {
                    append(entry, new.entries[place], index, place)
                } else {
                    appendStretch(of: entry, 0..<entry.items.count, section: index, isOld: true)
                }
            }
            for index in stretch.new where !old.containsSection(new.entries[index].id) {
                insertedSections.append(index)
            }
            (oldIndex, newIndex) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        for index in insertedSections {
            let entry = new.entries[index]
            appendStretch(of: entry, 0..<entry.items.count, section: index, isOld: false)
        }
    }

    /// Adds a section that is on both sides.
    @inlinable
    mutating func append(_ oldEntry: Entry, _ newEntry: Entry, _ oldIndex: Int, _ newIndex: Int) {
        let isReplaced = !new.reloadedSections.isEmpty && new.reloadedSections.contains(newEntry.id)
        sections.append(
            SurvivingSection(oldSection: oldIndex, newSection: newIndex, isReplaced: isReplaced)
        )
        var oldItem = 0
        var newItem = 0
        func run(_ count: Int) -> SurvivingRun {
            SurvivingRun(
                oldSection: oldIndex,
                oldItem: oldItem,
                newSection: newIndex,
                newItem: newItem,
                count: count
            )
        }
        let stretches =
            oldEntry.items.isIdentical(to: newEntry.items)
            ? [] : newEntry.items.differingStretches(from: oldEntry.items) { $0.id == $1.id }
        for stretch in stretches {
            // A section that is replaced keeps nothing; only what leaves it can survive.
            if !isReplaced, stretch.old.lowerBound > oldItem {
                runs.append(run(stretch.old.lowerBound - oldItem))
            }
            opposites.append(
                SurvivingSection(oldSection: oldStretches.count, newSection: newStretches.count)
            )
            appendStretch(of: oldEntry, stretch.old, section: oldIndex, isOld: true)
            appendStretch(of: newEntry, stretch.new, section: newIndex, isOld: false)
            (oldItem, newItem) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        if !isReplaced, oldEntry.items.count > oldItem {
            runs.append(run(oldEntry.items.count - oldItem))
        }
    }

    @inlinable
    mutating func appendStretch(
        of entry: Entry,
        _ range: Range<Int>,
        section: Int,
        isOld: Bool
    ) {
        var items: [ItemID] = []
        items.reserveCapacity(range.count)
        var iterator = entry.items.makeIterator(from: range.lowerBound)
        for _ in range { if let item = iterator.next() { items.append(item.id) } }
        let start = ItemPath(section: section, item: range.lowerBound)
        if isOld {
            oldStretches.append(items)
            oldStarts.append(start)
        } else {
            newStretches.append(items)
            newStarts.append(start)
        }
    }
}

extension SnapshotDifference {
    /// Everything that survives, ascending by old path.
    @inlinable
    func survivors(isCancelled: () -> Bool) throws(DifferenceError) -> [SurvivingRun] {
        if oldStretches.isEmpty || newStretches.isEmpty { return runs }
        let matching = try SectionedMatching(
            from: oldStretches,
            to: newStretches,
            pairs: opposites,
            rules: IdentifierRules<ItemID>(),
            isCancelled: isCancelled
        )
        return arrange(matching.runs)
    }

    /// The known survivors and those found in stretches, in order and joined.
    @usableFromInline
    func arrange(_ found: [SurvivingRun]) -> [SurvivingRun] {
        let replaced = replacements
        var all = runs
        for run in found {
            let (from, to) = (oldStarts[run.oldSection], newStarts[run.newSection])
            if replaced[from.section] == to.section { continue }
            all.append(
                SurvivingRun(
                    oldSection: from.section,
                    oldItem: from.item + run.oldItem,
                    newSection: to.section,
                    newItem: to.item + run.newItem,
                    count: run.count
                )
            )
        }
        all.sort { ($0.oldSection, $0.oldItem) < ($1.oldSection, $1.oldItem) }
        var joined: [SurvivingRun] = []
        joined.reserveCapacity(all.count)
        for run in all {
            if let last = joined.last, last.oldSection == run.oldSection,
                last.newSection == run.newSection, last.oldItem + last.count == run.oldItem,
                last.newItem + last.count == run.newItem
            {
                joined[joined.count - 1].count += run.count
            } else {
                joined.append(run)
            }
        }
        return joined
    }

    /// The new indexes of sections that are replaced, by old index.
    @usableFromInline
    var replacements: [Int: Int] {
        var replaced: [Int: Int] = [:]
        for section in sections where section.isReplaced {
            replaced[section.oldSection] = section.newSection
        }
        return replaced
    }

    /// The old paths of items that are there on both sides and not in a section that is replaced, ascending.
    @inlinable
    func oldPaths(of items: MarkedIdentifiers<ItemID>) -> [ItemPath] {
        if items.isEmpty { return [] }
        let replaced = replacements
        return items.identifiers.compactMap { item in
            guard let oldPath = old.path(of: item), let newPath = new.path(of: item),
                replaced[oldPath.section] != newPath.section
            else { return nil }
            return oldPath
        }.sorted()
    }
}
