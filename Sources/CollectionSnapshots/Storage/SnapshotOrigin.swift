import PersistentTrees

/// Where an item is: the number of its section, and its label there.
@usableFromInline
struct ItemPlace: Sendable {
    @usableFromInline let section: Int
    @usableFromInline let label: Int

    @inlinable
    init(section: Int, label: Int) {
        self.section = section
        self.label = label
    }
}

/// What a snapshot was made with, before any edit: the identifiers, section by section.
///
/// Numbers and labels of that time follow from the ordinals, so none are kept.
@usableFromInline
final class SnapshotOrigin<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
    @usableFromInline typealias Entry = SnapshotEntry<SectionID, ItemID>

    @usableFromInline let sections: IdentifierTable<SectionID>
    @usableFromInline let items: IdentifierTable<ItemID>
    /// The ordinal of each section's first item, and in the end the number of items.
    @usableFromInline let starts: [Int]

    @inlinable
    init(sections: [SectionID], items: [ItemID], starts: [Int]) {
        self.sections = IdentifierTable(sections)
        self.items = IdentifierTable(items)
        self.starts = starts
    }

    /// The sections, as a tree.
    @inlinable
    func makeEntries() -> PersistentSequence<Entry, SnapshotSummary<SectionID, ItemID>> {
        let labels = OrderLabels.filling(sections.ids.count)
        return PersistentSequence(count: sections.ids.count) { number in
            let start = starts[number]
            let itemLabels = self.itemLabels(inSection: number)
            let sequence = Entry.Items(count: starts[number + 1] - start) {
                LabelledIdentifier(items.ids[start + $0], label: itemLabels[$0])
            }
            return Entry(
                sections.ids[number],
                number: number,
                label: labels[number],
                items: sequence
            )
        }
    }

    /// The label that a section had.
    @inlinable
    func label(ofSection number: Int) -> Int { OrderLabels.filling(sections.ids.count)[number] }

    @inlinable
    func itemLabels(inSection number: Int) -> OrderLabels {
        OrderLabels.filling(starts[number + 1] - starts[number])
    }

    /// Where an item was.
    @inlinable
    func place(ofItem ordinal: Int) -> ItemPlace {
        // The last section that starts at or before it: those that start there and have no items come first.
        var (low, high) = (0, starts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= ordinal { low = middle } else { high = middle }
        }
        return ItemPlace(section: low, label: itemLabels(inSection: low)[ordinal - starts[low]])
    }
}
