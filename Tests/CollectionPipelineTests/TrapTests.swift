import CollectionPipeline
import Dispatch
import Foundation
import PipelineTestSupport
import Testing

/// What stops the process, and with which words. Each body runs in a process of its own.
@Suite("Calls from a wrong place", .endsHangs)
struct TrapTests {
    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test
    func aSynchronousMemberOnAnotherLane() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            _ = controller.dataSource
        }
        #expect(message(result).contains("DataController.dataSource must be called on the lane"))
        #expect(message(result).contains("'CollectionPipeline.main'"))
    }

    @Test
    func aSynchronousBatchOnAnotherLane() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            try controller.beginUpdates()
        }
        #expect(message(result).contains("Recording updates must be called on the lane"))
    }

    @Test
    func deployingTwice() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = RecordingView(.onDemand)
            let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
            try await onMain(controller) { try $0.reloadData(completion: nil) }
            await view.received.values(count: 1)
            await onMain(controller) { _ in
                let update = view.waiting[0]
                update.deploy { _ in }
                update.deploy { _ in }
            }
        }
        #expect(message(result).contains("Update #1 must be deployed once"))
    }

    @Test
    func deployingOutOfOrder() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = RecordingView(.onDemand)
            let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
            try await onMain(controller) { controller in
                try controller.reloadData(completion: nil)
                try controller.reloadData(completion: nil)
            }
            await view.received.values(count: 2)
            await onMain(controller) { _ in view.waiting[1].deploy { _ in } }
        }
        #expect(message(result).contains("Updates must be deployed in the order"))
        #expect(message(result).contains("expected #1, found #2"))
    }

    @Test
    func finishingBeforeDeploying() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = RecordingView(.onDemand)
            let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
            try await onMain(controller) { try $0.reloadData(completion: nil) }
            await view.received.values(count: 1)
            await onMain(controller) { _ in view.waiting[0].finish() }
        }
        #expect(message(result).contains("Update #1 must be deployed before it is finished"))
    }

    @Test
    func waitingWhileAnUpdateIsDeployed() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = RecordingView()
            let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
            await onMain(controller) { controller in
                view.onApply = { _ in controller.waitUntilAllUpdatesAreProcessed() }
            }
            try await controller.reloadData()
        }
        #expect(message(result).contains("must not be called while an update is deployed"))
    }

    @Test
    func waitingInADataSourceCallback() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            await onMain(controller) { controller in
                controller.dataSource.onCall = { _ in
                    controller.waitUntilAllUpdatesAreProcessed()
                }
            }
            try await controller.reloadData()
        }
        #expect(message(result).contains("must not be called by a data source while it is asked"))
    }

    @Test
    func waitingOnAWorker() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let nodes = NodeBook()
            let controller = DataController(
                dataSource: TextDataSource([["a"]], nodes: nodes)
            )
            nodes.onMeasure { _, _ in
                controller.waitUntilAllUpdatesAreProcessed()
                return nil
            }
            try await controller.reloadData()
        }
        #expect(message(result).contains("must not be called by a node provider or measurement"))
    }

    @Test
    func drainingInsideABlockOfTheQueue() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let stage = Substrate.dispatch.makeStage()
            let queue = MainSerialQueue(lane: stage.lane)
            let signal = stage.environment.makeSignal()
            let journal = Journal<Void>()
            queue.perform {
                queue.drain(until: { true }, signal: signal)
                journal.append(())
            }
            await journal.values(count: 1)
        }
        #expect(message(result).contains("must not be made inside a block of the queue"))
    }

    @Test
    func recordingAfterTheBatchHasEnded() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            try await onMain(controller) { controller in
                var kept: BatchRecorder?
                try controller.performBatchUpdates({ kept = $1 }, completion: nil)
                kept?.reloadData()
            }
        }
        #expect(message(result).contains("A batch must be recorded into before it ends"))
    }

    @Test
    func usingAClosedController() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            await controller.close()
            try await onMain(controller) { try $0.reloadData(completion: nil) }
        }
        #expect(message(result).contains("Controller 'collection' was used after it was closed"))
    }

    @Test
    func finishingWhileDeploying() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = RecordingView()
            let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
            await onMain(controller) { _ in view.onApply = { $0.finish() } }
            try await controller.reloadData()
        }
        #expect(message(result).contains("Update #1 must be deployed before it is finished"))
    }
}
