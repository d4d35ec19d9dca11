import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTesting
@testable import SimulatedView

/// What is found of a watched view whose layout, map or offset is not as it should be.
@Suite("What is found of places in a watched view", .endsHangs) struct WatchedViewPlaceTests {
    @Test(arguments: ViewPlan.Layout.allCases, [false, true])
    func nothingIsFoundWhereNothingIsWrong(_ layout: ViewPlan.Layout, _ isInverted: Bool) {
        let stage = WatchedStage(layout, sections: 3, items: 3) { $0.isInverted = isInverted }
        for action in [
            ViewAction.scroll(0), .scroll(25), .resize(width: 40, height: 60, isAnimated: false),
        ] {
            stage.perform(action)
            for isAtRest in [false, true] { #expect(stage.found(isAtRest: isAtRest) == []) }
        }
    }

    @Test func whatTheViewDidIsMarkedOnce() {
        let stage = WatchedStage()
        func marks(_ actions: ViewAction...) -> Set<String> {
            for action in actions { stage.perform(action) }
            #expect(stage.found() == [])
            return Set(stage.marks)
        }
        #expect(marks() == ["view reloaded"])
        #expect(marks() == [])
        #expect(marks(.scroll(20)) == ["view scrolled"])
        stage.insertItem()
        #expect(marks() == ["view applied", "view scrolled"])
        #expect(marks(.idle(0)) == [])
        stage.onMain { $0.shown.beginBusy() }
        stage.insertItem()
        stage.onMain { $0.shown.endBusy() }
        #expect(marks().isSuperset(of: ["view postponed", "view applied"]))
    }

    // MARK: The map

    @Test func theNewestMapIsShownUnlessUpdatesAreOnTheirWay() {
        let stage = WatchedStage()
        let other = "the view shows generation 1, but 7 is visible"
        let (waiting, busy) = ("updates wait at rest", "the view is busy at rest")
        let visible = stage.view.visibleMap
        for isElsewhere in [false, true] {
            if isElsewhere { stage.view.visibleMap = { .empty(generation: 7) } }
            #expect(stage.found(isAtRest: false) == (isElsewhere ? [other] : []))
            #expect(stage.found(isAtRest: true) == (isElsewhere ? [other] : []))
        }
        stage.view.visibleMap = visible
        stage.onMain { $0.shown.beginBusy() }
        stage.insertItem()
        #expect(stage.shown.numberOfWaitingUpdates == 1)
        for isElsewhere in [false, true] {
            if isElsewhere { stage.view.visibleMap = { .empty(generation: 7) } }
            #expect(stage.found(isAtRest: false) == [])
            #expect(stage.found(isAtRest: true) == (isElsewhere ? [other] : []) + [waiting, busy])
        }
        // Without a controller nobody says what is visible.
        stage.view.visibleMap = { nil }
        #expect(stage.found(isAtRest: true) == [waiting, busy])
    }

    @Test func changesOfLayoutsThatNeverEndAreReported() {
        let stage = WatchedStage()
        for count in [1, 2] {
            let text = "\(count) changes of layouts never completed"
            #expect(stage.found { $0.view.numberOfSwitches = count } == [text])
            #expect(stage.found(isAtRest: false) == [])
        }
    }

    @Test func errorsAreReportedOnceBesidesThoseThatArePartOfIt() {
        let stage = WatchedStage()
        let error = ViewError(.noView, "text")
        let found = stage.found { stage in
            stage.shown.report(error)
            stage.shown.report(ViewError(.batchFetching, "other"))
        }
        #expect(found == ["the view met an error: \(error)"])
        #expect(stage.shown.errors.isEmpty && stage.found() == [])
        // What is wider than a line is the plan's own doing.
        let wide = WatchedStage(.flow)
        wide.onMain { stage in
            let layout = stage.shown.collectionViewLayout as? FlowLayout
            layout?.itemSize = Size(width: 100, height: 2)
        }
        let wideErrors = wide.shown.collectionViewLayout.errors.map(\.code)
        #expect(!wideErrors.isEmpty && wideErrors.allSatisfy { $0 == .itemExceedsLine })
        #expect(!wide.found().contains { $0.hasPrefix("the layout met an error") })
        stage.onMain { stage in
            (stage.shown.collectionViewLayout as? ListLayout)?.sectionFooterHeight = -1
        }
        let errors = stage.shown.collectionViewLayout.errors
        #expect(!errors.isEmpty)
        let texts = errors.map { "the layout met an error: \($0)" }
        #expect(stage.found().filter { $0.hasPrefix("the layout met") } == texts)
    }

    // MARK: Places

    /// Without room, where pages have no extent, nothing has a place.
    @Test func everyItemHasAPlaceWhereThereIsRoom() {
        let stage = WatchedStage()
        stage.takeOddList { list in
            list.one = { $0.indexPath == ItemPath(1, 10) ? nil : $0 }
        }
        #expect(stage.found() == ["the layout has no place for item 1 - 10"])
        stage.onMain { $0.shown.contentInset = EdgeInsets(top: 20) }
        #expect(stage.found() == [])
    }

    @Test func whatIsHiddenOrElsewhereIsNotShown() {
        let stage = WatchedStage()
        stage.takeOddList { list in
            let hide: (LayoutAttributes) -> LayoutAttributes? = { attributes in
                var attributes = attributes
                attributes.isHidden = attributes.place == .cell(ItemPath(0, 2))
                return attributes
            }
            (list.one, list.each, list.givesAll) = (hide, hide, true)
        }
        #expect(stage.shown.visibleCells.count == 5 && stage.cell(2) == nil)
        #expect(stage.found() == [])
    }

    /// In either of the two answers.
    @Test func whatOneAnswerAddsIsMissed() {
        let stage = WatchedStage()
        stage.takeOddList { list in
            list.each = { $0.place == .cell(ItemPath(0, 2)) ? nil : $0 }
        }
        #expect(stage.found().first == "not shown: [0 - 2]")
        stage.takeOddList { list in
            list.one = { attributes in
                var attributes = attributes
                if attributes.place == .cell(ItemPath(0, 4)) { attributes.alpha = 0.5 }
                return attributes
            }
        }
        #expect(stage.found().first == "not shown: [0 - 4]")
    }

    /// All in order, whatever the order in which sets have them.
    @Test func whatIsMissingAndWhatIsTooMuchIsListedInOrder() {
        let stage = WatchedStage { $0.height = 30 }
        let places = stage.shown.visibleViews.compactMap { $0.attributes?.place }
        #expect(places.count > 12 && places == places.sorted())
        let moved = stage.found { stage in
            for view in stage.shown.visibleViews { view.attributes?.alpha = 0.5 }
        }
        #expect(moved == ["not shown: \(places)", "shown out of place: \(places)"])
        let other = WatchedStage { $0.height = 30 }
        let removed = other.found { stage in
            for place in places { _ = stage.shown.display.shown.remove(place) }
        }
        #expect(removed == ["not shown: \(places)", "displayed at rest: \(places)"])
    }

    @Test func aViewWithoutExtentShowsNothing() {
        for (width, height) in [(0, 12), (40, 0), (0, 0)] {
            let stage = WatchedStage()
            stage.perform(.resize(width: width, height: height, isAnimated: false))
            #expect(stage.shown.visibleViews.isEmpty && stage.found() == [])
            let other = WatchedStage()
            let found = other.found {
                $0.shown.viewport.bounds.size = Size(width: Double(width), height: Double(height))
            }
            #expect(found == ["a view without extent shows something"])
        }
    }

    // MARK: Sizes

    private static func takeHighItem(_ stage: WatchedStage) {
        stage.takeOddList { list in
            list.one = { attributes in
                var attributes = attributes
                if attributes.place == .cell(ItemPath(1, 10)) { attributes.size.height = 9 }
                return attributes
            }
        }
    }

    /// What is measured later is right at rest, as long as it may still come.
    @Test(arguments: [false, true]) func placesAreAsLargeAsWhatWasMeasured(_ isBehind: Bool) {
        let stage = WatchedStage()
        Self.takeHighItem(stage)
        if isBehind { stage.fallBehind() }
        let text = "the layout has item 1 - 10 at 9.0 high, but it was measured as 2.0"
        for number in 0..<16 {
            let (isAtRest, measuresLater) = (number & 1 > 0, number & 2 > 0)
            let (isOpen, expectsMeasured) = (number & 4 > 0, number & 8 > 0)
            let found = stage.found(isAtRest: isAtRest) { stage in
                stage.view.measuresLater = measuresLater
                stage.view.isOpen = { isOpen }
                stage.view.expectsMeasured = expectsMeasured
            }
            let isDue = !measuresLater || isAtRest && !isBehind && isOpen
            #expect(
                found == (isDue && expectsMeasured ? [text] : []),
                "\(isAtRest), \(measuresLater), \(isOpen), \(expectsMeasured)"
            )
        }
    }

    @Test func placesOfOtherSizesAreRightWhereCellsOrPagesDecide() {
        let stage = WatchedStage { $0.sizesItself = true }
        Self.takeHighItem(stage)
        #expect(!stage.found().contains { $0.hasPrefix("the layout has item") })
        let pages = WatchedStage(.pages)
        #expect(pages.cell(0)?.frame.size.height == 12 && pages.found() == [])
    }

    // MARK: The offset

    /// As far as content and insets reach, also where that is less than the viewport.
    @Test func theOffsetIsWithinTheEnds() {
        let stage = WatchedStage()
        let inset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        for (content, high) in [
            (Size(width: 50, height: 82), Point(x: 14, y: 73)),
            (Size(width: 40, height: 10), Point(x: 4, y: 1)),
            (Size(width: 37, height: 3), Point(x: 1, y: -1)),
            (Size(width: 10, height: 12), Point(x: -2, y: 3)),
        ] {
            let low = Point(x: -2, y: -1)
            for x in [low.x - 0.5, low.x, high.x, high.x + 0.5] {
                for y in [low.y - 0.5, low.y, high.y, high.y + 0.5] {
                    let found = stage.found { stage in
                        stage.shown.viewport.insets.content = inset
                        stage.shown.viewport.contentSize = content
                        stage.shown.viewport.bounds.origin = Point(x: x, y: y)
                    }
                    let isRight = x >= low.x && x <= high.x && y >= low.y && y <= high.y
                    let text = "the offset \(Point(x: x, y: y)) is beyond \(low) to \(high)"
                    #expect(
                        found.filter { $0.hasPrefix("the offset") } == (isRight ? [] : [text]),
                        "\(x), \(y) in \(content)"
                    )
                }
            }
        }
    }
}
