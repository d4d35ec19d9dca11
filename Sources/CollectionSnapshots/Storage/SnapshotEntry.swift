import PersistentTrees

/// An identifier in a sequence, with the label that it is found by.
@usableFromInline
struct LabelledIdentifier<ID: Hashable & Sendable>: OrderLabelled {
    @usableFromInline let label: Int
    @usableFromInline let id: ID

    @inlinable
    init(_ id: ID, label: Int) {
        self.id = id
        self.label = label
    }
}

/// A section of a snapshot, never changed: edits put another in its place.
@usableFromInline
final class SnapshotEntry<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
    OrderLabelled
{
    @usableFromInline typealias Item = LabelledIdentifier<ItemID>
    @usableFromInline typealias Items = PersistentSequence<Item, LastLabel<Item>>

    @usableFromInline let id: SectionID
    /// What the items' index knows the section by: it stays when the section moves.
    @usableFromInline let number: Int
    @usableFromInline let label: Int
    @usableFromInline let items: Items
    /// The labels of the items that were inserted last, where the next may well go.
    @usableFromInline let newestLabels: ClosedRange<Int>?

    @inlinable
    init(
        _ id: SectionID,
        number: Int,
        label: Int,
        items: Items = Items(),
        newestLabels: ClosedRange<Int>? = nil
    ) {
        self.id = id
        self.number = number
        self.label = label
        self.items = items
        self.newestLabels = newestLabels
    }

    @inlinable
    func relabelled(_ label: Int) -> SnapshotEntry {
        SnapshotEntry(id, number: number, label: label, items: items, newestLabels: newestLabels)
    }

    @inlinable
    func replacingItems(_ items: Items, newestLabels: ClosedRange<Int>?) -> SnapshotEntry {
        SnapshotEntry(id, number: number, label: label, items: items, newestLabels: newestLabels)
    }
}

/// How many items some sections have together, and the last section's label.
@usableFromInline
struct SnapshotSummary<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
    OrderLabelSummary
{
    @usableFromInline typealias Element = SnapshotEntry<SectionID, ItemID>

    @usableFromInline let items: Int
    @usableFromInline let lastLabel: Int

    @inlinable
    init(items: Int, lastLabel: Int) {
        self.items = items
        self.lastLabel = lastLabel
    }

    @inlinable
    init(of entry: Element) {
        items = entry.items.count
        lastLabel = entry.label
    }

    @inlinable
    static var zero: Self { Self(items: 0, lastLabel: -1) }

    @inlinable
    func combined(with next: Self) -> Self {
        Self(items: items + next.items, lastLabel: next.lastLabel < 0 ? lastLabel : next.lastLabel)
    }
}
