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
                try controller.performBatchUpdates(completion: { [weak controller] _ in
                    let isSynchronized = controller?.isSynchronized == true
                    journal.append("\(number) \(isSynchronized)")
                })
            }
            controller.onDidFinishSynchronizing { [weak controller] in
                journal.append("synchronized \(controller?.isSynchronized == true)")
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
            try controller.reloadData(completion: nil)
            for number in 0..<20 {
                controller.onDidFinishProcessingUpdates { processed.append(number) }
                controller.onDidFinishSynchronizing { synchronized.append(number) }
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
            controller.onDidFinishProcessingUpdates { [weak controller] in
                controller?.onDidFinishProcessingUpdates { journal.append("added") }
                journal.append("first")
            }
            controller.onDidFinishProcessingUpdates { journal.append("second") }
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
            try controller.reloadData(completion: { _ in journal.append("completed") })
            controller.onDidFinishSynchronizing { journal.append("synchronized") }
            controller.onDidFinishProcessingUpdates { journal.append("processed") }
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
        try await scene.onMain { try $0.beginUpdates() }
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in journal.append("completed") }
        await scene.onMain { controller in
            #expect(!controller.isSynchronized)
            controller.onDidFinishSynchronizing { journal.append("synchronized") }
        }
        await scene.onMain { _ in }
        #expect(journal.count == 0)
        try await scene.onMain { try $0.endUpdates() }
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
            controller.dataSource.sections[0].items.append("b")
            _ = try? controller.performBatchUpdates(completion: nil)
            try controller.beginUpdates()
        }
        await scene.onMain { _ in }
        try await scene.onMain { controller in
            // It accounts for everything, so that the reload behind it has nothing to do.
            try controller.performBatchUpdates(
                { _, changes in
                    changes.insertItems(at: [ItemPath(0, 1)])
                    changes.declareContentCurrent()
                },
                completion: nil
            )
            controller.onDidFinishSynchronizing { journal.append(()) }
            try controller.endUpdates()
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
            try controller.reloadData(completion: nil)
            controller.onDidFinishProcessingUpdates { calls.append("processed") }
            controller.onDidFinishSynchronizing { calls.append("synchronized") }
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
                for _ in 0..<accepted { try controller.reloadData { _ in calls.append("told") } }
            }
            // One more waits for room, where there is none.
            scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in calls.append("told") }
            await scene.view.received.values(count: accepted)
            await scene.onMain { controller in
                for _ in 0..<deployed { scene.view.deployNext(finishing: false) }
                for _ in 0..<finished { scene.view.finishNext() }
                // One set more is on its way to the view, as long as nothing is closed.
                _ = try? controller.reloadData { _ in calls.append("told") }
                controller.onDidFinishProcessingUpdates { calls.append("processed") }
                controller.onDidFinishSynchronizing { calls.append("synchronized") }
                controller.core.close(draining: draining, deadlineNanoseconds: nil) {
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
