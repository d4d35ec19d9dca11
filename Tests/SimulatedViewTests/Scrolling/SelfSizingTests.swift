import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Cells that want a size of their own")
struct SelfSizingTests {
    @Test func aWishIsTakenToTheLayoutWhichSaysWhatThatInvalidates() throws {
        let bench = try Bench([["a", "b"]], height: 40)
        bench.layout.takesWishes = true
        bench.source.wishes = { $0 == "a" ? 15 : nil }
        bench.lane.run()
        let log = bench.log
        let start = try #require(log.firstIndex(of: "preferred 0 - 0 100 × 15"))
        #expect(
            log[start...].prefix(4) == [
                "preferred 0 - 0 100 × 15",
                "layout shouldInvalidateLayout preferred 0 - 0 100 × 15: true",
                "layout context for preferred 0 - 0", "invalidated 2 size 0 × 5",
            ]
        )
        #expect(log.contains("contentSize 100 × 25"))
        #expect(bench.log("willDisplay") == ["willDisplay 0 - 0", "willDisplay 0 - 1"])
        #expect(bench.rows == ["0: a", "15: b"])
        bench.check()
    }

    @Test func aCellIsAnnouncedOnlyWithItsFinalSize() throws {
        let bench = try Bench([texts(9)])
        bench.layout.takesWishes = true
        bench.source.wishes = { _ in 14 }
        var heights: [Double] = []
        bench.watcher.onDisplay = { view, place in
            heights.append(view.visibleView(at: place)?.frame.size.height ?? 0)
        }
        bench.lane.run()
        #expect(heights == [14, 14, 14])
        bench.check()
    }

    @Test func severalWishesInOnePassLeadToOneNewPreparation() throws {
        let bench = try Bench([texts(9)])
        bench.layout.takesWishes = true
        bench.source.wishes = { _ in 14 }
        bench.lane.run()
        #expect(bench.layout.numberOfPrepares == 2)
        bench.check()
    }

    @Test func growthTakesAwayAgainWhatIsNoLongerInSightWithoutAnnouncingIt() throws {
        let bench = try Bench([texts(9)])
        bench.layout.takesWishes = true
        bench.source.wishes = { _ in 100 }
        bench.lane.run()
        #expect(bench.rows == ["0: 0"])
        #expect(bench.log("willDisplay", "didEnd") == ["willDisplay 0 - 0"])
        bench.check()
    }

    @Test(arguments: [9.0, 5, 3, 2, 1])
    func afterOverEstimatesTheViewportIsFilledToItsEnd(_ height: Double) throws {
        let bench = try Bench([texts(100)])
        bench.layout.takesWishes = true
        bench.source.wishes = { _ in height }
        bench.lane.run()
        #expect(bench.view.visibleCells.count == Int((30 / height).rounded(.up)))
        #expect(bench.view.errors == [])
        bench.check()
    }

    @Test func whatIsInSightStaysWhenARowAboveItGrows() throws {
        let bench = try Bench([texts(20)])
        bench.layout.takesWishes = true
        bench.load()
        bench.view.scroll(by: 15)
        bench.settle()
        #expect(bench.rows == ["-5: 1", "5: 2", "15: 3", "25: 4"])
        let row = try #require(bench.cell(0, 1))
        row.wish = { _ in 22 }
        bench.view.invalidatePreferredSize(of: row)
        bench.settle()
        #expect(bench.rows == ["-17: 1", "5: 2", "15: 3", "25: 4"])
        bench.check()
    }

    @Test func aWishThatChangesIsAskedForInTheNextPassOnly() throws {
        let bench = try Bench([texts(9)])
        bench.layout.takesWishes = true
        bench.load()
        for item in [0, 2, 0] {
            let cell = try #require(bench.cell(0, item))
            cell.wish = { _ in 12 }
            bench.view.invalidatePreferredSize(of: cell)
        }
        #expect(bench.log == [])
        bench.lane.run()
        #expect(bench.log("preferred 0 - 1").count <= 2)
        #expect(bench.rows == ["0: 0", "12: 1", "22: 2"])
        bench.check()
    }

    @Test func onlyWhatIsInvalidatedIsAskedAgain() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(0, 1), ItemPath(0, 7), ItemPath(3, 3)])
        bench.layout.invalidateLayout(with: context)
        bench.settle()
        #expect(bench.log("preferred") == ["preferred 0 - 1 100 × 10"])
        bench.clear()
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.log("preferred").count == 3)
        bench.check()
    }

    @Test func theWishOfAViewThatIsNotShownIsNobodysBusiness() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        bench.view.scroll(by: 30)
        bench.settle()
        bench.clear()
        bench.view.invalidatePreferredSize(of: TextCell())
        bench.view.invalidatePreferredSize(of: cell)
        bench.settle()
        #expect(bench.log("preferred 0 - 0") == [])
        bench.check()
    }

    /// Each round gets one further, so it is no loop, however many there are.
    @Test func viewsThatComeIntoTheBoundsOneByOneAreAllSized() throws {
        let bench = try Bench([texts(40)], UnfoldingLayout())
        bench.load()
        #expect(bench.view.visibleCells.count == 40)
        bench.layout.isFolded = false
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.errors == [])
        #expect(bench.layout.sized == 40)
        bench.check()
    }

    @Test func aCellThatAlwaysWantsMoreIsReportedAsALoop() throws {
        let bench = try Bench([texts(3)])
        bench.layout.takesWishes = true
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        cell.wish = { $0 + 1 }
        bench.view.invalidatePreferredSize(of: cell)
        bench.view.layoutIfNeeded()
        #expect(bench.view.errors.map(\.code) == [.layoutLoop])
        #expect(bench.view.errors[0].message.contains("stuck in its update/layout loop"))
        #expect(bench.log("preferred 0 - 0").count <= SimulatedCollectionView.roundLimit + 1)
        // It goes on working.
        bench.view.clearErrors()
        cell.wish = { _ in 10 }
        bench.view.invalidatePreferredSize(of: cell)
        bench.settle()
        #expect(bench.rows == ["0: 0", "10: 1", "20: 2"])
        bench.check()
    }

    @Test func aCellThatPushesOthersOutAndLetsThemInAgainIsReportedAsALoop() throws {
        let bench = try Bench([texts(3)])
        bench.layout.takesWishes = true
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        var questions = 0
        cell.wish = { height in
            questions += 1
            // Gives in where the view does not.
            return questions > 1000 ? nil : height > 50 ? 10 : 100
        }
        bench.view.invalidatePreferredSize(of: cell)
        bench.view.layoutIfNeeded()
        #expect(questions < 100)
        #expect(bench.view.errors.map(\.code) == [.layoutLoop])
    }

    @Test func aLayoutThatShowsOneOrTheOtherByTurnsIsReportedAsALoop() throws {
        let bench = try Bench([texts(50)], WaveringLayout(), size: Size(width: 100, height: 30))
        var questions = 0
        bench.source.wishes = { _ in
            questions += 1
            // Gives in where the view does not.
            return questions > 5000 ? nil : 11
        }
        bench.view.layoutIfNeeded()
        #expect(questions < 1000)
        #expect(bench.view.errors.map(\.code) == [.layoutLoop])
    }

    @Test func aLayoutThatInvalidatesItselfWhenItPreparesIsReportedAsALoop() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        bench.layout.onPrepare = { $0.invalidateLayout() }
        bench.layout.invalidateLayout()
        bench.view.layoutIfNeeded()
        #expect(bench.view.errors.map(\.code) == [.layoutLoop])
        #expect(bench.layout.numberOfPrepares <= SimulatedCollectionView.roundLimit + 3)
        bench.layout.onPrepare = { _ in }
        bench.view.clearErrors()
        bench.layout.invalidateLayout()
        bench.settle()
        bench.check()
    }

    @Test func rowsThatComeWithAnUpdateAreSizedInIt() throws {
        let bench = try Bench([texts(3)], height: 60)
        bench.layout.takesWishes = true
        bench.source.wishes = { $0 == "new" ? 25 : nil }
        bench.load()
        try bench.update { source, changes in
            source.sections[0].insert("new", at: 1)
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(bench.rows == ["0: 0", "10: new", "35: 1", "45: 2"])
        try bench.update { source, changes in
            source.sections[0] = ["2", "new"]
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 2)])
            changes.moveItem(at: ItemPath(0, 3), to: ItemPath(0, 0))
        }
        #expect(bench.rows == ["0: 2", "10: new"])
        #expect(bench.cell(0, 1)?.frame.size.height == 25)
        bench.check()
    }

    @Test func aReconfiguredCellIsAskedAgain() throws {
        let bench = try Bench([texts(3)], height: 60)
        bench.layout.takesWishes = true
        bench.source.wishes = { $0 == "longer" ? 25 : nil }
        bench.load()
        bench.source.sections[0][0] = "longer"
        try bench.adapter.reconfigureItems(at: [ItemPath(0, 0)])
        bench.settle()
        #expect(bench.rows == ["0: longer", "25: 1", "35: 2"])
        bench.check()
    }
}

/// Places other rows at the top each time it prepares, and prepares for every wish.
private final class WaveringLayout: RowLayout {
    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        var attributes = super.layoutAttributesForItem(at: path)
        if numberOfPrepares.isMultiple(of: 2) { attributes?.center.y -= 100 }
        return attributes
    }

    override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { preferred.size != original.size }

    override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext { LayoutInvalidationContext() }
}

/// Rows in one place; unfolded, each is there only once the one before it was sized.
private final class UnfoldingLayout: CollectionLayout {
    var isFolded = true
    private(set) var sized = 0
    private var noted = 0

    override func prepare() { sized = noted }

    override var collectionViewContentSize: Size { Size(width: 100, height: 1000) }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        (0..<(host?.numberOfItems(inSection: 0) ?? 0))
            .compactMap { layoutAttributesForItem(at: ItemPath(0, $0)) }
            .filter { $0.frame.intersects(rect) }
    }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        let isThere = isFolded || path.item <= sized
        let frame = Rect(x: 0, y: isThere ? 0 : 500, width: 100, height: 10)
        return LayoutAttributes(.cell(path), frame: frame)
    }

    override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { !isFolded && preferred.indexPath.item == sized }

    override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext {
        noted = preferred.indexPath.item + 1
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [preferred.indexPath])
        return context
    }
}
