import PersistentTrees

// How a map keeps its elements: a persistent sequence of sections, each an immutable object with a
// persistent sequence of items. Maps share what is equal in them: sections that nothing changed, and
// all but a few nodes of those that something did. Supplementary elements live with their section, so
// they follow it for free. Sections and items are found again by label.

extension ElementMap {
    typealias Entries = PersistentSequence<SectionEntry, SectionSummary>
    typealias Slots = PersistentSequence<ElementSlot, LastLabel<ElementSlot>>

    /// How many elements or sections may be freed on the spot: a fraction of a millisecond's worth.
    package static let inlineLimit = 4096

    final class Storage: Sendable {
        // Constant, but for the end, when nobody else has it any more.
        private(set) nonisolated(unsafe) var entries: Entries
        let shape: HierarchyShape
        let reclaimer: (any MapReclaimer)?

        init(_ entries: Entries, shape: HierarchyShape, reclaimer: (any MapReclaimer)?) {
            self.entries = entries
            self.shape = shape
            self.reclaimer = reclaimer
        }

        deinit {
            let size = entries.count + entries.summary.items + entries.summary.supplementaries
            guard let reclaimer, size > ElementMap.inlineLimit else { return }
            // The one reference moves over; otherwise whoever let go last would free it, which may
            // be this thread after all.
            let leaving = Unmanaged.passRetained(Leaving(entries))
            entries = Entries()
            reclaimer.reclaim { leaving.release() }
        }

        private final class Leaving: Sendable {
            let entries: Entries
            init(_ entries: Entries) { self.entries = entries }
        }
    }

    final class SectionEntry: OrderLabelled {
        let section: CollectionSection
        let label: Int
        /// Keeps the section's label known, where it is not its first.
        let placing: SectionPlacing?
        let slots: Slots
        /// The labels of the items that were inserted last, where the next may well go.
        let newestLabels: ClosedRange<Int>?
        /// Ascending by kind.
        let supplementaries: [SupplementaryRun]

        private init(
            _ section: CollectionSection,
            _ label: Int,
            _ placing: SectionPlacing?,
            _ slots: Slots,
            _ newestLabels: ClosedRange<Int>?,
            _ supplementaries: [SupplementaryRun]
        ) {
            self.section = section
            self.label = label
            self.placing = placing
            self.slots = slots
            self.newestLabels = newestLabels
            self.supplementaries = supplementaries
        }

        /// A section that is put into a map.
        convenience init(
            _ section: CollectionSection,
            _ slots: Slots,
            _ supplementaries: [SupplementaryRun],
            label: Int
        ) {
            self.init(section, label, section.place(label: label), slots, nil, supplementaries)
        }

        func relabelled(_ label: Int) -> SectionEntry {
            SectionEntry(section, slots, supplementaries, label: label)
        }

        func replacingSlots(_ slots: Slots, newestLabels: ClosedRange<Int>?) -> SectionEntry {
            SectionEntry(section, label, placing, slots, newestLabels, supplementaries)
        }

        func replacingSupplementaries(_ supplementaries: [SupplementaryRun]) -> SectionEntry {
            SectionEntry(section, label, placing, slots, newestLabels, supplementaries)
        }

        func supplementaries(ofKind kind: SupplementaryKind) -> SupplementaryRun.Contents? {
            supplementaries.first { $0.kind == kind }?.contents
        }
    }

    /// How many elements some sections have together.
    struct SectionSummary: OrderLabelSummary {
        var items: Int
        var supplementaries: Int
        var lastLabel: Int

        static var zero: SectionSummary {
            SectionSummary(items: 0, supplementaries: 0, lastLabel: -1)
        }

        init(items: Int, supplementaries: Int, lastLabel: Int) {
            self.items = items
            self.supplementaries = supplementaries
            self.lastLabel = lastLabel
        }

        init(of entry: SectionEntry) {
            items = entry.slots.count
            supplementaries = 0
            for run in entry.supplementaries { supplementaries += run.contents.count }
            lastLabel = entry.label
        }

        func combined(with next: SectionSummary) -> SectionSummary {
            SectionSummary(
                items: items + next.items,
                supplementaries: supplementaries + next.supplementaries,
                lastLabel: next.lastLabel < 0 ? lastLabel : next.lastLabel
            )
        }
    }
}
