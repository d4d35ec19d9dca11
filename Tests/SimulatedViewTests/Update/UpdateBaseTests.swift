import PipelineTestSupport
import Testing

@testable import CollectionChanges
@testable import SimulatedView

/// Updates whose parts do not belong together, as no pipeline sends them.
@Suite("Updates that do not follow on what is shown", .endsHangs)
struct UpdateBaseTests {
    private typealias Change = (old: HierarchyShape, new: HierarchyShape, insert: ItemPath)

    /// The insert of an item, as if it had been validated.
    private func changes(_ change: Change) -> ValidatedChangeSet {
        let edits = ValidatedChangeSet.Edits(
            itemRemovals: [],
            sectionRemovals: [],
            sectionInsertions: [],
            itemInsertions: [ItemEdit(path: change.insert, role: .insert)]
        )
        return ValidatedChangeSet(
            ValidatedChangeSet.Storage(
                oldShape: change.old,
                newShape: change.new,
                isEmpty: false,
                isReloadData: false,
                edits: edits,
                reconfigurations: [],
                supplementaryReloads: [],
                sections: IndexMapping(oldCount: 2, deleted: [], inserted: [])
            )
        )
    }

    private func refusal(
        _ changes: ValidatedChangeSet,
        _ oldMap: ElementMap,
        _ newMap: ElementMap,
        shown: ElementMap
    ) -> [String]? {
        do throws(ViewRefusal) {
            try UpdateCheck.check(
                changes,
                of: SubmissionID(rawValue: 7),
                from: oldMap,
                to: newMap,
                shown: shown
            )
            return nil
        } catch { return [error.code.rawValue, error.message] }
    }

    @Test func whatDoesNotFitIsSaidWithTheNumbersOfBothSides() async throws {
        let list = try await List(.dispatch, [["a", "b"], ["c"]])
        let first = list.controller.visibleMap
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[1].items.append("d")
            changes.insertItems(at: [ItemPath(1, 1)])
        }
        let second = list.controller.visibleMap
        try await list.controller.performBatchUpdates { _, changes in
            changes.reconfigureItems(at: [ItemPath(1, 1)])
        }
        let third = list.controller.visibleMap
        let other = try await List(.dispatch, [["a"]])
        let stranger = other.controller.visibleMap
        #expect(stranger.generation == first.generation && second.shape == third.shape)

        let good = changes(([2, 1], [2, 2], ItemPath(1, 1)))
        #expect(refusal(good, first, second, shown: first) == nil)
        let ends = "{ 2 sections with item counts: [2, 1] }"
        let longer = "{ 2 sections with item counts: [2, 2] }"
        #expect(
            refusal(good, first, second, shown: stranger) == [
                "wrongBase",
                "The update #7 starts from generation \(first.generation), \(ends), but the view shows"
                    + " generation \(first.generation), { 1 section with item counts: [1] }",
            ]
        )
        #expect(
            refusal(changes(([2, 2], [2, 3], ItemPath(1, 1))), second, first, shown: third) == [
                "wrongBase",
                "The update #7 starts from generation \(second.generation), \(longer), but the view"
                    + " shows generation \(third.generation), \(longer)",
            ]
        )
        #expect(
            refusal(changes(([2, 2], [2, 3], ItemPath(1, 1))), first, second, shown: first) == [
                "wrongBase",
                "The edits of update #7 start from \(longer), but the view shows \(ends)",
            ]
        )
        #expect(
            refusal(changes(([2, 1], [3, 1], ItemPath(0, 1))), first, second, shown: first) == [
                "wrongCounts",
                "The update #7 leads to { 2 sections with item counts: [3, 1] }, but its map has"
                    + " \(longer)",
            ]
        )
        // The edits themselves, too.
        #expect(
            refusal(changes(([2, 1], [2, 2], ItemPath(0, 1))), first, second, shown: first)?.first
                == "wrongCounts"
        )
        #expect(
            refusal(changes(([2, 1], [2, 2], ItemPath(1, 2))), first, second, shown: first)?.first
                == "wrongIndex"
        )
        // The item moves, and the map has it where it was.
        var record = HierarchyChangeSet()
        record.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
        let move = try record.validated(from: [2, 2], to: [2, 2])
        #expect(refusal(move, third, second, shown: third)?.first == "lostIdentity")
        await list.controller.close()
        await other.controller.close()
    }
}
