/// What a change set brings to a map, gathered from the data source before the new map is built.
package struct ElementMapChange {
    /// The sections of the third run that are inserted or reloaded, in its order.
    package var freshSections: [FreshSection] = []

    /// One element for every edit of the fourth run, in its order; nil for a move, whose element is
    /// carried over.
    package var putInItems: [ElementSlot?] = []

    /// One content for every reconfiguration, in order.
    package var reconfiguredContents: [ElementContent] = []

    /// The whole supplementary elements of the sections whose elements change, by new index,
    /// ascending.
    package var supplementaries: [(newSection: Int, slots: [SupplementarySlot])] = []

    package struct FreshSection {
        package let section: CollectionSection
        /// The items it arrives with, before single items are put in.
        package let slots: [ElementSlot]

        package init(section: CollectionSection, slots: [ElementSlot]) {
            self.section = section
            self.slots = slots
        }
    }

    package init() {}
}
