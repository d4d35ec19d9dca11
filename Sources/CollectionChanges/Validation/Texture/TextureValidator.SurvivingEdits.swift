extension TextureValidator {
    /// The item edits of sections that are neither deleted, inserted nor reloaded: those that are
    /// checked and applied. All others the original absorbs without a look at them.
    ///
    /// To be made once the number of sections came out and every deleted section exists, because
    /// then no more sections are inserted than there are.
    struct SurvivingEdits {
        /// Old sections that are deleted or reloaded.
        let removedSections: SectionSet
        /// New sections that are inserted or hold a reloaded section.
        let insertedSections: SectionSet
        /// Ascending by old path.
        let itemDeletes: [RecordedEdits.ItemRecord]
        /// Ascending by new path.
        let itemInserts: [RecordedEdits.ItemRecord]
        /// Ascending by old path.
        let itemReloads: [RecordedEdits.ItemRecord]

        private let survival: ItemSurvival

        init(of completion: Completion) {
            let record = completion.record
            let reloaded = completion.reloadedSections
            let removed = SectionSet(uniting: completion.deletedSections.runs + reloaded.runs)
            let reloadPlaces = reloaded.map(completion.newSection(for:)).map { $0...$0 }
            let inserted = SectionSet(uniting: completion.insertedSections.runs + reloadPlaces)
            removedSections = removed
            insertedSections = inserted
            itemDeletes = record.itemDeletes.filter { !removed.contains($0.path.section) }
            itemReloads = record.itemReloads.filter { !removed.contains($0.path.section) }
            itemInserts = record.itemInserts.filter { !inserted.contains($0.path.section) }
            survival = ItemSurvival(
                removed: itemDeletes.map(\.path),
                inserted: itemInserts.map(\.path)
            )
        }

        /// Old paths that leave for good, ascending; reloads are not among them.
        var removedItems: [ItemPath] { survival.removed }

        /// New paths that are filled, ascending; reloads are not among them.
        var insertedItems: [ItemPath] { survival.inserted }

        /// Whether the item at `oldPath` is deleted from its surviving section.
        func deletes(_ oldPath: ItemPath) -> Bool {
            survival.removed.sortedPosition(of: oldPath) { $0 } != nil
        }

        /// Where an item that exists and is not deleted is afterwards, when its section, which
        /// survives, is then at `newSection`.
        func newPath(for oldPath: ItemPath, in newSection: Int) -> ItemPath {
            ItemPath(section: newSection, item: survival.newItem(for: oldPath, in: newSection))
        }
    }

    /// The sections that are neither deleted, inserted nor reloaded, by old and new index,
    /// ascending.
    ///
    /// Such sections keep their order, so that those left over on either side match one by one.
    struct SurvivingSections: Sequence, IteratorProtocol {
        private var old: Others
        private var new: Others

        init(_ edits: SurvivingEdits, from oldShape: HierarchyShape, to newShape: HierarchyShape) {
            old = Others(runs: edits.removedSections.runs[...], count: oldShape.numberOfSections)
            new = Others(runs: edits.insertedSections.runs[...], count: newShape.numberOfSections)
        }

        mutating func next() -> (oldSection: Int, newSection: Int)? {
            guard let oldSection = old.next(), let newSection = new.next() else { return nil }
            return (oldSection, newSection)
        }

        /// The indexes below `count` that are in none of `runs`.
        private struct Others {
            var runs: ArraySlice<ClosedRange<Int>>
            let count: Int
            var section = 0

            mutating func next() -> Int? {
                while let run = runs.first, run.lowerBound <= section {
                    section = run.upperBound + 1
                    runs = runs.dropFirst()
                }
                guard section < count else { return nil }
                defer { section += 1 }
                return section
            }
        }
    }
}
