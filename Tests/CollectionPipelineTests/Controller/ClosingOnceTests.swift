import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What a close ends, once and for all.
@Suite("What a close ends", .endsHangs)
struct ClosingOnceTests {
    private final class Token: Sendable {}

    private final class NotingLayout: LayoutDelegate {
        let layouts = Journal<Void>()
        func layoutContext(for map: ElementMap) -> any Sendable { 0 }
        func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
            -> any Sendable
        {
            layouts.append(())
            return 0
        }
    }

    @Test(arguments: Substrate.allCases)
    func whatIsClosedStaysClosedAndIsToldOnce(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        await scene.onMain { controller in
            for _ in 0..<3 {
                controller.core.close(draining: true, timeout: nil, nil)
            }
            scene.view.catchUp()
        }
        await scene.close()
        for draining in [true, false] {
            await scene.close(draining: draining, timeout: .milliseconds(1))
            #expect(await scene.onMain { $0.assumeIsolated().isClosed })
        }
        #expect(scene.events.kinds(of: nil) == ["closing", "closed"])
    }

    /// An idle controller is closed in a moment, however generous the deadline.
    @Test(arguments: Substrate.allCases)
    func aDeadlineTakesATimerWhereThereIsSomethingToDrain(_ substrate: Substrate) async throws {
        for isBusy in [true, false] {
            let made = substrate.makeStage()
            let environment = TimedEnvironment(base: made.environment)
            let stage = Stage(lane: made.lane, environment: environment)
            let view = RecordingView(.onDemand)
            let controller = stage.makeController(TextDataSource([["a"]]), view: view)
            let closed = Journal<Void>()
            if isBusy {
                try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
                await view.received.values(count: 1)
            }
            controller.close(draining: true, timeout: .milliseconds(3)) { closed.append(()) }
            await onMain(controller) { _ in view.catchUp() }
            await closed.values(count: 1)
            #expect(environment.delays.values == (isBusy ? [.milliseconds(3)] : []))
        }
    }

    /// A close that waits for a view as long as it takes is cut short by one that does not.
    @Test(arguments: Substrate.allCases)
    func aLaterCloseBringsItsDeadline(_ substrate: Substrate) async throws {
        let made = substrate.makeStage()
        let environment = TimedEnvironment(base: made.environment)
        let stage = Stage(lane: made.lane, environment: environment)
        let view = RecordingView(.onDemand)
        let controller = stage.makeController(TextDataSource([["a"]]), view: view)
        let ends = Journal<String>()
        try await onMain(controller) { controller in
            try controller.assumeIsolated().reloadData { ends.append($0.outcome.text) }
        }
        await view.received.values(count: 1)
        controller.close(draining: true) { ends.append("first") }
        controller.close(draining: true, timeout: .milliseconds(3)) { ends.append("second") }
        await onMain(controller) { _ in }
        #expect(environment.delays.values == [.milliseconds(3)])
        // Without the deadline the view would be waited for, which shows in the outcome.
        environment.schedule(after: .seconds(300), on: stage.lane) { view.catchUp() }
        await ends.values(count: 3)
        #expect(ends.values == ["cancelled", "first", "second"])
    }

    @Test(arguments: Substrate.allCases, [true, false])
    func whatWaitsForTheEndOfABatchIsRejectedWithIt(
        _ substrate: Substrate,
        _ draining: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let ran = Journal<Void>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().performBatchUpdates(
                completion: scene.completion("batch")
            )
        }
        for name in ["first", "second"] {
            scene.controller.enqueueBatchUpdates(
                { _, _ in ran.append(()) },
                completion: scene.completion(name)
            )
        }
        while await scene.onMain({ $0.core.admission.waiting.deferred }) < 2 { await Task.yield() }
        await scene.close(draining: draining)
        #expect(
            scene.outcomes.values.map(\.description)
                == [
                    "batch: rejected(closed)", "first: rejected(closed)",
                    "second: rejected(closed)",
                ]
        )
        #expect(ran.count == 0)
    }

    @Test(arguments: Substrate.allCases)
    func whatTheCallbackOfACloseKeepsGoesWithIt(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let told = Journal<Void>()
        weak var kept: Token?
        do {
            let token = Token()
            kept = token
            scene.controller.close { withExtendedLifetime(token) { told.append(()) } }
        }
        await told.values(count: 1)
        for _ in 0..<2 { await scene.onMain { _ in } }
        #expect(kept == nil)
    }

    @Test(arguments: Substrate.allCases)
    func theReloadAfterARejectionDoesNotComeOnceItIsClosing(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            _ = try? controller.assumeIsolated().deleteSections([9])
            controller.core.close(draining: true, timeout: nil, nil)
        }
        await scene.close()
        #expect(scene.events.events(.accepted).count == 1)
        #expect(scene.view.received.count == 1)
    }

    /// The only worker is kept until the close has come.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func noLayoutBeginsOnceItIsCancelled(_ substrate: Substrate) async throws {
        let (delegate, gate) = (NotingLayout(), Gate())
        defer { gate.open() }
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate, workerCount: 1)
        scene.stage.environment.fork(
            parts: 1,
            joinOn: scene.stage.lane,
            body: { _ in gate.pass() },
            join: {}
        )
        await gate.reached()
        try await scene.onMain {
            try $0.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        while scene.events.events(.measuringStarted).isEmpty { await Task.yield() }
        await scene.close(draining: false)
        gate.open()
        for _ in 0..<3 { await scene.stage.workersAreDone() }
        #expect(delegate.layouts.count == 0)
        #expect(scene.outcomes.values.map(\.description) == ["load: cancelled"])
    }
}
