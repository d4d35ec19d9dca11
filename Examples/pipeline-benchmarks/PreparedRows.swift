import CollectionPipeline
import SimulatedView

/// Rows with nodes in a view of fifty of them: laid out by workers and measured where they are near, or all measured
/// before they are shown. They are about as high as the layout takes what is not measured to be.
final class PreparedRows {
    /// What rows cost to be shown for the first time.
    let nanosecondsOfFirstRows: Double

    private let lane = MeteredLane()
    private let controller: DataController<Source>
    private let view: SimulatedCollectionView
    private let made: Tally
    /// The nodes that are there.
    private let alive: Tally

    private static let rowHeight = 50.0
    private static let rowsInViewport = 50

    private final class Source: ModelDataSource {
        var rows: [Int]
        let makeNode: @Sendable (Int) throws -> any CollectionNode

        init(_ count: Int, _ made: Tally, _ alive: Tally) {
            rows = Array(0..<count)
            makeNode = { number in
                made.add(1)
                return Row(number, alive)
            }
        }

        func numberOfItems(inSection section: Int) -> Int { rows.count }

        func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<Int> { rows[items] }
    }

    private final class Row: CollectionNode {
        private let alive: Tally

        private let height: Double

        init(_ number: Int, _ alive: Tally) {
            self.alive = alive
            // As high as the others on average.
            height = rowHeight - 10 + Double((number % 21 + 21) % 21)
            alive.add(1)
        }

        deinit { alive.add(-1) }

        func measure(in range: SizeRange) -> Size {
            Size(width: range.maximum.width, height: height)
        }
    }

    /// - Parameter releasesNodes: whether rows that have left all ranges have no nodes any more.
    init(rowCount: Int, areAllMeasured: Bool = false, releasesNodes: Bool = false) throws {
        let layout = FlowLayout()
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        view = SimulatedCollectionView(
            size: Size(width: Self.rowHeight, height: Double(Self.rowsInViewport) * Self.rowHeight),
            layout: layout,
            logCapacity: 0
        )
        if releasesNodes { view.rangeController = RangeController() }
        var configuration = PipelineConfiguration()
        configuration.releasesNodes = releasesNodes
        (made, alive) = (Tally(), Tally())
        controller = DataController(
            dataSource: Source(rowCount, made, alive),
            view: view,
            configuration: configuration,
            lane: lane,
            layoutDelegate: areAllMeasured ? nil : FlowLayoutDelegate(view)
        )
        let start = Stopwatch.wallNanoseconds
        try controller.deploy { _, changes in changes.reloadData() }
        nanosecondsOfFirstRows = Double(Stopwatch.wallNanoseconds - start)
        settle()
    }

    /// How many nodes were made.
    var nodesMade: Int { made.count }

    /// How many nodes were made, in viewports.
    var viewportsOfNodes: Double { Double(made.count) / Double(Self.rowsInViewport) }

    /// How many nodes there are, in viewports.
    var viewportsAlive: Double { Double(alive.count) / Double(Self.rowsInViewport) }

    /// Whether the last row is visible.
    var isAtEnd: Bool {
        let atEnd = Tally()
        onLane { view in
            let last = view.visibleCells.last?.attributes?.indexPath
            if last?.item == view.numberOfItems(inSection: 0) - 1 { atEnd.add(1) }
        }
        settle()
        return atEnd.count == 1
    }

    /// How many sections the view's own layout has laid out.
    var sectionsOnMainLane: Int {
        let count = Tally()
        onLane { count.add($0.collectionViewLayout.work.laidOutSections) }
        settle()
        return count.count
    }

    /// Goes to a row, a screenful on at a time from there.
    func go(to row: Int) {
        onLane { $0.contentOffset = Point(x: 0, y: Self.offset(of: row, in: $0)) }
        settle()
    }

    /// How long the main lane is busy with a screenful that nobody has seen, its measuring and layout included.
    func nanosecondsOfScreenful() -> Double {
        settle()
        onLane { $0.scroll(by: Double(Self.rowsInViewport) * Self.rowHeight) }
        return Double(settle())
    }

    func insert() throws {
        try controller.deploy { source, changes in
            source.rows.insert(-1, at: 0)
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
    }

    // MARK: On the lane

    private static func offset(of row: Int, in view: SimulatedCollectionView) -> Double {
        view.layoutAttributesForItem(at: ItemPath(section: 0, item: row))?.frame.minY ?? 0
    }

    private func onLane(_ body: @escaping @Sendable (SimulatedCollectionView) -> Void) {
        lane.enqueue { [view] in body(view) }
    }

    /// Returns when nothing happens any more, with how long the lane was busy.
    @discardableResult
    private func settle() -> Int {
        var busy = 0
        var quietTurns = 0
        while quietTurns < 3 {
            let waiting = Tally()
            lane.enqueue { [controller] in
                if !controller.assumeIsolated().isSynchronized { waiting.add(1) }
            }
            let times = lane.takeTimes()
            busy += Int(times.nanoseconds)
            // That look is one of them.
            quietTurns = times.blocks == 1 && waiting.count == 0 ? quietTurns + 1 : 0
        }
        return busy
    }
}
