import CollectionPipeline
import SimulatedView

// Costs of the simulated view: a screenful at any offset.

extension Benchmark {
    static let views: [Benchmark] = [
        Benchmark(
            "view.scroll",
            "1,000,000 self-sizing rows scrolled by viewports from end to end: the last tenth of the"
                + " steps over the first",
            goal: .ratioAtMost(2)
        ) { _ in
            let steps = try ScrolledList(rowCount: 1_000_000).scrollToEnd()
            let tenth = steps.count / 10
            return Measurement(
                Samples(Array(steps.suffix(tenth))),
                over: Samples(Array(steps.prefix(tenth)))
            )
        }
    ]
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
