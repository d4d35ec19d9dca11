import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("Messages of a hub as a sequence", .endsHangs)
struct HubMessagesTests {
    @Test(arguments: Substrate.allCases)
    func updatesBetweenTwoCallsAreMerged(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate)
        let iterator = try scene.hub.messages().makeAsyncIterator()
        #expect(await iterator.next()?.words == "reset 0 joined")
        try await scene.controller.reloadData()
        for number in 0..<9 { try await scene.append("\(number)") }
        #expect(await iterator.next()?.words == "update 0 10")
        #expect(await iterator.next()?.words == "upToDate 10")
        await scene.close()
        #expect(await iterator.next()?.words == "closed 10")
        #expect(await iterator.next() == nil)
    }

    @Test(arguments: Substrate.allCases)
    func cancelledWaitersReceiveNoMessage(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate)
        let messages = try scene.hub.messages()
        _ = await messages.makeAsyncIterator().next()
        let waiting = Task { await messages.makeAsyncIterator().next() }
        while await scene.hub.report().waitingReaders == 0 { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        // A later message, even the last, goes to the next caller.
        await scene.close()
        _ = await scene.hub.report()
        #expect(await messages.makeAsyncIterator().next()?.words == "closed 0")
        #expect(await messages.makeAsyncIterator().next() == nil)
    }

    @Test(arguments: Substrate.threaded)
    func cancellingAtAnyTimeLosesNoMessage(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate)
        let messages = try scene.hub.messages()
        var replica = CollectionReplica()
        let editing = Task {
            try await scene.controller.reloadData()
            for number in 0..<100 { try await scene.append("\(number)") }
            await scene.close()
        }
        while !replica.isClosed {
            let waiting = Task { await messages.makeAsyncIterator().next() }
            await Task.yield()
            waiting.cancel()
            if let message = await waiting.value { try replica.apply(message) }
        }
        try await editing.value
        #expect(replica.state == scene.hub.snapshot.state)
    }

    @Test func releasedSequencesLeaveTheHub() async throws {
        let scene = PublishedScene(.dispatch)
        var messages: HubMessages? = try scene.hub.messages()
        #expect(scene.hub.numberOfReaders == 1 && messages != nil)
        messages = nil
        #expect(await scene.hub.report().readers == 0)
        await scene.close()
    }

    @Test func twoTasksCannotWaitForOneSequence() async {
        await #expect(processExitsWith: .failure) {
            let hub = UpdateHub()
            let messages = try hub.messages()
            _ = await messages.makeAsyncIterator().next()
            async let first = messages.makeAsyncIterator().next()
            async let second = messages.makeAsyncIterator().next()
            _ = await (first, second)
        }
    }
}
