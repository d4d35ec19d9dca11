import PipelineTestSupport
import SimulatedView
import Testing

/// Keeps the books of what it was told to fetch.
private final class Fetcher: CollectionViewDataSourcePrefetching {
    private(set) var told: [[ItemPath]] = []
    private(set) var cancelled: [[ItemPath]] = []
    /// What is visible is needed at once.
    private(set) var neededAtOnce: [ItemPath] = []

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    ) {
        told.append(paths)
        neededAtOnce += paths.filter { collectionView.cellForItem(at: $0) != nil }
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) { cancelled.append(paths) }

    func clear() { (told, cancelled) = ([], []) }
}

/// What is announced, computed the long way from where all items are.
private struct AnnouncingModel {
    /// What was announced and not cancelled, and has not become visible.
    var announced: [ItemPath] = []

    /// What lies in the next viewport and not in this one, the nearest first.
    static func likely(_ view: SimulatedCollectionView, isForward: Bool) -> [ItemPath] {
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

    mutating func tick(_ likely: [ItemPath]) -> (told: [ItemPath], cancelled: [ItemPath]) {
        let cancelled = announced.filter { !likely.contains($0) }
        let told = likely.filter { !announced.contains($0) }
        announced = likely
        return (told, cancelled)
    }
}

@Suite("Announcing what may be needed soon")
struct AnnouncingTests {
    private static func layout(_ number: Int) -> CollectionLayout {
        switch number {
        case 0: return ListLayout()
        case 1: return FlowLayout()
        default: return ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 3))
        }
    }

    @Test(arguments: [0, 1, 2], [1, 2, 3, 4] as [UInt64])
    func whatIsAnnouncedIsTheNextViewportNearestFirstOnceAndNeverWhatIsInSight(
        _ layout: Int,
        _ seed: UInt64
    ) throws {
        let bench = try Bench(
            [texts(60), texts(2, "b"), texts(90, "c")],
            Self.layout(layout),
            size: Size(width: 170, height: 130)
        )
        let (view, fetcher) = (bench.view, Fetcher())
        view.prefetchDataSource = fetcher
        bench.load()
        var random = SeededGenerator(seed: seed)
        var (model, isForward) = (AnnouncingModel(), true)
        for step in 0..<60 {
            let before = view.contentOffset.y
            if !random.isTrue(oneIn: 5) {
                view.scroll(by: Double(random.next(below: 400) - 150))
                bench.settle()
                let after = view.contentOffset.y
                if after != before { isForward = after > before }
                // Whoever fetched what is visible now was right, and hears no more of it.
                model.announced.removeAll { view.cellForItem(at: $0) != nil }
            }
            if random.isTrue(oneIn: 3) { continue }
            fetcher.clear()
            view.idleTick()
            let expected = model.tick(AnnouncingModel.likely(view, isForward: isForward))
            #expect(fetcher.told == (expected.told.isEmpty ? [] : [expected.told]), "\(step)")
            let cancelled = expected.cancelled.isEmpty ? [] : [expected.cancelled]
            #expect(fetcher.cancelled == cancelled, "\(step)")
        }
        #expect(fetcher.neededAtOnce == [])
        bench.check()
    }

    @Test func whatWasAnnouncedFollowsItsItemsAndIsForgottenWithThem() throws {
        let bench = try Bench([texts(100)])
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        bench.view.idleTick()
        #expect(fetcher.told == [[23, 24, 25].map { ItemPath(0, $0) }])
        fetcher.clear()
        try bench.update { source, changes in
            source.sections[0].remove(at: 24)
            source.sections[0].insert("new", at: 0)
            changes.deleteItems(at: [ItemPath(0, 24)])
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        bench.view.idleTick()
        // 23 and 25 are known, by other paths; what went is cancelled by nobody.
        #expect(fetcher.told == [[ItemPath(0, 26)]] && fetcher.cancelled == [])
    }

    @Test(arguments: 0...5)
    func aTickPreparesAtMostAsManyCellsAsItMayNearestFirst(_ count: Int) throws {
        let bench = try Bench([texts(100)], height: 50)
        bench.view.isPrefetchingEnabled = true
        bench.load()
        for tick in 1...3 {
            bench.clear()
            bench.view.idleTick(preparing: count)
            let asked = min(count, max(0, 5 - count * (tick - 1)))
            #expect(bench.log("dataSource view").count == asked)
            let expected = (0..<min(5, count * tick)).map { ItemPath(0, 5 + $0) }
            #expect(bench.view.preparedItems == expected)
        }
        bench.check()
    }
}
