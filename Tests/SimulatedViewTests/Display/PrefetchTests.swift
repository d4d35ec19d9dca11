import PipelineTestSupport
import SimulatedView
import Testing

/// Notes what it is told to fetch, and may act on it.
private final class Fetcher: CollectionViewDataSourcePrefetching {
    var (told, cancelled): ([ItemPath], [ItemPath]) = ([], [])
    var heard: [String] = []
    var onFetch: (SimulatedCollectionView) -> Void = { _ in }

    func clear() { (told, cancelled, heard) = ([], [], []) }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    ) {
        told += paths
        heard.append("fetch \(paths.map(\.item))")
        if paths.contains(where: { collectionView.cellForItem(at: $0) != nil }) {
            heard.append("what is needed at once")
        }
        onFetch(collectionView)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) {
        cancelled += paths
        heard.append("cancel \(paths.map(\.item))")
    }
}

/// What is done ahead of scrolling, in idle ticks that the program gives.
@Suite("Preparing and announcing what may be needed soon")
struct PrefetchTests {
    /// What lies in the next viewport and not in this one, the nearest first, the long way.
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

    /// Announced is what is likely by then, once each, and cancelled what is so no more and was not shown; both follow
    /// their items through updates. Prepared are the nearest, then what went out of sight, the oldest given up first;
    /// and what comes into sight is what was prepared for it, with no question asked, unless it was reconfigured.
    @Test(arguments: [0, 1, 2], 1...Effort.number(20, usually: 4) as ClosedRange<UInt64>)
    func whatIsAnnouncedAndPreparedIsWhatTheModelSays(_ number: Int, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sheet = Sheet([60, 2, 0, 90])
        let size = Size(width: 170, height: 130)
        let bench = try Bench(sheet.texts, Self.layout(number), size: size)
        let (view, fetcher) = (bench.view, Fetcher())
        view.prefetchDataSource = fetcher
        view.isPrefetchingEnabled = true
        bench.load()
        var (announced, isForward): ([String], Bool) = ([], true)
        var (prepared, stale): ([String], Set<String>) = ([], [])
        var visible = view.indexPathsForVisibleItems.map(sheet.name)
        // Until the content fits into the viewport.
        for step in 0..<80 where view.contentSize.height > view.size.height {
            let comment: Comment = "seed \(seed) step \(step)"
            bench.clear()
            fetcher.clear()
            let (before, known) = (Set(prepared), Set(visible + prepared))
            var asked: [String] = []
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
                let told = ahead.filter { !announced.contains($0) }
                #expect(fetcher.told.map(sheet.name) == told, comment)
                let cancelled = announced.filter { !ahead.contains($0) }
                #expect(fetcher.cancelled.map(sheet.name) == cancelled, comment)
                #expect(!fetcher.heard.contains("what is needed at once"), comment)
                announced = ahead
                asked = Array(ahead.filter { !prepared.contains($0) }.prefix(count))
                prepared += asked
            }
            stale = stale.filter { known.contains($0) }
            let now = view.indexPathsForVisibleItems.map(sheet.name)
            // Whoever fetched what is visible now was right, and hears no more of it.
            announced.removeAll { now.contains($0) }
            let came = now.filter { !visible.contains($0) }
            asked += came.filter {
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
            let missing = Set(asked + again).subtracting(questions)
            let extra = Set(questions).subtracting(asked + again)
            // What was given up for others in this very step is asked for again.
            #expect(missing == [] && extra.isSubset(of: before), comment)
            let found = view.preparedItems.map(sheet.name)
            // The oldest may have been given up, and nothing that this step prepared.
            #expect(Set(asked).subtracting(now).isSubset(of: found), comment)
            #expect(Set(found).isSubset(of: prepared) && found.count <= 60, comment)
            prepared = prepared.filter { found.contains($0) }
            bench.check(comment)
        }
        view.isPrefetchingEnabled = false
        #expect(view.preparedItems == [])
    }

    /// Headers, an item that does not exist, and one that is elsewhere.
    @Test func onlyCellsThatExistAndLieAheadAreAnnouncedAndPrepared() throws {
        let bench = try Bench([texts(5), texts(3)])
        let fetcher = Fetcher()
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
        #expect(fetcher.heard == ["fetch [3, 4]"])
        #expect(bench.view.preparedItems == [ItemPath(0, 3), ItemPath(0, 4)])
        #expect(bench.view.errors == [] && bench.log("willDisplay") == [])
        bench.layout.altered = { $0 }
        bench.view.resize(to: .zero)
        bench.settle()
        fetcher.clear()
        bench.view.idleTick(preparing: 9)
        #expect(fetcher.heard == [], "nothing is ahead of nothing")
    }

    private enum Mistake: CaseIterable { case thrown, notReturned }

    @Test(arguments: Mistake.allCases)
    private func whatGoesWrongInATickIsReported(_ mistake: Mistake) throws {
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
    func contentThatOnlyScrollsAcrossIsAnnouncedAcrossTheNearestFirst(
        _ isRightToLeft: Bool
    ) throws {
        let layout = FlowLayout()
        (layout.scrollDirection, layout.itemSize) = (.horizontal, Size(width: 10, height: 40))
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        let bench = try Bench([texts(100)], layout, size: Size(width: 30, height: 50))
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isRightToLeft = isRightToLeft
        bench.view.contentInset = EdgeInsets(top: 5, bottom: 5)
        bench.load()
        // Which says nothing about the direction of the content.
        bench.view.contentOffset.y += 3
        bench.settle()
        let sign = isRightToLeft ? -1.0 : 1
        bench.view.idleTick()
        #expect(fetcher.heard == ["fetch [3, 4, 5]"])
        for (distance, expected) in [
            (200.0, ["cancel [3, 4, 5]", "fetch [23, 24, 25]"]),
            (-10, ["cancel [23, 24, 25]", "fetch [18, 17, 16]"]),
        ] {
            fetcher.clear()
            bench.view.scroll(by: Point(x: sign * distance, y: 0))
            bench.settle()
            bench.view.idleTick()
            #expect(fetcher.heard == expected)
        }
        bench.check()
    }
}
