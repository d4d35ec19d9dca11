import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Undoing and redoing through a controller, while others go on.
@Suite("Undo and redo", .endsHangs)
struct UndoHistoryTests {
    /// Rows that are their own models.
    private final class Rows: ModelSource {
        var rows: [[String]]
        init(_ rows: [[String]]) { self.rows = rows }

        func numberOfSections() -> Int { rows.count }
        func numberOfItems(inSection section: Int) -> Int { rows[section].count }
        func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
            rows[section][items]
        }
    }

    private typealias Controller = DataController<Rows>

    private func loaded(_ substrate: Substrate, _ rows: [[String]]) async throws
        -> (Stage, Controller)
    {
        let stage = substrate.makeStage(workerCount: 2)
        let controller = stage.makeController(Rows(rows), view: nil, configuration: .unwatched)
        try await controller.reloadData()
        return (stage, controller)
    }

    private func rows(_ controller: Controller) async -> [[String]] {
        await controller.withDataSource { $0.rows }
    }

    /// What a controller shows: models, which nodes took.
    private func shown(_ controller: Controller) -> [[String]] {
        let map = controller.visibleMap
        return map.shape.itemCounts.enumerated().map { section, count in
            (0..<count).map { map.content(at: ItemPath(section, $0))?.model as? String ?? "-" }
        }
    }

    private func undo(_ history: UndoHistory<Rows>) async throws {
        try await history.undo { try $1.apply(to: &$0.rows) }
    }

    private func redo(_ history: UndoHistory<Rows>) async throws {
        try await history.redo { try $1.apply(to: &$0.rows) }
    }

    @Test(arguments: Substrate.allCases)
    func whatWasDoneIsTakenBackAndDoneAgain(_ substrate: Substrate) async throws {
        let (_, controller) = try await loaded(substrate, [["a", "b", "c"], ["d"]])
        let history = UndoHistory(of: controller)
        try await history.performBatchUpdates { list, changes in
            list.rows[0].remove(at: 1)
            changes.deleteItems(at: [ItemPath(0, 1)])
            list.rows[0][0] = "A"
            changes.reconfigureItems(at: [ItemPath(0, 0)])
        }
        try await history.performBatchUpdates { list, changes in
            list.rows.remove(at: 1)
            changes.deleteSections([1])
            list.rows[0].append("e")
            changes.insertItems(at: [ItemPath(0, 2)])
        }
        #expect(history.undoCount == 2 && history.redoCount == 0)
        let states = [[["a", "b", "c"], ["d"]], [["A", "c"], ["d"]], [["A", "c", "e"]]]
        for state in states.reversed().dropFirst() {
            try await undo(history)
            #expect(await rows(controller) == state)
            #expect(shown(controller) == state)
        }
        #expect(history.undoCount == 0 && history.redoCount == 2)
        for state in states.dropFirst() {
            try await redo(history)
            #expect(await rows(controller) == state)
            #expect(shown(controller) == state)
        }
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatOthersDidStays(_ substrate: Substrate) async throws {
        let (_, controller) = try await loaded(substrate, [["a", "b", "c"]])
        let (mine, theirs) = (UndoHistory(of: controller), UndoHistory(of: controller))
        try await mine.performBatchUpdates { list, changes in
            list.rows[0].removeFirst(2)
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        try await theirs.performBatchUpdates { list, changes in
            list.rows[0].insert("x", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        try await controller.performBatchUpdates { list, changes in
            list.rows[0].append("y")
            changes.insertItems(at: [ItemPath(0, 2)])
        }
        try await undo(mine)
        #expect(await rows(controller) == [["x", "a", "b", "c", "y"]])
        try await undo(theirs)
        #expect(await rows(controller) == [["a", "b", "c", "y"]])
        try await redo(mine)
        #expect(await rows(controller) == [["c", "y"]])
        try await redo(theirs)
        #expect(Set(await rows(controller)[0]) == ["c", "x", "y"])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aGroupIsOneStep(_ substrate: Substrate) async throws {
        let (_, controller) = try await loaded(substrate, [["a"]])
        let history = UndoHistory(of: controller)
        try await history.group {
            for text in ["b", "c"] {
                try await history.performBatchUpdates { list, changes in
                    list.rows[0].append(text)
                    changes.insertItems(at: [ItemPath(0, list.rows[0].count - 1)])
                }
            }
        }
        #expect(history.undoCount == 1)
        try await undo(history)
        #expect(await rows(controller) == [["a"]])
        try await redo(history)
        #expect(await rows(controller) == [["a", "b", "c"]])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsRejectedIsNotRecorded(_ substrate: Substrate) async throws {
        let (_, controller) = try await loaded(substrate, [["a"]])
        let history = UndoHistory(of: controller)
        for take in [undo, redo] {
            let error = await #expect(throws: UpdateError.self) { try await take(history) }
            #expect(error?.code == .nothingToUndo)
        }
        let failed = await #expect(throws: UpdateError.self) {
            try await history.performBatchUpdates { _, _ in throw Withdrawal(TestFailure()) }
        }
        #expect(failed?.code == .withdrawn)
        try await history.performBatchUpdates { list, changes in
            list.rows[0].append("b")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(history.undoCount == 1)
        // One that fails leaves the history as it was.
        let refused = await #expect(throws: UpdateError.self) {
            try await history.undo { _, _ in throw Withdrawal(TestFailure()) }
        }
        #expect(refused?.code == .withdrawn)
        #expect(history.undoCount == 1 && history.redoCount == 0)
        try await undo(history)
        #expect(await rows(controller) == [["a"]])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadOfOthersLeavesNothingToUndo(_ substrate: Substrate) async throws {
        let (_, controller) = try await loaded(substrate, [["a"]])
        let history = UndoHistory(of: controller)
        try await history.performBatchUpdates { list, changes in
            list.rows[0].append("b")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        try await controller.reloadData()
        let error = await #expect(throws: UpdateError.self) { try await undo(history) }
        #expect(error?.code == .nothingToUndo)
        await controller.close()
    }

    /// A reload is of what there is by then, so it may lead elsewhere than the step, and the history goes on from there.
    @Test(arguments: Substrate.allCases)
    func whereAReloadIsTakenBackAndTheModelStaysAsItIsTheHistoryGoesOn(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage(workerCount: 2)
        let controller = stage.makeController(Rows([["a"]]), view: nil, configuration: .unwatched)
        let history = UndoHistory(of: controller)
        func append(_ row: String) async throws {
            try await history.performBatchUpdates { list, changes in
                changes.insertItems(at: [ItemPath(0, list.rows[0].count)])
                list.rows[0].append(row)
            }
        }
        // The first load is a reload, whatever is recorded.
        try await history.performBatchUpdates { _, _ in }
        try await history.undo { _, step in
            #expect(step.update.isReloadData && step.update.newShape.numberOfSections == 0)
        }
        #expect(controller.pendingMap.shape == [1])
        let error = await #expect(throws: UpdateError.self) { try await redo(history) }
        #expect(error?.code == .nothingToUndo, "as after a reload of others")
        try await append("b")
        try await append("c")
        try await undo(history)
        #expect(await rows(controller) == [["a", "b"]])
        try await undo(history)
        #expect(await rows(controller) == [["a"]] && shown(controller) == [["a"]])
        await controller.close()
    }

    /// The oldest are forgotten, and a controller keeps no history.
    @Test func aHistoryIsBoundedAndNotKeptAlive() async throws {
        let (_, controller) = try await loaded(Substrate.allCases[0], [[]])
        var history: UndoHistory<Rows>? = UndoHistory(of: controller, limit: 3)
        weak let last = history
        for number in 0..<5 {
            try await history?.performBatchUpdates { list, changes in
                list.rows[0].append("\(number)")
                changes.insertItems(at: [ItemPath(0, number)])
            }
        }
        #expect(history?.undoCount == 3)
        history = nil
        await controller.withIsolated { _ in }
        #expect(last == nil)
        // Its place is given up with the next update.
        #expect(await controller.withIsolated { $0.core.histories.count } == 1)
        try await controller.reloadData()
        #expect(await controller.withIsolated { $0.core.histories.count } == 0)
        await controller.close()
    }
}
