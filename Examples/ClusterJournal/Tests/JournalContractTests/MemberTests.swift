import BrokerProcesses
import CollectionChanges
import CollectionPublishing
import CollectionReplication
import Testing

@testable import journal_campaign

/// Members of the library on real brokers.
@Suite(.serialized)
struct MemberTests {
    @Test(arguments: Substrate.allCases)
    func anotherMemberTakesOverWhenTheLeaderResigns(_ substrate: Substrate) async throws {
        let fixture = try BrokerFixture(substrate)
        var configuration = ReplicationConfiguration()
        configuration.leaseDuration = .milliseconds(500)
        let members = try (0..<2).map { _ in
            ReplicatedHub(
                log: try fixture.connect().log("board"),
                configuration: configuration
            )
        }
        for member in members { member.follow() }
        members[0].campaign { _ in }
        try await wait { members[0].status.isLeading }
        let first = try #require(members[0].status.position)
        try await wait { members[1].status.position == first }
        members[1].campaign { _ in }
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

/// The checks of `journal-campaign` detect every kind of violation.
struct CampaignTests {
    /// Reports, each after its member's number, and the expected violation; `nil` if there is none.
    @Test(arguments: [
        (["0 leads", "0 shows h.1 aa 1-a", "1 shows h.1 aa 1-a", "0 acknowledges 1-a"], nil),
        (["0 shows h.3 cc 2-a 3-a", "1 shows h.2 bb 2-a", "1 shows h.3 cc 2-a 3-a"], nil),
        (["0 shows h.1 aa 1-a", "1 shows h.1 ab 1-a"], "digest ab"),
        (["0 shows h.1 aa 1-a 1-a"], "1-a directly after 1-a"),
        (["0 shows h.1 aa 1-a 3-a"], "3-a directly after 1-a"),
        (["0 shows h.2 bb 2-a", "0 shows h.1 aa 1-a"], "edit 1 as the newest"),
        (["0 acknowledges 5-a", "1 shows h.5 ee 4-a 5-b"], "5-b, but 5-a"),
        (["0 acknowledges 5-a", "1 acknowledges 5-b"], "5-b, but 5-a"),
        (["0 shows h.5 ee 5-a", "1 acknowledges 5-b"], "5-b, but 5-a"),
        (["0 a reader cannot follow"], "a reader cannot follow"),
        (["0 shows h.5 ee 5-x"], "5-x"), (["0 shows h.5"], "h.5"), (["0 acknowledges"], "ack"),
    ])
    func brokenGuaranteesAreFound(_ reports: [String], _ violation: String?) {
        var ledger = Ledger()
        for report in reports {
            ledger.record(String(report.dropFirst(2)), from: report.hasPrefix("0") ? 0 : 1)
        }
        #expect(ledger.violations.isEmpty == (violation == nil))
        if let violation { #expect(ledger.violations[0].contains(violation)) }
    }

    @Test func recoveryRequiresAnEditShownSinceEachStart() {
        var ledger = Ledger()
        for member in 0..<2 { ledger.record("shows h.9 ii 9-a", from: member) }
        #expect(ledger.isShown(9, byAll: 2))
        #expect(!ledger.isShown(10, byAll: 2))
        ledger.restarted(1)
        #expect(!ledger.isShown(9, byAll: 2))
        ledger.record("shows h.8 hh 8-a", from: 1)
        #expect(ledger.violations.isEmpty)
    }
}
