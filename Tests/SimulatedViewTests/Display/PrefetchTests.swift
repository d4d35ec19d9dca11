import PipelineTestSupport
import SimulatedView
import Testing

/// Records the items that it should prefetch, and can run a closure.
private final class RecordingPrefetcher: CollectionViewDataSourcePrefetching {
    var (announcedPaths, cancelled): ([ItemPath], [ItemPath]) = ([], [])
    var calls: [String] = []
    var onFetch: (SimulatedCollectionView) -> Void = { _ in }

    func clear() { (announcedPaths, cancelled, calls) = ([], [], []) }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    ) {
        announcedPaths += paths
        calls.append("fetch \(paths.map(\.item))")
        if paths.contains(where: { collectionView.cellForItem(at: $0) != nil }) {
            calls.append("an item that is already visible")
        }
        onFetch(collectionView)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) {
        cancelled += paths
        calls.append("cancel \(paths.map(\.item))")
    }
}

/// Preparing cells ahead of scrolling, in idle ticks that the program starts.
@Suite("Prefetching")
struct PrefetchTests {
    /// The items that lie in the next viewport and not in the current one, nearest first, computed
    /// without any index.
    private static func likely(_ view: SimulatedCollectionView, isForward: Bool) -> [ItemPath] {
        let bounds = view.bounds
        let ahead = bounds.offsetBy(dy: (isForward ? 1 : -1) * bounds.size.height)
        func distance(_ frame: Rect) -> Double { abs(frame.center.y - bounds.center.y) }
        return (0..<view.numberOfSections).flatMap { section in
            (0..<view.numberOfItems(inSection: section)).compactMap { item in
                view.collectionViewLayout.layoutAttributesForItem(at: ItemPath(section, item))
            }
        }
        .filter { $0.frame.intersects(ahead) && !$0.frame.intersects(bounds) }
        .sorted { (distance($0.frame), $0.indexPath) < (distance($1.frame), $1.indexPath) }
        .map(\.indexPath)
    }

    private static func layout(_ number: Int) -> CollectionLayout {
        switch number {
        case 0: return ListLayout()
        case 1: return FlowLayout()
        default: return ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 3))
        }
    }

    /// The view announces each likely item once, and cancels those that are no longer likely and
    /// were not shown; both follow their items through updates. It prepares the nearest items and
    /// keeps the cells that disappeared, dropping the oldest first. A prepared cell is shown
    /// without another data source call, unless it was reconfigured.
    @Test(arguments: [0, 1, 2], 1...Effort.number(20, usually: 4) as ClosedRange<UInt64>)
    func announcedAndPreparedItemsAreThoseOfTheModel(_ number: Int, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sheet = Sheet([60, 2, 0, 90])
        let size = Size(width: 170, height: 130)
        let bench = try Bench(sheet.texts, Self.layout(number), size: size)
        let (view, fetcher) = (bench.view, RecordingPrefetcher())
        view.prefetchDataSource = fetcher
        view.isPrefetchingEnabled = true
        bench.load()
        var (announced, isForward): ([String], Bool) = ([], true)
        var (prepared, stale): ([String], Set<String>) = ([], [])
        var visible = view.indexPathsForVisibleItems.map(sheet.name)
        // Runs until the content fits into the viewport.
        for step in 0..<80 where view.contentSize.height > view.size.height {
            let comment: Comment = "seed \(seed) step \(step)"
            bench.clear()
            fetcher.clear()
            let (before, known) = (Set(prepared), Set(visible + prepared))
            var requested: [String] = []
            switch random.next(below: 6) {
            case 0, 1:
                let offset = view.contentOffset.y
                view.scroll(by: Double(random.next(below: 400) - 150))
                bench.settle()
                let after = view.contentOffset.y
                if after != offset { isForward = after > offset }
            case 2:
                let update = try SheetUpdate(of: sheet, &random, rate: 0.05)
                try bench.update { source, changes in
                    source.sections = update.after.texts
                    for operation in update.operations { changes.record(operation) }
                }
                sheet = update.after
                let places = sheet.places
                announced = announced.filter { places[$0] != nil }
                prepared = prepared.filter { places[$0] != nil }
                visible = visible.filter { places[$0] != nil }
                stale.formUnion(update.changes.reconfigurations.map { sheet.name(at: $0.newPath) })
            case 3:
                guard let path = sheet.somePath(&random) else { continue }
                sheet.sections[path.section].rows[path.item] += "'"
                bench.source.sections = sheet.texts
                try bench.adapter.reconfigureItems(at: [path])
                bench.settle()
                stale.insert(sheet.name(at: path))
            default:
                let count = random.next(below: 5)
                view.idleTick(preparing: count)
                let ahead = Self.likely(view, isForward: isForward).map(sheet.name)
                let announcedPaths = ahead.filter { !announced.contains($0) }
                #expect(fetcher.announcedPaths.map(sheet.name) == announcedPaths, comment)
                let cancelled = announced.filter { !ahead.contains($0) }
                #expect(fetcher.cancelled.map(sheet.name) == cancelled, comment)
                #expect(!fetcher.calls.contains("an item that is already visible"), comment)
                announced = ahead
                requested = Array(ahead.filter { !prepared.contains($0) }.prefix(count))
                prepared += requested
            }
            stale = stale.filter { known.contains($0) }
            let now = view.indexPathsForVisibleItems.map(sheet.name)
            // An announced item that is now visible is not cancelled.
            announced.removeAll { now.contains($0) }
            let came = now.filter { !visible.contains($0) }
            requested += came.filter {
                !known.contains($0) || prepared.contains($0) && stale.contains($0)
            }
            let again = visible.filter { stale.contains($0) }
            prepared.removeAll { now.contains($0) }
            prepared += visible.filter { !now.contains($0) && !prepared.contains($0) }
            stale.subtract(now + visible)
            visible = now
            let questions = bench.view.eventLog.compactMap { event -> String? in
                if case .dataSource(.view(let place)) = event, place.category == .cell {
                    sheet.name(at: place.path)
                } else {
                    nil
                }
            }
            let missing = Set(requested + again).subtracting(questions)
            let extra = Set(questions).subtracting(requested + again)
            // A cell that was dropped in this very step is requested again.
            #expect(missing == [] && extra.isSubset(of: before), comment)
            let found = view.preparedItems.map(sheet.name)
            // The oldest cells may have been dropped, but none that this step prepared.
            #expect(Set(requested).subtracting(now).isSubset(of: found), comment)
            #expect(Set(found).isSubset(of: prepared) && found.count <= 60, comment)
            prepared = prepared.filter { found.contains($0) }
            bench.check(comment)
        }
        view.isPrefetchingEnabled = false
        #expect(view.preparedItems == [])
    }

    /// A header, an item that does not exist, and one that lies elsewhere.
    @Test func onlyExistingCellsAheadAreAnnouncedAndPrepared() throws {
        let bench = try Bench([texts(5), texts(3)])
        let fetcher = RecordingPrefetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isPrefetchingEnabled = true
        bench.layout.headerHeight = 5
        bench.load()
        bench.layout.altered = { answer in
            let ahead = Rect(x: 0, y: 40, width: 100, height: 5)
            let far = Rect(x: 0, y: 90, width: 100, height: 5)
            return answer + [
                LayoutAttributes(.cell(ItemPath(0, 70)), frame: ahead),
                LayoutAttributes(.cell(ItemPath(1, 2)), frame: far),
            ]
        }
        bench.view.idleTick(preparing: 9)
        #expect(fetcher.calls == ["fetch [3, 4]"])
        #expect(bench.view.preparedItems == [ItemPath(0, 3), ItemPath(0, 4)])
        #expect(bench.view.errors == [] && bench.log("willDisplay") == [])
        bench.layout.altered = { $0 }
        bench.view.resize(to: .zero)
        bench.settle()
        fetcher.clear()
        bench.view.idleTick(preparing: 9)
        #expect(fetcher.calls == [], "a view without extent prefetches nothing")
    }

    private enum Mistake: CaseIterable { case thrown, notReturned }

    @Test(arguments: Mistake.allCases)
    private func mistakesInAnIdleTickAreReported(_ mistake: Mistake) throws {
        let bench = try Bench([texts(100)])
        bench.view.isPrefetchingEnabled = true
        bench.load()
        bench.source.madeCell = { view, path in
            if mistake == .thrown { throw TestFailure() }
            _ = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.view.idleTick()
        #expect(bench.view.errors.map(\.code) == [mistake == .thrown ? .noView : .notReturned])
        #expect(bench.view.errors.map(\.place) == [.cell(ItemPath(0, 3))])
        #expect(bench.view.preparedItems == (mistake == .thrown ? [] : [ItemPath(0, 3)]))
        bench.view.clearErrors()
        bench.source.madeCell = nil
        bench.settle()
        bench.check()
    }

    // MARK: Directions

    @Test(arguments: [false, true])
    func horizontalContentIsAnnouncedHorizontallyNearestFirst(
        _ isRightToLeft: Bool
    ) throws {
        let layout = FlowLayout()
        (layout.scrollDirection, layout.itemSize) = (.horizontal, Size(width: 10, height: 40))
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        let bench = try Bench([texts(100)], layout, size: Size(width: 30, height: 50))
        let fetcher = RecordingPrefetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isRightToLeft = isRightToLeft
        bench.view.contentInset = EdgeInsets(top: 5, bottom: 5)
        bench.load()
        // A vertical scroll does not change the horizontal direction.
        bench.view.contentOffset.y += 3
        bench.settle()
        let sign = isRightToLeft ? -1.0 : 1
        bench.view.idleTick()
        #expect(fetcher.calls == ["fetch [3, 4, 5]"])
        for (distance, expected) in [
            (200.0, ["cancel [3, 4, 5]", "fetch [23, 24, 25]"]),
            (-10, ["cancel [23, 24, 25]", "fetch [18, 17, 16]"]),
        ] {
            fetcher.clear()
            bench.view.scroll(by: Point(x: sign * distance, y: 0))
            bench.settle()
            bench.view.idleTick()
            #expect(fetcher.calls == expected)
        }
        bench.check()
    }
}
