import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Places items by the bounds of its host, and invalidates itself if the host replaces a view that
/// the layout has left.
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

    /// A view of 50 rows of 10, scrolled so that row 20 is the first visible one.
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
        #expect(bench.view.errors == [], "also allowed within a pass")
    }

    @Test func theOldLayoutCanBeReusedAndNoLongerInvalidates() throws {
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

    /// Views that were visible before or are visible now move from layout to layout, starting at
    /// their position on the screen. The item nearest to the middle stays visible, and views stay
    /// with their elements. An element that only one layout places fades in place; so do
    /// decorations, which belong to one layout.
    @Test(arguments: [0.0, 300]) func transitionsBetweenLayoutsStartAtTheOldPositions(
        _ offset: Double
    )
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

    // MARK: Nested changes

    private enum NestedChange: CaseIterable { case third, switchedBack, setOnAnotherView, update }

    /// The delegate may change anything when it learns of the scrolling: the transitions are those
    /// of the last change.
    @Test(arguments: NestedChange.allCases)
    private func transitionsAreThoseOfTheLastChange(_ change: NestedChange) throws {
        let bench = try scrolledBench(RowLayout())
        let (old, new, third) = (bench.layout, rows(5), rows(7))
        let other = SimulatedCollectionView(size: Size(width: 10, height: 10))
        var lastTransitions: [ViewTransition] = []
        bench.watcher.onScroll = { [watcher = bench.watcher, bench] view in
            watcher.onScroll = { _ in }
            switch change {
            case .third: view.setCollectionViewLayout(third)
            case .switchedBack: view.setCollectionViewLayout(old)
            case .setOnAnotherView: other.setCollectionViewLayout(old)
            case .update:
                bench.source.sections[0].removeFirst(3)
                try? bench.adapter.deleteItems(at: (0..<3).map { ItemPath(0, $0) })
                lastTransitions = view.transitions
            }
        }
        bench.view.setCollectionViewLayout(new, animated: true)
        #expect(
            bench.view.transitions == lastTransitions
                && lastTransitions.isEmpty != (change == .update)
        )
        let expected = change == .third ? third : change == .switchedBack ? old : new
        #expect(bench.view.collectionViewLayout === expected && expected.host === bench.view)
        #expect(
            old.host
                === (change == .setOnAnotherView
                    ? other : change == .switchedBack ? bench.view : nil)
        )
        bench.settle()
        bench.check()
    }

    /// Also if the delegate lays out the view when it learns of the scrolling: the items of the old
    /// layout do not hold their positions meanwhile.
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
