import CollectionChanges
import Testing

/// What a record made of an update looks like: as few operations as there may be, ascending.
@Suite struct RecordedOrderTests {
    @Test func operationsOfOneKindAscend() throws {
        let record = HierarchyChangeSet([
            .deleteItems([path(0, 0)], .fade), .deleteItems([path(0, 1)], .top),
            .deleteItems([path(0, 2), path(0, 3)], .bottom),
            .deleteSections([1], .fade), .deleteSections([2], .top), .deleteSections([4], .bottom),
            .moveSection(5, toSection: 2, .fade), .moveSection(6, toSection: 1, .top),
        ])
        let update = try record.validated(from: [4, 1, 1, 2, 1, 3, 4], to: [0, 4, 3, 2])
        #expect(HierarchyChangeSet(recording: update) == record)
    }

    @Test func headersOfOneKindAreOneOperationWhateverElseIsAskedFor() throws {
        let operations: [HierarchyChangeSet.Operation] = [
            .reloadSupplementaries(.header, in: [0, 1, 3], .fade),
            .reloadSupplementaries(.footer, in: [0, 1, 2], .fade),
        ]
        let shape: HierarchyShape = [1, 1, 1, 1]
        let update = try HierarchyChangeSet(operations).validated(from: shape, to: shape)
        let found = HierarchyChangeSet(recording: update).operations
        #expect(found.count == 2)
        #expect(operations.allSatisfy { found.contains($0) })
    }

    /// Down to what is not shown, as how many fresh items come with a section.
    @Test func anInverseIsWhatValidationGivesForItsRecord() throws {
        for update in SmallUpdates.ofOneEdit.all where !update.isReloadData {
            let inverse = update.inverted
            if inverse.edits.isEmpty { continue }
            let again = try HierarchyChangeSet(recording: inverse).validated(
                from: inverse.oldShape,
                to: inverse.newShape
            )
            if Array(again.edits) != Array(inverse.edits) {
                Issue.record("\(inverse.picture)")
                return
            }
        }
    }
}
