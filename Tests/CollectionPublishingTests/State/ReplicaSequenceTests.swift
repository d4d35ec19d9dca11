import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// After any sequence of messages, a replica has a state of the hub at the right version.
struct ReplicaSequenceTests {
    @Test func replicasOnlyHaveStatesOfTheHub() throws {
        let hub = try ScriptedHub()
        let messages = try Self.messages(of: hub)
        var (reached, count) = (Set<Int>(), 0)
        var wrong: [String] = []
        func walk(_ replica: CollectionReplica, _ length: Int) {
            guard length > 0 else { return }
            for message in messages {
                var replica = replica
                let (error, isUnchanged) = replica.fault(of: message)
                count += 1
                let isLast = if case .closed = message { true } else { false }
                var isRight = error == nil ? replica.isClosed == isLast : isUnchanged
                if let version = replica.version {
                    let index = version.number / 2
                    reached.insert(index)
                    isRight =
                        isRight && version == hub.version(index)
                        && replica.state == hub.states[index]
                        && replica.digest == hub.states[index].digest
                } else {
                    isRight = isRight && error != nil && replica.state == PublishedState()
                }
                if !isRight { wrong.append("\(message)") }
                // The walk has continued from the unchanged replica already.
                if error == nil { walk(replica, length - 1) }
            }
        }
        walk(CollectionReplica(), Effort.number(7, usually: 6))
        #expect(wrong == [] && reached == [0, 1, 2, 3] && count > 1_000)
    }

    /// The messages of a hub, and faulty ones.
    private static func messages(of hub: ScriptedHub) throws -> [HubMessage] {
        var messages: [HubMessage] = [
            .reset(hub.snapshot(0), .joined), .reset(hub.snapshot(2), .forgotten),
            .closed(hub.version(3)),
        ]
        for (from, to) in [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3)] {
            messages.append(.update(try hub.update(from, to)))
        }
        messages += [1, 3].map { .upToDate(hub.version($0), digest: hub.states[$0].digest) }
        // No replica can apply the following messages.
        let update = try hub.update(1, 2)
        var contents = update.contents
        contents.insertedItems[0] = PublishedItem(
            number: 1,
            payload: PublishedPayload(utf8: "else")
        )
        var mismatch = update.contents
        mismatch.changedItems = []
        let away = PublishedVersion(handle: ScriptedHub.otherHandle, number: 2)
        let mixed = PublishedSnapshot(
            version: hub.version(1),
            state: hub.states[3],
            digest: hub.states[1].digest
        )
        messages += [
            .update(update.with(contents: contents)), .update(update.with(contents: mismatch)),
            .update(update.with(to: away)), .update(update.with(from: away)),
            .update(update.with(digest: hub.states[3].digest)),
            .update(try hub.update(0, 1).with(from: hub.version(2), to: hub.version(3))),
            .upToDate(hub.version(2), digest: hub.states[1].digest), .reset(mixed, .joined),
        ]
        return messages
    }
}
