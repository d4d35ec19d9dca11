// Validation by the rules of Texture. It is a separate type, because it shares only its input and
// output with UIKit's rules: moves are split first, faults are found in another order, and many
// edits are ignored without a check. Texture validates in two stages, and so does this code: this
// file contains the checks on submission, and `Completion` contains the checks when the set is
// completed.

/// The validation of one change set by Texture's rules.
///
/// Source: Texture's hierarchy change set with assertions enabled, so that failed assertions are
/// faults too.
enum TextureValidator {
    static func validate(
        _ operations: [HierarchyChangeSet.Operation],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        if let animation = try checkSubmission(of: operations) {
            return .reloadingData(from: oldShape, to: newShape, animation: animation)
        }
        return try Completion(operations, from: oldShape, to: newShape).complete()
    }

    /// Throws the first fault that Texture reports on submission, in the order of operations.
    /// Otherwise returns the animation of a reload of everything, if there is one.
    ///
    /// Operations that Texture does not have may be empty, as in the other profiles.
    private static func checkSubmission(
        of operations: [HierarchyChangeSet.Operation]
    ) throws(HierarchyUpdateError) -> AnimationOption? {
        var reloadData: AnimationOption?
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .deleteItems(let paths, _), .insertItems(let paths, _), .reloadItems(let paths, _):
                if paths.isEmpty {
                    throw noItems(.emptyItemOp, index, "Leave out operations without items")
                }
            case .deleteSections(let sections, _), .insertSections(let sections, _),
                .reloadSections(let sections, _):
                if sections.isEmpty {
                    throw HierarchyUpdateError(
                        .emptySectionOp,
                        "Request to create _ASHierarchySectionChange with no sections!",
                        operationIndex: index,
                        hint: "Leave out operations without sections"
                    )
                }
            case .reloadData(let animation):
                if reloadData != nil {
                    // Texture prints the whole change set after these words. A message of that
                    // length is of no use, so a placeholder replaces it.
                    throw HierarchyUpdateError(
                        .reloadDataTwice,
                        "Attempt to reload data multiple times <description>",
                        operationIndex: index,
                        hint: "Record reloadData once; it covers everything"
                    )
                }
                reloadData = animation
            case .moveItem, .moveSection, .reconfigureItems, .reconfigureSections,
                .reloadSupplementaries:
                break
            }
        }
        return reloadData
    }

    /// Returns the error for either of the two faults that have this text in Texture: an operation
    /// without items, and a reload whose items all have no place, which becomes an insert without
    /// items.
    static func noItems(
        _ code: HierarchyUpdateError.Code,
        _ operationIndex: Int,
        path: ItemPath? = nil,
        _ hint: String
    ) -> HierarchyUpdateError {
        HierarchyUpdateError(
            code,
            "Request to create _ASHierarchyItemChange with no items!",
            operationIndex: operationIndex,
            path: path,
            hint: hint
        )
    }
}

// The operations split into deletes, inserts and reloads, as Texture stores them.

extension TextureValidator {
    /// The operations of a change set by kind; a move is a delete and an insert.
    ///
    /// Items are listed once each, ascending by path, with the last operation that contains the
    /// item: Texture sorts a repeated path in twice and counts it once, and here it is applied once
    /// too. Sections stay runs, in the order of recording. The cost of a set therefore depends on
    /// its runs and not on its members, even if the sections do not exist.
    struct Record {
        private(set) var itemDeletes: [RecordedEdits.ItemRecord] = []
        private(set) var itemInserts: [RecordedEdits.ItemRecord] = []
        private(set) var itemReloads: [RecordedEdits.ItemRecord] = []
        private(set) var sectionDeletes: [SectionClaim] = []
        private(set) var sectionInserts: [SectionClaim] = []
        private(set) var sectionReloads: [SectionClaim] = []

        init(_ operations: [HierarchyChangeSet.Operation]) {
            for (index, operation) in operations.enumerated() { collect(operation, index) }
            itemDeletes.keepLastOfEachPath()
            itemInserts.keepLastOfEachPath()
            itemReloads.keepLastOfEachPath()
        }

        private mutating func collect(_ operation: HierarchyChangeSet.Operation, _ index: Int) {
            switch operation {
            case .deleteItems(let oldPaths, let animation):
                itemDeletes.append(oldPaths, index, animation)
            case .insertItems(let newPaths, let animation):
                itemInserts.append(newPaths, index, animation)
            case .reloadItems(let oldPaths, let animation):
                itemReloads.append(oldPaths, index, animation)
            case .moveItem(let oldPath, let newPath, let animation):
                itemDeletes.append([oldPath], index, animation)
                itemInserts.append([newPath], index, animation)
            case .deleteSections(let oldSections, let animation):
                sectionDeletes.append(oldSections, index, animation)
            case .insertSections(let newSections, let animation):
                sectionInserts.append(newSections, index, animation)
            case .reloadSections(let oldSections, let animation):
                sectionReloads.append(oldSections, index, animation)
            case .moveSection(let oldSection, let newSection, let animation):
                sectionDeletes.append(SectionSet(oldSection), index, animation)
                sectionInserts.append(SectionSet(newSection), index, animation)
            // Texture has no in-place updates, and records with `reloadData` are handled earlier.
            case .reconfigureItems, .reconfigureSections, .reloadSupplementaries, .reloadData: break
            }
        }
    }
}

extension [RecordedEdits.ItemRecord] {
    fileprivate mutating func append(
        _ paths: [ItemPath],
        _ operation: Int,
        _ animation: AnimationOption
    ) {
        append(
            contentsOf: paths.lazy.map { path in
                RecordedEdits.ItemRecord(
                    path: path,
                    operation: Int32(truncatingIfNeeded: operation),
                    animation: animation
                )
            }
        )
    }
}

extension TextureValidator {
    /// The item edits in sections that are neither deleted, inserted nor reloaded: those that are
    /// checked and applied. Texture ignores all others without a check.
    ///
    /// Create the value only after the number of sections is known to add up and every deleted
    /// section is known to exist, so that no more sections are inserted than exist.
    struct SurvivingEdits {
        /// The old sections that are deleted or reloaded.
        let removedSections: SectionSet
        /// The new sections that are inserted or hold a reloaded section.
        let insertedSections: SectionSet
        /// The deletes, ascending by old path.
        let itemDeletes: [RecordedEdits.ItemRecord]
        /// The inserts, ascending by new path.
        let itemInserts: [RecordedEdits.ItemRecord]
        /// The reloads, ascending by old path.
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

        /// The old paths of deleted items, ascending; reloads are not included.
        var removedItems: [ItemPath] { survival.removed }

        /// The new paths of inserted items, ascending; reloads are not included.
        var insertedItems: [ItemPath] { survival.inserted }

        /// Returns whether the item at `oldPath` is deleted from its surviving section.
        func deletes(_ oldPath: ItemPath) -> Bool {
            survival.removed.sortedPosition(of: oldPath) { $0 } != nil
        }

        /// Returns the new path of an existing item that is not deleted. Its section survives, at
        /// `newSection`.
        func newPath(for oldPath: ItemPath, in newSection: Int) -> ItemPath {
            ItemPath(section: newSection, item: survival.newItem(for: oldPath, in: newSection))
        }
    }

    /// The sections that are neither deleted, inserted nor reloaded, by old and new index,
    /// ascending.
    ///
    /// Such sections keep their order, so the remaining sections on either side match one by one.
    struct SurvivingSections: Sequence, IteratorProtocol {
        private var old: UneditedSections
        private var new: UneditedSections

        init(_ edits: SurvivingEdits, from oldShape: HierarchyShape, to newShape: HierarchyShape) {
            old = UneditedSections(
                runs: edits.removedSections.runs[...],
                count: oldShape.numberOfSections
            )
            new = UneditedSections(
                runs: edits.insertedSections.runs[...],
                count: newShape.numberOfSections
            )
        }

        mutating func next() -> (oldSection: Int, newSection: Int)? {
            guard let oldSection = old.next(), let newSection = new.next() else { return nil }
            return (oldSection, newSection)
        }

        /// The indexes below `count` that are in none of `runs`.
        private struct UneditedSections {
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
