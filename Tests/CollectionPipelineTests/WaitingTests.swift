import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Waiting for updates", .endsHangs)
struct WaitingTests {
    @Test(arguments: Substrate.allCases)
    func onTheMainLaneWaitingHandsOverEverythingAcceptedBefore(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.onMain { controller in
            try controller.reloadData(completion: scene.completion("load"))
            controller.dataSource.sections[0].items.append("b")
            try controller.insertItems(at: [ItemPath(0, 1)])
            #expect(controller.isProcessingUpdates)
            #expect(!controller.isSynchronized)
            #expect(controller.visibleMap.numberOfSections == 0)
            controller.waitUntilAllUpdatesAreProcessed()
            #expect(!controller.isProcessingUpdates)
            #expect(!controller.isSynchronized, "completions come in turns of their own")
            #expect(controller.visibleMap.texts == [["a", "b"]])
            controller.waitUntilAllUpdatesAreProcessed()
        }
        await scene.settle()
        #expect(await scene.onMain { $0.isSynchronized })
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anotherThreadWaitsForTheMainLane(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await scene.onMain { try $0.reloadData(completion: nil) }
        let done = Journal<[[String]]>()
        Thread.detachNewThread {
            controller.waitUntilAllUpdatesAreProcessed()
            done.append(controller.visibleMap.texts)
        }
        let texts = await done.values(count: 1)
        #expect(texts == [[["a"]]])
        try await scene.onMain { try $0.reloadData(completion: nil) }
        await controller.updatesProcessed()
        #expect(controller.visibleMap.generation == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aCompletionMayWait(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        let seen = Journal<Int>()
        try await scene.onMain { controller in
            try controller.reloadData { [weak controller] _ in
                guard let controller else { return }
                try? controller.reloadItems(at: [ItemPath(0, 0)])
                controller.waitUntilAllUpdatesAreProcessed()
                seen.append(controller.visibleMap.generation)
            }
        }
        #expect(await seen.values(count: 1) == [2])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func waitingOnAnIdleOrClosedControllerReturnsAtOnce(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.onMain { $0.waitUntilAllUpdatesAreProcessed() }
        await scene.close()
        await scene.onMain { $0.waitUntilAllUpdatesAreProcessed() }
        await scene.controller.updatesProcessed()
    }

    @Test(arguments: Substrate.allCases)
    func aViewThatKeepsUpdatesDoesNotKeepAWaiter(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { controller in
            try controller.reloadData(completion: nil)
            controller.waitUntilAllUpdatesAreProcessed()
            #expect(controller.visibleMap.numberOfSections == 0)
            #expect(controller.backlog == 1)
            #expect(!controller.isProcessingUpdates)
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases, 1...4)
    func waitingEndsWithTheLastSetThatWasAcceptedBeforeAndNotWithOneAhead(
        _ substrate: Substrate,
        _ count: Int
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let received = Journal<Int>()
        try await scene.onMain { controller in
            for number in 0..<count {
                controller.dataSource.sections[0].items.append("\(number)")
                try controller.reloadData(completion: nil)
            }
            controller.core.whenHandedOver { received.append(scene.view.received.count) }
            try controller.reloadData(completion: nil)
        }
        #expect(await received.values(count: 1) == [count])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whoeverWaitsForWhatACloseCancelsGoesOn(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let ends = Journal<String>()
        try await scene.onMain { controller in
            for number in 0..<3 {
                try controller.reloadData(completion: nil)
                controller.core.whenHandedOver { ends.append("\(number)") }
            }
            // In this very turn, so that nothing can have been handed over.
            controller.core.close(draining: false, deadlineNanoseconds: nil) {
                ends.append("closed")
            }
        }
        await scene.close()
        #expect(ends.values == ["0", "1", "2", "closed"])
        #expect(scene.view.received.count == 0)
    }

    @Test
    func asManyLanesAsLikeMayWaitAtOnce() async throws {
        let controllers = (0..<8).map { _ in DataController(dataSource: TextDataSource([["a"]])) }
        let shown = Journal<[[String]]>()
        for controller in controllers {
            controller.lane.enqueue {
                _ = try? controller.reloadData(completion: nil)
                controller.waitUntilAllUpdatesAreProcessed()
                shown.append(controller.visibleMap.texts)
            }
        }
        #expect(await shown.values(count: 8) == Array(repeating: [["a"]], count: 8))
        for controller in controllers { await controller.close() }
    }
}

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
