import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("No Inline Callbacks", .endsHangs)
struct NoInlineCallbackTests {
    @Test(arguments: Substrate.allCases)
    func nothingCallsBackBeforeTheCallThatCausedItReturns(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let during = try await scene.onMain { controller in
            let called = Journal<String>()
            try controller.assumeIsolated().performBatchUpdates(completion: { _ in
                called.append("empty")
            })
            _ = try? controller.assumeIsolated().performBatchUpdates(
                { $1.deleteSections([9]) },
                completion: { _ in called.append("rejected") }
            )
            _ = try? controller.assumeIsolated().endUpdates(completion: { _ in
                called.append("unbalanced")
            })
            _ = try? controller.assumeIsolated().relayoutItems(
                at: [ItemPath(9, 9)],
                completion: { _ in called.append("relayout") }
            )
            controller.whenReached(.handedOver) { called.append("processed") }
            controller.whenReached(.completed) { called.append("synchronized") }
            controller.waitUntilReached(.handedOver)
            return called.values
        }
        #expect(during == [])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aCallbackForWhatIsDoneAlreadyComesInTheNextTurn(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.settle()
        let called = Journal<String>()
        let during = await scene.onMain { controller in
            controller.whenReached(.handedOver) { called.append("processed") }
            controller.whenReached(.completed) { called.append("synchronized") }
            return called.values
        }
        #expect(during == [])
        await called.values(count: 2)
        await scene.close()
    }
}

@Suite("Never Re-entrant", .endsHangs)
struct NeverReentrantTests {
    @Test(arguments: Substrate.allCases)
    func submittingFromACompletionStartsANewTurn(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        let journal = Journal<String>()
        try await scene.onMain { _ in
            try controller.assumeIsolated().reloadData { _ in
                journal.append("first begins")
                _ = try? controller.assumeIsolated().performBatchUpdates(
                    completion: { _ in journal.append("second") }
                )
                controller.waitUntilReached(.handedOver)
                journal.append("first ends")
            }
        }
        await journal.values(count: 3)
        #expect(journal.values == ["first begins", "first ends", "second"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func submittingWhileAnUpdateIsDeployedDeploysLater(_ substrate: Substrate) async throws {
        let view = RecordingView()
        let scene = Scene(substrate, [["a"]], view: view)
        let journal = Journal<String>()
        let controller = scene.controller
        try await scene.onMain { _ in
            view.onApply = { [weak controller] update in
                journal.append("begin \(update.submission)")
                if update.submission.rawValue < 3 {
                    _ = try? controller?.assumeIsolated().performBatchUpdates(completion: nil)
                }
                journal.append("end \(update.submission)")
            }
            try controller.assumeIsolated().reloadData(completion: nil)
        }
        await view.received.values(count: 3)
        await scene.settle()
        #expect(
            journal.values == ["begin #1", "end #1", "begin #2", "end #2", "begin #3", "end #3"]
        )
        await scene.close()
    }
}

@Suite("The main serial queue", .endsHangs)
struct MainSerialQueueTests {
    @Test(arguments: Substrate.allCases)
    func blocksRunInOrderOneAfterTheOtherOnTheLane(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let queue = MainSerialQueue(lane: stage.lane)
        let journal = Journal<(Int, CallPlace)>()
        for number in 0..<100 { queue.perform { journal.append((number, stage.currentPlace)) } }
        let values = await journal.values(count: 100)
        #expect(values.map(\.0) == Array(0..<100))
        #expect(values.allSatisfy { $0.1 == .mainLane })
        #expect(queue.numberOfScheduledBlocks == 0)
    }

    @Test(arguments: Substrate.allCases)
    func aBlockAddedByABlockRunsAfterItAndAfterThoseBeforeIt(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let queue = MainSerialQueue(lane: stage.lane)
        let journal = Journal<String>()
        await stage.lane.run {
            queue.perform {
                journal.append("one begins")
                queue.perform { journal.append("three") }
                journal.append("one ends, running: \(queue.isRunningBlock)")
            }
            queue.perform { journal.append("two") }
            journal.append("added, running: \(queue.isRunningBlock)")
        }
        let values = await journal.values(count: 5)
        #expect(
            values == [
                "added, running: false", "one begins", "one ends, running: true", "two", "three",
            ]
        )
    }

    @Test(arguments: Substrate.allCases)
    func aStreamOfBlocksDoesNotKeepTheLane(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let queue = MainSerialQueue(lane: stage.lane)
        let stop = Gate()
        @Sendable func again() {
            if stop.arrivalCount == 0 { queue.perform(again) }
        }
        queue.perform(again)
        // This turn comes although the queue is never empty.
        await stage.lane.run {
            stop.open(); stop.pass()
        }
        #expect(stop.arrivalCount == 1)
    }

    @Test(arguments: Substrate.allCases)
    func blocksFromManyThreadsAllRunEachThreadsInOrder(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let queue = MainSerialQueue(lane: stage.lane)
        let journal = Journal<Int>()
        await withTaskGroup(of: Void.self) { group in
            for producer in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        queue.perform { journal.append(producer * 1000 + number) }
                    }
                }
            }
        }
        let values = await journal.values(count: 200)
        let isInOrder = (0..<4).allSatisfy { producer in
            let own = values.filter { $0 / 1000 == producer }
            return own == (0..<50).map { producer * 1000 + $0 }
        }
        #expect(values.count == 200 && isInOrder)
    }
}
