import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("What is not said", .endsHangs)
struct DefaultTests {
    private typealias Controller = DataController<TextDataSource>

    @Test(arguments: Substrate.allCases)
    func everyFormOfSubmittingIsAnimatedUnlessItSaysOtherwise(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await controller.reloadData()
        try await controller.reloadData(animated: false)
        try await controller.performBatchUpdates { _, _ in }
        try await controller.performBatchUpdates(animated: false) { _, _ in }
        let map = controller.pendingMap
        try await controller.submit(HierarchyChangeSet(), recordedAgainst: map) { _ in }
        let newer = controller.pendingMap
        try await controller.submit(
            HierarchyChangeSet(),
            recordedAgainst: newer,
            animated: false
        ) { _ in }
        _ = await suspend { (resume: @escaping @Sendable (UpdateResult) -> Void) in
            controller.enqueueBatchUpdates({ _, _ in }, completion: resume)
        }
        _ = await suspend { (resume: @escaping @Sendable (UpdateResult) -> Void) in
            controller.enqueueBatchUpdates(animated: false, { _, _ in }, completion: resume)
        }
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            try controller.assumeIsolated().reloadData(animated: false, completion: nil)
            try controller.assumeIsolated().performBatchUpdates(completion: nil)
            try controller.assumeIsolated().performBatchUpdates(animated: false, completion: nil)
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().endUpdates()
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().endUpdates(animated: false)
        }
        await scene.settle()
        let animated = scene.view.received.values.map(\.isAnimated)
        #expect(animated == (0..<14).map { $0.isMultiple(of: 2) })
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadItems(at: [ItemPath(0, 0)])
            try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)])
            try controller.assumeIsolated().relayoutAllNodes()
            try controller.assumeIsolated().clear()
        }
        await scene.settle()
        let others = scene.view.received.values.dropFirst(14).map(\.isAnimated)
        #expect(others == [true, true, true, true])
        await scene.close()
    }

    @Test func aConfigurationIsWhatItsDocumentationSays() {
        let configuration = PipelineConfiguration()
        #expect(configuration.profile == .standard)
        #expect(!configuration.decomposesMoves)
        #expect(configuration.backlogLimit == 64)
        #expect(configuration.backlogPolicy == .suspend)
        #expect(configuration.rejectionPolicy == .report)
        #expect(configuration.name == "collection")
        #expect(configuration.traits == Traits())
    }

    /// However it is written, a close drains unless it is told not to.
    @Test(arguments: Substrate.allCases)
    func aCloseDrains(_ substrate: Substrate) async throws {
        for isAsynchronous in [true, false] {
            let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
            try await scene.onMain { controller in
                try controller.assumeIsolated().reloadData(completion: scene.completion("load"))
            }
            await scene.view.received.values(count: 1)
            let closed = Journal<Void>()
            let task = Task {
                if isAsynchronous {
                    await scene.controller.close()
                } else {
                    await suspend { resume in scene.controller.close { resume(()) } }
                }
                closed.append(())
            }
            while await scene.onMain({ $0.core.shutdown.isOpen }) { await Task.yield() }
            await scene.onMain { _ in scene.view.catchUp() }
            await closed.values(count: 1)
            await task.value
            #expect(scene.outcomes.values.map(\.description) == ["load: deployed"])
        }
    }
}
