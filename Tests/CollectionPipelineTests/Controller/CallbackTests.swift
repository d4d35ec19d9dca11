import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("No Inline Callbacks", .endsHangs)
struct NoInlineCallbackTests {
    /// Covers finished work, rejections, and effects of a wait in the same turn.
    @Test(arguments: Substrate.allCases)
    func noCallbackRunsBeforeItsCallReturns(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.settle()
        let called = Journal<String>()
        let during = try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            controller.whenReached(.completed) { called.append("already completed") }
            try list.performBatchUpdates(completion: { _ in called.append("empty") })
            _ = try? list.performBatchUpdates(
                { $1.deleteSections([9]) },
                completion: { _ in called.append("rejected") }
            )
            _ = try? list.endUpdates(completion: { _ in called.append("unbalanced") })
            _ = try? list.relayoutItems(
                at: [ItemPath(9, 9)],
                completion: { _ in called.append("relayout") }
            )
            controller.whenReached(.deliveredToView) { called.append("handed over") }
            controller.whenReached(.completed) { called.append("completed") }
            controller.waitUntilReached(.deliveredToView)
            return called.values
        }
        #expect(during == [])
        await called.values(count: 7)
        await scene.close()
    }
}

@Suite("Never Re-entrant", .endsHangs)
struct NeverReentrantTests {
    /// Covers submissions by a completion that also waits, and by a view that applies an update.
    @Test(arguments: Substrate.allCases)
    func submissionsFromACallbackDeployAfterIt(_ substrate: Substrate) async throws {
        let view = RecordingView()
        let scene = Scene(substrate, [["a"]], view: view)
        let (controller, journal) = (scene.controller, Journal<String>())
        try await scene.onMain { _ in
            view.onApply = { [weak controller] update in
                journal.append("begin \(update.submission)")
                if update.submission.rawValue < 3 {
                    _ = try? controller?.assumeIsolated().performBatchUpdates(completion: nil)
                }
                journal.append("end \(update.submission)")
            }
            try controller.assumeIsolated().reloadData(completion: nil)
        }
        await view.received.values(count: 3)
        await scene.settle()
        let order = ["begin #1", "end #1", "begin #2", "end #2", "begin #3", "end #3"]
        #expect(journal.values == order)
        journal.removeAll()
        try await scene.onMain { controller in
            view.onApply = { _ in }
            try controller.assumeIsolated().reloadData { [weak controller] _ in
                journal.append("first begins")
                _ = try? controller?.assumeIsolated().performBatchUpdates(
                    completion: { _ in journal.append("second") }
                )
                controller?.waitUntilReached(.deliveredToView)
                journal.append("first ends")
            }
        }
        await journal.values(count: 3)
        #expect(journal.values == ["first begins", "first ends", "second"])
        await scene.close()
    }
}

@Suite("Defaults of submissions", .endsHangs)
struct SubmittingDefaultTests {
    @Test func everySubmissionIsAnimatedByDefault() async throws {
        let scene = Scene(.dispatch, [["a"]])
        let controller = scene.controller
        let empty = HierarchyChangeSet()
        try await controller.reloadData()
        try await controller.reloadData(animated: false)
        try await controller.performBatchUpdates { _, _ in }
        for animated in [true, false] {
            let map = controller.pendingMap
            try await controller.submit(empty, recordedAgainst: map, animated: animated) { _ in }
        }
        let map = controller.pendingMap
        try await controller.submit(empty, recordedAgainst: map) { _ in }
        let update = try HierarchyChangeSet([.reloadItems([ItemPath(0, 0)], .automatic)])
            .validated(from: [1], to: [1])
        let newer = controller.pendingMap
        try await controller.submit(update, recordedAgainst: newer, whenStale: .reject) { _, _ in }
        controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            try list.reloadData()
            try list.performBatchUpdates()
            try list.beginUpdates()
            try list.endUpdates()
            try list.reloadItems(at: [ItemPath(0, 0)])
            try list.relayoutItems(at: [ItemPath(0, 0)])
            try list.relayoutAllNodes()
            try list.clear()
        }
        await scene.settle()
        let animated = scene.view.received.values.map(\.isAnimated)
        #expect(animated == (0..<15).map { $0 != 1 && $0 != 4 })
        await scene.close()
    }
}
