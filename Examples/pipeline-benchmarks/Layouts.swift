import CollectionLayouts

// Costs of a change to a layout, for any number of rows.

extension Benchmark {
    static let layouts: [Benchmark] = [
        Benchmark(
            "layout.one-height",
            "1 height changed among 1,000,000 rows, content size and visible rows: over among 1,000",
            goal: .ratioAtMost(4)
        ) { bench in growth(bench) { rows in rows.changeHeight() } },
        Benchmark(
            "layout.ten-rows",
            "10 rows put into 1,000,000, content size and visible rows: over into 1,000",
            goal: .ratioAtMost(4)
        ) { bench in try growth(bench) { rows in try rows.insertTen() } },
    ]

    /// Measures a change and a query for the visible rows among a million rows, over the same among
    /// a thousand.
    private static func growth(
        _ bench: Workbench,
        _ change: (LaidOutRows) throws -> Double
    ) rethrows -> Measurement {
        let (large, small) = (LaidOutRows(count: 1_000_000), LaidOutRows(count: 1_000))
        return try bench.samples(.thousand, { try change(large) }, over: { try change(small) })
    }
}

/// A list that is laid out. Its methods return the time of the layout for the change, and for the
/// queries of a view after every change.
final class LaidOutRows {
    private let host: RowsHost
    private let layout = ListLayout()
    private var random = SplitMix64()

    init(count: Int) {
        host = RowsHost(rowCount: count)
        layout.attach(to: host)
        layout.prepare()
    }

    /// Changes the height of a random row.
    func changeHeight() -> Double {
        let item = Int.random(in: host.heights.indices, using: &random)
        let height = Double(random.next() % 50)
        return time {
            host.heights[item] = height
            let context = type(of: layout).invalidationContextClass.init()
            context.invalidateItems(at: [ItemPath(section: 0, item: item)])
            layout.invalidateLayout(with: context)
            layout.prepare()
        }
    }

    /// Inserts ten rows at random places.
    func insertTen() throws -> Double {
        let counts = [host.heights.count]
        let plan = EditPlan(in: counts, deletions: 0, insertions: 10, using: &random)
        let update = try plan.validated(from: counts)
        for edit in update.itemInsertions {
            host.heights.insert(RowsHost.height(of: host.heights.count), at: edit.path.item)
        }
        return time {
            let context = type(of: layout).invalidationContextClass.init()
            context.invalidatesDataSourceCounts = true
            layout.invalidateLayout(with: context)
            layout.prepare(applying: update)
        }
    }

    /// Queries the visible rows at a random offset.
    func lookAnywhere() -> Double {
        let end = layout.collectionViewContentSize.height - host.bounds.size.height
        host.bounds.origin.y = Double.random(in: 0..<end, using: &random)
        return time {}
    }

    private func time(_ change: () -> Void) -> Double {
        Stopwatch.threadNanoseconds {
            change()
            BlackHole.consume(Int(layout.collectionViewContentSize.height))
            BlackHole.consume(layout.layoutAttributesForElements(in: host.bounds).count)
        }
    }
}

/// A view of one section of rows of different heights.
final class RowsHost: LayoutHost {
    fileprivate(set) var heights: [Double]
    var bounds = Rect(x: 0, y: 0, width: 320, height: 1_500)

    let adjustedContentInset = EdgeInsets.zero
    let safeAreaInsets = EdgeInsets.zero
    let layoutMargins = EdgeInsets.zero
    let isRightToLeft = false
    let displayScale = 1.0
    let layoutMetrics: (any LayoutMetrics)? = nil

    init(rowCount: Int) { heights = (0..<rowCount).map { Self.height(of: $0) } }

    /// Returns a height from 20 to 40.
    fileprivate static func height(of number: Int) -> Double { Double(20 + number &* 7919 % 21) }

    var numberOfSections: Int { 1 }

    func numberOfItems(inSection section: Int) -> Int { heights.count }

    func context(forSection section: Int) -> (any SectionContext)? { nil }

    func measuredSize(of place: LayoutPlace) -> Size? {
        Size(width: 320, height: heights[place.path.item])
    }

    func invalidateLayout(with context: LayoutInvalidationContext) {}
}
