// How a map keeps its elements: a persistent sequence of sections, each an immutable object with a
// persistent sequence of items. Maps share what is equal in them: sections that nothing changed, and
// all but a few nodes of those that something did. Supplementary elements live with their section, so
// they follow it for free.

extension ElementMap {
    typealias Entries = PersistentSequence<SectionEntry, ElementCounts>
    typealias Slots = PersistentSequence<ElementSlot, NoSummary<ElementSlot>>

    final class Storage: Sendable {
        let entries: Entries
        let shape: HierarchyShape

        /// Built when the first element is looked up, and then kept.
        private let lazyReverseIndex = Lock<ReverseIndex?>(nil)

        init(_ entries: Entries, shape: HierarchyShape) {
            self.entries = entries
            self.shape = shape
        }

        var reverseIndex: ReverseIndex {
            if let index = lazyReverseIndex.withLock({ $0 }) { return index }
            // Two threads may both build it; building runs outside the lock, and either will do.
            let index = ReverseIndex(entries)
            lazyReverseIndex.withLock { $0 = index }
            return index
        }
    }

    final class SectionEntry: Sendable {
        let section: CollectionSection
        let slots: Slots
        /// Ascending by kind, then by item.
        let supplementaries: [SupplementarySlot]

        init(
            section: CollectionSection,
            slots: Slots,
            supplementaries: [SupplementarySlot]
        ) {
            self.section = section
            self.slots = slots
            self.supplementaries = supplementaries
        }

        func replacingSlots(_ slots: Slots) -> SectionEntry {
            SectionEntry(section: section, slots: slots, supplementaries: supplementaries)
        }
    }

    /// How many elements some sections have together.
    struct ElementCounts: SequenceSummary {
        var items: Int
        var supplementaries: Int

        static var zero: ElementCounts { ElementCounts(items: 0, supplementaries: 0) }

        init(items: Int, supplementaries: Int) {
            self.items = items
            self.supplementaries = supplementaries
        }

        init(of entry: SectionEntry) {
            self.init(items: entry.slots.count, supplementaries: entry.supplementaries.count)
        }

        func combined(with next: ElementCounts) -> ElementCounts {
            ElementCounts(
                items: items + next.items,
                supplementaries: supplementaries + next.supplementaries
            )
        }
    }

    final class ReverseIndex: Sendable {
        let paths: [ObjectIdentifier: ItemPath]
        let sections: [ObjectIdentifier: Int]

        init(_ entries: Entries) {
            var paths: [ObjectIdentifier: ItemPath] = [:]
            var sections: [ObjectIdentifier: Int] = [:]
            paths.reserveCapacity(entries.summary.items + entries.summary.supplementaries)
            sections.reserveCapacity(entries.count)
            for (section, entry) in entries.enumerated() {
                sections[ObjectIdentifier(entry.section)] = section
                for (item, slot) in entry.slots.enumerated() {
                    paths[ObjectIdentifier(slot.element)] = ItemPath(section: section, item: item)
                }
                for supplementary in entry.supplementaries {
                    paths[ObjectIdentifier(supplementary.slot.element)] =
                        ItemPath(section: section, item: supplementary.item)
                }
            }
            self.paths = paths
            self.sections = sections
        }
    }
}

#if DEBUG
    extension ElementMap {
        /// What is wrong with the trees of this map, or nil; for tests.
        package func brokenInvariant() -> String? {
            if let fault = storage.entries.brokenInvariant() { return "sections: \(fault)" }
            for (section, entry) in storage.entries.enumerated() {
                if let fault = entry.slots.brokenInvariant() { return "\(section): \(fault)" }
            }
            let counts = storage.entries.map { $0.slots.count }
            return counts == shape.itemCounts ? nil : "counts \(counts), not \(shape.itemCounts)"
        }
    }
#endif
