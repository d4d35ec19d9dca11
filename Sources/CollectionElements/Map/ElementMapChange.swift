import PersistentTrees

/// What a change set brings to a map, gathered from the data source before the new map is built.
package struct ElementMapChange {
    /// The sections of the third run that are inserted or reloaded, in its order.
    package var freshSections: [FreshSection] = []

    /// One element for every edit of the fourth run, in its order; nil for a move, whose element is
    /// carried over.
    package var insertedItems: [CollectionElement?] = []

    /// One content for every reconfiguration, in order.
    package var reconfiguredContents: [ElementContent] = []

    /// The whole supplementary elements of the sections whose elements change, by new index,
    /// ascending; each ascending by kind.
    package var supplementaries: [Supplementaries] = []

    package init() {}

    /// What a section has of supplementary elements.
    package struct Supplementaries {
        package let newSection: Int
        /// Each with the elements to append to it.
        package var runs: [(kept: SupplementaryRun, added: [CollectionElement])]

        package init(
            newSection: Int,
            runs: [(kept: SupplementaryRun, added: [CollectionElement])]
        ) {
            self.newSection = newSection
            self.runs = runs
        }
    }

    /// A section with the items that it arrives with, before single items are inserted.
    package struct FreshSection: Sendable {
        let section: CollectionSection
        let slots: ElementMap.Slots

        package var count: Int { slots.count }

        /// What the item at `offset` shows.
        package func content(at offset: Int) -> ElementContent { slots[offset].content }

        /// Complexity: O(n).
        package init(section: CollectionSection, elements: [CollectionElement]) {
            self.section = section
            let labels = OrderLabels.filling(elements.count)
            slots = ElementMap.Slots(count: elements.count) { position in
                ElementSlot(elements[position], in: section, label: labels[position])
            }
        }
    }
}
