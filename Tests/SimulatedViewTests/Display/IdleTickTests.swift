import PipelineTestSupport
import SimulatedView
import Testing

/// Notes what it is told to fetch, and may act on it.
private final class Fetcher: CollectionViewDataSourcePrefetching {
    var heard: [String] = []
    var onFetch: (SimulatedCollectionView) -> Void = { _ in }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    ) {
        heard.append("fetch \(paths.map(\.item))")
        onFetch(collectionView)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) { heard.append("cancel \(paths.map(\.item))") }
}

/// Items beside one another, exactly as high as the viewport; from right to left where its view is.
private final class StripLayout: CollectionLayout {
    private var count: Int { host?.numberOfItems(inSection: 0) ?? 0 }

    override var collectionViewContentSize: Size {
        Size(width: Double(count) * 10, height: host?.bounds.size.height ?? 0)
    }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        (0..<count).compactMap { layoutAttributesForItem(at: ItemPath(0, $0)) }
            .filter { $0.frame.intersects(rect) }
    }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        guard path.section == 0, (0..<count).contains(path.item) else { return nil }
        let place = host?.isRightToLeft == true ? count - 1 - path.item : path.item
        let frame = Rect(
            x: Double(place) * 10,
            y: 0,
            width: 10,
            height: collectionViewContentSize.height
        )
        return LayoutAttributes(.cell(path), frame: frame)
    }
}

@Suite("Idle ticks")
struct IdleTickTests {
    @Test func aTickAnnouncesAndThenFillsACellThatIsPlacedButNotShown() throws {
        let bench = try Bench([texts(100)])
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isPrefetchingEnabled = true
        bench.load()
        bench.view.idleTick()
        #expect(
            bench.log == [
                "layout attributes in (0, 30) 100 × 30: 3",
                "dataSource prefetch 0 - 3, 0 - 4, 0 - 5",
                "layout attributes in (0, 30) 100 × 30: 3", "dataSource view 0 - 3",
                "apply 0 - 3",
            ]
        )
        bench.check()
    }

    @Test func switchingOnWhatIsOnKeepsWhatIsPrepared() throws {
        let bench = try Bench([texts(100)])
        bench.view.isPrefetchingEnabled = true
        bench.load()
        bench.view.idleTick(preparing: 2)
        bench.view.isPrefetchingEnabled = true
        #expect(bench.view.isPrefetchingEnabled)
        #expect(bench.view.preparedItems == [ItemPath(0, 3), ItemPath(0, 4)])
        bench.view.isPrefetchingEnabled = false
        #expect(!bench.view.isPrefetchingEnabled && bench.view.preparedItems == [])
    }

    @Test func aViewportWithoutExtentHasNothingAheadOfIt() throws {
        let bench = try Bench([texts(100)], RowLayout(), size: Size(width: 100, height: 0))
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isPrefetchingEnabled = true
        bench.load()
        bench.view.idleTick(preparing: 5)
        #expect(bench.log == [] && fetcher.heard == [] && bench.view.preparedItems == [])
    }

    @Test func whatWhoeverIsToldChangesIsTakenIntoAccount() throws {
        let bench = try Bench([texts(100)])
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isPrefetchingEnabled = true
        bench.load()
        fetcher.onFetch = { view in
            bench.layout.rowHeight = 15
            bench.layout.invalidateLayout()
        }
        bench.view.idleTick(preparing: 9)
        #expect(bench.rows == ["0: 0", "15: 1"])
        // The third row is ahead again.
        #expect(bench.view.preparedItems == [ItemPath(0, 2), ItemPath(0, 3)])
        bench.check()
    }

    @Test func theLastCellsThatWentOutOfSightWaitAndTheOthersAreUsedAgain() throws {
        let bench = try Bench([texts(200)])
        bench.view.isPrefetchingEnabled = true
        bench.load()
        for _ in 0..<10 {
            bench.view.scroll(by: 30)
            bench.settle()
        }
        let waiting = bench.view.preparedItems.map(\.item)
        #expect(waiting == Array((30 - waiting.count)..<30) && (8...11).contains(waiting.count))
        #expect(bench.view.numberOfMadeViews <= 14)
        bench.check()
    }

    // MARK: Mistakes

    @Test func whatGoesWrongInATickIsReported() throws {
        let bench = try Bench([texts(100)])
        bench.view.isPrefetchingEnabled = true
        bench.load()
        bench.source.madeCell = { _, _ in throw TestFailure() }
        bench.view.idleTick(preparing: 2)
        #expect(bench.view.errors.map(\.code) == [.noView, .noView])
        #expect(bench.view.errors.map(\.place) == [3, 4].map { .cell(ItemPath(0, $0)) })
        bench.view.clearErrors()
        bench.source.madeCell = { view, path in
            _ = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.view.idleTick()
        #expect(bench.view.errors.map(\.code) == [.notReturned])
        #expect(bench.view.preparedItems == [ItemPath(0, 3)])
        #expect(bench.view.numberOfReusableViews == 1)
    }

    @Test func whoIsAskedForACellInATickCannotLayTheViewOut() throws {
        let bench = try Bench([texts(100)])
        bench.view.isPrefetchingEnabled = true
        bench.load()
        var errors: [ViewError.Code?] = []
        bench.source.onQuestion = { [bench] view in
            bench.layout.invalidateLayout()
            view.layoutIfNeeded()
            do {
                try bench.adapter.performBatchUpdates { _ in }
            } catch { errors.append((error as? ViewError)?.code) }
        }
        bench.view.idleTick()
        bench.source.onQuestion = { _ in }
        #expect(bench.view.errors.map(\.code) == [.reentrantLayout])
        #expect(errors == [.reentrantLayout] && bench.log("layout prepare") == [])
        bench.view.clearErrors()
        bench.settle()
        #expect(bench.log("layout prepare") == ["layout prepare"])
        bench.check()
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
        #expect(bench.view.errors == [])
    }

    // MARK: Directions

    @Test(arguments: [false, true])
    func contentThatOnlyScrollsAcrossIsAnnouncedAcrossTheNearestFirst(
        _ isRightToLeft: Bool
    ) throws {
        let bench = try Bench([texts(100)], StripLayout(), size: Size(width: 30, height: 50))
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isRightToLeft = isRightToLeft
        bench.load()
        let sign = isRightToLeft ? -1.0 : 1
        bench.view.idleTick()
        #expect(fetcher.heard == ["fetch [3, 4, 5]"])
        for (distance, expected) in [
            (200.0, ["cancel [3, 4, 5]", "fetch [23, 24, 25]"]),
            (-10, ["cancel [23, 24, 25]", "fetch [18, 17, 16]"]),
        ] {
            fetcher.heard = []
            bench.view.scroll(by: Point(x: sign * distance, y: 0))
            bench.settle()
            bench.view.idleTick()
            #expect(fetcher.heard == expected)
        }
        bench.check()
    }

    @Test func aTickLaysTheViewOutBeforeItLooksAhead() throws {
        let bench = try Bench([texts(100)])
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.load()
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.view.idleTick()
        #expect(fetcher.heard == ["fetch [2]"])
        bench.check()
    }
}
