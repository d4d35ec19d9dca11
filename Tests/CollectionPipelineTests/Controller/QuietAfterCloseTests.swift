import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Quiet After Close", .endsHangs)
struct QuietAfterCloseTests {
    /// A scene with one update that its view holds, one suspended submission behind it, and the ends of both.
    private func busy(_ substrate: Substrate) async throws -> (Scene, Ends) {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 1
        }
        let ends = Ends()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: ends.completion("held"))
        }
        scene.controller.enqueueBatchUpdates({ _, _ in }, completion: ends.completion("waiting"))
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in }
        return (scene, ends)
    }

    /// What ended, in its order: submissions with their outcomes, and closes.
    private struct Ends: Sendable {
        let journal = Journal<String>()

        func completion(_ name: String) -> UpdateCompletion {
            { [journal] in journal.append("\(name): \($0.outcome.text)") }
        }

        func close(_ scene: Scene, draining: Bool, timeout: Duration? = nil) {
            scene.controller.close(draining: draining, timeout: timeout) { [journal] in
                journal.append("closed")
            }
        }
    }

    @Test(arguments: Substrate.allCases)
    func drainingDeploysWhatWasAcceptedAndRejectsTheRest(_ substrate: Substrate) async throws {
        let (scene, ends) = try await busy(substrate)
        ends.close(scene, draining: true)
        await scene.onMain { _ in scene.view.catchUp() }
        #expect(
            await ends.journal.values(count: 3)
                == ["waiting: rejected(closed)", "held: deployed", "closed"]
        )
        #expect(scene.controller.visibleMap.texts == [["a"]])
    }

    @Test(arguments: Substrate.allCases)
    func notDrainingCancelsEverythingAtOnce(_ substrate: Substrate) async throws {
        let (scene, ends) = try await busy(substrate)
        ends.close(scene, draining: false)
        #expect(
            await ends.journal.values(count: 3)
                == ["waiting: rejected(closed)", "held: cancelled", "closed"]
        )
        #expect(scene.controller.visibleMap.numberOfSections == 0)
        let isWanted = await scene.onMain { _ in scene.view.deployNext() }
        #expect(!isWanted)
    }

    @Test(arguments: Substrate.allCases)
    func aDeadlineEndsTheDraining(_ substrate: Substrate) async throws {
        let (scene, ends) = try await busy(substrate)
        // The view never deploys, so without the deadline this would wait for ever.
        await scene.controller.close(draining: true, timeout: .milliseconds(1))
        #expect(ends.journal.values == ["waiting: rejected(closed)", "held: cancelled"])
    }

    @Test(arguments: Substrate.allCases)
    func aDeadlineEndsTheWaitForAViewThatDeploysAndNeverFinishes(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let ends = Ends()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: ends.completion("shown"))
        }
        await scene.view.received.values(count: 1)
        let backlog = await scene.onMain { controller in
            scene.view.deployNext(finishing: false)
            return controller.assumeIsolated().backlog
        }
        #expect(backlog == 0)
        ends.close(scene, draining: true, timeout: .milliseconds(1))
        // Long after the deadline, on a slow machine too, the view finishes after all: a close that waits for it
        // would never end.
        scene.stage.environment.schedule(after: .seconds(300), on: scene.stage.lane) {
            ends.journal.append("late")
            scene.view.catchUp()
        }
        #expect(await ends.journal.values(count: 2).prefix(2) == ["shown: deployed", "closed"])
    }

    /// As many as are accepted, of which the view has deployed so many.
    @Test(arguments: Substrate.allCases, [(0, 0), (1, 0), (3, 0), (3, 1), (3, 3)])
    func theEventOfTheCloseHasTheBacklogThatThereIs(
        _ substrate: Substrate,
        _ counts: (accepted: Int, deployed: Int)
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { controller in
            for _ in 0..<counts.accepted {
                try controller.assumeIsolated().reloadData(completion: nil)
            }
        }
        await scene.view.received.values(count: counts.accepted)
        let backlog = await scene.onMain { controller in
            for _ in 0..<counts.deployed { scene.view.deployNext(finishing: false) }
            return controller.assumeIsolated().backlog
        }
        #expect(backlog == counts.accepted - counts.deployed)
        await scene.close(draining: false)
        #expect(scene.events.events(.closing).map(\.backlog) == [backlog])
    }

    @Test(arguments: Substrate.allCases)
    func aSecondCloseCutsTheDrainingShortAndBothComplete(_ substrate: Substrate) async throws {
        let (scene, ends) = try await busy(substrate)
        ends.close(scene, draining: true)
        ends.close(scene, draining: false)
        #expect(
            await ends.journal.values(count: 4)
                == ["waiting: rejected(closed)", "held: cancelled", "closed", "closed"]
        )
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func closingAnIdleOrClosedControllerCompletes(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.close()
        await scene.close(draining: false)
        #expect(scene.outcomes.count == 0)
    }

    @Test(arguments: Substrate.allCases)
    func theCallbackOfTheCloseIsTheLast(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let journal = Journal<String>()
        try await scene.onMain { controller in
            for number in 0..<5 {
                try controller.assumeIsolated().performBatchUpdates(completion: { _ in
                    journal.append("completion \(number)")
                })
            }
            controller.whenReached(.handedOver) { journal.append("processed") }
            controller.whenReached(.completed) { journal.append("synchronized") }
            controller.close { journal.append("closed") }
        }
        let values = await journal.values(count: 8)
        #expect(values.last == "closed")
        #expect(values.filter { $0.hasPrefix("completion") } == (0..<5).map { "completion \($0)" })
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func noEventComesAfterTheLast(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let gate = Gate()
        scene.nodes.onMeasure { _, _ in
            gate.pass()
            return nil
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        await scene.close(draining: false)
        // The measurement that was under way ends only now.
        gate.open()
        await #expect(throws: UpdateError.self) { try await scene.controller.reloadData() }
        for _ in 0..<10 { await scene.onMain { _ in } }
        #expect(scene.events.events.last?.kind == .closed)
    }

    @Test(arguments: Substrate.allCases)
    func submissionsWhileClosingAreRejected(_ substrate: Substrate) async throws {
        let (scene, ends) = try await busy(substrate)
        ends.close(scene, draining: true)
        let code = await scene.onMain { controller in
            do throws(UpdateError) {
                try controller.assumeIsolated().reloadData(completion: nil)
            } catch {
                return error.code
            }
            return UpdateError.Code(rawValue: "none")
        }
        #expect(code == .closed)
        let late = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        #expect(late?.code == .closed)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aControllerThatIsDroppedWhileItClosesDrainsAllTheSame(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let journal = Journal<String>()
        let view = RecordingView(.onDemand)
        var controller: DataController? = stage.makeController(
            TextDataSource([["a"]]),
            view: view
        )
        try await onMain(controller!) { controller in
            try controller.assumeIsolated().reloadData { journal.append($0.outcome.text) }
            controller.close { journal.append("closed") }
        }
        await view.received.values(count: 1)
        controller = nil
        await stage.lane.run {}
        await stage.lane.run { view.catchUp() }
        let values = await journal.values(count: 2)
        #expect(values == ["deployed", "closed"])
    }

    @Test(arguments: Substrate.allCases)
    func anOpenBatchIsRejectedAndItsEndFindsNothing(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let ends = Ends()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().performBatchUpdates(
                completion: ends.completion("inner")
            )
        }
        await scene.view.received.values(count: 1)
        ends.close(scene, draining: true)
        await scene.onMain { _ in }
        let error = await #expect(throws: UpdateError.self) {
            try await scene.onMain { try $0.assumeIsolated().endUpdates() }
        }
        #expect(error?.code == .closed)
        await scene.onMain { _ in scene.view.catchUp() }
        #expect(await ends.journal.values(count: 2) == ["inner: rejected(closed)", "closed"])
    }

    @Test(arguments: Substrate.allCases)
    func theEndOfABatchAfterSomebodyElsesCloseIsAnError(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        await scene.close()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.onMain {
                try $0.assumeIsolated().endUpdates(completion: scene.completion("late"))
            }
        }
        #expect(error?.code == .closed)
        await scene.outcomes.values(count: 1)
        #expect(scene.outcomes.values.map(\.description) == ["late: rejected(closed)"])
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func noMeasurementBeginsOnceItIsCancelled(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]], workerCount: 1)
        try await scene.cancelWhileTheFirstNodeIsMade()
        #expect(scene.nodes.made.count == 1)
        #expect(scene.nodes.measurements.count == 0)
        let states = scene.controller.pendingMap.items.map(\.content.state.text)
        #expect(states == ["skipped", "skipped"])
    }
}
