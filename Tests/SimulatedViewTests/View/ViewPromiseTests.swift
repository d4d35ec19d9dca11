import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Insets, offsets and what is in front")
struct ViewPromiseTests {
    @Test func eachAdjustmentAddsItsPartOfTheSafeArea() throws {
        let content = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let safeArea = EdgeInsets(top: 10, left: 20, bottom: 30, right: 40)
        let view = try Bench([texts(3)]).view
        #expect(view.contentInsetAdjustmentBehavior == .automatic)
        view.contentInset = content
        view.safeAreaInsets = safeArea
        let sides = EdgeInsets(left: 20, right: 40)
        let ends = EdgeInsets(top: 10, bottom: 30)
        for (adjustment, added) in [
            (ContentInsetAdjustmentBehavior.automatic, ends), (.always, ends + sides),
            (.never, .zero),
        ] {
            view.contentInsetAdjustmentBehavior = adjustment
            #expect(view.adjustedContentInset == content + added, "\(adjustment)")
            #expect(view.contentInset == content && view.safeAreaInsets == safeArea)
        }
    }

    @Test(arguments: [-500.0, -0.5, 0, 33, 270.5, 9999])
    func anOffsetThatIsSetIsTakenAsItIsUntilTheLayoutIsPreparedAgain(_ y: Double) throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.view.contentOffset = Point(x: 0, y: y)
        #expect(bench.view.contentOffset.y == y)
        for _ in 0..<3 { bench.settle() }
        #expect(bench.view.contentOffset.y == y, "passes leave it alone")
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset.y == min(max(0, y), 270))
        bench.check()
    }

    /// Among equals the last path is in front.
    @Test func theItemAtAPointIsTheOneInFrontAsAScanOfAllSays() throws {
        var random = SeededGenerator(seed: 3)
        for round in 0..<40 {
            let bench = try Bench([texts(6), texts(6)], height: 60)
            var frames: [ItemPath: (frame: Rect, zIndex: Int)] = [:]
            for section in 0..<2 {
                for item in 0..<6 {
                    let frame = Rect(
                        x: Double(random.next(below: 6) * 10),
                        y: Double(random.next(below: 5) * 10),
                        width: Double(10 + random.next(below: 4) * 10),
                        height: Double(10 + random.next(below: 3) * 10)
                    )
                    frames[ItemPath(section, item)] = (frame, random.next(below: 3))
                }
            }
            bench.layout.altered = { answer in
                answer.map { attributes in
                    var attributes = attributes
                    guard let own = frames[attributes.indexPath] else { return attributes }
                    (attributes.frame, attributes.zIndex) = own
                    return attributes
                }
            }
            bench.layout.rowHeight = 1
            bench.load()
            for x in stride(from: -5.0, to: 105, by: 5) {
                for y in stride(from: -5.0, to: 65, by: 5) {
                    let point = Point(x: x, y: y)
                    let all = frames.filter { $0.value.frame.contains(point) }
                    let front = all.max { ($0.value.zIndex, $0.key) < ($1.value.zIndex, $1.key) }
                    #expect(bench.view.indexPathForItem(at: point) == front?.key, "\(round)")
                }
            }
        }
    }

    /// Footers and headers are of two kinds; each stands by its section.
    @Test(arguments: Substrate.allCases)
    func visibleViewsAreByCategoryThenByKindThenByPath(_ substrate: Substrate) async throws {
        let sections = (0..<4).map { section in
            TextDataSource.Section(["\(section)"], headers: ["H"], footers: ["F"])
        }
        let list = try await List(substrate, sections, height: 12)
        let places = await list.onMain { view, _ in
            view.layoutIfNeeded()
            return view.visibleViews.compactMap { $0.attributes?.place }
        }
        #expect(places.count == 12 && places == places.sorted())
        let kinds = places.map { "\($0.category)" }
        #expect(kinds == ["cell", "footer", "header"].flatMap { Array(repeating: $0, count: 4) })
        for kind in Set(kinds) {
            let paths = places.filter { "\($0.category)" == kind }.map(\.path)
            #expect(paths == (0..<4).map { ItemPath($0, 0) })
        }
        let cells = await list.onMain { view, _ in
            view.visibleCells.compactMap(\.attributes?.indexPath)
        }
        #expect(cells == (0..<4).map { ItemPath($0, 0) })
        await list.controller.close()
    }

    @Test func anItemWithoutAPlaceIsRejectedBeforeAnythingHappens() throws {
        final class Gaps: RowLayout {
            override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
                path.item == 20 ? nil : super.layoutAttributesForItem(at: path)
            }
        }
        let bench = try Bench([texts(50)], Gaps())
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 1))
        bench.clear()
        func code(_ body: () throws(ViewError) -> Void) -> ViewError? {
            do throws(ViewError) {
                try body()
                return nil
            } catch { return error }
        }
        let errors = [
            code { () throws(ViewError) in try bench.view.scrollToItem(at: ItemPath(0, 20)) },
            code { () throws(ViewError) in
                try bench.view.selectItem(at: ItemPath(0, 20), scrollPosition: .top)
            },
        ]
        #expect(errors.map { $0?.code } == [.layoutAttributes, .layoutAttributes])
        for error in errors {
            #expect(
                error?.message.hasPrefix("no UICollectionViewLayoutAttributes instance for") == true
            )
            #expect(error?.place == .cell(ItemPath(0, 20)))
        }
        #expect(
            bench.view.indexPathsForSelectedItems == [ItemPath(0, 1)]
                && bench.view.contentOffset == .zero
        )
        #expect(bench.log("scrolled") == [] && bench.cell(0, 1)?.isSelected == true)
        // Where nothing scrolls, nothing is missing.
        try bench.view.selectItem(at: ItemPath(0, 20))
        #expect(bench.view.indexPathsForSelectedItems == [ItemPath(0, 20)])
    }

    /// Also far from what was visible, and away from the beginning.
    @Test(arguments: [200.0, 0])
    func theDelegateHasTheLastWordAfterAChangeOfLayoutsToo(_ start: Double) throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: start)
        bench.settle()
        var proposed: [Point] = []
        bench.watcher.target = { offset in
            proposed.append(offset)
            return Point(x: 0, y: 40)
        }
        let layout = RowLayout()
        layout.target = { _ in Point(x: 0, y: 90) }
        bench.view.setCollectionViewLayout(layout)
        #expect(proposed == [Point(x: 0, y: 90)])
        #expect(bench.view.contentOffset == Point(x: 0, y: 40))
        bench.watcher.target = { $0 }
        bench.settle()
        bench.check()
    }

    /// What was visible in the old layout is not kept in place meanwhile.
    @Test(arguments: [0.0, 130])
    func theDelegateHasItAlsoWhereItLaysTheViewOutWhileToldOfScrolling(_ start: Double) throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: start)
        bench.settle()
        bench.watcher.target = { _ in Point(x: 0, y: 40) }
        bench.watcher.onScroll = { $0.layoutIfNeeded() }
        bench.view.setCollectionViewLayout(RowLayout())
        bench.watcher.target = { $0 }
        bench.settle()
        #expect(bench.view.contentOffset == Point(x: 0, y: 40))
        bench.check()
    }

    /// Whoever hears that a cell is gone may change what keeps others in place.
    @Test func noLayoutIsAskedForAnItemThatAReloadTookAway() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 400)
        bench.settle()
        bench.watcher.onEnd = { view, _ in view.contentInset = EdgeInsets(top: 7) }
        bench.source.sections = [texts(3)]
        bench.adapter.reloadData()
        bench.lane.run()
        bench.watcher.onEnd = { _, _ in }
        bench.settle()
        #expect(bench.view.errors.isEmpty)
        #expect(
            !bench.log("attributes for", "layout attributes for").contains {
                $0.hasSuffix(": none")
            }
        )
        bench.check()
    }

    @Test func aLayoutThatIsSetFromWithinAPassIsReportedAndStaysUnset() throws {
        let bench = try Bench([texts(9)])
        let other = RowLayout()
        var isFirst = true
        bench.source.onQuestion = { view in
            guard isFirst else { return }
            isFirst = false
            view.setCollectionViewLayout(other) { Issue.record("completed") }
        }
        bench.load()
        #expect(bench.view.collectionViewLayout !== other && other.host == nil)
        #expect(bench.view.errors.map(\.code) == [.reentrantLayout])
        bench.view.clearErrors()
        var isComplete = false
        bench.view.setCollectionViewLayout(other) { isComplete = true }
        bench.lane.run()
        #expect(bench.view.collectionViewLayout === other && isComplete)
        bench.check()
    }

    /// The log of a scroll, with how much was asked for and answered, is the same among a hundred thousand rows
    /// as among a hundred.
    @Test func aPassCostsWhatIsInTheViewport() throws {
        func logs(_ count: Int) throws -> [[String]] {
            let bench = try Bench([texts(count)], ListLayout(), size: Size(width: 100, height: 440))
            bench.lane.run()
            // What it asks for once may last for ever after.
            let loading = bench.log("layout attributes", "dataSource view")
            return [loading]
                + [55.0, 2000, -300, 44].map { distance in
                    bench.clear()
                    bench.view.scroll(by: distance)
                    bench.settle()
                    return bench.log
                }
        }
        let few = try logs(100)
        #expect(try logs(100_000) == few && few.allSatisfy { $0.count > 3 })
    }
}
