import SimulatedView

/// Tests a view and its data source by arbitrary calls.
enum ViewJob {
    /// Makes arbitrary calls with arbitrary numbers, and then checks that the view shows the
    /// elements that its layout returns.
    static func run(_ bytes: inout Bytes) {
        let lane = CallersLane()
        let source = OddSource()
        source.counts = bytes.counts()
        source.sizes = (0..<3).map { _ in Size(width: bytes.number(), height: bytes.number()) }
        let view = SimulatedCollectionView(size: Size(width: 100, height: 100), logCapacity: 0)
        view.setCollectionViewLayout(layout(&bytes))
        try? view.register(OddSource.OddCell.self, forCellWithReuseIdentifier: "cell")
        view.layoutMetrics = source
        let adapter = DataSourceAdapter(dataSource: source, view: view, lane: lane)
        while !bytes.isAtEnd {
            act(&bytes, view, adapter, source)
            check(lane.run(), "the view does not come to rest")
        }
        view.layoutIfNeeded()
        let shown = Set(view.visibleCells.compactMap { $0.attributes?.place })
        for attributes in view.collectionViewLayout.layoutAttributesForElements(in: view.bounds)
        where attributes.representedElementCategory == .cell
            && attributes.frame.intersects(view.bounds)
            && !view.bounds.isEmpty
        {
            let isLegal = attributes.frame.size.isValid && attributes.frame.minY.isFinite
            check(
                shown.contains(attributes.place) || view.errorCount > 0 || !isLegal,
                "\(attributes.place) should be visible"
            )
        }
    }

    private static func act(
        _ bytes: inout Bytes,
        _ view: SimulatedCollectionView,
        _ adapter: DataSourceAdapter,
        _ source: OddSource
    ) {
        switch bytes.next() % 12 {
        case 0: view.scroll(by: Point(x: bytes.number(), y: bytes.number()))
        case 1: view.contentOffset = Point(x: bytes.number(), y: bytes.number())
        case 2: view.resize(to: Size(width: bytes.number(), height: bytes.number()))
        case 3:
            try? view.scrollToItem(
                at: bytes.path(),
                at: ScrollPosition(rawValue: bytes.integer())
            )
        case 4: view.tapItem(at: bytes.path())
        case 5: try? view.selectItem(at: bytes.path())
        case 6: view.setCollectionViewLayout(layout(&bytes), animated: bytes.next() & 1 == 0)
        case 7: view.contentInset.top = bytes.number()
        case 8: view.isPrefetchingEnabled.toggle()
        case 9: view.idleTick(preparing: bytes.integer())
        case 10: adapter.reloadData()
        default:
            let counts = bytes.counts()
            let changes = bytes.changes()
            let former = source.counts
            let animated = bytes.next() & 1 == 0
            do {
                try adapter.performBatchUpdates(animated: animated) { record in
                    source.counts = counts
                    for operation in changes.operations { record.record(operation) }
                }
            } catch {
                source.counts = former
            }
        }
    }

    private static func layout(_ bytes: inout Bytes) -> CollectionLayout {
        switch bytes.next() % 5 {
        case 0:
            let list = ListLayout()
            list.estimatesHeights = bytes.next() & 1 == 0
            list.rowHeight = bytes.number()
            return list
        case 1:
            let flow = FlowLayout()
            flow.scrollDirection = bytes.next() & 1 == 0 ? .vertical : .horizontal
            flow.itemSize = Size(width: bytes.number(), height: bytes.number())
            flow.minimumLineSpacing = bytes.number()
            flow.sectionHeadersPinToVisibleBounds = bytes.next() & 1 == 0
            flow.estimatedItemSize = bytes.next() & 1 == 0 ? .zero : Size(width: 30, height: 30)
            flow.sectionInset.left = bytes.number()
            return flow
        case 2:
            let pager = PagerLayout()
            pager.pageSpacing = bytes.number()
            return pager
        case 3:
            return ComposedLayout(
                scrollDirection: bytes.next() & 1 == 0 ? .vertical : .horizontal,
                defaultLayout: MasonrySectionLayout(columnCount: bytes.integer())
            )
        default: return ComposedLayout()
        }
    }
}

/// A data source whose items and cells request arbitrary sizes.
final class OddSource: CollectionViewDataSource, LayoutMetrics {
    var counts: [Int] = []
    var sizes: [Size] = [Size(width: 20, height: 20)]

    private func size(_ path: ItemPath) -> Size {
        sizes[abs(path.item &+ path.section) % sizes.count]
    }

    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int { counts.count }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int { counts[section] }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        (cell as? OddCell)?.wanted = size(path)
        return cell
    }

    func size(ofItemAt path: ItemPath) -> Size? { path.item % 3 == 0 ? size(path) : nil }

    final class OddCell: CollectionViewCell {
        var wanted = Size.zero

        override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
            -> LayoutAttributes
        {
            var preferred = attributes
            preferred.size = wanted
            return preferred
        }
    }
}

/// A lane on the calling thread. Work waits until ``run()``.
final class CallersLane: Lane, @unchecked Sendable {  // one thread
    let label = "fuzz"
    let isCurrent = true
    private var waiting: [@Sendable () -> Void] = []

    func enqueue(_ work: @escaping @Sendable () -> Void) { waiting.append(work) }

    /// Runs the waiting work.
    ///
    /// - Returns: Whether all work finished.
    func run() -> Bool {
        for _ in 0..<1000 {
            guard !waiting.isEmpty else { return true }
            let work = waiting
            waiting = []
            for work in work { work() }
        }
        return waiting.isEmpty
    }
}
