import CollectionChanges
import PipelineTesting
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication

@Suite("Prefix") struct PrefixTests {
    /// What readers of one member are shown.
    private final class Watch: @unchecked Sendable {  // one thread
        private(set) var shown: [PublishedVersion: StateDigest] = [:]
        private(set) var replica = CollectionReplica()
        private var reader: HubReader?

        func begin(_ hub: UpdateHub) throws {
            reader = try hub.addReader { [unowned self] message in
                do {
                    try replica.apply(message)
                } catch {
                    Issue.record("\(error)")
                }
                if let version = replica.version { shown[version] = replica.digest }
                return .more
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func whatAMemberShowsIsWhatALeaderPublished(seed: UInt64) throws {
        let stage = ReplicaStage(
            seed: seed,
            faults: BrokerFaults(seed: seed, longestDelay: .milliseconds(800))
        )
        // Who leads shows what it publishes at once, so what leaders publish is what is shown there.
        let members = ["first", "second", "third"].map { name in
            stage.add(name) {
                $0.answerTimeout = .milliseconds(300)
                $0.visibility = .immediately
                $0.snapshotInterval = 10
            }
        }
        let watches = try members.map { member in
            let watch = Watch()
            try watch.begin(member.replica.hub)
            return watch
        }
        members[0].lead()
        members[1].lead()
        var isLed: Set<PublishedVersion> = []
        var known: [PublishedVersion: StateDigest] = [:]
        for _ in 0..<60 {
            for member in members { member.publish() }
            stage.run(.milliseconds(250))
            for (watch, member) in zip(watches, members) {
                for (version, digest) in watch.shown {
                    #expect(known[version] == nil || known[version] == digest, "\(version)")
                    known[version] = digest
                }
                // Only the first two ever lead.
                if member !== members[2] { isLed.formUnion(watch.shown.keys) }
            }
        }
        #expect(known.count > 20)
        // The third never leads.
        let shown = watches[2].shown.keys.filter { $0.number > 0 }
        #expect(!shown.isEmpty)
        for version in shown where !isLed.contains(version) {
            // That from which the history begins is nobody's.
            #expect(watches[2].shown[version] == CollectionReplica().digest, "\(version)")
        }
    }
}
