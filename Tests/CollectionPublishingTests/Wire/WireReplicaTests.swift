import CollectionPublishing
import Foundation
import PipelineTestSupport
import Testing

@Suite("Messages that were spoiled on the way")
struct WireReplicaTests {
    /// A replica with something in it, and an update of many kinds for it.
    private static func scene(seed: Int) throws -> (CollectionReplica, HubMessage) {
        var publisher = RandomPublisher(seed: UInt64(seed))
        _ = try publisher.update(merging: 4)
        var replica = CollectionReplica()
        try replica.apply(publisher.reset)
        return (replica, try publisher.update(rate: 0.4, merging: 2))
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
        let (replica, update) = try Self.scene(seed: seed)
        var sampling = Sampling()
        for message in [update, .closed(replica.version!)] {
            for mutation in try JSONValue(of: WireMessage(message)).mutations
            where sampling.takesNext() {
                let json = try mutation.json
                #expect(Self.receive(json.utf8, replica), "seed \(seed): \(json)")
            }
        }
    }

    @Test func aResetThatIsSpoiledGivesAnErrorOrARightState() throws {
        var publisher = RandomPublisher(seed: 5)
        _ = try publisher.update(merging: 4)
        let replica = try Self.scene(seed: 6).0
        for mutation in try JSONValue(of: WireMessage(publisher.reset)).mutations {
            let json = try mutation.json
            #expect(Self.receive(json.utf8, replica), "\(json)")
        }
    }

    @Test(arguments: 0..<Effort.number(40, usually: 4))
    func whateverBytesAreSpoiledNothingElseHappens(seed: Int) throws {
        let (replica, update) = try Self.scene(seed: seed)
        let bytes = Array(try WireMessage(update).json.utf8)
        var mutilation = Mutilation(seed: UInt64(seed))
        for _ in 0..<500 {
            let spoiled = mutilation.spoil(bytes)
            let text = String(decoding: spoiled, as: UTF8.self)
            #expect(Self.receive(spoiled, replica), "seed \(seed): \(text)")
        }
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
