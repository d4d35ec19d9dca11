import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("The view's own check of updates")
struct UpdateCheckTests {
    private func refusal(
        _ edits: [HierarchyEdit],
        from old: HierarchyShape,
        to new: HierarchyShape
    ) -> ViewRefusal? {
        do throws(ViewRefusal) {
            try UpdateCheck.check(edits, from: old, to: new)
            return nil
        } catch {
            return error
        }
    }

    private func removal(_ section: Int, _ item: Int) -> HierarchyEdit {
        .removeItem(ItemEdit(path: ItemPath(section, item), role: .delete))
    }

    private func inserted(_ section: Int, _ item: Int) -> HierarchyEdit {
        .insertItem(ItemEdit(path: ItemPath(section, item), role: .insert))
    }

    private func removeSection(_ section: Int) -> HierarchyEdit {
        .removeSection(SectionEdit(section: section, role: .delete))
    }

    private func insertSection(_ section: Int, _ count: Int) -> HierarchyEdit {
        .insertSection(SectionEdit(section: section, role: .insert, freshItemCount: count))
    }

    @Test
    func editsInTheFixedOrderPass() {
        let edits = [
            removal(1, 2), removal(1, 0), removal(0, 0), removeSection(2), removeSection(0),
            insertSection(0, 1), insertSection(2, 0), inserted(0, 0), inserted(1, 1),
            inserted(2, 0),
        ]
        #expect(refusal(edits, from: [2, 3, 1], to: [2, 2, 1]) == nil)
        #expect(refusal([], from: [1], to: [1]) == nil)
        #expect(refusal([], from: [], to: []) == nil)
    }

    @Test
    func everyOtherOrderOfRunsIsRejected() {
        let run = [removal(1, 0), removeSection(0), insertSection(0, 1), inserted(1, 0)]
        for first in run.indices {
            for second in run.indices where second < first {
                let code = refusal([run[first], run[second]], from: [1, 2], to: [1, 2])?.code
                #expect(code == .wrongOrder, "\(first) before \(second)")
            }
        }
    }

    @Test
    func aRunThatIsNotSortedOrNamesAPlaceTwiceIsRejected() {
        let runs = [
            [removal(0, 0), removal(0, 1)], [removal(0, 0), removal(1, 0)],
            [removal(0, 0), removal(0, 0)], [removeSection(0), removeSection(1)],
            [removeSection(1), removeSection(1)], [insertSection(1, 0), insertSection(0, 0)],
            [insertSection(0, 0), insertSection(0, 0)], [inserted(0, 1), inserted(0, 0)],
            [inserted(1, 0), inserted(0, 0)], [inserted(0, 0), inserted(0, 0)],
        ]
        for run in runs {
            #expect(refusal(run, from: [3, 3], to: [3, 3])?.code == .wrongOrder, "\(run)")
        }
    }

    @Test
    func placesThatDoNotExistAreRefused() {
        let edits = [
            removal(0, 2), removal(2, 0), removal(-1, 0), removal(0, -1), removeSection(2),
            removeSection(-1), insertSection(3, 0), insertSection(-1, 0), inserted(0, 3),
            inserted(2, 0),
            inserted(0, -1), inserted(Int.max, Int.max), removal(Int.min, 0),
        ]
        for edit in edits {
            #expect(refusal([edit], from: [2, 2], to: [2, 2])?.code == .wrongIndex, "\(edit)")
        }
    }

    @Test
    func aSumThatDoesNotComeOutIsRejected() {
        #expect(refusal([removal(0, 0)], from: [2], to: [2])?.code == .wrongCounts)
        #expect(refusal([], from: [2], to: [2, 0])?.code == .wrongCounts)
        #expect(refusal([insertSection(0, 3)], from: [], to: [2])?.code == .wrongCounts)
        let message = refusal([inserted(0, 0)], from: [1], to: [1])?.message ?? ""
        #expect(message.contains("[2]") && message.contains("[1]"))
    }

    @Test
    func aMovedSectionCarriesItsItems() {
        let edits: [HierarchyEdit] = [
            removal(0, 1),
            .removeSection(SectionEdit(section: 0, role: .move, associatedWith: 1)),
            .insertSection(SectionEdit(section: 1, role: .move, associatedWith: 0)),
        ]
        #expect(refusal(edits, from: [3, 1], to: [1, 2]) == nil)
        #expect(refusal(edits, from: [3, 1], to: [2, 1])?.code == .wrongCounts)
    }

    @Test(arguments: Array(1...20) as [UInt64])
    func whatTheValidatorOrdersPasses(_ seed: UInt64) throws {
        var generator = ThrashGenerator(seed: seed)
        var model = generator.initialModel(sections: 5, items: 6)
        for _ in 0..<20 {
            let (changes, newModel) = generator.next(after: model)
            let old = HierarchyShape(model.map(\.count))
            let new = HierarchyShape(newModel.map(\.count))
            let update = try changes.validated(from: old, to: new)
            if let refusal = refusal(Array(update.edits), from: old, to: new) {
                Issue.record("seed \(seed): \(refusal.message)")
                return
            }
            model = newModel
        }
    }
}

extension UpdateCheckTests {
    /// Two maps of one shape, of which no element is in both.
    @Test func aMovedElementThatIsAnotherOneAfterwardsIsRejected() async throws {
        let list = try await List(.dispatch, [["a", "b"], ["c"]])
        let first = list.controller.visibleMap
        try await list.controller.reloadData()
        let second = list.controller.visibleMap
        var changes = HierarchyChangeSet()
        changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0))
        changes.moveItem(at: ItemPath(1, 0), to: ItemPath(0, 0))
        let update = try changes.validated(from: [2, 1], to: [2, 1])
        do throws(ViewRefusal) {
            try UpdateCheck.checkMoves(of: update, from: first, to: second)
            Issue.record("it passed")
        } catch {
            #expect(error.code == .lostIdentity)
            #expect(error.message == "The item moved to 0 - 0 is not the one that was at 1 - 0")
        }
        let operations = changes.operations
        try await list.controller.performBatchUpdates { source, recorder in
            let (a, c) = (source.sections[0].items[0], source.sections[1].items[0])
            (source.sections[0].items[0], source.sections[1].items[0]) = (c, a)
            for operation in operations { recorder.record(operation) }
        }
        try UpdateCheck.checkMoves(of: update, from: second, to: list.controller.visibleMap)
        await list.controller.close()
    }
}
