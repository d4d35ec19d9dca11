import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Synchronisation callbacks", .endsHangs)
struct SynchronisationTests {
    @Test(arguments: Substrate.allCases)
    func withOverlappingSetsNothingIsSynchronizedBeforeTheLast(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let journal = Journal<String>()
        try await scene.onMain { controller in
            for number in 0..<3 {
                try controller.assumeIsolated().performBatchUpdates(completion: {
                    [weak controller] _ in
                    let isSynchronized = controller?.assumeIsolated().isSynchronized == true
                    journal.append("\(number) \(isSynchronized)")
                })
            }
            controller.whenReached(.completed) { [weak controller] in
                journal.append(
                    "synchronized \(controller?.assumeIsolated().isSynchronized == true)"
                )
            }
        }
        await scene.view.received.values(count: 3)
        for count in 1...3 {
            await scene.onMain { _ in scene.view.deployNext() }
            await journal.values(count: count)
        }
        let values = await journal.values(count: 4)
        #expect(values == ["0 false", "1 false", "2 false", "synchronized true"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func callbacksComeInTheOrderInWhichTheyWereAdded(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let processed = Journal<Int>()
        let synchronized = Journal<Int>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            for number in 0..<20 {
                controller.whenReached(.handedOver) { processed.append(number) }
                controller.whenReached(.completed) { synchronized.append(number) }
            }
        }
        #expect(await processed.values(count: 20) == Array(0..<20))
        #expect(await synchronized.values(count: 20) == Array(0..<20))
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aCallbackAddedByACallbackComesLater(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let journal = Journal<String>()
        await scene.onMain { controller in
            controller.whenReached(.handedOver) { [weak controller] in
                controller?.whenReached(.handedOver) { journal.append("added") }
                journal.append("first")
            }
            controller.whenReached(.handedOver) { journal.append("second") }
        }
        #expect(await journal.values(count: 3) == ["first", "second", "added"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func processingEndsWithTheHandOverSynchronizingWithTheView(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let journal = Journal<String>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: { _ in
                journal.append("completed")
            })
            controller.whenReached(.completed) { journal.append("synchronized") }
            controller.whenReached(.handedOver) { journal.append("processed") }
        }
        #expect(await journal.values(count: 1) == ["processed"])
        await scene.onMain { _ in scene.view.catchUp() }
        #expect(await journal.values(count: 3) == ["processed", "completed", "synchronized"])
        await scene.close()
    }

    /// What waits for the end of somebody's batch is a submission like any other.
    @Test(arguments: Substrate.allCases)
    func whileASubmissionWaitsForABatchNothingIsSynchronized(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let journal = Journal<String>()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in journal.append("completed") }
        await scene.onMain { controller in
            #expect(!controller.assumeIsolated().isSynchronized)
            controller.whenReached(.completed) { journal.append("synchronized") }
        }
        await scene.onMain { _ in }
        #expect(journal.count == 0)
        try await scene.onMain { try $0.assumeIsolated().endUpdates() }
        #expect(await journal.values(count: 2) == ["completed", "synchronized"])
        await scene.close()
    }

    /// Nothing completes there, and who waits must not wait for ever.
    @Test(arguments: Substrate.allCases)
    func aReloadThatWaitedForABatchAndIsNotNeededKeepsNobody(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        try await scene.controller.reloadData()
        let journal = Journal<Void>()
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            _ = try? controller.assumeIsolated().performBatchUpdates(completion: nil)
            try controller.assumeIsolated().beginUpdates()
        }
        await scene.onMain { _ in }
        try await scene.onMain { controller in
            // It accounts for everything, so that the reload behind it has nothing to do.
            try controller.assumeIsolated().performBatchUpdates(
                { _, changes in
                    changes.insertItems(at: [ItemPath(0, 1)])
                    changes.declareContentCurrent()
                },
                completion: nil
            )
            controller.whenReached(.completed) { journal.append(()) }
            try controller.assumeIsolated().endUpdates()
        }
        await journal.values(count: 1)
        #expect(scene.view.received.count == 2)
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func processingEndsWithACloseThatCancelsWhatIsLeft(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = Scene(substrate, [["a"]])
        scene.nodes.onMake { _ in gate.pass() }
        let calls = Journal<String>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            controller.whenReached(.handedOver) { calls.append("processed") }
            controller.whenReached(.completed) { calls.append("synchronized") }
        }
        await gate.reached()
        // Each has looked by then, and found something under way.
        await scene.onMain { _ in }
        await scene.onMain { _ in }
        #expect(calls.count == 0)
        await scene.close(draining: false)
        #expect(calls.values.sorted() == ["processed", "synchronized"])
    }

    /// Whatever a close finds under way, and whether it lets that come to an end.
    @Test(arguments: Substrate.allCases, [true, false])
    func callbacksThatWaitForAnEndComeBeforeThatOfTheClose(
        _ substrate: Substrate,
        _ draining: Bool
    ) async throws {
        for (accepted, deployed, finished) in [(0, 0, 0), (2, 0, 0), (2, 1, 0), (2, 2, 1)] {
            let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
                $0.backlogLimit = 2
            }
            let calls = Journal<String>()
            try await scene.onMain { controller in
                for _ in 0..<accepted {
                    try controller.assumeIsolated().reloadData { _ in calls.append("told") }
                }
            }
            // One more waits for room, where there is none.
            scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in calls.append("told") }
            await scene.view.received.values(count: accepted)
            await scene.onMain { controller in
                for _ in 0..<deployed { scene.view.deployNext(finishing: false) }
                for _ in 0..<finished { scene.view.finishNext() }
                // One set more is on its way to the view, as long as nothing is closed.
                _ = try? controller.assumeIsolated().reloadData { _ in calls.append("told") }
                controller.whenReached(.handedOver) { calls.append("processed") }
                controller.whenReached(.completed) { calls.append("synchronized") }
                controller.core.close(draining: draining, timeout: nil) {
                    calls.append("closed")
                }
                scene.view.catchUp()
            }
            await scene.close()
            #expect(
                calls.values.sorted()
                    == (["closed", "processed", "synchronized"]
                        + Array(repeating: "told", count: accepted + 2))
            )
            #expect(calls.values.last == "closed")
        }
    }
}
