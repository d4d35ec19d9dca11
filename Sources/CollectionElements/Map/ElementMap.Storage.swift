import PersistentTrees

// A map stores its elements in a persistent sequence of sections; each section is an immutable
// object with a persistent sequence of items. Maps share their equal parts: every section that did
// not change, and all but a few tree nodes of the sections that did. Supplementary elements are
// stored with their section, so they move with it at no cost. Sections and items are found by their
// labels.

extension ElementMap {
    typealias Entries = PersistentSequence<SectionEntry, SectionSummary>
    typealias Slots = PersistentSequence<ElementSlot, LastLabel<ElementSlot>>

    /// The number of elements and sections that may be freed in place; that takes a fraction of a
    /// millisecond.
    package static let inlineLimit = 4096

    final class Storage: Sendable {
        // Constant until `deinit`, when no other reference exists.
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
            // The only reference moves to the reclaimer. Otherwise the thread that releases the
            // last reference would free the entries, and that could still be this thread.
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
        /// The reference that keeps the section's label known, unless it is the first label.
        let placing: LaterSectionPlace?
        let slots: Slots
        /// The labels of the items that were inserted last; the next items are often inserted next
        /// to them.
        let newestLabels: ClosedRange<Int>?
        /// The supplementary elements, ascending by kind.
        let supplementaries: [SupplementaryRun]

        private init(
            _ section: CollectionSection,
            _ label: Int,
            _ placing: LaterSectionPlace?,
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

        /// Creates the entry of a section that is put into a map.
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

    /// The number of elements of some sections together.
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

/// The entry for one item in a map: the element and the content that it shows in this map, stored
/// in a single reference, and the label by which it is found.
struct ElementSlot: OrderLabelled {
    let label: Int
    private let body: Body

    private enum Body {
        /// The first content of an element, in the element's first place.
        case first(CollectionElement)
        /// A later content revision in the first place.
        case revised(RevisedContentBox)
        /// Any content in a later place.
        case placed(LaterElementPlace)
    }

    /// Creates a slot for an element that is put into a map with its first content.
    init(_ element: CollectionElement, in section: CollectionSection, label: Int) {
        self.label = label
        if element.place(in: section, label: label) {
            body = .first(element)
        } else {
            body = .placed(Self.placing(element.firstContent, in: section, label: label))
        }
    }

    private init(label: Int, _ body: Body) {
        self.label = label
        self.body = body
    }

    private static func placing(
        _ content: ElementContent,
        in section: CollectionSection,
        label: Int
    ) -> LaterElementPlace {
        let placing = LaterElementPlace(content, section, label: label)
        content.element.note(placing)
        return placing
    }

    var element: CollectionElement {
        switch body {
        case .first(let element): element
        case .revised(let revising): revising.content.element
        case .placed(let placing): placing.content.element
        }
    }

    var content: ElementContent {
        switch body {
        case .first(let element): ElementContent(element, nil)
        case .revised(let revising): revising.content
        case .placed(let placing): placing.content
        }
    }

    /// Returns a slot in the same place with another content revision of the same element.
    func showing(_ content: ElementContent) -> ElementSlot {
        switch body {
        case .first, .revised:
            return ElementSlot(label: label, .revised(RevisedContentBox(content)))
        case .placed(let placing):
            let placing = Self.placing(content, in: placing.section, label: label)
            return ElementSlot(label: label, .placed(placing))
        }
    }

    /// Returns a slot with the same content in another place: under another label, in the same
    /// section or another.
    func placed(in section: CollectionSection, label: Int) -> ElementSlot {
        ElementSlot(label: label, .placed(Self.placing(content, in: section, label: label)))
    }
}

/// A box for a content revision other than the first, so that a slot stores only one reference.
final class RevisedContentBox: Sendable {
    let content: ElementContent

    init(_ content: ElementContent) { self.content = content }
}
