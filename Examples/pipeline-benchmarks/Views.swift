import CollectionPipeline
import SimulatedView
import Synchronization

// Costs of the simulated view: a screenful at any offset, and nodes only near the viewport.

extension Benchmark {
    static let views: [Benchmark] = [
        Benchmark(
            "view.scroll",
            "1,000,000 self-sizing rows scrolled by viewports from end to end: the last tenth of the"
                + " steps over the first",
            goal: .ratioAtMost(2)
        ) { _ in
            let steps = try ScrolledList(rowCount: rowCount).scrollToEnd()
            let tenth = steps.count / 10
            return Measurement(
                Samples(Array(steps.suffix(tenth))),
                over: Samples(Array(steps.prefix(tenth)))
            )
        },
        Benchmark(
            "prepared.nodes",
            "viewports of nodes made for the first rows of 1,000,000 that are laid out beforehand",
            in: .viewports,
            goal: .valueAtMost(10)
        ) { _ in
            let rows = try PreparedRows(rowCount: rowCount)
            return Measurement(exactly: rows.viewports(of: rows.made))
        },
        Benchmark(
            "prepared.main-lane",
            "sections laid out on the main lane while 1,000,000 rows are scrolled and inserted into",
            in: .sections,
            goal: .valueAtMost(0)
        ) { _ in
            let rows = try PreparedRows(rowCount: rowCount)
            for _ in 0..<20 {
                rows.scroll()
                try rows.insert()
            }
            return Measurement(exactly: Double(rows.sectionsOnMainLane))
        },
        Benchmark(
            "prepared.through.nodes",
            "nodes made while 1,000,000 rows are scrolled through and released after that: over rows",
            in: .nodes,
            goal: .ratioAtMost(1)
        ) { _ in
            Measurement(exactly: try scrolledThrough.get().nodesMade, over: Double(rowCount))
        },
        Benchmark(
            "prepared.through.alive",
            "viewports of nodes that exist at most meanwhile",
            in: .viewports,
            goal: .valueAtMost(10)
        ) { _ in
            Measurement(exactly: try scrolledThrough.get().mostViewports)
        },
    ]

    private static let rowCount = 1_000_000

    /// The result of scrolling through all rows while distant nodes are released. Two figures share
    /// it.
    private static let scrolledThrough = Result {
        let rows = try PreparedRows(rowCount: rowCount, releasesNodes: true)
        var most = 0.0
        // Twice as many steps as it takes.
        for step in 1...rowCount / 25 {
            rows.scroll()
            most = max(most, rows.viewports(of: rows.alive))
            if step % 50 == 0, rows.isAtEnd {
                return (nodesMade: Double(rows.made.count), mostViewports: most)
            }
        }
        throw Failure("the last row is never reached")
    }
}

/// A list whose rows report their heights when they become visible, on the calling thread.
final class ScrolledList: CollectionViewDataSource {
    private let rowCount: Int
    private let view: SimulatedCollectionView
    private var adapter: DataSourceAdapter?

    private static let identifier = "row"

    init(rowCount: Int) throws {
        self.rowCount = rowCount
        let layout = ListLayout()
        layout.rowHeight = 20
        layout.estimatesHeights = true
        // About fifty rows.
        view = SimulatedCollectionView(
            size: Size(width: 320, height: 1_000),
            layout: layout,
            logCapacity: 0
        )
        try view.register(RowCell.self, forCellWithReuseIdentifier: Self.identifier)
        adapter = DataSourceAdapter(dataSource: self, view: view, lane: CallersLane())
        view.layoutIfNeeded()
    }

    /// Scrolls by viewports, and returns the time of each step, including the sizing of rows.
    func scrollToEnd() throws -> [Double] {
        var steps: [Double] = []
        while view.contentOffset.y + view.size.height < view.contentSize.height {
            steps.append(
                Stopwatch.threadNanoseconds {
                    view.scroll(by: view.size.height)
                    view.layoutIfNeeded()
                }
            )
        }
        guard view.errorCount == 0,
            view.visibleCells.last?.attributes?.indexPath.item == rowCount - 1
        else { throw Failure("the view is not at the end of its rows") }
        return steps
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int { rowCount }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell {
        let cell = try collectionView.dequeueReusableCell(
            withReuseIdentifier: Self.identifier,
            for: path
        )
        (cell as? RowCell)?.height = Double(15 + path.item % 11)
        return cell
    }

    private final class RowCell: CollectionViewCell {
        var height = 0.0

        override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
            -> LayoutAttributes
        {
            var preferred = attributes
            preferred.size.height = height
            return preferred
        }
    }

    /// The calling thread. It drops enqueued work, because the list requests everything
    /// immediately.
    private final class CallersLane: Lane {
        let label = "caller"
        let isCurrent = true
        func enqueue(_ work: @escaping @Sendable () -> Void) {}
    }
}

/// Rows with nodes in a view of fifty of them, laid out by workers, and measured if they are near.
/// They are about as high as the layout estimates.
private final class PreparedRows {
    /// The number of nodes made so far.
    let made = Tally()
    /// The number of nodes that exist.
    let alive = Tally()

    private let lane = MeteredLane()
    private let controller: DataController<Source>
    private let view: SimulatedCollectionView

    private static let rowHeight = 50.0
    private static let rowsInViewport = 50.0

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
            // The average is the row height.
            height = rowHeight - 10 + Double((number % 21 + 21) % 21)
            alive.add(1)
        }

        deinit { alive.add(-1) }

        func measure(in range: SizeRange) -> Size {
            Size(width: range.maximum.width, height: height)
        }
    }

    /// - Parameter releasesNodes: whether rows outside all ranges release their nodes.
    init(rowCount: Int, releasesNodes: Bool = false) throws {
        let layout = FlowLayout()
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        view = SimulatedCollectionView(
            size: Size(width: Self.rowHeight, height: Self.rowsInViewport * Self.rowHeight),
            layout: layout,
            logCapacity: 0
        )
        if releasesNodes { view.rangeController = RangeController() }
        var configuration = PipelineConfiguration()
        configuration.releasesNodes = releasesNodes
        controller = DataController(
            dataSource: Source(rowCount, made, alive),
            view: view,
            configuration: configuration,
            lane: lane,
            layoutDelegate: FlowLayoutDelegate(view)
        )
        try controller.reload()
        settle()
    }

    func viewports(of nodes: Tally) -> Double { Double(nodes.count) / Self.rowsInViewport }

    /// Whether the last row is visible.
    var isAtEnd: Bool {
        count { view in
            let last = view.visibleCells.last?.attributes?.indexPath
            return last?.item == view.numberOfItems(inSection: 0) - 1 ? 1 : 0
        } == 1
    }

    /// The number of sections that the view's own layout has laid out.
    var sectionsOnMainLane: Int { count { $0.collectionViewLayout.work.laidOutSections } }

    /// Scrolls by a screenful.
    func scroll() {
        lane.enqueue { [view] in view.scroll(by: Self.rowsInViewport * Self.rowHeight) }
        settle()
    }

    func insert() throws {
        try controller.deploy { source, changes in
            source.rows.insert(-1, at: 0)
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
        settle()
    }

    private func count(_ body: @escaping @Sendable (SimulatedCollectionView) -> Int) -> Int {
        let count = Tally()
        lane.enqueue { [view] in count.add(body(view)) }
        lane.waitUntilIdle()
        return count.count
    }

    /// Returns when no more work is in progress.
    private func settle() {
        var quietTurns = 0
        while quietTurns < 3 {
            let waiting = Tally()
            lane.enqueue { [controller] in
                if !controller.assumeIsolated().isSynchronized { waiting.add(1) }
            }
            // The check itself is one of the blocks.
            let isQuiet = lane.takeTimes().blocks == 1 && waiting.count == 0
            quietTurns = isQuiet ? quietTurns + 1 : 0
        }
    }
}
