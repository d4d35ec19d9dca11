import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Quiet After Close", .endsHangs)
struct QuietAfterCloseTests {
    enum Ending: String, CaseIterable, Sendable {
        case drains, drainsWithAllTime, doesNotDrain, hasADeadline, hasNoTime, isCutShort
        case laterHasADeadline, runIsCancelled, runIsCancelledEarly, isDropped

        var isDrained: Bool { self == .drains || self == .drainsWithAllTime }

        var closes: Int {
            switch self {
            case .isDropped: 0
            case .isCutShort, .laterHasADeadline: 2
            default: 1
            }
        }
    }

    private typealias Controller = DataController<TextDataSource>

    private final class ClosingView: CollectionView, @unchecked Sendable {  // main-lane confined
        let base = RecordingView(.onDemand)
        let onClose: @Sendable () -> Void
        init(onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }
        func attach(to lane: any Lane) { base.attach(to: lane) }
        var elementSizeRange: SizeRange { base.elementSizeRange }
        var firstVisiblePath: ItemPath? { nil }
        func perform(_ update: ViewUpdate) { base.perform(update) }
        func updatesInFlightDidChange(_ areInFlight: Bool) {
            base.updatesInFlightDidChange(areInFlight)
        }
        func controllerDidClose() { onClose() }
    }

    /// One change set is deployed but not finished, two are at the view, two submissions wait for
    /// capacity or for the end of a batch, and each milestone has two callbacks.
    @Test(arguments: Substrate.allCases, Ending.allCases)
    func everythingOutstandingEndsBeforeTheLastCallback(
        _ substrate: Substrate,
        _ ending: Ending
    ) async throws {
        // Virtual time passes the deadline as soon as no other work is left.
        if substrate == .simulated && ending == .drainsWithAllTime { return }
        for opensBatch in [false, true] where !opensBatch || ending != .isDropped {
            let (stage, ends, events) = (substrate.makeStage(), Journal<String>(), EventRecorder())
            @Sendable func completion(_ name: String) -> UpdateCompletion {
                { ends.append("\(name): \($0.outcome.text)") }
            }
            let view = ClosingView { ends.append("view") }
            var configuration = PipelineConfiguration.unwatched
            configuration.backlogLimit = 3
            var controller: Controller? = stage.makeController(
                TextDataSource([["a"]]),
                view: view,
                configuration: configuration,
                observer: events
            )
            try await onMain(controller!) { controller in
                for number in 0..<3 {
                    try controller.assumeIsolated().reloadData(completion: completion("\(number)"))
                }
            }
            await view.base.received.values(count: 3)
            try await onMain(controller!) { controller in
                let list = controller.assumeIsolated()
                view.base.deployNext(finishing: false)
                if opensBatch {
                    try list.beginUpdates()
                    try list.performBatchUpdates(completion: completion("batch"))
                } else {
                    // Follows a change of the model and fills the backlog again.
                    try list.reloadData(completion: completion("3"))
                }
            }
            for name in ["first", "second"] {
                controller?.enqueueBatchUpdates({ _, _ in ends.append("ran") }) {
                    completion(name)($0)
                }
            }
            if !opensBatch { await view.base.received.values(count: 4) }
            while events.events(.suspended).count < 2 { await Task.yield() }
            for milestone in [Milestone.deliveredToView, .completed, .deliveredToView, .completed] {
                controller?.whenReached(milestone) { ends.append("reached") }
            }
            await stage.lane.run {}
            let running = end(&controller, as: ending, ends)
            await stage.lane.run {}
            if ending.isDrained { await stage.lane.run { view.base.catchUp() } }
            let others = (opensBatch ? ["batch"] : []) + ["first", "second"]
            let accepted = opensBatch ? 3 : 4
            // The view, the milestone callbacks and the callers.
            let count = 1 + 4 + others.count + accepted + ending.closes
            let all = await ends.values(count: count)
            await running?.value
            #expect(
                all.filter { $0.hasSuffix("rejected(closed)") }.map { $0.prefix { $0 != ":" } }
                    == others.map { $0[...] }
            )
            let outcomes = all.filter { $0.first?.isNumber == true }
            let expected = (0..<accepted).map {
                "\($0): \($0 == 0 || ending.isDrained ? "deployed" : "cancelled")"
            }
            #expect(outcomes == expected)
            #expect(all.count { $0 == "reached" } == 4 && !all.contains("ran"))
            let tail = ["view"] + Array(repeating: "closed", count: ending.closes)
            #expect(Array(all.suffix(tail.count)) == tail)
            for _ in 0..<3 { await stage.lane.run {} }
            #expect(ends.count == count)
            #expect(events.kinds(of: nil) == ["closing", "closed"])
            #expect(events.events(.closing).map(\.backlog) == [opensBatch ? 2 : 3])
            #expect(events.events.last?.kind == .closed)
            #expect(await stage.lane.run { view.base.waiting.first?.deploy { _ in } } != true)
            #expect(view.base.inFlight.values.last == true, "no further notification arrives")
        }
    }

    /// - Returns: a task that lives as long as the controller, if cancelling it ends the
    /// controller.
    private func end(
        _ controller: inout Controller?,
        as ending: Ending,
        _ ends: Journal<String>
    ) -> Task<Void, Never>? {
        let list = controller
        @Sendable func close(_ draining: Bool = true, _ timeout: Duration? = nil) {
            list?.close(draining: draining, timeout: timeout) { ends.append("closed") }
        }
        switch ending {
        case .drains: close()
        case .drainsWithAllTime: close(true, .seconds(3600))
        case .doesNotDrain: close(false)
        case .hasADeadline: close(true, .milliseconds(1))
        case .hasNoTime: close(true, Duration(attoseconds: .min))
        case .isCutShort:
            close()
            close(false)
        case .laterHasADeadline:
            close()
            close(true, .milliseconds(1))
        case .runIsCancelled, .runIsCancelledEarly:
            let task = Task {
                if ending == .runIsCancelledEarly { withUnsafeCurrentTask { $0?.cancel() } }
                await list?.run(drainingTimeout: .milliseconds(1))
                ends.append("closed")
            }
            task.cancel()
            return task
        case .isDropped: controller = nil
        }
        return nil
    }

    /// Covers calls from the completion of a cancelled submission, and from callers that do not
    /// know of the close.
    @Test(arguments: Substrate.allCases, [true, false])
    func submissionsDuringAndAfterACloseAreRejected(
        _ substrate: Substrate,
        _ isDraining: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let ends = Journal<String>()
        @Sendable func submit(_ controller: Controller) {
            let list = controller.assumeIsolated()
            for call in 0..<4 {
                do throws(UpdateError) {
                    switch call {
                    case 0: try list.insertItems(at: [ItemPath(0, 0)])
                    case 1: try list.relayoutAllNodes()
                    case 2: try list.beginUpdates()
                    default: try list.endUpdates()
                    }
                } catch {
                    ends.append(error.summary)
                }
            }
            ends.append("\(list.isClosed)")
        }
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData { [weak controller] _ in
                guard let controller else { return }
                submit(controller)
                controller.close { ends.append("second") }
            }
        }
        await scene.view.received.values(count: 1)
        scene.controller.close(draining: isDraining) { ends.append("first") }
        await scene.onMain { _ in scene.view.catchUp() }
        let texts = Array(repeating: "Controller 'collection' is closing", count: 4)
        #expect(await ends.values(count: 7) == texts + ["false", "first", "second"])
        // After the close each call is rejected, as the asynchronous calls are, and its completion
        // runs.
        let late = scene.completion("late")
        let calls: [@Sendable (DataController<TextDataSource>.Isolated) throws -> Void] = [
            { try $0.performBatchUpdates(completion: late) },
            { try $0.endUpdates(completion: late) }, { try $0.reloadData(completion: late) },
            { try $0.relayoutItems(at: [], completion: late) },
            { try $0.relayoutAllNodes(completion: late) }, { try $0.clear(completion: late) },
            { try $0.beginUpdates() }, { try $0.insertItems(at: [ItemPath(0, 0)]) },
        ]
        for call in calls {
            let error = await #expect(throws: UpdateError.self) {
                try await scene.onMain { try call($0.assumeIsolated()) }
            }
            #expect(error?.message == "Controller 'collection' is closed")
        }
        let outcomes = await scene.outcomes.values(count: 6).map(\.description)
        #expect(outcomes == Array(repeating: "late: rejected(closed)", count: 6))
        await scene.close(draining: false)
        await scene.controller.run()
        #expect(scene.events.kinds(of: nil) == ["closing", "closed"])
    }

    /// The only worker is held until the close: running work ends later without any event.
    @Test(.holdsWorker, arguments: Substrate.threaded, [true, false])
    func noWorkStartsOnAWorkerAfterCancellation(
        _ substrate: Substrate,
        _ hasLayout: Bool
    ) async throws {
        let (layouts, gate) = (Journal<Void>(), Gate())
        let delegate = ScriptedLayout { _, _, _ in
            layouts.append(())
            return 0
        }
        defer { gate.open() }
        let scene = Scene(
            substrate,
            [["a", "b"]],
            layoutDelegate: hasLayout ? delegate : nil,
            workerCount: 1
        )
        if hasLayout {
            scene.stage.environment.fork(
                parts: 1,
                joinOn: scene.stage.lane,
                body: { _ in gate.pass() },
                join: {}
            )
        }
        scene.nodes.onMake { _ in gate.pass() }
        let reached = Journal<String>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: scene.completion("load"))
            controller.whenReached(.deliveredToView) { reached.append("handed over") }
            controller.whenReached(.completed) { reached.append("completed") }
        }
        await gate.reached()
        await scene.events.wait(for: .measuringStarted)
        #expect(reached.count == 0)
        await scene.close(draining: false)
        #expect(reached.values.sorted() == ["completed", "handed over"])
        gate.open()
        for _ in 0..<3 { await scene.stage.workersAreDone() }
        #expect(layouts.count == 0 && scene.nodes.measurements.count == 0)
        #expect(scene.nodes.made.count == (hasLayout ? 0 : 1))
        #expect(scene.outcomes.values.map(\.description) == ["load: cancelled"])
        if !hasLayout {
            let states = scene.controller.pendingMap.items.map(\.content.state.text)
            #expect(states == ["skipped", "skipped"])
        }
        await #expect(throws: UpdateError.self) { try await scene.controller.reloadData() }
        #expect(scene.events.events.last?.kind == .closed)
    }
}
