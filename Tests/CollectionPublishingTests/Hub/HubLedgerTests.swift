import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// Rare cases of a ledger.
struct HubLedgerTests {
    private func publish(
        _ changes: HierarchyChangeSet,
        from old: HierarchyShape,
        to new: HierarchyShape,
        at version: Int,
        _ ledger: inout HubLedger
    ) throws {
        let update = try changes.validated(from: old, to: new)
        ledger.publish(RenderedUpdate(update, to: version) { PublishedPayload(utf8: "\($0)") })
        ledger.announce()
    }

    @Test func largeUpdatesAreKeptSeparateForLessTime() throws {
        var configuration = HubConfiguration()
        configuration.resumableEditLimit = 10
        configuration.recentUpdateLimit = 4
        var ledger = HubLedger(configuration)
        try publish(HierarchyChangeSet([.reloadData()]), from: [], to: [0], at: 1, &ledger)
        var readers = (0..<2).map { _ in ReaderProgress(policy: .separate(limit: 9)) }
        for index in readers.indices { _ = ledger.next(for: &readers[index]) }
        var count = 0
        // The number of inserted items, and the messages that readers receive after that.
        let rows: [(count: Int, received: [(reader: Int, words: String)])] = [
            (6, []), (4, [(0, "update 1 2")]), (1, [(1, "update 1 4"), (0, "update 2 3")]),
            (20, [(0, "update 3 5"), (1, "update 4 5")]),
        ]
        for (step, row) in rows.enumerated() {
            let paths = (0..<row.count).map { ItemPath(0, $0) }
            let insertion = HierarchyChangeSet([.insertItems(paths, .automatic)])
            let new: HierarchyShape = [count + row.count]
            try publish(insertion, from: [count], to: new, at: step + 2, &ledger)
            count += row.count
            for (reader, words) in row.received {
                #expect(ledger.next(for: &readers[reader])?.words == words, "step \(step)")
            }
        }
    }
}
