import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Touches as a model")
struct TouchModelTests {
    /// Item 8 is out of sight.
    private let items = [0, 1, 2, 8]

    /// What is to be seen of a view, or of the model.
    private struct Picture: Equatable {
        var calls: [String]
        var heard: [String]
        var selected: [Int]
        var highlighted: Int?
        var looks: [Bool?]
    }

    private func check(
        _ bench: Bench<RowLayout>,
        _ model: TouchModel,
        hasDelegate: Bool,
        _ comment: Comment
    ) {
        let cells = (0..<3).map { bench.cell(0, $0) }
        let found = Picture(
            calls: bench.log,
            heard: bench.watcher.heard,
            selected: bench.view.indexPathsForSelectedItems.map(\.item),
            highlighted: bench.view.highlightedItem?.item,
            looks: cells.map { $0?.isSelected } + cells.map { $0?.isHighlighted }
        )
        let expected = Picture(
            calls: model.calls,
            heard: hasDelegate ? model.calls.map { String($0.prefix { $0 != ":" }) } : [],
            selected: model.selected,
            highlighted: model.highlighted,
            looks: (0..<3).map { model.lookingSelected.contains($0) }
                + (0..<3).map { model.highlighted == $0 }
        )
        #expect(found == expected, comment)
    }

    /// Without a delegate all is allowed.
    @Test(arguments: [1, 2, 3] as [UInt64], [true, false])
    func whateverIsTouchedAndSelectedSelectionLooksAndCallsAreThoseOfTheModel(
        _ seed: UInt64,
        _ hasDelegate: Bool
    ) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try Bench([texts(9)])
        let (view, watcher) = (bench.view, bench.watcher)
        bench.load()
        if !hasDelegate { view.delegate = nil }
        var model = TouchModel()
        for step in 0..<Effort.number(1_500, usually: 500) {
            bench.clear()
            model.clear()
            let item = items[random.next(below: items.count)]
            let path = ItemPath(0, item)
            let (first, second) = (random.isTrue(oneIn: 4), random.isTrue(oneIn: 3))
            let (mayBegin, mayEnd) = (!(hasDelegate && first), !(hasDelegate && second))
            watcher.mayHighlight = { _ in mayBegin }
            watcher.maySelect = { _ in mayEnd }
            watcher.mayDeselect = { _ in mayEnd }
            let choice = random.next(below: 16)
            switch choice {
            case 0, 1, 2:
                view.touchDown(at: path)
                model.down(item, allowed: mayBegin)
            case 3, 4:
                view.touchUp()
                model.up(allowed: mayEnd)
            case 5, 6:
                let isIdle = model.highlighted == nil
                view.touchMoved(inside: isIdle)
                model.move(inside: isIdle)
            case 7:
                view.touchMoved(inside: mayEnd)
                model.move(inside: mayEnd)
            case 8:
                view.cancelTouch()
                model.cancel()
            case 9:
                view.deselectItem(at: path)
                model.set(false, item)
            case 10, 11:
                try view.selectItem(at: path)
                model.select(item)
            case 12:
                try view.selectItem(at: nil)
                model.keepLast(0)
            case 13:
                model.allowsSelection = !random.isTrue(oneIn: 3)
                view.allowsSelection = model.allowsSelection
                #expect(view.allowsSelection == model.allowsSelection)
            default:
                model.allowsMultiple = !random.isTrue(oneIn: 3)
                view.allowsMultipleSelection = model.allowsMultiple
                #expect(view.allowsMultipleSelection == model.allowsMultiple)
                if !model.allowsMultiple { model.keepLast(1) }
            }
            check(bench, model, hasDelegate: hasDelegate, "seed \(seed) step \(step) \(choice)")
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func aTapIsATouchDownAndUpUnlessAnotherTouchIsDown(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.allowsMultipleSelection = seed == 1
        var model = TouchModel()
        model.allowsMultiple = seed == 1
        for step in 0..<200 {
            bench.clear()
            model.clear()
            let item = items[random.next(below: items.count)]
            switch random.next(below: 5) {
            case 0:
                bench.view.touchDown(at: ItemPath(0, item))
                model.down(item, allowed: true)
            case 1:
                bench.view.cancelTouch()
                model.cancel()
            default:
                bench.view.tapItem(at: ItemPath(0, item))
                if model.highlighted == nil {
                    model.down(item, allowed: true)
                    model.up(allowed: true)
                }
            }
            check(bench, model, hasDelegate: true, "step \(step)")
        }
    }

    // MARK: Delegates that act

    @Test func aTouchThatTheDelegateBeginsWhileItIsAskedTakesThePlaceOfTheOneItIsAskedAbout() throws
    {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.watcher.mayHighlight = { [view = bench.view] path in
            if path.item == 0 { view.touchDown(at: ItemPath(0, 2)) }
            return true
        }
        bench.view.touchDown(at: ItemPath(0, 0))
        #expect(bench.view.highlightedItem == ItemPath(0, 2))
        #expect(
            bench.watcher.heard == [
                "shouldHighlight 0 - 0", "shouldHighlight 0 - 2", "didHighlight 0 - 2",
            ]
        )
        bench.view.touchUp()
        #expect(bench.view.indexPathsForSelectedItems == [ItemPath(0, 2)])
        bench.check()
    }

    @Test func anItemThatTheDelegateDeletesWhileItIsAskedIsNotTouched() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        bench.watcher.mayHighlight = { [bench] path in
            bench.source.sections[0].removeLast()
            try? bench.adapter.performBatchUpdates { $0.deleteItems(at: [path]) }
            return true
        }
        bench.view.touchDown(at: ItemPath(0, 2))
        #expect(bench.view.highlightedItem == nil)
        #expect(bench.watcher.heard == ["shouldHighlight 0 - 2"])
        bench.watcher.mayHighlight = { _ in true }
        bench.view.tapItem(at: ItemPath(0, 1))
        #expect(bench.view.indexPathsForSelectedItems == [ItemPath(0, 1)])
        bench.settle()
        bench.check()
    }

    @Test(arguments: [true, false])
    func whileTheDelegateIsAskedNothingIsHighlightedAndTheTouchFollowsItsItem(
        _ isDeselecting: Bool
    ) throws {
        let bench = try Bench([texts(4)], height: 50)
        bench.load()
        bench.view.allowsMultipleSelection = true
        if isDeselecting { try bench.view.selectItem(at: ItemPath(0, 2)) }
        let ask: (ItemPath) -> Bool = { [bench] path in
            #expect(path == ItemPath(0, 2) && bench.view.highlightedItem == nil)
            #expect(bench.cell(0, 2)?.isHighlighted == false)
            bench.source.sections[0].removeFirst()
            try? bench.adapter.performBatchUpdates { $0.deleteItems(at: [ItemPath(0, 0)]) }
            return true
        }
        (bench.watcher.maySelect, bench.watcher.mayDeselect) = (ask, ask)
        bench.view.tapItem(at: ItemPath(0, 2))
        #expect(bench.view.indexPathsForSelectedItems == (isDeselecting ? [] : [ItemPath(0, 1)]))
        #expect(
            bench.watcher.heard.last == (isDeselecting ? "didDeselect" : "didSelect") + " 0 - 1"
        )
        bench.settle()
        bench.check()
    }

    // MARK: Looks

    @Test func aCellThatServesAsHeaderLooksNeitherSelectedNorHighlighted() throws {
        let bench = try Bench([texts(2)])
        try bench.view.register(
            TextCell.self,
            forSupplementaryViewOfKind: .header,
            withReuseIdentifier: "header"
        )
        bench.layout.headerHeight = 5
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 0))
        bench.view.touchDown(at: ItemPath(0, 0))
        // All views are dequeued again.
        bench.view.resize(to: Size(width: 100, height: 0))
        bench.settle()
        bench.view.resize(to: Size(width: 100, height: 30))
        bench.settle()
        let header = try #require(bench.view.visibleView(at: .header(0)) as? TextCell)
        #expect(!header.isSelected && !header.isHighlighted)
        #expect(bench.cell(0, 0)?.isSelected == true)
        #expect(bench.cell(0, 0)?.isHighlighted == true)
    }

    // MARK: Scrolling to what is selected

    @Test func withoutAViewportAnItemNeedsNoPlaceToBeSelected() throws {
        final class Nowhere: RowLayout {
            override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? { nil }
        }
        let bench = try Bench([texts(9)], Nowhere(), size: .zero)
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 5), scrollPosition: .top)
        #expect(bench.view.indexPathsForSelectedItems == [ItemPath(0, 5)] && bench.log == [])
    }
}
