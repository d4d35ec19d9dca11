import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What stops the process, and with which words. Each case runs in a process of its own; members of the main
/// lane that are called elsewhere have `WrongLaneTests`.
@Suite("Calls from a wrong place", .endsHangs)
struct TrapTests {
    @Test(arguments: LateCall.allCases)
    func aCallThatComesTooLateStopsTheProcess(_ call: LateCall) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [call = call as LateCall] in try await call.make() }
        expect(result, call.message)
    }

    @Test(arguments: WrongAnswer.allCases)
    func anAnswerOfAViewOutOfItsTurnStopsTheProcess(_ answer: WrongAnswer) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [answer = answer as WrongAnswer] in try await answer.give() }
        expect(result, answer.message)
    }

    @Test(arguments: EndlessWait.allCases)
    func aWaitThatWouldWaitForItselfStopsTheProcess(_ wait: EndlessWait) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [wait = wait as EndlessWait] in try await wait.begin() }
        expect(result, wait.message)
    }

    private func expect(_ result: ExitTest.Result?, _ message: String) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(message), "\(text)")
    }
}

/// Uses something that has ended.
enum LateCall: String, CaseIterable, Codable, Sendable {
    case recordingAfterTheBatchHasEnded
    case declaringContentCurrentInABatchThatACloseHasCancelled
    case usingAClosedController

    var message: String {
        switch self {
        case .recordingAfterTheBatchHasEnded:
            "A batch must be recorded into before it ends, but record(_:) was called afterwards"
        case .declaringContentCurrentInABatchThatACloseHasCancelled:
            "A batch must be recorded into before it ends, but declareContentCurrent() was called"
        case .usingAClosedController:
            "reloadData(completion:) must be called before the controller is closed, but 'collection'"
                + " is; make a new one, or ask isClosed first"
        }
    }

    func make() async throws {
        let controller = DataController(dataSource: TextDataSource([["a"]]))
        if self == .usingAClosedController { await controller.close() }
        try await onMain(controller) { controller in
            let list = controller.assumeIsolated()
            switch self {
            case .recordingAfterTheBatchHasEnded:
                try list.performBatchUpdates { _, changes in
                    try list.endUpdates()
                    changes.reloadData()
                }
            case .declaringContentCurrentInABatchThatACloseHasCancelled:
                try list.performBatchUpdates { _, changes in
                    controller.core.close(draining: true, timeout: nil, nil)
                    changes.declareContentCurrent()
                }
            case .usingAClosedController: try list.reloadData()
            }
        }
    }
}

/// What a view does with its updates in an order that no view may choose.
enum WrongAnswer: String, CaseIterable, Codable, Sendable {
    case deployingTwice
    case deployingWhileItIsDeployed
    case deployingOutOfOrder
    case finishingBeforeDeploying
    case finishingWhileItIsDeployed

    var message: String {
        switch self {
        case .deployingTwice, .deployingWhileItIsDeployed: "Update #1 must be deployed once"
        case .deployingOutOfOrder:
            "Updates must be deployed in the order in which they came: expected #1, found #2"
        case .finishingBeforeDeploying, .finishingWhileItIsDeployed:
            "Update #1 must be deployed before it is finished"
        }
    }

    func give() async throws {
        let view = RecordingView(.onDemand)
        let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
        try await onMain(controller) { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            try controller.assumeIsolated().reloadData(completion: nil)
        }
        await view.received.values(count: 2)
        await onMain(controller) { _ in
            let update = view.waiting[0]
            switch self {
            case .deployingTwice:
                update.deploy { _ in }
                update.deploy { _ in }
            case .deployingWhileItIsDeployed: update.deploy { _ in update.deploy { _ in } }
            case .deployingOutOfOrder: view.waiting[1].deploy { _ in }
            case .finishingBeforeDeploying: update.finish()
            case .finishingWhileItIsDeployed: update.deploy { _ in update.finish() }
            }
        }
    }
}

/// Waits for what cannot go on before the wait is over.
enum EndlessWait: String, CaseIterable, Codable, Sendable {
    case inAnUpdateThatIsDeployedAtOnce
    case inAnUpdateThatIsDeployedLater
    case inAnUpdateThatTheViewDropped
    case inADataSourceCallback
    case onAWorker
    case inABlockOfTheQueue
    case forCompletionsOnTheirLane

    var message: String {
        switch self {
        case .inAnUpdateThatIsDeployedAtOnce, .inAnUpdateThatIsDeployedLater,
            .inAnUpdateThatTheViewDropped:
            "must not be called while an update is deployed"
        case .inADataSourceCallback:
            "by a data source while it is asked; use 'await reached(_:)' elsewhere"
        case .onAWorker: "must not be called by a node provider or measurement"
        case .inABlockOfTheQueue: "must not be made inside a block of the queue"
        case .forCompletionsOnTheirLane:
            "waitUntilReached(.completed) must not be called on the main lane, where completions run"
        }
    }

    func begin() async throws {
        switch self {
        case .inAnUpdateThatTheViewDropped: return try await Self.waitInADroppedUpdate()
        case .inABlockOfTheQueue: return await Self.drainInABlock()
        default: break
        }
        let (view, nodes) = (RecordingView(), NodeBook())
        let source = TextDataSource([["a"]], nodes: nodes)
        let controller = DataController(dataSource: source, view: view)
        await onMain(controller) { controller in
            let wait = { @Sendable in controller.waitUntilReached(.handedOver) }
            switch self {
            case .inAnUpdateThatIsDeployedAtOnce: view.onApply = { _ in wait() }
            case .inAnUpdateThatIsDeployedLater:
                view.mode = .onDemand
                view.onApply = { _ in wait() }
            case .inADataSourceCallback:
                controller.assumeIsolated().dataSource.onCall = { _ in wait() }
            case .onAWorker:
                nodes.onMeasure { _, _ in
                    wait()
                    return nil
                }
            case .forCompletionsOnTheirLane: controller.waitUntilReached(.completed)
            case .inAnUpdateThatTheViewDropped, .inABlockOfTheQueue: break
            }
            _ = try? controller.assumeIsolated().reloadData(completion: nil)
        }
        if self == .inAnUpdateThatIsDeployedLater {
            await view.received.values(count: 1)
            await onMain(controller) { _ in view.deployNext() }
        }
        await controller.settle()
    }

    /// The view has dropped it, so that it is deployed in a turn of its own, and tells a node its model.
    private static func waitInADroppedUpdate() async throws {
        let view = RecordingView()
        let controller = DataController(dataSource: WaitingSource(), view: view)
        await onMain(controller) { controller in
            controller.assumeIsolated().dataSource.wait = { [unowned controller] in
                controller.waitUntilReached(.handedOver)
            }
        }
        try await controller.reloadData()
        try await onMain(controller) { controller in
            view.mode = .dropping
            try controller.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
        }
        await controller.settle()
    }

    private static func drainInABlock() async {
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
    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { { [wait] in WaitingNode(wait) } }
}
