import CollectionPublishing
import Foundation
import PipelineTestSupport
import Testing

@Suite("Damaged messages")
struct WireReplicaTests {
    /// Returns a replica with a state, its reset message, and an update of many kinds for it.
    private static func scene(
        seed: Int
    ) throws -> (replica: CollectionReplica, reset: HubMessage, update: HubMessage) {
        var updates = PublishedUpdates(seed: UInt64(seed))
        for _ in 0..<4 { _ = try updates.next(rate: 0.2) }
        let state = updates.model.state
        let old = PublishedVersion(handle: WireSamples.handle, number: 1)
        let new = PublishedVersion(handle: WireSamples.handle, number: 2)
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

    /// Returns whether a replica either stays unchanged or has a valid state after a damaged
    /// message.
    private static func receive(_ bytes: some Sequence<UInt8>, _ replica: CollectionReplica) -> Bool
    {
        var changed = replica
        if changed.receive(bytes) == nil { return changed.state.digest == changed.digest }
        return changed.version == replica.version && changed.digest == replica.digest
            && changed.state == replica.state && changed.isClosed == replica.isClosed
    }

    @Test(arguments: 0..<Effort.number(20, usually: 3))
    func damagedValuesGiveAnErrorOrAValidState(seed: Int) throws {
        let (replica, reset, update) = try Self.scene(seed: seed)
        var sampling = Sampling()
        var wrong: [String] = []
        for message in [update, reset, .closed(replica.version!)] {
            for mutation in try JSONValue(message.json).mutations
            where sampling.takesNext() {
                let json = try mutation.json
                if !Self.receive(json.utf8, replica) { wrong.append(json) }
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: 0..<Effort.number(40, usually: 4))
    func damagedBytesGiveAnErrorOrAValidState(seed: Int) throws {
        let (replica, _, update) = try Self.scene(seed: seed)
        let bytes = Array(try update.json.utf8)
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

    @Test func messagesBeyondTheLimitsAreErrors() throws {
        let written = try WireSamples()
        let limits = [
            ShapeLimits(sections: 3, items: 100), ShapeLimits(sections: 100, items: 4),
        ]
        for limits in limits {
            var replica = CollectionReplica(limits: limits)
            try replica.apply(written.messages[0].wire)
            for message in written.messages[1...2] {
                let error = #expect(throws: ReplicaError.self) {
                    try replica.apply(message.wire)
                }
                #expect(error?.code == .mismatch && replica.version?.number == 0)
            }
        }
    }

    @Test func beforeTheFirstStateOnlyResetsAreAccepted() throws {
        let written = try WireSamples()
        for message in written.messages.dropFirst() {
            if case .reset = message { continue }
            var replica = CollectionReplica()
            let error = #expect(throws: ReplicaError.self) {
                try replica.apply(message.wire)
            }
            #expect(error?.code == .noState)
        }
    }
}
