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
            try controller.assumeIsolated().reloadData(completion: scene.completion("load"))
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            #expect(controller.assumeIsolated().isProcessingUpdates)
            #expect(!controller.assumeIsolated().isSynchronized)
            #expect(controller.visibleMap.numberOfSections == 0)
            controller.waitUntilReached(.handedOver)
            #expect(!controller.assumeIsolated().isProcessingUpdates)
            #expect(
                !controller.assumeIsolated().isSynchronized,
                "completions come in turns of their own"
            )
            #expect(controller.visibleMap.texts == [["a", "b"]])
            controller.waitUntilReached(.handedOver)
        }
        await scene.settle()
        #expect(await scene.onMain { $0.assumeIsolated().isSynchronized })
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anotherThreadWaitsForTheMainLane(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        let done = Journal<[[String]]>()
        Thread.detachNewThread {
            controller.waitUntilReached(.handedOver)
            done.append(controller.visibleMap.texts)
        }
        let texts = await done.values(count: 1)
        #expect(texts == [[["a"]]])
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await controller.reached(.handedOver)
        #expect(controller.visibleMap.generation == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aCompletionMayWait(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        let seen = Journal<Int>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData { [weak controller] _ in
                guard let controller else { return }
                try? controller.assumeIsolated().reloadItems(at: [ItemPath(0, 0)])
                controller.waitUntilReached(.handedOver)
                seen.append(controller.visibleMap.generation)
            }
        }
        #expect(await seen.values(count: 1) == [2])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func waitingOnAnIdleOrClosedControllerReturnsAtOnce(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.onMain { $0.waitUntilReached(.handedOver) }
        await scene.close()
        await scene.onMain { $0.waitUntilReached(.handedOver) }
        await scene.controller.reached(.handedOver)
    }

    @Test(arguments: Substrate.allCases)
    func aViewThatKeepsUpdatesDoesNotKeepAWaiter(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            controller.waitUntilReached(.handedOver)
            #expect(controller.visibleMap.numberOfSections == 0)
            #expect(controller.assumeIsolated().backlog == 1)
            #expect(!controller.assumeIsolated().isProcessingUpdates)
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    private struct End: Equatable {
        let name: String
        let received: Int
    }

    /// Two after each of some sets, so that some have to wait on while others, with sets behind theirs, go.
    @Test(arguments: Substrate.allCases, 1...5)
    func eachGoesOnWithItsSetAndThoseOfOneSetInTheirOrder(
        _ substrate: Substrate,
        _ count: Int
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let ends = Journal<End>()
        try await scene.onMain { controller in
            for number in 1...count {
                try controller.assumeIsolated().reloadData(completion: nil)
                for letter in ["a", "b"] {
                    controller.core.whenReached(.handedOver) {
                        let received = scene.view.received.count
                        ends.append(End(name: "\(number)\(letter)", received: received))
                    }
                }
            }
            try controller.assumeIsolated().reloadData(completion: nil)
        }
        let expected = (1...count).flatMap { number in
            ["a", "b"].map { End(name: "\(number)\($0)", received: number) }
        }
        await ends.values(count: 1)
        await scene.settle()
        #expect(ends.values == expected)
        await scene.close()
    }

    /// Some after a set of their own, and some after that of another.
    @Test(arguments: Substrate.allCases)
    func whoeverWaitsForWhatACloseCancelsGoesOnInTheOrderOfWaiting(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let ends = Journal<String>()
        try await scene.onMain { controller in
            for number in 0..<4 {
                if number.isMultiple(of: 2) {
                    try controller.assumeIsolated().reloadData(completion: nil)
                }
                controller.core.whenReached(.handedOver) { ends.append("\(number)") }
            }
            // In this very turn, so that nothing can have been handed over.
            controller.core.close(draining: false, timeout: nil) {
                ends.append("closed")
            }
        }
        await scene.close()
        #expect(ends.values == ["0", "1", "2", "3", "closed"])
        #expect(scene.view.received.count == 0)
    }

    @Test
    func asManyLanesAsLikeMayWaitAtOnce() async throws {
        // More than Dispatch has threads for on two cores; another comes once a second, and nobody has
        // one meanwhile.
        let count = Effort.number(8, usually: 3)
        let controllers = (0..<count).map { _ in
            DataController(dataSource: TextDataSource([["a"]]))
        }
        let shown = Journal<[[String]]>()
        for controller in controllers {
            controller.lane.enqueue {
                _ = try? controller.assumeIsolated().reloadData(completion: nil)
                controller.waitUntilReached(.handedOver)
                shown.append(controller.visibleMap.texts)
            }
        }
        #expect(await shown.values(count: count) == Array(repeating: [["a"]], count: count))
        for controller in controllers { await controller.close() }
    }
}
