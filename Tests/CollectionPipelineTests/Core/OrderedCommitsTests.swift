import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Ordered Commits", .endsHangs)
struct OrderedCommitsTests {
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func changeSetsDeployInTheOrderOfAcceptanceHoweverLongTheyMeasure(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { text, _ in
            if text == "slow" { gate.pass() }
            return nil
        }
        try await scene.onMain { controller in
            for text in ["slow", "quick", "quicker"] {
                try controller.assumeIsolated().performBatchUpdates(
                    { $0.append(text, &$1) },
                    completion: scene.completion(text)
                )
            }
        }
        await gate.reached()
        #expect(scene.controller.pendingMap.texts == [["a", "slow", "quick", "quicker"]])
        #expect(scene.controller.visibleMap.texts == [["a"]])
        gate.open()
        await scene.settle()
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 2, 3, 4])
        #expect(scene.outcomes.values.map(\.name) == ["slow", "quick", "quicker"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func completionsComeInOrderEvenIfTheViewFinishesOutOfOrder(
        _ substrate: Substrate
    ) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"]], view: view)
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: scene.completion("one"))
            try controller.assumeIsolated().reloadData(completion: scene.completion("two"))
        }
        await view.received.values(count: 2)
        await scene.onMain { _ in
            view.deployNext(finishing: false)
            view.deployNext(finishing: true)
        }
        await scene.onMain { _ in }
        #expect(scene.outcomes.count == 0)
        await scene.onMain { _ in view.finishNext() }
        await scene.settle()
        #expect(scene.outcomes.values.map(\.name) == ["one", "two"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theNextSetIsMeasuredWhileTheViewStillKeepsTheLast(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"]], view: view)
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
        }
        await view.received.values(count: 2)
        #expect(scene.nodes.measurements.count == 2)
        #expect(scene.controller.visibleMap.numberOfItems == 0)
        await scene.onMain { _ in view.catchUp() }
        await scene.close()
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
    }

    @Test(arguments: Substrate.allCases)
    func anOpenBatchKeepsItsNumberAndDeploysBehindWhatWasAcceptedMeanwhile(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().relayoutItems(
                at: [ItemPath(0, 0)],
                completion: scene.completion("relayout")
            )
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            try controller.assumeIsolated().endUpdates(completion: scene.completion("batch"))
        }
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description) == ["relayout: deployed", "batch: deployed"]
        )
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aBatchHasItsNumberFromTheMomentThatItBegins(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let numbers = try await scene.onMain { controller in
            try controller.assumeIsolated().beginUpdates()
            let relayout = try controller.assumeIsolated().relayoutAllNodes(
                completion: scene.completion("relayout")
            )
            let inner = try controller.assumeIsolated().performBatchUpdates(
                completion: scene.completion("inner")
            )
            let batch = try controller.assumeIsolated().endUpdates(
                completion: scene.completion("batch")
            )
            let reload = try controller.assumeIsolated().reloadData(
                completion: scene.completion("reload")
            )
            return [relayout, inner, batch, reload].map(\.rawValue)
        }
        #expect(numbers == [3, 2, 2, 4])
        let outcomes = await scene.outcomes.values(count: 4)
        #expect(outcomes.map(\.name) == ["relayout", "inner", "batch", "reload"])
        #expect(outcomes.map(\.result.submission.rawValue) == numbers)
        await scene.close()
    }

    /// Straight from step 1 to step 4, unless there is somebody to stay behind.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aSetWithNothingToPrepareTakesNoWayAround(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let events = scene.events
        try await scene.onMain { controller in
            let empty = try controller.assumeIsolated().performBatchUpdates(completion: nil)
            #expect(
                events.kinds(of: empty).suffix(3) == [
                    "accepted", "measuringStarted", "measuringFinished",
                ],
                "before the call returned"
            )
        }
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { _, _ in
            gate.pass()
            return nil
        }
        try await scene.append("held")
        await gate.reached()
        let behind = try await scene.onMain {
            try $0.assumeIsolated().performBatchUpdates(completion: nil)
        }
        await scene.onMain { _ in }
        #expect(events.kinds(of: behind).last == "accepted")
        gate.open()
        await scene.settle()
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 2, 3, 4])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSuspendedSetDeploysBehindSingleEditsThatOvertookIt(
        _ substrate: Substrate
    ) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"]], view: view) { $0.backlogLimit = 1 }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        scene.controller.enqueueBatchUpdates(
            { $0.append("late", &$1) },
            completion: scene.completion("suspended")
        )
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.core.performBatch(
                .ignored,
                animated: true,
                context: nil,
                completion: scene.completion("edit")
            ) { $0.record(.insertItems([ItemPath(0, 1)], .automatic)) }
        }
        await scene.onMain { _ in view.catchUp() }
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description) == ["edit: deployed", "suspended: deployed"]
        )
        #expect(scene.controller.visibleMap.texts == [["a", "b", "late"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSetThatWaitedForAnOpenBatchDeploysBehindIt(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        scene.controller.enqueueBatchUpdates(
            { $0.append("deferred", &$1) },
            completion: scene.completion("deferred")
        )
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            try controller.assumeIsolated().endUpdates(completion: scene.completion("batch"))
            // Accepted with a later number, and before the deferred one.
            try controller.assumeIsolated().relayoutAllNodes(
                completion: scene.completion("relayout")
            )
        }
        await scene.outcomes.values(count: 3)
        #expect(scene.outcomes.values.map(\.name) == ["batch", "relayout", "deferred"])
        #expect(scene.controller.visibleMap.texts == [["a", "b", "deferred"]])
        await scene.close()
    }
}
