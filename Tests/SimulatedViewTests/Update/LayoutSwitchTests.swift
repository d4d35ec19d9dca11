import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Switching layouts")
struct LayoutSwitchTests {
    private func tall() -> RowLayout {
        let layout = RowLayout()
        layout.rowHeight = 15
        return layout
    }

    private func nearest(to point: Point, in view: SimulatedCollectionView) -> ItemPath? {
        func distance(_ frame: Rect) -> Double {
            let (x, y) = (frame.center.x - point.x, frame.center.y - point.y)
            return x * x + y * y
        }
        return view.visibleCells.compactMap(\.attributes)
            .min { (distance($0.frame), $0.indexPath) < (distance($1.frame), $1.indexPath) }?
            .indexPath
    }

    @Test func theSameLayoutDoesNothingAndCompletesNothing() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.setCollectionViewLayout(bench.layout, animated: true) {
            Issue.record("completed")
        }
        bench.lane.run()
        #expect(bench.log == [])
    }

    @Test func theSwitchTellsBothLayoutsAndAsksTheNewOneForTheOffset() throws {
        let bench = try Bench([texts(4)])
        bench.load()
        var isComplete = false
        bench.view.setCollectionViewLayout(tall(), animated: true) { isComplete = true }
        #expect(!isComplete)
        let calls = bench.log("layout", "invalidated", "dataSource").filter {
            !$0.contains("preferred") && !$0.hasPrefix("layout attributes for")
        }
        #expect(
            calls == [
                "layout prepareForTransition(to:)", "layout prepareForTransition(from:)",
                "invalidated everything", "layout prepare",
                "layout collectionViewContentSize 100 × 60",
                "layout targetContentOffset (0, 0): (0, 0)",
                "layout attributes in (0, 0) 100 × 30: 2", "layout finalizeLayoutTransition",
                "layout finalizeLayoutTransition",
            ]
        )
        bench.lane.run()
        #expect(isComplete)
        #expect(bench.rows == ["0: 0", "15: 1"])
        bench.check()
    }

    @Test(arguments: [true, false])
    func viewsStayWithTheirElementsAndNobodyIsAskedForThemAgain(_ isAnimated: Bool) throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let cells = bench.view.visibleCells
        bench.view.setCollectionViewLayout(tall(), animated: isAnimated)
        #expect(bench.view.visibleCells.count == 2)
        #expect(zip(bench.view.visibleCells, cells).allSatisfy { $0 === $1 })
        #expect(bench.log("dataSource") == [])
        #expect(bench.log("layout prepareForTransition", "layout finalize").isEmpty != isAnimated)
        bench.settle()
        bench.check()
    }

    @Test func theItemInTheMiddleStaysInTheMiddle() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        #expect(bench.rows == ["0: 20", "10: 21", "20: 22"])
        bench.view.setCollectionViewLayout(tall())
        #expect(bench.rows == ["-7.5: 20", "7.5: 21", "22.5: 22"])
        bench.settle()
        bench.check()
    }

    @Test func aSelectedItemInSightIsPreferredToTheMiddle() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 200)
        try bench.view.selectItem(at: ItemPath(0, 22))
        bench.settle()
        bench.view.setCollectionViewLayout(tall())
        #expect(bench.rows == ["-7.5: 21", "7.5: 22", "22.5: 23"])
        #expect(bench.view.indexPathsForSelectedItems == [ItemPath(0, 22)])
        bench.settle()
        bench.check()
    }

    @Test func decorationsOfTheOldLayoutGoWithIt() throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let bench = try Bench([texts(2)])
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        bench.view.setCollectionViewLayout(tall())
        #expect(bench.log("didEnd") == ["didEndDisplaying decoration backdrop 0 - 0"])
        bench.settle()
        bench.check()
    }

    @Test func theOldLayoutIsFreeForAnotherViewAndCanNoLongerInvalidate() throws {
        let bench = try Bench([texts(2)])
        bench.load()
        let old = bench.layout
        bench.view.setCollectionViewLayout(tall())
        bench.settle()
        bench.clear()
        old.invalidateLayout()
        #expect(old.host == nil && bench.log == [] && bench.lane.count == 0)
        bench.view.setCollectionViewLayout(old)
        bench.settle()
        #expect(bench.rows == ["0: 0", "10: 1"])
        bench.check()
    }

    @Test func betweenListFlowAndComposedLayoutsEveryoneFindsTheSameItems() throws {
        let bench = try Bench([texts(40), texts(30, "b")], ListLayout())
        bench.load()
        bench.view.scroll(by: 800)
        bench.settle()
        for _ in 0..<2 {
            for layout in [
                FlowLayout(), ComposedLayout(defaultLayout: FlowSectionLayout()), ListLayout(),
                ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 2)), PagerLayout(),
            ] as [CollectionLayout] {
                let middle = try #require(nearest(to: bench.view.bounds.center, in: bench.view))
                bench.view.setCollectionViewLayout(layout, animated: true)
                bench.settle()
                #expect(bench.view.cellForItem(at: middle) != nil, "\(type(of: layout))")
                bench.check("\(type(of: layout))")
            }
        }
    }
}
