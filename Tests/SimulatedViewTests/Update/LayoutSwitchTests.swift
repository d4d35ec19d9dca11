import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Places items by the bounds of its host, and invalidates itself when the host stands in for a view that it has left.
private final class DriftingLayout: RowLayout {
    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        var attributes = super.layoutAttributesForItem(at: path)
        attributes?.center.x += (host?.bounds.minY ?? 0) / 10
        if let host, !(host is SimulatedCollectionView) { invalidateLayout() }
        return attributes
    }
}

@Suite("Switching layouts")
struct LayoutSwitchTests {
    private let kind = SupplementaryKind(rawValue: "backdrop")

    private func rows(_ height: Double, header: Double = 0) -> RowLayout {
        let layout = RowLayout()
        (layout.rowHeight, layout.headerHeight) = (height, header)
        return layout
    }

    /// A view of 50 rows of 10, of which the 20th is the first in sight.
    private func scrolledBench<Layout: RowLayout>(_ layout: sending Layout) throws
        -> Bench<Layout>
    {
        let bench = try Bench([texts(50)], layout)
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        return bench
    }

    @Test func theSameLayoutDoesNothingAndCompletesNothing() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.setCollectionViewLayout(bench.layout, animated: true) {
            Issue.record("completed")
        }
        bench.lane.run()
        #expect(bench.log == [])
        bench.watcher.onDisplay = { view, _ in
            view.setCollectionViewLayout(view.collectionViewLayout)
        }
        bench.view.scroll(by: 30)
        bench.settle()
        #expect(bench.view.errors == [], "within a pass it is no mistake either")
    }

    @Test func theOldLayoutIsFreeForAnotherViewAndCanNoLongerInvalidate() throws {
        let bench = try Bench([texts(2)])
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        let old = bench.layout
        bench.view.setCollectionViewLayout(rows(15))
        #expect(bench.log("layout prepareForTransition", "layout finalize") == [])
        #expect(bench.log("didEnd") == ["didEndDisplaying decoration backdrop 0 - 0"])
        bench.settle()
        bench.clear()
        old.invalidateLayout()
        #expect(old.host == nil && bench.log == [] && bench.lane.count == 0)
        bench.view.setCollectionViewLayout(old)
        bench.settle()
        #expect(bench.rows == ["0: 0", "10: 1"])
        bench.check()
    }

    // MARK: Transitions

    /// What was visible before or is now goes from layout to layout, from where it was on the screen; what is nearest to
    /// the middle stays visible; and views stay with their elements. What only one of the layouts places fades in its place;
    /// so do decorations, which are each layout's own.
    @Test(arguments: [0.0, 300]) func betweenLayoutsEverythingGoesFromWhereItWas(_ offset: Double)
        throws
    {
        let bench = try Bench([texts(40)], ListLayout(), size: Size(width: 100, height: 90))
        bench.load()
        bench.view.scroll(by: offset)
        bench.settle()
        let view = bench.view
        func decorated(_ layout: RowLayout) -> RowLayout {
            layout.decorationKind = kind
            layout.register(Backdrop.self, forDecorationViewOfKind: kind)
            return layout
        }
        let drifting = DriftingLayout()
        (drifting.rowHeight, drifting.invalidatesForBounds) = (30, true)
        for layout in [
            drifting, rows(5), FlowLayout(), PagerLayout(), ComposedLayout(), rows(5),
            decorated(rows(30, header: 6)),
            decorated(rows(10)), rows(8, header: 4), ListLayout(),
            ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 2)),
        ] as [CollectionLayout] {
            let (old, name) = (view.collectionViewLayout, "\(type(of: layout))")
            let places = (0..<40).map { LayoutPlace.cell(ItemPath(0, $0)) } + [.header(0)]
            let known = places.map { ($0, old.layoutAttributes(for: $0)) }
            let before = view.visibleViews.compactMap(\.attributes)
            let (shown, cells) = (view.indexPathsForVisibleItems, view.visibleCells)
            let (origin, middle) = (view.contentOffset, view.bounds.center)
            func distance(_ cell: CollectionViewCell) -> Double {
                let (x, y) = (cell.frame.center.x - middle.x, cell.frame.center.y - middle.y)
                return x * x + y * y
            }
            let focus = zip(shown, cells).min { (distance($0.1), $0.0) < (distance($1.1), $1.0) }?.0
            let wasAtStart = origin == .zero
            view.setCollectionViewLayout(layout, animated: true)
            let isFound = focus.map { view.cellForItem(at: $0) != nil } ?? false
            #expect(isFound || wasAtStart, "\(name)")
            let isSame = zip(shown, cells).allSatisfy { path, cell in
                view.cellForItem(at: path).map { $0 === cell } ?? true
            }
            #expect(isSame, "\(name)")
            let shift = Point(
                x: view.contentOffset.x - origin.x,
                y: view.contentOffset.y - origin.y
            )
            let after = view.visibleViews.compactMap(\.attributes)
            func isBackdrop(_ place: LayoutPlace) -> Bool { place.category == .decoration(kind) }
            func layoutHas(_ place: LayoutPlace) -> LayoutAttributes? {
                isBackdrop(place) ? nil : layout.layoutAttributes(for: place)
            }
            let left = before.filter { start in
                isBackdrop(start.place) || !after.contains { $0.place == start.place }
            }.map { start in
                let (start, end) = (start.moved(by: shift), layoutHas(start.place))
                return ViewTransition(
                    oldPlace: start.place,
                    newPlace: end?.place,
                    start: start,
                    end: end ?? start.faded
                )
            }
            let visible = after.compactMap { end -> ViewTransition? in
                let start = known.first { $0.0 == end.place }?.1?.moved(by: shift)
                if start == end { return nil }
                return ViewTransition(
                    oldPlace: start?.place,
                    newPlace: end.place,
                    start: start ?? end.faded,
                    end: end
                )
            }
            let expected =
                left.filter { $0.newPlace == nil } + visible + left.filter { $0.newPlace != nil }
            #expect(view.transitions == expected, "\(name)")
            bench.settle()
            bench.check("\(name)")
        }
    }

    // MARK: Changes within others

    private enum Within: CaseIterable { case third, takenBack, givenAway, update }

    /// Whoever is told of the scrolling may do as it likes: transitions are of what came last.
    @Test(arguments: Within.allCases)
    private func transitionsTellOfTheChangeThatCameLast(_ within: Within) throws {
        let bench = try scrolledBench(RowLayout())
        let (old, new, third) = (bench.layout, rows(5), rows(7))
        let other = SimulatedCollectionView(size: Size(width: 10, height: 10))
        var told: [ViewTransition] = []
        bench.watcher.onScroll = { [watcher = bench.watcher, bench] view in
            watcher.onScroll = { _ in }
            switch within {
            case .third: view.setCollectionViewLayout(third)
            case .takenBack: view.setCollectionViewLayout(old)
            case .givenAway: other.setCollectionViewLayout(old)
            case .update:
                bench.source.sections[0].removeFirst(3)
                try? bench.adapter.deleteItems(at: (0..<3).map { ItemPath(0, $0) })
                told = view.transitions
            }
        }
        bench.view.setCollectionViewLayout(new, animated: true)
        #expect(bench.view.transitions == told && told.isEmpty != (within == .update))
        let expected = within == .third ? third : within == .takenBack ? old : new
        #expect(bench.view.collectionViewLayout === expected && expected.host === bench.view)
        #expect(
            old.host === (within == .givenAway ? other : within == .takenBack ? bench.view : nil)
        )
        bench.settle()
        bench.check()
    }

    /// Also if it lays the view out when it learns of the scrolling: what was visible in the old layout does not stay in
    /// place meanwhile.
    @Test(arguments: [0.0, 130])
    func theDelegateHasTheLastWordOnTheOffset(_ start: Double) throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: start)
        bench.settle()
        var proposed: [Point] = []
        bench.watcher.target = { offset in
            proposed.append(offset)
            return Point(x: 0, y: 40)
        }
        bench.watcher.onScroll = { $0.layoutIfNeeded() }
        let layout = RowLayout()
        layout.target = { _ in Point(x: 0, y: 90) }
        bench.view.setCollectionViewLayout(layout)
        bench.watcher.target = { $0 }
        bench.settle()
        #expect(proposed == [Point(x: 0, y: 90)])
        #expect(bench.view.contentOffset == Point(x: 0, y: 40))
        bench.check()
    }
}
