import CollectionChanges
import CollectionPublishing
import Testing

@testable import CollectionReplication

@Suite struct LogChainTests {
    private func beginning() -> LogChain {
        LogChain(
            beginning: HistoryHandle(rawValue: 7),
            at: 5,
            key: .usual,
            limits: ShapeLimits()
        )
    }

    private func opened() throws -> (LogChain, PendingRecord) {
        let chain = beginning()
        let opening = try chain.opening(epoch: 1, writer: 9, jump: 100)
        return (chain, opening)
    }

    @Test func whatIsSealedExtendsTheChainItWasSealedFor() throws {
        var (chain, opening) = try opened()
        let record = try LogRecord(decoding: opening.bytes, key: .usual)
        guard case .extended(let update) = chain.take(record) else {
            Issue.record("an opening did not extend")
            return
        }
        #expect(update.to.number == 105)
        #expect(chain.position == opening.chain.position)
        #expect(chain.contents.value == opening.chain.contents.value)
    }
}
