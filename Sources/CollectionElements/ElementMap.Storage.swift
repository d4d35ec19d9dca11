// How a map keeps its elements: an array of sections, each an immutable object that maps share while
// nothing in it changes. Supplementary elements live with their section, so they follow it for free.

extension ElementMap {
    final class Storage: Sendable {
        let entries: [SectionEntry]
        let shape: HierarchyShape

        /// Built when the first element is looked up, and then kept.
        private let lazyReverseIndex = Lock<ReverseIndex?>(nil)

        init(_ entries: [SectionEntry], shape: HierarchyShape) {
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
        let slots: [ElementSlot]
        /// Ascending by kind, then by item.
        let supplementaries: [SupplementarySlot]

        init(
            section: CollectionSection,
            slots: [ElementSlot],
            supplementaries: [SupplementarySlot]
        ) {
            self.section = section
            self.slots = slots
            self.supplementaries = supplementaries
        }
    }

    final class ReverseIndex: Sendable {
        let paths: [ObjectIdentifier: ItemPath]
        let sections: [ObjectIdentifier: Int]

        init(_ entries: [SectionEntry]) {
            var paths: [ObjectIdentifier: ItemPath] = [:]
            var sections: [ObjectIdentifier: Int] = [:]
            paths.reserveCapacity(entries.reduce(0) { $0 + $1.slots.count })
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
