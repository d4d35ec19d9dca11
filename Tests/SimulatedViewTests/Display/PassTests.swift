import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Layout and views repeat rounds until they agree or reach a limit.
@Suite("Passes of a view")
struct PassTests {
    /// The views prefer other heights than the layout's, in any order of scrolling and changes:
    /// visible rows have their preferred height, the viewport is full, and visible rows keep their
    /// position.
    @Test(arguments: [false, true], [1.0, 3, 9, 30, 100])
    func visibleRowsHaveTheirPreferredHeightAndStayInPlace(_ isList: Bool, _ least: Double) throws {
        for seed in 0..<UInt64(Effort.number(40, usually: 6)) {
            let walk = try SizeWalk(isList: isList, least: least, seed: seed)
            for step in 0..<35 {
                guard let fault = try walk.step() else { continue }
                Issue.record("\(isList) \(least) seed \(seed) step \(step): \(fault)")
                return
            }
        }
    }

    private final class SizeWalk {
        let bench: Bench<CollectionLayout>
        let least: Double
        var random: SeededGenerator
        var preferredHeights: [String: Double] = [:]
        var faults: [String] = []

        init(isList: Bool, least: Double, seed: UInt64) throws {
            self.least = least
            random = SeededGenerator(seed: seed)
            let (rows, list) = (RowLayout(), ListLayout())
            (rows.acceptsPreferredHeights, rows.headerHeight) = (true, 4)
            (list.rowHeight, list.estimatesHeights) = (10, true)
            let size = Size(width: 100, height: 90)
            bench = try Bench([texts(40), texts(60, "b")], isList ? list : rows, size: size)
            bench.source.preferredHeights = { [unowned self] in preferredHeight($0) }
            bench.watcher.onDisplay = { [unowned self] view, place in
                guard let cell = view.visibleView(at: place) as? TextCell else { return }
                if cell.frame.size.height != preferredHeight(cell.text) {
                    faults.append("\(place) is announced before it has its height")
                }
            }
            bench.load()
        }

        private func preferredHeight(_ text: String) -> Double {
            preferredHeights[text] ?? least
                + Double(text.utf8.reduce(7) { $0 &* 31 &+ Int($1) } % 9)
        }

        private func preferredHeight(for cell: TextCell) {
            preferredHeights[cell.text] = least + Double(random.next(below: 20))
            bench.view.invalidatePreferredSize(of: cell)
        }

        func step() throws -> String? {
            let view = bench.view
            let cells = view.visibleCells.compactMap { $0 as? TextCell }
            let anchor = cells.first { $0.frame.minY >= view.bounds.minY }
            let top = anchor.map { $0.frame.minY - view.bounds.minY } ?? 0
            let (kind, isAtStart) = (random.next(below: 6), view.contentOffset.y <= 0)
            switch kind {
            case 0: view.scroll(by: Double(random.next(below: 400) - 150))
            case 1:
                guard let cell = cells.randomElement(using: &random) else { return "no cells" }
                preferredHeight(for: cell)
            case 2: for cell in cells where random.isTrue(oneIn: 2) { preferredHeight(for: cell) }
            case 3:
                for text in bench.source.sections.joined() where random.isTrue(oneIn: 4) {
                    preferredHeights[text] = least + Double(random.next(below: 20))
                }
                (view.collectionViewLayout as? RowLayout)?.heights = [:]
                view.collectionViewLayout.invalidateLayout()
            case 4:
                try bench.update { source, changes in
                    source.sections[0].insert("new \(source.sections[0].count)", at: 3)
                    changes.insertItems(at: [ItemPath(0, 3)])
                }
            default:
                bench.source.sections[1][0] += "'"
                try bench.adapter.reconfigureItems(at: [ItemPath(1, 0)])
            }
            view.layoutIfNeeded()
            check()
            bench.settle()
            check()
            let isAtEnd = view.bounds.maxY >= view.contentSize.height
            let isFree = kind > 0 && !isAtStart && !isAtEnd && view.contentOffset.y > 0
            if isFree, let anchor, view.visibleCells.contains(where: { $0 === anchor }),
                abs(anchor.frame.minY - view.bounds.minY - top) > 1e-9
            {
                faults.append("\(anchor.text) moved")
            }
            return faults.first
        }

        private func check() {
            let (view, cells) = (bench.view, bench.view.visibleCells.compactMap { $0 as? TextCell })
            for cell in cells where cell.frame.size.height != preferredHeight(cell.text) {
                faults.append("\(cell.text) is \(cell.frame.size.height) high")
            }
            let end = view.visibleViews.map(\.frame.maxY).max() ?? 0
            if end < min(view.bounds.maxY, view.contentSize.height) { faults.append("a gap") }
            faults += bench.mistakes
        }
    }

    /// The layout determines what a preferred size invalidates; several preferred sizes in one pass
    /// cause one preparation.
    @Test func aPreferredSizeIsPassedToTheLayout() throws {
        let bench = try Bench([["a", "b"]], height: 40)
        bench.layout.acceptsPreferredHeights = true
        bench.source.preferredHeights = { $0 == "a" ? 15 : 12 }
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
        #expect(bench.layout.numberOfPrepares == 2 && log.contains("contentSize 100 × 27"))
    }

    @Test(arguments: 0...20)
    func aCellMayChangeItsPreferredHeightUpToTheLimit(_ changes: Int) throws {
        let bench = try Bench([texts(3)])
        bench.layout.acceptsPreferredHeights = true
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        var left = changes
        cell.preferredHeight = { height in
            guard left > 0 else { return nil }
            left -= 1
            return height == 10 ? 11 : 10
        }
        bench.view.invalidatePreferredSize(of: cell)
        bench.view.layoutIfNeeded()
        // The first query of a pass is new and does not count.
        let isLoop = changes > SimulatedCollectionView.roundLimit
        #expect(SimulatedCollectionView.roundLimit == 15)
        #expect(bench.view.errors.map(\.code) == (isLoop ? [.layoutLoop] : []))
        guard isLoop else { return #expect(left == 0) }
        let error = try #require(bench.view.errors.first)
        let text =
            "UICollectionView is stuck in its update/layout loop: after 15 rounds without a new"
            + " element the layout was invalidated again; still to be sized: 0 - 0"
        #expect(error.message.hasPrefix(text) && error.place == .cell(ItemPath(0, 0)))
        #expect(bench.view.visibleCells.count == 3)
    }

    enum Loop: CaseIterable, Sendable { case growing, pushing, preparing, missingView }

    /// A cell that always grows, a cell that alternately pushes others out, a layout that
    /// invalidates itself when it prepares, and a view that cannot be created. The pass stops,
    /// keeps the current views, and the next one starts over.
    @Test(arguments: Loop.allCases)
    func aLoopIsReportedAndTheViewKeepsWorking(_ loop: Loop) throws {
        let bench = try Bench([texts(20)])
        let layout = bench.layout
        layout.acceptsPreferredHeights = true
        var queryCount = 0
        switch loop {
        case .growing, .pushing:
            bench.load()
            let cell = try #require(bench.cell(0, 0))
            cell.preferredHeight = { height in
                queryCount += 1
                // Ends the test's loop if the view does not.
                if queryCount > 5000 { return nil }
                return loop == .growing ? height + 1 : height > 50 ? 10 : 100
            }
            bench.view.invalidatePreferredSize(of: cell)
        case .preparing: layout.onPrepare = { $0.invalidateLayout() }
        case .missingView:
            bench.source.madeCell = { view, path in
                let cell = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
                (cell as? TextCell)?.text = "\(path.item)"
                if path.item != 2 { return cell }
                view.collectionViewLayout.invalidateLayout()
                throw TestFailure()
            }
        }
        bench.view.layoutIfNeeded()
        let loops = bench.view.errors.filter { $0.code == .layoutLoop }
        #expect(queryCount < 100 && loops.count == 1)
        let text = "stuck in its update/layout loop: after 15 rounds"
        #expect(loops.first?.message.contains(text) == true)
        if loop == .missingView { #expect(bench.view.visibleCells.count == 2) }
        if loop == .preparing {
            #expect(bench.view.visibleCells.count == 3 && layout.numberOfPrepares == 17)
        }
        layout.onPrepare = { _ in }
        bench.source.madeCell = nil
        for cell in bench.view.visibleCells { (cell as? TextCell)?.preferredHeight = { _ in 10 } }
        bench.source.preferredHeights = { _ in 10 }
        bench.view.clearErrors()
        layout.invalidateLayout()
        bench.settle()
        #expect(bench.rows == ["0: 0", "10: 1", "20: 2"])
        bench.check()
    }

    /// Every round shows one more item or queries one more size: more rounds than disagreements are
    /// allowed, up to a limit in total, and again in every pass.
    @Test(arguments: [(40, 10_000), (9, 10), (10, 10), (30, 10)])
    func roundsWithNewElementsCountOnlyInTotal(_ count: Int, _ limit: Int) throws {
        let bench = try Bench([texts(count)], RowLayout(), size: Size(width: 100, height: 400))
        #expect(bench.view.pass.totalRoundLimit == 10_000)
        bench.view.pass.totalRoundLimit = limit
        bench.layout.acceptsPreferredHeights = true
        bench.layout.rowHeight = 400
        bench.source.preferredHeights = { _ in 10 }
        bench.view.layoutIfNeeded()
        let loops = bench.view.errors.filter { $0.code == .layoutLoop }
        #expect(loops.count == (count < limit ? 0 : 1))
        #expect(loops.allSatisfy { $0.message.contains("loop: after 10 rounds the layout") })
        guard count < limit else { return }
        for isReload in [true, false, false] {
            bench.layout.heights = [:]
            if isReload { bench.adapter.reloadData() } else { bench.layout.invalidateLayout() }
            bench.settle()
            #expect(bench.view.errors == [] && bench.view.visibleCells.count == count)
            bench.check()
        }
    }

    // MARK: Changes during a pass

    /// A cell scrolls when its size is queried: items that were to appear no longer do.
    @Test func theVisibleItemsAreThoseAfterTheSizeQueries() throws {
        let bench = try Bench([texts(20)])
        bench.layout.acceptsPreferredHeights = true
        bench.load()
        bench.view.scroll(by: 10)
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(0, 1)])
        bench.layout.invalidateLayout(with: context)
        var isFirst = true
        bench.cell(0, 1)?.preferredHeight = { [view = bench.view] _ in
            if isFirst { view.contentOffset.y = 60 }
            isFirst = false
            return nil
        }
        bench.settle()
        #expect(bench.log("willDisplay") == [6, 7, 8].map { "willDisplay 0 - \($0)" })
        bench.check()
    }

    // MARK: Invalidating

    /// The view queries sizes only where attributes are no longer valid.
    @Test func anInvalidationContextDeterminesWhichSizesAreQueried() throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let bench = try Bench([texts(2), texts(2)], height: 100)
        bench.layout.headerHeight = 5
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        let backdrops = (0..<2).map { LayoutPlace(.decoration(kind), ItemPath($0, 0)) }
        let all: [LayoutPlace] =
            [ItemPath(0, 0), ItemPath(0, 1), ItemPath(1, 0), ItemPath(1, 1)].map { .cell($0) }
            + [.header(0), .header(1)] + backdrops
        let context = LayoutInvalidationContext()
        func expect(_ expected: [LayoutPlace], _ context: LayoutInvalidationContext) {
            bench.clear()
            bench.layout.invalidateLayout(with: context)
            bench.settle()
            let queried = bench.view.eventLog.compactMap { event -> LayoutPlace? in
                if case .preferred(let place, _) = event { place } else { nil }
            }
            #expect(queried == expected)
        }
        expect(all, LayoutInvalidationContext())
        context.invalidateItems(at: [ItemPath(0, 1), ItemPath(7, 7)])
        expect([all[1]], context)
        context.invalidateSupplementaryElements(ofKind: .header, at: [ItemPath(1, 0)])
        context.invalidateSupplementaryElements(ofKind: .footer, at: [ItemPath(0, 0)])
        expect([all[1], all[5]], context)
        context.invalidateDecorationElements(ofKind: kind, at: [ItemPath(0, 0)])
        expect([all[1], all[5], all[6]], context)
        context.invalidatesDataSourceCounts = true
        expect(all, context)
        bench.check()
    }

    @Test func contentSizeAdjustmentsApplyImmediatelyAndStayValid() throws {
        let bench = try Bench([texts(30)])
        bench.layout.alteredSize = { Size(width: 300, height: $0.height) }
        bench.load()
        bench.view.scroll(by: Point(x: 50, y: 100))
        bench.settle()
        let adjustments: [(Size, Size)] = [
            (Size(width: 10, height: -20), Size(width: 310, height: 280)),
            (Size(width: .nan, height: 5), Size(width: 310, height: 280)),
            (Size(width: 5, height: .infinity), Size(width: 310, height: 280)),
            (Size(width: -311, height: 1), Size(width: 0, height: 281)),
            (Size(width: 0, height: -500), Size(width: 0, height: 0)),
        ]
        for (adjustment, expected) in adjustments {
            let context = LayoutInvalidationContext()
            context.contentSizeAdjustment = adjustment
            bench.layout.invalidateLayout(with: context)
            #expect(bench.view.contentSize == expected, "\(adjustment)")
        }
        bench.settle()
        #expect(bench.view.contentSize == Size(width: 300, height: 300))
    }

    // MARK: Cost

    /// The log of a scroll, including the sizes of requests and results, is the same for a hundred
    /// thousand rows as for a hundred.
    @Test func aPassCostsAsMuchAsTheViewportContains() throws {
        func logs(_ count: Int) throws -> [[String]] {
            let bench = try Bench([texts(count)], ListLayout(), size: Size(width: 100, height: 440))
            bench.lane.run()
            // A request during loading may remain in effect.
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
