import PipelineTestSupport
import Testing

@testable import CollectionChanges
@testable import SimulatedView

/// The view rejects edits out of order or out of range, wrong sums, a wrong base and wrong
/// elements, each with an error of its own.
@Suite("The view's own check of updates", .endsHangs)
struct UpdateCheckTests {
    private func removal(_ section: Int, _ item: Int) -> HierarchyEdit {
        .removeItem(ItemEdit(path: ItemPath(section, item), role: .delete))
    }

    private func insertion(_ section: Int, _ item: Int) -> HierarchyEdit {
        .insertItem(ItemEdit(path: ItemPath(section, item), role: .insert))
    }

    private func removal(of section: Int, movedTo target: Int? = nil) -> HierarchyEdit {
        let role: EditRole = target == nil ? .delete : .move
        return .removeSection(SectionEdit(section: section, role: role, associatedWith: target))
    }

    private func insertion(of section: Int, _ count: Int = 3) -> HierarchyEdit {
        .insertSection(SectionEdit(section: section, role: .insert, newItemCount: count))
    }

    /// From two sections with two items and one item. If no edit is wrong, the counts are, except
    /// for one shape.
    @Test func theFirstInvalidEditIsRejected() {
        let accepted: [([HierarchyEdit], HierarchyShape)] = [
            ([], [2, 1]), ([removal(1, 0), removal(0, 1), removal(0, 0)], [0, 0]),
            ([removal(of: 1), removal(of: 0)], []),
            ([insertion(of: 0), insertion(of: 3)], [3, 2, 1, 3]),
            ([insertion(0, 0), insertion(0, 3), insertion(1, 1)], [4, 2]),
            ([removal(0, 1), removal(of: 1), insertion(of: 0), insertion(0, 3)], [4, 1]),
            ([removal(of: 0, movedTo: 1), insertion(of: 1)], [1, 2]),
            // A section that is deleted or moved elsewhere takes its items with it.
            ([removal(of: 0), insertion(of: 1)], [1, 3]),
            ([removal(of: 0, movedTo: 0), insertion(of: 1)], [1, 3]),
        ]
        for (edits, shape) in accepted {
            #expect(refusal(edits, shape) == nil, "\(edits)")
            let other = HierarchyShape(shape.itemCounts + [1])
            #expect(refusal(edits, other) == "wrongCounts", "\(edits)")
        }
        // Each pair is rejected for its second edit.
        let all = [removal(0, 0), removal(of: 0), insertion(of: 0), insertion(0, 0)]
        for (later, second) in all.enumerated() {
            for first in all.dropFirst(later) {
                #expect(refusal([first, second]) == "wrongOrder 1", "\(first) \(second)")
            }
        }
        let disordered: [(HierarchyEdit, HierarchyEdit)] = [
            (removal(0, 0), removal(0, 1)), (removal(0, 0), removal(1, 0)),
            (removal(of: 0), removal(of: 1)), (insertion(of: 1), insertion(of: 0)),
            (insertion(0, 1), insertion(0, 0)), (insertion(1, 0), insertion(0, 0)),
        ]
        for (first, second) in disordered {
            #expect(refusal([first, second]) == "wrongOrder 1", "\(first) \(second)")
        }
        let missing = [
            removal(-1, 0), removal(2, 0), removal(0, -1), removal(0, 2), removal(1, 1),
            removal(.min, 0), removal(of: -1), removal(of: 2), insertion(of: -1), insertion(of: 3),
            insertion(-1, 0), insertion(2, 0), insertion(0, -1), insertion(0, 3),
            insertion(.max, .max),
        ]
        for edit in missing { #expect(refusal([edit]) == "wrongIndex 0", "\(edit)") }
        #expect(refusal([removal(of: 0), insertion(1, 0)]) == "wrongIndex 1")
    }

    private func refusal(_ edits: [HierarchyEdit], _ new: HierarchyShape = [2, 1]) -> String? {
        do throws(ViewRefusal) {
            try UpdateCheck.check(edits, from: [2, 1], to: new)
            return nil
        } catch {
            let index = error.message.split(separator: " ").lazy.compactMap { Int($0) }.first
            let isOfEdit = error.message.hasPrefix("Edit ")
            return error.code.rawValue + (isOfEdit ? " \(index.map { "\($0)" } ?? "-")" : "")
        }
    }

    // MARK: Updates with inconsistent parts

    private func changes(
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        insert path: ItemPath
    ) -> ValidatedChangeSet {
        let edits = ValidatedChangeSet.Edits(
            itemRemovals: [],
            sectionRemovals: [],
            sectionInsertions: [],
            itemInsertions: [ItemEdit(path: path, role: .insert)]
        )
        return ValidatedChangeSet(
            ValidatedChangeSet.Storage(
                oldShape: old,
                newShape: new,
                isEmpty: false,
                isReloadData: false,
                edits: edits,
                reconfigurations: [],
                supplementaryReloads: [],
                sections: IndexMapping(
                    oldCount: 2,
                    newCount: 2,
                    removed: [],
                    inserted: [],
                    moves: []
                )
            )
        )
    }

    @Test func anUpdateThatDoesNotMatchTheViewIsRejected() async throws {
        let stage = Substrate.dispatch.makeStage()
        let view = RecordingView()
        let controller = stage.makeController(TextDataSource([["a", "b"], ["c"]]), view: view)
        try await controller.reloadData()
        let first = controller.visibleMap
        try await controller.performBatchUpdates { source, changes in
            source.sections[1].items.append("d")
            changes.insertItems(at: [ItemPath(1, 1)])
        }
        let second = controller.visibleMap
        try await controller.performBatchUpdates { _, changes in
            changes.reconfigureItems(at: [ItemPath(1, 1)])
        }
        let third = controller.visibleMap
        try await controller.reloadData()
        let reloaded = controller.visibleMap
        let other = stage.makeController(TextDataSource([["a"]]), view: RecordingView())
        try await other.reloadData()
        let otherMap = other.visibleMap
        #expect(otherMap.generation == first.generation && second.shape == third.shape)

        let good = changes([2, 1], [2, 2], insert: ItemPath(1, 1))
        let later = changes([2, 2], [2, 3], insert: ItemPath(1, 1))
        var record = HierarchyChangeSet()
        record.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
        let move = try record.validated(from: [2, 2], to: [2, 2])
        let rows:
            [(
                changes: ValidatedChangeSet, old: ElementMap, new: ElementMap, shown: ElementMap,
                code: ViewRefusal.Code?
            )] = [
                (good, first, second, first, nil), (good, first, second, otherMap, .wrongBase),
                (later, second, first, third, .wrongBase),
                (later, first, second, first, .wrongBase),
                (
                    changes([2, 1], [3, 1], insert: ItemPath(0, 1)), first, second, first,
                    .wrongCounts
                ),
                (
                    changes([2, 1], [2, 2], insert: ItemPath(0, 1)), first, second, first,
                    .wrongCounts
                ),
                (
                    changes([2, 1], [2, 2], insert: ItemPath(1, 2)), first, second, first,
                    .wrongIndex
                ),
                // The map still has the item at its old path, or has a different item.
                (move, third, second, third, .lostIdentity),
                (move, third, reloaded, third, .lostIdentity),
            ]
        for (index, row) in rows.enumerated() {
            var refusal: ViewRefusal?
            do throws(ViewRefusal) {
                try UpdateCheck.check(
                    row.changes,
                    of: SubmissionID(rawValue: 7),
                    from: row.old,
                    to: row.new,
                    shown: row.shown
                )
            } catch { refusal = error }
            #expect(refusal?.code == row.code, "row \(index): \(refusal as Any)")
        }
        await controller.close()
        await other.close()
    }
}
