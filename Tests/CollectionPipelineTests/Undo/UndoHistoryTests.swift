import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Undo and redo through a controller with other users.
@Suite("Undo and redo", .endsHangs)
struct UndoHistoryTests {
    private typealias List = ModelList<String>
    private typealias History = UndoHistory<List>

    /// A controller's histories match histories of its updates, and restore the models.
    @Test(arguments: Substrate.allCases)
    func controllerHistoriesMatchUpdateHistories(_ substrate: Substrate) async throws {
        for seed in 1...UInt64(substrate == .dispatch ? Effort.number(200, usually: 20) : 2) {
            let fault = try await fault(substrate, seed)
            #expect(fault == nil, "seed \(seed): \(fault ?? "")")
        }
    }

    private func fault(_ substrate: Substrate, _ seed: UInt64) async throws -> String? {
        // The third user has no history in the controller.
        var reference = EditedDocument(seed: seed, users: 3, limit: 6, counts: [3, 1, 0])
        let controller = substrate.makeStage(seed: seed, workerCount: 2).makeController(
            List(reference.texts)
        )
        try await controller.reloadData()
        let histories = (0..<2).map { _ in History(of: controller, limit: 6) }
        var log: [String] = []
        for _ in 0..<40 {
            let user = reference.random.next(below: 3)
            switch reference.random.next(below: 12) {
            case 0..<6 where user < 2:
                let isUndo = reference.random.chance(0.6)
                log.append("\(user) \(isUndo ? "undoes" : "redoes")")
                let isDone = try reference.perform(isUndo ? .undo : .redo, by: user)
                let code = await take(histories[user], isUndo: isUndo)
                let due: UpdateError.Code? = isDone ? nil : .nothingToUndo
                if code != due { return "\(log): \(code?.rawValue ?? "-")" }
            case 6 where reference.random.chance(0.2):
                log.append("reload")
                let shape = reference.shape
                for user in reference.histories.indices {
                    try reference.histories[user].observe(.reloadingData(from: shape, to: shape))
                }
                try await controller.reloadData()
            case 7 where user < 2:
                log.append("\(user) withdraws")
                _ = try? await histories[user].performBatchUpdates { _, _ in
                    throw Withdrawal(TestFailure())
                }
            default:
                var updates: [@Sendable (List, inout BatchRecorder) -> Void] = []
                reference.histories[user].beginGroup()
                for _ in 0..<(1 + reference.random.next(below: 2)) {
                    let update = try reference.randomUpdate()
                    try reference.submit(update, by: user)
                    let (record, state) = (HierarchyChangeSet(recording: update), reference.texts)
                    log.append("\(user): \(record)")
                    updates.append { list, changes in
                        list.sections = state
                        for operation in record.operations { changes.record(operation) }
                    }
                }
                let all = updates
                reference.histories[user].endGroup()
                if user < 2 {
                    try await histories[user].group {
                        for update in all { try await histories[user].performBatchUpdates(update) }
                    }
                } else {
                    for update in all { try await controller.performBatchUpdates(update) }
                }
            }
            let model = await controller.withDataSource { $0.sections }
            let counts = histories.map { [$0.undoCount, $0.redoCount] }
            let expected = reference.histories.prefix(2).map { [$0.undoCount, $0.redoCount] }
            let found = controller.visibleMap.texts
            guard found == reference.texts, model == found, counts == expected else {
                return "\(log): \(found), not \(reference.texts); \(counts), not \(expected)"
            }
        }
        await controller.close()
        return nil
    }

    private func take(_ history: History, isUndo: Bool) async -> UpdateError.Code? {
        do throws(UpdateError) {
            if isUndo {
                try await history.undo { try $1.apply(to: &$0.sections) }
            } else {
                try await history.redo { try $1.apply(to: &$0.sections) }
            }
            return nil
        } catch { return error.code }
    }

    // MARK: Reloads, options, lifetimes

    private func append(_ text: String, _ history: History) async throws {
        try await history.performBatchUpdates { list, changes in
            changes.insertItems(at: [ItemPath(0, list[0].count)])
            list[0].append(text)
        }
    }

    /// A reload reads the current model, so its result may differ from the step; the history
    /// continues from the result.
    @Test(arguments: Substrate.allCases)
    func undoingOwnReloadRestoresEveryModel(_ substrate: Substrate) async throws {
        let controller = substrate.makeStage(workerCount: 2).makeController(List([["a"]]))
        let history = History(of: controller)
        // The first load is always a reload.
        try await history.performBatchUpdates { _, _ in }
        try await history.undo { list, step in
            #expect(step.update.isReloadData && step.update.newShape.numberOfSections == 0)
            list[0].append("z")
        }
        #expect(controller.pendingMap.shape == [2])
        #expect(
            await take(history, isUndo: false) == .nothingToUndo,
            "as after another user's reload"
        )
        try await append("b", history)
        try await history.performBatchUpdates { list, changes in
            list.sections = [["x", "y"], ["z"]]
            changes.record(.reloadData(.automatic))
        }
        #expect(controller.visibleMap.shape == [2, 1])
        for expected in [[["a", "z", "b"]], [["a", "z"]]] {
            #expect(await take(history, isUndo: true) == nil)
            #expect(await controller.withDataSource { $0.sections } == expected)
            #expect(controller.visibleMap.texts == expected)
        }
        await controller.close()
    }

    @Test func undoStepsAreAnimatedByDefaultAndHaveADirection() async throws {
        let view = RecordingView()
        let controller = Substrate.dispatch.makeStage().makeController(List([["a"]]), view: view)
        try await controller.reloadData()
        let history = History(of: controller)
        try await append("b", history)
        try await history.performBatchUpdates(animated: false, callerContext: 1) {
            $1.reloadSections([0])
        }
        let directions = Journal<UndoStep.Direction>()
        let apply: @Sendable (List, UndoStep) throws -> Void = { list, step in
            directions.append(step.direction)
            try step.apply(to: &list.sections)
        }
        try await history.undo(updateModel: apply)
        let result = try await history.undo(animated: false, callerContext: 2, updateModel: apply)
        #expect(result.callerContext as? Int == 2)
        try await history.redo(updateModel: apply)
        try await history.redo(animated: false, updateModel: apply)
        let animated = view.received.values.dropFirst().map(\.isAnimated)
        #expect(animated == [true, false, true, false, true, false])
        #expect(directions.values == [.undo, .undo, .redo, .redo])
        await controller.close()
    }

    /// A history keeps a hundred steps, a group ends when its body throws, and a controller does
    /// not retain a history.
    @Test func historiesAreBoundedAndNotRetained() async throws {
        let controller = Substrate.dispatch.makeStage().makeController(List([["a"]]))
        try await controller.reloadData()
        var history: History? = History(of: controller)
        weak let last = history
        for number in 0..<100 { try await append("\(number)", history!) }
        await #expect(throws: TestFailure.self) {
            try await history!.group {
                try await append("b", history!)
                try await append("c", history!)
                throw TestFailure()
            }
        }
        try await append("d", history!)
        #expect(history?.undoCount == 100 && history?.redoCount == 0)
        _ = await take(history!, isUndo: true)
        #expect(controller.visibleMap.texts[0].last == "c")
        history = nil
        await controller.withIsolated { _ in }
        #expect(last == nil)
        // Its slot is released with the next update.
        #expect(await controller.withIsolated { $0.core.histories.count } == 1)
        try await controller.reloadData()
        #expect(await controller.withIsolated { $0.core.histories.count } == 0)
        await controller.close()
    }
}
