// The second stage: what the original does when the set is completed, in its order. The checks
// stand in the neighbouring files; this one keeps what they share.

extension TextureValidator {
    /// A record with the mapping of sections that its own deletes and inserts make, to be judged.
    ///
    /// Until the number of sections is known to come out, sections are sets of runs that may reach
    /// anywhere; from then on they all exist, and may be listed.
    struct Completion {
        let operations: [HierarchyChangeSet.Operation]
        let oldShape: HierarchyShape
        let newShape: HierarchyShape
        let record: Record

        /// Old sections that are deleted or move away; reloads are not among them.
        let deletedSections: SectionSet
        /// New sections that are inserted or moved to; reloads are not among them.
        let insertedSections: SectionSet
        /// Old sections that are reloaded.
        let reloadedSections: SectionSet

        private let deletedRanks: SectionRanks
        private let insertedRanks: SectionRanks

        init(
            _ operations: [HierarchyChangeSet.Operation],
            from oldShape: HierarchyShape,
            to newShape: HierarchyShape
        ) {
            self.operations = operations
            self.oldShape = oldShape
            self.newShape = newShape
            record = Record(operations)
            deletedSections = SectionSet(record.sectionDeletes)
            insertedSections = SectionSet(record.sectionInserts)
            reloadedSections = SectionSet(record.sectionReloads)
            deletedRanks = SectionRanks(deletedSections)
            insertedRanks = SectionRanks(insertedSections)
        }

        func complete() throws(HierarchyUpdateError) -> ValidatedChangeSet {
            try checkSectionReloads()
            try checkItemReloads()
            try checkSectionCount()
            try checkSectionDeletes()
            let edits = SurvivingEdits(of: self)
            try checkItemDeletes(edits)
            try checkItemInserts(edits)
            try checkSectionInserts()
            try checkSurvivingSections(edits)
            // Last, so that whatever the original rejects is rejected with its words.
            try checkInPlaceUpdates()
            return build(edits)
        }

        /// Whether no section leaves its place; the original then maps every integer to itself,
        /// also those that are no sections.
        var keepsSections: Bool { deletedSections.isEmpty && insertedSections.isEmpty }

        /// Where a section that is not deleted is afterwards: survivors keep their order and fill
        /// the indexes that are not inserted, without regard to how many there should be.
        func newSection(for oldSection: Int) -> Int {
            insertedRanks.nonMember(rank: oldSection - deletedRanks.rank(of: oldSection))
        }
    }
}
