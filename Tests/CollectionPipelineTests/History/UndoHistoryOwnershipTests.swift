import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// What a history takes for its user's own, and what it is made with.
@Suite("Whose change it was", .endsHangs)
struct UndoHistoryOwnershipTests {
    private typealias List = ModelList<String>
    private typealias History = UndoHistory<List>

    private func loaded(
        _ substrate: Substrate,
        view: RecordingView? = nil
    ) async throws -> (DataController<List>, History) {
        let controller = substrate.makeStage().makeController(List([["a"]]), view: view)
        try await controller.reloadData()
        return (controller, UndoHistory(of: controller))
    }

    private func append(_ text: String, _ list: List, _ changes: inout BatchRecorder) {
        changes.insertItems(at: [ItemPath(0, list[0].count)])
        list[0].append(text)
    }

    private func append(_ text: String, _ history: History) async throws {
        try await history.performBatchUpdates { append(text, $0, &$1) }
    }

    private func undo(_ history: History) async throws {
        try await history.undo { try $1.apply(to: &$0.sections) }
    }

    private func rows(_ controller: DataController<List>) async -> [[String]] {
        await controller.withDataSource { $0.sections }
    }

    @Test func aHistoryIsEmptyAtFirstAndKeepsAHundredSteps() async throws {
        let (controller, history) = try await loaded(.dispatch)
        #expect(history.undoCount == 0 && history.redoCount == 0)
        for number in 0..<101 { try await append("\(number)", history) }
        #expect(history.undoCount == 100 && history.redoCount == 0)
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatEndedInARejectionLeavesTheNextChangeToWhoeverMakesIt(
        _ substrate: Substrate
    ) async throws {
        let (controller, history) = try await loaded(substrate)
        await #expect(throws: UpdateError.self) {
            try await history.performBatchUpdates { _, _ in throw Withdrawal(TestFailure()) }
        }
        try await controller.performBatchUpdates { append("theirs", $0, &$1) }
        #expect(history.undoCount == 0)
        try await append("mine", history)
        await #expect(throws: UpdateError.self) {
            try await history.undo { _, _ in throw Withdrawal(TestFailure()) }
        }
        try await controller.performBatchUpdates { append("theirs too", $0, &$1) }
        #expect(history.undoCount == 1 && history.redoCount == 0)
        try await undo(history)
        #expect(await rows(controller) == [["a", "theirs", "theirs too"]])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases, [true, false])
    func aGroupEndsWithItsBody(_ substrate: Substrate, _ fails: Bool) async throws {
        let (controller, history) = try await loaded(substrate)
        do {
            try await history.group {
                try await append("b", history)
                if fails { throw TestFailure() }
            }
            #expect(!fails)
        } catch is TestFailure {
            #expect(fails)
        }
        try await append("c", history)
        try await append("d", history)
        #expect(history.undoCount == 3)
        try await undo(history)
        #expect(await rows(controller) == [["a", "b", "c"]])
        await controller.close()
    }

    @Test func aReloadOfOnesOwnIsTakenBackWithEveryModel() async throws {
        let (controller, history) = try await loaded(.dispatch)
        try await history.performBatchUpdates { list, changes in
            list.sections = [["x", "y"], ["z"]]
            changes.record(.reloadData(.automatic))
        }
        #expect(controller.visibleMap.shape == [2, 1])
        try await undo(history)
        #expect(await rows(controller) == [["a"]])
        await controller.close()
    }

    /// The history goes on from what there was, whatever the step was to lead to.
    @Test func whatComesAfterAReloadThatLeadElsewhereIsRecorded() async throws {
        let controller = Substrate.dispatch.makeStage().makeController(List([["a"]]))
        let history = UndoHistory(of: controller)
        try await history.performBatchUpdates { _, _ in }
        try await history.undo { list, _ in list[0].append("z") }
        #expect(controller.visibleMap.shape == [2])
        let count = history.undoCount
        try await append("b", history)
        #expect(history.undoCount == count + 1)
        try await undo(history)
        #expect(await rows(controller) == [["a", "z"]])
        await controller.close()
    }

    @Test func everythingIsAnimatedUnlessItIsSaidOtherwise() async throws {
        let view = RecordingView()
        let (controller, history) = try await loaded(.dispatch, view: view)
        try await append("b", history)
        try await history.performBatchUpdates(animated: false) { append("c", $0, &$1) }
        try await undo(history)
        try await history.undo(animated: false) { try $1.apply(to: &$0.sections) }
        try await history.redo { try $1.apply(to: &$0.sections) }
        try await history.redo(animated: false) { try $1.apply(to: &$0.sections) }
        let animated = view.received.values.dropFirst().map(\.isAnimated)
        #expect(animated == [true, false, true, false, true, false])
        await controller.close()
    }

    @Test func aStepSaysWhichWayItGoes() async throws {
        let (controller, history) = try await loaded(.dispatch)
        try await append("b", history)
        let directions = Journal<UndoStep.Direction>()
        try await history.undo { list, step in
            directions.append(step.direction)
            try step.apply(to: &list.sections)
        }
        try await history.redo { list, step in
            directions.append(step.direction)
            try step.apply(to: &list.sections)
        }
        #expect(directions.values == [.undo, .redo])
        await controller.close()
    }
}
