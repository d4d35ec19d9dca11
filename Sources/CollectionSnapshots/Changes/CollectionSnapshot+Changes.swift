public import CollectionChanges
import PersistentTrees

extension CollectionSnapshot {
    /// Returns the update that turns `old` into this snapshot, with the fewest moves.
    ///
    /// ```swift
    /// var next = current
    /// try next.insertItems([9], afterItem: 3)
    /// let update = try next.changes(from: current)
    /// ```
    ///
    /// Sections and items are the same if their identifiers are equal; items may also move between
    /// sections. Marks of this snapshot become part of the update if the marked section or item is
    /// also in `old`: a reloaded section is replaced together with all items that stay in it, a
    /// reloaded item is replaced by a new one, and a reconfigured item is updated in place. Marks
    /// of `old` are ignored. As in UIKit, reloading takes precedence. For changes that take more
    /// than one update in UIKit, see the identifier differences of `ValidatedChangeSet`.
    ///
    /// Shape: removals have old paths, insertions have new paths.
    ///
    /// Threading: a pure function, callable on any thread. Compare long, unrelated snapshots on a
    /// worker.
    ///
    /// Complexity: O(k log n + sections) for snapshots that are k edits apart; O(n) for separately
    /// made snapshots with mostly the same order, as for any two sequences of identifiers.
    ///
    /// - Parameters:
    ///   - old: The snapshot that the update starts from.
    ///   - profile: The validation profile in which the update is valid.
    ///   - animation: The animation of every edit.
    ///   - isCancelled: A closure that is called every few thousand items; return `true` to cancel.
    /// - Throws: `cancelled`, or `tooManyItems` for more than 2³¹ items.
    @inlinable
    public func changes(
        from old: Self,
        profile: ValidationProfile = .standard,
        animation: AnimationOption = .automatic,
        isCancelled: () -> Bool = { false }
    ) throws(DifferenceError) -> ValidatedChangeSet {
        let difference = SnapshotDifference(from: old, to: self)
        return ValidatedChangeSet(
            survivors: try difference.survivors(isCancelled: isCancelled),
            sections: difference.sections,
            from: old.shape,
            to: shape,
            reconfigured: difference.oldPaths(of: reconfiguredItems),
            replaced: difference.oldPaths(of: reloadedItems),
            animation: animation,
            profile: profile
        )
    }
}

// Shared parts of two snapshots need no comparison: a snapshot that was made from the other by a
// few edits shares almost all its nodes. Shared parts survive unchanged. The differing stretches
// between them are matched by identifier, each like a section, so that moves from one stretch to
// another are found.

/// The sections and items that survive from one snapshot to another, from which the edits are made.
@usableFromInline
struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
    @usableFromInline typealias Snapshot = CollectionSnapshot<SectionID, ItemID>
    @usableFromInline typealias Entry = SnapshotEntry<SectionID, ItemID>

    @usableFromInline let old: Snapshot
    @usableFromInline let new: Snapshot

    /// The surviving sections, ascending by old index.
    @usableFromInline var sections: [SurvivingSection] = []
    /// The runs of items that are known to survive.
    @usableFromInline var runs: [SurvivingRun] = []

    // The stretches to match, with their first paths, and the pairs of opposite stretches.
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

    /// Adds a section that is in both snapshots.
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
            // A replaced section keeps no items; only items that leave it can survive.
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

    /// Returns all surviving runs, ascending by old path.
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

    /// Returns the known runs and those found in stretches, ordered and joined.
    @usableFromInline
    func arrange(_ found: [SurvivingRun]) -> [SurvivingRun] {
        let replaced = replacements
        var all = runs
        for run in found {
            var (from, to) = (oldStarts[run.oldSection], newStarts[run.newSection])
            if replaced[from.section] == to.section { continue }
            from.item += run.oldItem
            to.item += run.newItem
            all.append(SurvivingRun(from: from, to: to, count: run.count))
        }
        return all.joined
    }

    /// The new indexes of replaced sections, by old index.
    @usableFromInline
    var replacements: [Int: Int] {
        var replaced: [Int: Int] = [:]
        for section in sections where section.isReplaced {
            replaced[section.oldSection] = section.newSection
        }
        return replaced
    }

    /// Returns the old paths of items that are in both snapshots and not in a replaced section,
    /// ascending.
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
