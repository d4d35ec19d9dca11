import PipelineTestSupport
import SimulatedView
import Testing

/// A lane that counts how often somebody wants to know whether he is on it.
private final class CountingLane: Lane, @unchecked Sendable {
    // Unchecked: belongs to the one thread of the test that made it.
    private(set) var asked = 0
    private var waiting: [@Sendable () -> Void] = []

    let label = "counting"

    var isCurrent: Bool {
        asked += 1
        return true
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) { waiting.append(work) }

    func run() { while !waiting.isEmpty { waiting.removeFirst()() } }
}

@Suite("The lane of a data source adapter")
struct AdapterLaneTests {
    /// In a batch that is open nothing else is called that asks.
    @Test func everyMemberMakesSureThatItIsOnTheLane() throws {
        let lane = CountingLane()
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30), layout: RowLayout())
        let source = RowSource([texts(3)])
        try view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        let adapter = DataSourceAdapter(dataSource: source, view: view, lane: lane)
        #expect(lane.asked == 1, "whoever makes one is there too")
        lane.run()
        var counts: [Int] = []
        func count(_ body: () throws -> Void) rethrows {
            let before = lane.asked
            try body()
            counts.append(lane.asked - before)
        }
        count { _ = adapter.dataSource }
        count { adapter.dataSource = source }
        count { adapter.reloadData() }
        try adapter.performBatchUpdates { _ in
            count { adapter.reloadData() }
            try count { try adapter.performBatchUpdates { _ in } }
            try count { try adapter.reconfigureItems(at: []) }
            try count { try adapter.submit(.reloadData()) }
        }
        #expect(counts == [1, 1, 1, 1, 1, 1, 1])
    }
}
