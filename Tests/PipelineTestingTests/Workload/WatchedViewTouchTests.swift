import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTesting
@testable import SimulatedView

/// What a user, or the program around a watched view, does to it without scrolling.
@Suite("Touches and changes of a watched view", .endsHangs) struct WatchedViewTouchTests {
    // MARK: Selecting

    /// On one of the six visible cells, by number.
    @Test(arguments: 0...3) func aTouchLastsForItsTurnsAndSelects(_ turns: Int) {
        let stage = WatchedStage()
        let path = ItemPath(0, 2)
        var highlighted: [ItemPath?] = []
        func note(_ stage: WatchedStage) { highlighted.append(stage.shown.highlightedItem) }
        let begin: (WatchedStage) -> Void = { stage in
            stage.view.perform(.touch(8, turns: turns))
            note(stage)
        }
        stage.inTurns([begin] + Array(repeating: note, count: 4))
        let expected = (0...4).map { $0 < turns ? path : nil }
        #expect(highlighted == expected)
        #expect(stage.shown.indexPathsForSelectedItems == [path])
        #expect(stage.found() == [])
        #expect(stage.marks.contains("view selected"))
    }

    /// Every third seed allows for several.
    @Test func selectingTakesTheVisibleCellOfThatNumber() {
        let stage = WatchedStage()
        var selected: [Int] = []
        for (seed, isMultiple): (UInt64, Bool) in [
            (10, false), (8, false), (9, true), (17, false), (12, true), (1, false),
        ] {
            stage.perform(.select(seed))
            #expect(stage.shown.allowsMultipleSelection == isMultiple, "seed \(seed)")
            let item = Int(seed % 6)
            selected = isMultiple ? selected + [item] : [item]
            let found = stage.shown.indexPathsForSelectedItems
            #expect(found == selected.map { ItemPath(0, $0) }, "seed \(seed)")
            #expect(stage.found() == [])
        }
    }

    @Test func anItemThatCannotBeSelectedIsReported() {
        let stage = WatchedStage()
        stage.onMain { stage in
            stage.cell(2)?.attributes = LayoutAttributes(.cell(ItemPath(9, 9)), frame: .zero)
            stage.view.perform(.select(2))
        }
        let found = stage.noted
        #expect(found.count == 1 && found.first?.hasPrefix("selecting 9 - 9: ") == true)
    }

    @Test func nothingHappensWhereThereIsNothing() {
        let stage = WatchedStage(sections: 0, items: 0) {
            ($0.sizesItself, $0.hasRanges) = (true, false)
        }
        stage.perform(
            .select(7),
            .touch(7, turns: 1),
            .changeWish(7),
            .scrollToItem(7),
            .moveToItem(7),
            .moveToTop,
            .scroll(10),
            .range(.isHidden),
            .fetch(.wantsHead),
            .idle(2)
        )
        #expect(stage.shown.contentOffset == .zero)
        #expect(stage.found() == [])
    }

    // MARK: What else happens

    @Test func idleMomentsPrepareCells() {
        let stage = WatchedStage { $0.isPrefetching = true }
        let made = stage.shown.numberOfMadeViews
        var prepared = 0
        for count in [0, 2, 1] {
            stage.perform(.idle(count))
            prepared += count
            #expect(stage.shown.numberOfMadeViews == made + prepared)
        }
        #expect(stage.found() == [])
    }

    /// Of the four visible cells, whose heights follow from item and wish.
    @Test func aCellThatChangesItsWishGetsIt() {
        let stage = WatchedStage { $0.sizesItself = true }
        #expect(stage.shown.visibleCells.map(\.frame.size.height) == [1, 4, 3, 2])
        stage.perform(.changeWish(6))
        #expect(stage.shown.visibleCells.compactMap { ($0 as? SizingCell)?.wish } == [0, 0, 1, 0])
        #expect(stage.cell(2)?.frame.size.height == 4)
        stage.perform(.changeWish(6))
        #expect((stage.cell(2) as? SizingCell)?.wish == 2)
        #expect(stage.cell(2)?.frame.size.height == 1)
        #expect(stage.found() == [])
        #expect(stage.marks.contains("view self-sized"))
    }

    @Test(arguments: [false, true]) func theViewTakesAnotherSize(_ isAnimated: Bool) {
        let stage = WatchedStage()
        _ = stage.found()
        stage.onMain { stage in
            stage.view.perform(.resize(width: 30, height: 8, isAnimated: isAnimated))
            let isTold = stage.shown.eventLog.contains {
                if case .layout(.prepareForAnimatedBoundsChange) = $0 { true } else { false }
            }
            #expect(isTold == isAnimated)
        }
        #expect(stage.shown.bounds == Rect(x: 0, y: 0, width: 30, height: 8))
        #expect(stage.found() == [])
    }

    @Test(arguments: [false, true]) func theViewTakesAnotherLayout(_ sizesItself: Bool) {
        for isAnimated in [false, true] {
            let stage = WatchedStage { $0.sizesItself = sizesItself }
            _ = stage.found()
            var counts: [Int] = []
            stage.inTurns([
                { stage in
                    stage.view.perform(.setLayout(.flow, isAnimated: isAnimated))
                    counts.append(stage.view.numberOfSwitches)
                }
            ])
            counts.append(stage.view.numberOfSwitches)
            #expect(counts.last == 0 && counts.allSatisfy { $0 >= 0 })
            if isAnimated { #expect(counts.first == 1) }
            let layout = stage.shown.collectionViewLayout as? FlowLayout
            #expect(layout?.minimumLineSpacing == 1)
            #expect((layout?.estimatedItemSize == .zero) != sizesItself)
            #expect(stage.found() == [])
            #expect(stage.marks.contains("view switched layouts") == isAnimated)
        }
    }

    @Test func insetsAreTheUpperOneAndHalfOfIt() {
        let stage = WatchedStage()
        for (inset, lower) in [(3, 1.0), (2, 1), (1, 0), (0, 0), (4, 2)] {
            stage.perform(.inset(inset))
            #expect(stage.shown.contentInset == EdgeInsets(top: Double(inset), bottom: lower))
        }
        #expect(stage.found() == [])
    }

    @Test func anInvalidLayoutIsPreparedAgain() {
        let stage = WatchedStage()
        _ = stage.found()
        stage.perform(.idle(0))
        #expect(!stage.shown.eventLog.contains(.layout(.prepare)))
        stage.perform(.invalidate)
        #expect(stage.shown.eventLog.contains(.layout(.prepare)))
        #expect(stage.found() == [])
    }

    @Test func rangesAndFetchesAreToldWhatTheApplicationDoes() {
        let stage = WatchedStage { $0.hasRanges = true }
        stage.perform(.range(.isHidden))
        #expect(stage.shown.rangeController?.isContainerVisible == false)
        #expect(stage.found() == [])
        let scene = RunScene {
            var random = SeededGenerator(seed: 1)
            var plan = ViewPlan(&random)
            (plan.layout, plan.sizesItself, plan.hasFetcher) = (.list, false, true)
            (plan.width, plan.height) = (40, 1000)
            $0.view = plan
        }
        #expect(scene.noted == [])
        scene.onMain { run in
            guard let view = run.watchedView, let fetcher = view.shown.batchFetcher else { return }
            #expect(fetcher.delegate === view.fetches && view.fetches != nil)
            view.perform(.fetch(.wantsHead))
            #expect(fetcher.leadingScreens(at: .head) == 1)
            // Nobody has been asked yet.
            view.check(isAtRest: true)
            #expect(
                scene.noted == [
                    "Fetched Once: nobody is asked for the head, though there is less than the"
                        + " viewport shows"
                ]
            )
        }
    }
}
