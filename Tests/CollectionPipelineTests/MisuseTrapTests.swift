import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What stops the process in states that need some steps to come about.
@Suite("Misuse behind the first steps", .endsHangs)
struct MisuseTrapTests {
    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func declaringContentCurrentInABatchThatACloseHasCancelled() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            try await onMain(controller) { controller in
                var kept: BatchRecorder?
                try controller.beginUpdates()
                try controller.performBatchUpdates({ kept = $1 }, completion: nil)
                controller.core.close(draining: true, deadlineNanoseconds: nil, nil)
                kept?.declareContentCurrent()
            }
        }
        #expect(message(result).contains("A batch must be recorded into before it ends"))
    }

    @Test func deployingAnUpdateWhileItIsDeployed() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = RecordingView()
            let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
            await onMain(controller) { _ in view.onApply = { $0.deploy { _ in } } }
            try await controller.reloadData()
        }
        #expect(message(result).contains("Update #1 must be deployed once"))
    }

    /// A node that waits for the pipeline when it is told its new model.
    private final class WaitingNode: ReconfigurableNode {
        private let wait: @Sendable () -> Void

        init(_ wait: @escaping @Sendable () -> Void) { self.wait = wait }

        func measure(in range: SizeRange) -> Size { Size(width: 1, height: 1) }
        func measure(_ model: Int, in range: SizeRange) -> Size { Size(width: 1, height: 1) }
        func update(to model: Int) { wait() }
    }

    private final class WaitingSource: CollectionDataSource {
        var wait: @Sendable () -> Void = {}

        func numberOfItems(inSection section: Int) -> Int { 1 }
        func model(forItemAt path: ItemPath) -> (any Sendable)? { 1 }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            { [wait] in WaitingNode(wait) }
        }
    }

    /// The view has release it, so that it is deployed in a turn of its own.
    @Test func waitingWhileAnUpdateThatTheViewDroppedIsDeployed() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = RecordingView()
            let controller = DataController(dataSource: WaitingSource(), view: view)
            await onMain(controller) { controller in
                controller.dataSource.wait = { [unowned controller] in
                    controller.waitUntilAllUpdatesAreProcessed()
                }
            }
            try await controller.reloadData()
            try await onMain(controller) { controller in
                view.mode = .dropping
                try controller.reconfigureItems(at: [ItemPath(0, 0)])
            }
            await controller.settle()
        }
        #expect(message(result).contains("must not be called while an update is deployed"))
    }
}
