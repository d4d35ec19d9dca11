import BrokerProcesses
import CollectionChanges
import CollectionPublishing
import CollectionReplication
import Testing

/// Members of the library over real brokers: one leads, all show what it has, and another takes over.
@Suite(.serialized)
struct MemberTests {
    @Test(arguments: Substrate.allCases)
    func anotherMemberTakesOverWhenTheLeaderResigns(_ substrate: Substrate) async throws {
        let setting = try Setting(substrate)
        var configuration = ReplicationConfiguration()
        configuration.leaseDuration = .milliseconds(500)
        let members = try (0..<2).map { _ in
            ReplicatedHub(
                log: try setting.connect().log(named: "board"),
                configuration: configuration
            )
        }
        for member in members { member.follow() }
        members[0].lead { _ in }
        try await wait { members[0].status.isLeading }
        let first = try #require(members[0].status.position)
        try await wait { members[1].status.position == first }
        members[1].lead { _ in }
        members[0].resign()
        try await wait { members[1].status.isLeading }
        #expect(!members[0].status.isLeading)
        let second = try #require(members[1].status.position)
        #expect(second.epoch > first.epoch)
        try await wait { members[0].status.position == second }
        await close(members)
    }

    private func close(_ members: [ReplicatedHub]) async {
        for member in members {
            await withCheckedContinuation { continuation in
                member.close { continuation.resume() }
            }
        }
    }

    private func wait(until isTrue: () -> Bool) async throws {
        for _ in 0..<2_000 {
            if isTrue() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        try #require(isTrue())
    }
}
