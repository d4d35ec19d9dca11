import CollectionChanges
import PipelineTesting
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication

@Suite("One Writer") struct OneWriterTests {
    private func beginning() -> LogChain {
        LogChain(
            beginning: HistoryHandle(rawValue: 7),
            at: 5,
            key: .usual,
            limits: ShapeLimits()
        )
    }

    /// A record of a leader that has nothing to say.
    private func nothing(after record: PendingRecord) throws -> PendingRecord {
        try record.chain.sealed(
            .unchanged(record.chain.contents.state.shape),
            PublishedContents(),
            version: record.chain.position.version + 1
        )
    }

    private func verdict(_ chain: inout LogChain, _ record: PendingRecord) throws -> String {
        switch chain.take(try LogRecord(decoding: record.bytes, key: .usual)) {
        case .extended: "extended"
        case let verdict: "\(verdict)"
        }
    }

    @Test func ofTwoWhoOpenOneEpochTheFirstInTheLogCounts() throws {
        var chain = beginning()
        let first = try chain.opening(epoch: 1, writer: 1, jump: 10)
        let second = try chain.opening(epoch: 1, writer: 2, jump: 10)
        #expect(try verdict(&chain, first) == "extended")
        #expect(try verdict(&chain, second) == "rival")
        #expect(try verdict(&chain, nothing(after: second)) == "rival")
        #expect(try verdict(&chain, nothing(after: first)) == "extended")
        #expect(chain.position.writer == 1)
    }

    @Test func whatALeaderWritesAfterTheNextHasOpenedIsPassedOver() throws {
        var chain = beginning()
        let first = try chain.opening(epoch: 1, writer: 1, jump: 10)
        #expect(try verdict(&chain, first) == "extended")
        let second = try chain.opening(epoch: 2, writer: 2, jump: 10)
        #expect(try verdict(&chain, second) == "extended")
        #expect(try verdict(&chain, nothing(after: first)) == "stale")
        #expect(try verdict(&chain, nothing(after: second)) == "extended")
    }

    /// Without what brings an older log back, in which an epoch can be opened a second time.
    private static let rates = FaultPoint.brokerRates.filter {
        ![.storeIsRolledBack, .logIsDeleted].contains($0.key)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func everyEpochHasOneWriterInWhatMembersTakeIn(seed: UInt64) {
        let stage = ReplicaStage(
            seed: seed,
            faults: BrokerFaults(seed: seed, rates: Self.rates, longestDelay: .seconds(3))
        )
        let members = ["first", "second", "third"].map { name in
            stage.add(name) { $0.answerTimeout = .milliseconds(300) }
        }
        for member in members { member.lead() }
        var writers: [UInt64: UInt64] = [:]
        for _ in 0..<60 {
            for member in members { member.publish() }
            stage.run(.milliseconds(250))
            for case let position? in members.map(\.replica.status.position) {
                let known = writers[position.epoch]
                #expect(known == nil || known == position.writer)
                writers[position.epoch] = position.writer
            }
        }
        #expect(!writers.isEmpty)
    }
}
