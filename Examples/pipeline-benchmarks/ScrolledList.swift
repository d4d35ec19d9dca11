import SimulatedView

/// A list whose rows say how high they want to be when they become visible, on the calling thread.
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

    /// Scrolls on by a viewport; nil at the end.
    ///
    /// - Returns: how long that took, the rows' sizing included.
    func step() -> Double? {
        let offset = view.contentOffset.y
        guard offset + view.size.height < view.contentSize.height else { return nil }
        return Stopwatch.threadNanoseconds {
            view.scroll(by: view.size.height)
            view.layoutIfNeeded()
        }
    }

    /// Whether the end that was scrolled to is that of the rows, and nothing went wrong on the way.
    var isAtEnd: Bool {
        view.errorCount == 0 && view.visibleCells.last?.attributes?.indexPath.item == rowCount - 1
    }

    /// What the last tenth of the steps came to over the first; nil where there are too few to tell.
    static func lastTenth(of steps: [Double]) -> Measurement? {
        let tenth = steps.count / 10
        guard tenth > 0 else { return nil }
        return Measurement(
            Samples(Array(steps.suffix(tenth))),
            over: Samples(Array(steps.prefix(tenth)))
        )
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
}

/// The thread that makes it; what is enqueued is dropped, since whoever uses it asks for everything at
/// once.
private final class CallersLane: Lane {
    let label = "caller"
    let isCurrent = true
    func enqueue(_ work: @escaping @Sendable () -> Void) {}
}
