import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Flow layouts that are laid out beforehand")
struct FlowLayoutDelegateTests {
    private func rows(_ tops: some Sequence<Int>, height: Double = 20) -> [Rect] {
        tops.map { Rect(x: 0, y: Double($0), width: 100, height: height) }
    }

    /// Where everything is, but for what is far away, from scratch too.
    private func isAsFromScratch(_ list: PreparedList, _ count: Int) -> Bool {
        let (layout, fresh) = (list.layout, list.fresh())
        return layout.collectionViewContentSize == fresh.collectionViewContentSize
            && (0..<count).allSatisfy {
                layout.frame(ofItem: ItemPath(0, $0)) == fresh.frame(ofItem: ItemPath(0, $0))
            }
    }

    @Test func theLayoutAdoptsWhatAWorkerLaidOut() {
        let list = PreparedList(1000)
        #expect(list.frames(0..<4) == rows([0, 20, 40, 60]))
        list.update { source, changes in
            source.rows.insert("new:40", at: 1)
            changes.insertItems(at: [ItemPath(0, 1)])
            source.rows.remove(at: 900)
            changes.deleteItems(at: [ItemPath(0, 899)])
        }
        #expect(list.frames(0..<3).map { $0?.size.height } == [20, 40, 20])
        list.update { source, changes in
            source.rows[0] = "other:30"
            changes.reconfigureItems(at: [ItemPath(0, 0)])
        }
        list.update { _, changes in changes.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 500)) }
        list.onMain { $0.scroll(by: 200) }
        #expect(isAsFromScratch(list, 1000))
        #expect(list.layout.work.laidOutSections == 0, "nothing on the main lane")
        #expect(list.layout.work.askedSizes == 0)
    }

    /// Where nothing near is new, nothing but the new is asked for.
    @Test func anUpdateIsLaidOutOfTheOneBefore() {
        let list = PreparedList(1000)
        nonisolated(unsafe) var work: [Int] = []
        func look() {
            list.onMain { work.append(($0.preparedLayout as? PreparedFlow)?.work.askedSizes ?? -1) }
        }
        for row in [900, 950] {
            list.update { source, changes in
                source.rows.insert("new", at: row)
                changes.insertItems(at: [ItemPath(0, row)])
            }
            look()
        }
        #expect(work == [1, 1])
    }

    @Test func onlyWhatIsNearIsMadeAndMeasuredOnce() {
        let list = PreparedList(100_000)
        // A screenful before and after; fewer before the first row.
        #expect(list.made.values == (0..<6).map { "row \($0)" })
        #expect(list.measured.values.map(\.name) == list.made.values)
        #expect(
            list.measured.values.allSatisfy {
                $0.range.maximum == Size(width: 100, height: .infinity)
            }
        )
        list.onMain { $0.contentOffset = Point(x: 0, y: 30_000) }
        let shown = list.made.values.dropFirst(6)
        #expect((3...12).contains(shown.count))
        #expect(Set(list.made.values).count == list.made.count)
        #expect(list.measured.count == list.made.count)
        #expect(isAsFromScratch(list, 2000))
        #expect(list.layout.work.laidOutSections == 0)
    }

    /// Scrolled through, everything is measured once, and an update a step at most.
    @Test func whileScrollingWhatIsSeenIsMeasured() {
        let list = PreparedList(200)
        for _ in 0..<100 { list.onMain { $0.scroll(by: 40) } }
        #expect(Set(list.made.values) == Set((0..<200).map { "row \($0)" }))
        #expect(list.made.count == 200 && list.measured.count == 200)
        #expect(list.layout.collectionViewContentSize == Size(width: 100, height: 4000))
        nonisolated(unsafe) var heights: Set<Double> = []
        list.onMain { view in heights = Set(view.visibleCells.map(\.frame.size.height)) }
        #expect(heights == [20])
        #expect(list.layout.work.laidOutSections == 0)
    }

    @Test func itemsWhoseSizeIsSaidAreMeasuredWithinIt() {
        let size = Size(width: 30, height: 10)
        let list = PreparedList(1000) { $0.itemSize = size }
        // Three on a line, which is ten high; twelve lines.
        #expect(list.made.count == 36)
        #expect(
            list.measured.values.allSatisfy { $0.range == SizeRange(minimum: size, maximum: size) }
        )
        #expect(list.layout.collectionViewContentSize == Size(width: 100, height: 3340))
        #expect(list.layout.work.laidOutSections == 0)
        #expect(isAsFromScratch(list, 1000))
    }

    @Test func anotherRoomIsLaidOutByTheLayoutUntilWorkersHaveDoneSo() {
        let list = PreparedList(300)
        list.onMain { $0.scroll(by: 2000) }
        let before = list.measured.count
        nonisolated(unsafe) var own = 0
        list.onMain { view in
            view.resize(to: Size(width: 50, height: 60))
            view.layoutIfNeeded()
            own = (view.collectionViewLayout as? FlowLayout)?.work.laidOutSections ?? 0
        }
        #expect(own == 1)
        #expect(isAsFromScratch(list, 300))
        let again = list.measured.values.dropFirst(before)
        #expect((9...12).contains(again.count) && again.allSatisfy { $0.range.maximum.width == 50 })
        list.update { source, changes in
            source.rows.append("last")
            changes.insertItems(at: [ItemPath(0, 300)])
        }
        #expect(list.layout.work.laidOutSections == own, "adopted")
        // What was measured for other room and is far away is measured when it comes near, and is as large until then.
        #expect(list.frames(0..<1).map { $0?.size } == [Size(width: 100, height: 20)])
        list.onMain { $0.scrollToTop() }
        #expect(list.frames(0..<2) == [0, 20].map { Rect(x: 0, y: $0, width: 50, height: 20) })
        #expect(list.layout.work.laidOutSections == own)
        #expect(isAsFromScratch(list, 300))
    }

    @Test func whoSwitchesItOffHasTheLayoutDoItUntilTheNextUpdate() {
        let list = PreparedList(300, relayouts: false)
        list.onMain { $0.resize(to: Size(width: 50, height: 60)) }
        let own = list.layout.work.laidOutSections
        #expect(own > 0 && list.made.count == list.measured.count)
        list.update { source, changes in
            source.rows.append("last")
            changes.insertItems(at: [ItemPath(0, 300)])
        }
        #expect(list.layout.work.laidOutSections == own, "adopted again")
        #expect(list.frames(0..<2) == [0, 20].map { Rect(x: 0, y: $0, width: 50, height: 20) })
    }

    /// Where the layout lays out itself, it is told what was measured for the room that there is.
    @Test func otherLayoutsHaveTheirElementsMeasuredInOtherRoomToo() {
        let list = PreparedList(100)
        list.onMain { $0.setCollectionViewLayout(ListLayout()) }
        list.onMain { $0.resize(to: Size(width: 50, height: 60)) }
        nonisolated(unsafe) var ranges: Set<SizeRange> = []
        list.onMain { view in
            for content in view.visibleCells.compactMap(\.content) {
                if case .measured(let range) = content.state { ranges.insert(range) }
            }
        }
        #expect(ranges == [.width(50)])
        let count = list.measured.count
        list.onMain { $0.setCollectionViewLayout(FlowLayout()) }
        #expect(list.layout.work.laidOutSections == 1 && list.measured.count > count)
        #expect(isAsFromScratch(list, 100))
    }

    /// What a layout is set to after the update was accepted counts.
    @Test func aLayoutThatIsSetUpOtherwiseLaysOutItself() {
        let list = PreparedList(100)
        list.onMain { view in
            (view.collectionViewLayout as? FlowLayout)?.sectionInset = EdgeInsets(top: 7)
        }
        #expect(list.frames(0..<1) == rows([7]))
        #expect(isAsFromScratch(list, 100))
        let own = list.layout.work.laidOutSections
        list.update { source, changes in
            source.rows[0] = "other:30"
            changes.reconfigureItems(at: [ItemPath(0, 0)])
        }
        #expect(list.frames(0..<2) == rows([7], height: 30) + rows([37]))
        #expect(list.layout.work.laidOutSections == own)
    }

    @Test func whatFailsIsLaidOutWithItsEstimate() {
        let list = PreparedList(3)
        list.update { source, changes in
            source.rows.insert("bad?", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(list.frames(0..<2) == [Rect(x: 0, y: 10, width: 0, height: 0), rows([0])[0]])
        #expect(isAsFromScratch(list, 4))
    }

    private final class Heights: LayoutMetrics {
        func size(ofItemAt path: ItemPath) -> Size? { Size(width: 100, height: 15) }
    }

    /// Who answers for the view does so on the main lane; nodes are still made for what is seen.
    @Test func whereOnlyTheLayoutCanTellItLaysOut() {
        let list = PreparedList(100)
        let heights = Heights()
        list.onMain { view in
            view.layoutMetrics = heights
            view.collectionViewLayout.invalidateLayout()
        }
        list.update { source, changes in
            source.rows.insert("first", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(list.frames(0..<2) == rows([0, 15], height: 15))
        #expect(list.layout.work.laidOutSections > 0)
        #expect(list.made.values.contains("first"))
        nonisolated(unsafe) var isPrepared = true
        list.onMain { isPrepared = $0.preparedLayout is PreparedFlow }
        #expect(!isPrepared)
        // And back: what was measured meanwhile is known.
        list.onMain { $0.contentOffset = Point(x: 0, y: 900) }
        list.onMain { view in
            view.layoutMetrics = nil
            view.collectionViewLayout.invalidateLayout()
        }
        list.update { source, changes in
            source.rows.remove(at: 50)
            changes.deleteItems(at: [ItemPath(0, 50)])
        }
        #expect(isAsFromScratch(list, 100))
    }

    /// Views that say which size they want, and other layouts, are left alone.
    @Test func otherLayoutsLayOutThemselves() {
        let sizing = PreparedList(50) { $0.estimatedItemSize = Size(width: 100, height: 25) }
        #expect(sizing.layout.work.laidOutSections > 0)
        nonisolated(unsafe) var rows = 0
        let list = PreparedList(50)
        list.onMain { view in
            view.setCollectionViewLayout(ListLayout(), animated: false)
        }
        list.onMain { rows = $0.visibleCells.count }
        list.update { source, changes in
            source.rows.insert("first", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(rows == 3 && list.made.values.contains("first"))
    }

    @Test func aViewThatIsGoneIsLaidOutForNoMore() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        var view: SimulatedCollectionView? = SimulatedCollectionView(
            size: Size(width: 100, height: 60),
            layout: FlowLayout()
        )
        let delegate = FlowLayoutDelegate(view ?? SimulatedCollectionView(size: .zero))
        weak let released = view
        view = nil
        #expect(released == nil, "the delegate does not keep it")
        let controller = DataController(
            dataSource: RangedRows(["a"]) { PreparedList.Node($0, Journal()) },
            view: nil,
            lane: simulation.makeLane(label: "main"),
            environment: simulation.environment,
            layoutDelegate: delegate
        )
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        simulation.run()
        #expect(controller.visibleMap.numberOfItems == 1)
        let context = delegate.layoutContext(for: controller.visibleMap)
        #expect(!delegate.isOutdated(context))
        #expect(delegate.sizeRanges(for: controller.visibleMap) == nil)
    }

    @Test func whereNothingCanBeLaidOutBeforehandOtherRoomMakesAContextOutdated() {
        let list = PreparedList(10)
        nonisolated(unsafe) var isOutdated: [Bool] = []
        list.onMain { view in
            view.setCollectionViewLayout(ListLayout())
            let delegate = FlowLayoutDelegate(view)
            let context = delegate.layoutContext(for: view.map)
            isOutdated.append(delegate.isOutdated(context))
            view.resize(to: Size(width: 50, height: 60))
            isOutdated.append(delegate.isOutdated(context))
        }
        #expect(isOutdated == [false, true])
    }

    // MARK: Sections

    private final class Shelf: SectionMetricsProviding {
        let sectionMetrics: SectionMetrics
        init(_ metrics: SectionMetrics) { sectionMetrics = metrics }
    }

    private final class Shelves: CollectionDataSource {
        var headers = [5.0, 6]
        let counts = [4, 50]

        func numberOfSections() -> Int { 2 }
        func numberOfItems(inSection section: Int) -> Int { counts[section] }

        func context(forSection section: Int) -> (any SectionContext)? {
            section == 0 ? Shelf(SectionMetrics(itemSize: Size(width: 50, height: 10))) : nil
        }

        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { { Fixed(20) } }

        func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

        func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int) -> Int
        {
            1
        }

        func supplementaryNodeProvider(
            ofKind kind: SupplementaryKind,
            at path: ItemPath
        ) -> NodeProvider {
            let height = headers[path.section]
            return { Fixed(height) }
        }
    }

    private final class Fixed: CollectionNode {
        let height: Double
        init(_ height: Double) { self.height = height }
        func measure(in range: SizeRange) -> Size {
            Size(width: range.maximum.width, height: height)
        }
    }

    @Test func headersAndWhatSectionsSayAreLaidOutToo() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        nonisolated(unsafe) let layout = FlowLayout()
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        let view = SimulatedCollectionView(size: Size(width: 100, height: 60), layout: layout)
        let controller = DataController(
            dataSource: Shelves(),
            view: view,
            lane: simulation.makeLane(label: "main"),
            environment: simulation.environment,
            layoutDelegate: FlowLayoutDelegate(view)
        )
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        simulation.run()
        nonisolated(unsafe) var places: [String] = []
        func look() {
            controller.lane.enqueue {
                places = view.visibleViews.map { "\($0.attributes!.place) \($0.frame.minY)" }
            }
            simulation.run()
        }
        look()
        // Two on a line in the first section, one in the second.
        #expect(
            places == [
                "0 - 0 5.0", "0 - 1 5.0", "0 - 2 15.0", "0 - 3 15.0", "1 - 0 31.0", "1 - 1 51.0",
                "header 0 - 0 0.0", "header 1 - 0 25.0",
            ]
        )
        controller.enqueueBatchUpdates { source, changes in
            source.headers = [15, 6]
            changes.reloadSupplementaries(ofKind: .header, in: [0])
        } completion: { _ in
        }
        simulation.run()
        let before = controller.visibleMap
        look()
        #expect(places.prefix(3) == ["0 - 0 15.0", "0 - 1 15.0", "0 - 2 25.0"])
        #expect(layout.work.laidOutSections == 0)
        // Also where nobody is near, and nothing else is new.
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadSupplementaries(ofKind: .header, in: [1])
        } completion: { _ in
        }
        simulation.run()
        nonisolated(unsafe) var asked: [String] = []
        controller.lane.enqueue { [after = controller.visibleMap] in
            guard let plan = FlowPlan(layout) else { return }
            let former = plan.laidOut(before, after: nil) { _ in nil }
            _ = plan.laidOut(after, after: former) { place in
                asked.append("\(place)")
                return nil
            }
        }
        simulation.run()
        #expect(asked.sorted() == ["footer 1 - 0", "header 1 - 0"])
    }
}
