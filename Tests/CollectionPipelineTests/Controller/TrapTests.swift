import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Misuse that stops the process, and its messages. Each row runs in a separate process.
@Suite("Traps", .endsHangs)
struct TrapTests {
    struct Trap: Sendable {
        let message: String
        /// Whether the message begins with the place of the call.
        var namesCaller = false
        let misuse: @Sendable (TrapScene) async throws -> Void
    }

    @Test(arguments: traps.indices)
    func misuseStopsTheProcessWithAdvice(_ row: Int) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [row = row as Int] in
            let scene = TrapScene()
            try await TrapTests.traps[row].misuse(scene)
            await scene.controller.settle()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let trap = Self.traps[row]
        #expect(text.contains(trap.message), "\(text)")
        let isOfCaller = text.contains("CollectionPipelineTests/TrapTests.swift:")
        #expect(isOfCaller == trap.namesCaller, "\(text)")
    }

    static let traps = late + answers + waits + strays

    /// Uses of ended objects.
    private static let late = [
        Trap(message: "before it ends, but record(_:) was called afterwards; keep no recorder") {
            try await $0.onMain { list, _ in
                try list.performBatchUpdates { _, changes in
                    try list.endUpdates()
                    changes.reloadData()
                }
            }
        },
        Trap(message: "before it ends, but declareContentCurrent() was called afterwards") {
            try await $0.onMain { list, _ in
                try list.performBatchUpdates { _, changes in
                    list.core.close(draining: true, timeout: nil, nil)
                    changes.declareContentCurrent()
                }
            }
        },
    ]

    /// Calls of a view on its updates in an invalid order.
    private static let answers = [
        answer("Update #1 must be deployed once, but was deployed again") { first, _ in
            first.deploy { _ in }
            first.deploy { _ in }
        },
        answer("Update #1 must be deployed once") { first, _ in
            first.deploy { _ in first.deploy { _ in } }
        },
        answer("must be deployed in the order of their arrival: expected #1, found #2") {
            $1.deploy { _ in }
        },
        answer("Update #1 must be deployed before it is finished") { first, _ in first.finish() },
        answer("Update #1 must be deployed before it is finished") { first, _ in
            first.deploy { _ in first.finish() }
        },
    ]

    private static func answer(
        _ message: String,
        _ body: @escaping @Sendable (ViewUpdate, ViewUpdate) -> Void
    ) -> Trap {
        Trap(message: message) { scene in
            try await scene.hold(2)
            try await scene.onMain { _, view in body(view.waiting[0], view.waiting[1]) }
        }
    }

    /// Waits for work that cannot continue before the wait ends.
    private static let waits = [
        wait("must not be called while an update is deployed") { scene, wait in
            scene.view.onApply = { _ in wait() }
        },
        wait("must not be called while an update is deployed") { scene, wait in
            scene.companion.onUpdate = wait
        },
        wait("must not be called while an update is deployed") { scene, wait in
            // A dropped update is deployed in its own turn.
            scene.view.mode = .dropping
            scene.companion.onEvent = { if $0 == .deployingStarted { wait() } }
        },
        wait("from within the data source; use 'await whenReached(_:)' elsewhere") {
            $0.controller.assumeIsolated().dataSource.onCall = { [wait = $1] _ in wait() }
        },
        wait("must not be called by a node provider or measurement") { scene, wait in
            scene.nodes.onMeasure { _, _ in
                wait()
                return nil
            }
        },
        Trap(message: "waitUntilReached(.completed) must not be called on the main lane, where") {
            try await $0.onMain { list, _ in list.controller.waitUntilReached(.completed) }
        },
        Trap(message: "must not be made inside a block of the queue") { scene in
            let queue = MainSerialQueue(lane: scene.lane)
            let signal = scene.environment.makeSignal()
            queue.perform { queue.drain(until: { true }, signal: signal) }
            await scene.lane.run {}
        },
    ]

    private static func wait(
        _ message: String,
        _ prepare: @escaping @Sendable (TrapScene, @escaping @Sendable () -> Void) -> Void
    ) -> Trap {
        Trap(message: message) { scene in
            try await scene.controller.reloadData()
            try await scene.onMain { list, _ in
                let controller = list.controller
                prepare(scene) { controller.waitUntilReached(.deliveredToView) }
                try list.reconfigureItems(at: [ItemPath(0, 0)])
            }
        }
    }

    /// Uses of main-lane members on other threads: the member's name in the message, and the
    /// alternative that the message suggests.
    private static let strays: [Trap] = {
        let isolated = "use 'await withIsolated(_:)'"
        let batch = "use 'await performBatchUpdates(_:)' or enqueueBatchUpdates(_:completion:)"
        typealias List = DataController<TextDataSource>.Isolated
        let members: [(String, String?, @Sendable (List) throws -> Void)] = [
            ("dataSource", "use 'await withDataSource(_:)'", { _ = $0.dataSource }),
            ("isProcessingUpdates", isolated, { _ = $0.isProcessingUpdates }),
            ("isSynchronized", isolated, { _ = $0.isSynchronized }),
            ("isClosed", isolated, { _ = $0.isClosed }), ("backlog", isolated, { _ = $0.backlog }),
            ("performBatchUpdates(_:completion:)", batch, { try $0.performBatchUpdates() }),
            ("beginUpdates()", batch, { try $0.beginUpdates() }),
            ("endUpdates()", batch, { try $0.endUpdates() }),
            ("reloadData(completion:)", "use 'await reloadData()'", { try $0.reloadData() }),
            (
                "moveItem(at:to:)", batch,
                { try $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1)) }
            ),
            (
                "relayoutItems(at:)", "use 'await relayoutItems(at:)'",
                { try $0.relayoutItems(at: []) }
            ),
            (
                "relayoutAllNodes()", "use 'await relayoutAllNodes()'",
                { try $0.relayoutAllNodes() }
            ),
            ("clear()", "use 'await clear()'", { try $0.clear() }),
            ("environmentDidChange(_:)", isolated, { $0.environmentDidChange(Traits()) }),
            ("firstContentMismatch(by:)", isolated, { _ = $0.firstContentMismatch() }),
            ("contentCheckFinding", isolated, { _ = $0.contentCheckFinding }),
        ]
        let ofList = members.map { name, alternative, use in
            stray(name, alternative) { scene in
                try use(await scene.controller.withIsolated { Escaped(list: $0) }.list)
            }
        }
        return ofList + [
            stray("DataController.assumeIsolated()", isolated, namesCaller: true) {
                _ = $0.controller.assumeIsolated()
            },
            stray("ViewUpdate.deploy(_:)", namesCaller: true) {
                $0.view.waiting[0].deploy { _ in }
            },
            stray("ViewUpdate.finish()") { $0.view.waiting[0].finish() },
            stray("Isolated code") { $0.lane.checkIsolated() },
            stray("A waiting call") { scene in
                MainSerialQueue(lane: scene.lane)
                    .drain(until: { true }, signal: scene.environment.makeSignal())
            },
        ]
    }()

    private static func stray(
        _ name: String,
        _ alternative: String? = nil,
        namesCaller: Bool = false,
        _ use: @escaping @Sendable (TrapScene) async throws -> Void
    ) -> Trap {
        Trap(
            message:
                "\(name) must be called on the lane 'collection.main', but was called elsewhere;"
                + " \(alternative.map { "\($0), or " } ?? "")go there with the lane's enqueue(_:)",
            namesCaller: namesCaller
        ) { scene in
            try await scene.hold(1)
            try await use(scene)
        }
    }

    /// Smuggles a value past the compiler's isolation checks.
    private struct Escaped: @unchecked Sendable {
        let list: DataController<TextDataSource>.Isolated
    }
}

/// A controller of one item, with everything that may call it from a wrong place.
final class TrapScene: @unchecked Sendable {  // each trap decides where it is used
    final class Companion: UpdateFacilitator, PipelineObserver, @unchecked Sendable {
        // Set only while no work is running.
        var onUpdate: () -> Void = {}
        var onEvent: (PipelineEvent.Kind) -> Void = { _ in }
        func willDeploy(_ update: ViewUpdate) { onUpdate() }
        func observe(_ event: PipelineEvent) { onEvent(event.kind) }
    }

    let view = RecordingView()
    let nodes = NodeBook()
    let companion = Companion()
    let lane = EmulatedMainLane(label: "collection.main")
    let environment = DispatchEnvironment(workerCount: 1)
    private(set) lazy var controller = DataController(
        dataSource: TextDataSource([["a"]], nodes: nodes),
        view: view,
        lane: lane,
        environment: environment,
        facilitators: [companion],
        observer: companion
    )

    func onMain(
        _ body:
            @escaping @Sendable (DataController<TextDataSource>.Isolated, RecordingView) throws ->
            Void
    ) async throws {
        try await controller.withIsolated { [view] in try body($0, view) }
    }

    /// Makes the view hold `count` updates.
    func hold(_ count: Int) async throws {
        try await onMain { list, view in
            view.mode = .onDemand
            for _ in 0..<count { try list.reloadData() }
        }
        await view.received.values(count: count)
    }
}
