import CollectionPublishing
import Foundation
import PipelineTestSupport
import Testing

@Suite("Messages that were spoiled on the way")
struct WireReplicaTests {
    /// A replica with something in it, the message that brought that, and an update of many kinds for it.
    private static func scene(
        seed: Int
    ) throws -> (replica: CollectionReplica, reset: HubMessage, update: HubMessage) {
        var updates = PublishedUpdates(seed: UInt64(seed))
        for _ in 0..<4 { _ = try updates.next(rate: 0.2) }
        let state = updates.model.state
        let old = PublishedVersion(handle: Written.handle, number: 1)
        let new = PublishedVersion(handle: Written.handle, number: 2)
        let snapshot = PublishedSnapshot(version: old, state: state, digest: state.digest)
        var replica = CollectionReplica()
        try replica.apply(.reset(snapshot, .joined))
        let (changeSet, contents) = try updates.next(rate: 0.4)
        let update = PublishedUpdate(
            from: old,
            to: new,
            changeSet: changeSet,
            contents: contents,
            digest: updates.model.state.digest
        )
        return (replica, .reset(snapshot, .joined), .update(update))
    }

    /// Gives `replica` a message of which anything may be; it is as it was, or what it has is right.
    private static func receive(_ bytes: some Sequence<UInt8>, _ replica: CollectionReplica) -> Bool
    {
        var changed = replica
        if changed.receive(bytes) == nil { return changed.state.digest == changed.digest }
        return changed.version == replica.version && changed.digest == replica.digest
            && changed.state == replica.state && changed.isClosed == replica.isClosed
    }

    @Test(arguments: 0..<Effort.number(20, usually: 3))
    func whateverIsSpoiledGivesAnErrorOrARightState(seed: Int) throws {
        let (replica, reset, update) = try Self.scene(seed: seed)
        var sampling = Sampling()
        var wrong: [String] = []
        for message in [update, reset, .closed(replica.version!)] {
            for mutation in try JSONValue(of: WireMessage(message)).mutations
            where sampling.takesNext() {
                let json = try mutation.json
                if !Self.receive(json.utf8, replica) { wrong.append(json) }
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: 0..<Effort.number(40, usually: 4))
    func whateverBytesAreSpoiledNothingElseHappens(seed: Int) throws {
        let (replica, _, update) = try Self.scene(seed: seed)
        let bytes = Array(try WireMessage(update).json.utf8)
        var mutilation = Mutilation(seed: UInt64(seed))
        var wrong: [String] = []
        for _ in 0..<500 {
            let spoiled = mutilation.spoil(bytes)
            if !Self.receive(spoiled, replica) {
                wrong.append(String(decoding: spoiled, as: UTF8.self))
            }
        }
        #expect(wrong == [])
    }

    @Test func whatLeadsBeyondTheLimitsIsAnError() throws {
        let written = try Written()
        let limits = [
            ShapeLimits(sections: 3, items: 100), ShapeLimits(sections: 100, items: 4),
        ]
        for limits in limits {
            var replica = CollectionReplica(limits: limits)
            try replica.apply(WireMessage(written.messages[0]))
            for message in written.messages[1...2] {
                let error = #expect(throws: ReplicaError.self) {
                    try replica.apply(WireMessage(message))
                }
                #expect(error?.code == .misfit && replica.version?.number == 0)
            }
        }
    }

    @Test func beforeTheFirstStateNothingElseIsTakenIn() throws {
        let written = try Written()
        for message in written.messages.dropFirst() {
            if case .reset = message { continue }
            var replica = CollectionReplica()
            let error = #expect(throws: ReplicaError.self) {
                try replica.apply(WireMessage(message))
            }
            #expect(error?.code == .noState)
        }
    }
}
