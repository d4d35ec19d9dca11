import PersistentTrees

/// The whole state that a reader has at one version: sections in order, each with items in order.
///
/// A state shares the equal parts with the states before and after it in the history, so keeping an
/// old state costs only what has changed since. For an index that does not exist, methods return
/// `nil`.
///
/// Threading: a value, readable from any thread.
///
/// Complexity: O(log n) to access an item or section.
public struct PublishedState: Sendable {
    typealias Items = PersistentSequence<PublishedItem, NoSummary<PublishedItem>>
    typealias Entries = PersistentSequence<SectionEntry, NoSummary<SectionEntry>>

    /// A section with its items.
    final class SectionEntry: Sendable {
        let section: PublishedSection
        let items: Items

        init(_ section: PublishedSection, _ items: Items) {
            self.section = section
            self.items = items
        }
    }

    let entries: Entries

    /// The number of items in each section.
    public let shape: HierarchyShape

    init(_ entries: Entries, shape: HierarchyShape) {
        self.entries = entries
        self.shape = shape
    }

    /// Creates a state from sections with their items. The counts in `shape` must match them.
    ///
    /// Complexity: O(n).
    package init(_ sections: [PublishedContents.InsertedSection], shape: HierarchyShape) {
        let entries = sections.map { SectionEntry($0.section, Items($0.items)) }
        self.init(Entries(entries), shape: shape)
    }

    /// Creates an empty state.
    public init() { self.init(Entries(), shape: .empty) }

    /// The number of sections.
    public var numberOfSections: Int { entries.count }

    /// The total number of items. Complexity: O(sections).
    public var numberOfItems: Int { shape.itemCounts.reduce(0, +) }

    /// Returns the section at `index`, without its items; `nil` if it does not exist.
    public func section(at index: Int) -> PublishedSection? { entry(at: index)?.section }

    /// Returns the item at `path`; `nil` if it does not exist.
    public func item(at path: ItemPath) -> PublishedItem? {
        entry(at: path.section)?.items.element(at: path.item)
    }

    /// Returns the items of the section at `index`, in order; an empty array if the section does
    /// not exist. Complexity: O(items).
    public func items(inSection index: Int) -> [PublishedItem] {
        entry(at: index).map { Array($0.items) } ?? []
    }

    private func entry(at index: Int) -> SectionEntry? { entries.element(at: index) }
}

extension PublishedState: Equatable {
    /// Returns whether both states have the same sections and items in the same order, with the
    /// same payloads. Complexity: O(n).
    public static func == (left: PublishedState, right: PublishedState) -> Bool {
        left.shape == right.shape
            && zip(left.entries, right.entries).allSatisfy { left, right in
                left === right
                    || left.section == right.section && left.items.elementsEqual(right.items)
            }
    }
}

extension PublishedState: CustomStringConvertible {
    /// The number of sections and items, such as `2 sections with 5 items`.
    public var description: String { shape.totals }
}

extension PublishedState {
    /// Returns the state after `changeSet`, which must start from this state's shape, with contents
    /// that fit it.
    ///
    /// Complexity: O(k log n) for k edits, new items and reconfigurations.
    func applying(_ changeSet: ValidatedChangeSet, _ contents: PublishedContents) -> PublishedState
    {
        var editor = Editor(old: entries, isReloadData: changeSet.isReloadData)
        if !changeSet.isReloadData {
            editor.removeItems(changeSet.itemRemovals)
            editor.removeSections(changeSet.sectionRemovals)
        }
        editor.insertSections(changeSet.sectionInsertions, contents.insertedSections)
        editor.insertItems(changeSet.itemInsertions, contents.insertedItems)
        editor.replaceItems(changeSet.reconfigurations.map(\.newPath), contents.changedItems)
        editor.replaceSections(contents.changedSections)
        return PublishedState(editor.entries.commit(), shape: changeSet.newShape)
    }

    /// Applies the runs of a change set in their order. In each run the edits of a section are
    /// adjacent, so its items are opened and committed only once for each run.
    private struct Editor: ~Copyable {
        let old: Entries
        var entries: Entries.Transaction
        /// The runs continue each other's work: only the last version of a section is used.
        private let owner = NodeOwner()
        /// The sections that move, by new index, with the items that remain in them.
        var carried: [Int: SectionEntry] = [:]

        init(old: Entries, isReloadData: Bool) {
            self.old = old
            entries = (isReloadData ? Entries() : old).transaction()
        }

        /// Calls `edit` with a transaction over the items of the section at `index`.
        private mutating func editItems(
            ofSection index: Int,
            _ edit: (inout Items.Transaction) -> Void
        ) {
            let entry = entries[index]
            var items = entry.items.transaction(of: owner)
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
            _ inserted: [PublishedContents.InsertedSection]
        ) {
            var inserted = inserted[...]
            for edit in edits {
                if let moved = carried[edit.section] {
                    entries.insert(moved, at: edit.section)
                } else if let section = inserted.popFirst() {
                    let entry = SectionEntry(section.section, Items(section.items))
                    entries.insert(entry, at: edit.section)
                }
            }
        }

        mutating func insertItems(_ edits: [ItemEdit], _ inserted: [PublishedItem]) {
            var inserted = inserted[...]
            let old = old
            for (section, edits) in edits.runs(by: \.path.section) {
                editItems(ofSection: section) { items in
                    for edit in edits {
                        // Moved items are looked up in the old state, so nothing is stored between
                        // the removal and the insertion.
                        let moved = edit.role == .move ? edit.associatedWith : nil
                        let item =
                            moved.map { old[$0.section].items[$0.item] } ?? inserted.popFirst()
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

    /// Returns the update that turns `old`, another part of the same history, into this state.
    /// Elements are compared by number, and the update has the fewest moves.
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
            fatalError("changes in place must start where the edits end: \(error)")
        }
        return sum.update
    }

    /// Returns the new indexes of the sections that exist in both states and have another header.
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

/// An item whose identity is its number.
private struct NumberedItem: Identifiable, Equatable {
    let item: PublishedItem

    var id: UInt64 { item.number }
}
