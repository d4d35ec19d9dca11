import CollectionElements
import PipelineTestSupport
import PipelineTesting

// The README's test of a view, as an application has it.

/// A view that shows its lines at once.
private final class ListView: CollectionView, @unchecked Sendable {  // main-lane confined
    private(set) var rows: [String?] = []
    func attach(to lane: any Lane) {}
    var elementSizeRange: SizeRange { .width(40) }
    var firstVisiblePath: ItemPath? { nil }
    func perform(_ update: ViewUpdate) {
        let isDeployed = update.deploy { update in
            rows = Self.rows(of: update.newMap)
        }
        if isDeployed { update.finish() }
    }
    static func rows(of map: ElementMap) -> [String?] {
        map.items.map { $0.content.model as? String }
    }
}

func testAView() throws {
    try Simulation.forEachSeed(0..<1_000) { simulation in
        let list = ListView()  // your CollectionView
        let view = FaultyView(wrapping: list, in: simulation, expecting: ListView.rows) {
            list.rows
        }
        let controller = DataController(dataSource: LogSource(), view: view, in: simulation)
        for line in ["a", "b", "c"] {
            controller.enqueueBatchUpdates { log, changes in
                log.lines.insert(line, at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            } completion: { _ in
            }
        }
        try simulation.settle(controller, view)
    }
}
