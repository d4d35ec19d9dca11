import PipelineTestSupport
import SimulatedView
import Testing

/// What the delegate does as it is told of scrolling.
@Suite("Scrolling in answer to scrolling")
struct ScrollingAnswersTests {
    private let list = ScrollingList()

    /// Shows one end after the other, for ever.
    private func carousel(_ list: ScrollingList) {
        list.answers["didEndScrollingAnimation"] = { view in
            let y = view.contentOffset.y < 300 ? 600.0 : 0
            view.setContentOffset(Point(x: 0, y: y), animated: true)
        }
    }

    @Test func whoAlwaysMovesOnGivesWayToAFinger() {
        carousel(list)
        list.atOnce { $0.setContentOffset(Point(x: 0, y: 100), animated: true) }
        list.frames(4)
        list.atOnce { view in
            view.beginDragging()
            #expect(view.isDragging && !view.isScrollAnimating)
            #expect(view.contentOffset.y == 600, "under a finger it is there at once")
        }
        #expect(list.news() == ["didEndScrollingAnimation", "willBeginDragging"])
        list.answers = [:]
        list.onMain { $0.endDragging(velocity: .zero) }
        #expect(list.y == 600 && !list.isBusy)
    }

    @Test func whoAlwaysMovesOnGivesWayToTheProgram() {
        carousel(list)
        list.atOnce { $0.setContentOffset(Point(x: 0, y: 100), animated: true) }
        list.frames(4)
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 400), animated: true)
            #expect(view.isScrollAnimating && view.contentOffset.y == 600)
        }
        list.frames(10)
        list.atOnce { view in
            #expect((400...600).contains(view.contentOffset.y))
            view.contentOffset.y = 20
            #expect(view.contentOffset.y == 20 && !view.isScrollAnimating && !view.isBusy)
        }
        list.onMain { _ in }
        #expect(list.y == 20)
        #expect(list.news() == ["didEndScrollingAnimation", "didEndScrollingAnimation"])
    }

    /// Where nothing takes time, that would never end.
    @Test func whoAlwaysMovesOnInAViewWithoutAClockIsStopped() {
        let list = ScrollingList(hasClock: false)
        carousel(list)
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 100), animated: true)
            #expect(!view.isBusy && !view.isScrollAnimating)
            #expect(view.errors.map(\.code) == [.reentrantLayout])
            #expect(view.errors.first?.message.contains("15 times within one another") == true)
        }
        #expect(list.news().count == SimulatedCollectionView.roundLimit)
    }

    @Test func aLayoutThatIsSetInAnswerIsNotSetAgain() {
        nonisolated(unsafe) let layout = FlowLayout()
        list.answers["didEndScrollingAnimation"] = { $0.setCollectionViewLayout(layout) }
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            view.setCollectionViewLayout(layout)
            #expect(view.collectionViewLayout === layout && view.errors.isEmpty)
        }
    }

    @Test func aFingerThatIsLettingGoLetsGoOnce() {
        list.target = { [weak list] offset in
            list?.list.view.endDragging(velocity: Point(x: 0, y: -1))
            return offset
        }
        list.atOnce { view in
            view.endDragging(at: Point(x: 0, y: 50), velocity: .zero)
            #expect(view.isDecelerating)
        }
        list.onMain { _ in }
        #expect(list.y == 50)
        #expect(
            list.news() == [
                "willBeginDragging", "willEndDragging 0.0 to 50.0", "didEndDragging true",
                "willBeginDecelerating", "didEndDecelerating",
            ]
        )
    }

    @Test func whatWasLetGoOfIsNotDraggedOn() {
        list.answers["willBeginDragging"] = { $0.endDragging(velocity: .zero) }
        _ = list.toldNodes()
        list.onMain { $0.drag(by: Point(x: 0, y: 25)) }
        #expect(list.y == 0 && !list.isBusy)
        let first = list.toldNodes().filter { $0.hasPrefix("row 0") }
        #expect(first == ["row 0 willBeginDragging", "row 0 didEndDragging", "row 0 didStop"])
    }

    @Test func nodesHearOfTheOldFingerBeforeTheNew() {
        list.answers["didEndDragging false"] = { view in view.beginDragging() }
        _ = list.toldNodes()
        list.onMain { $0.endDragging(velocity: .zero) }
        let first = list.toldNodes().filter { $0.hasPrefix("row 0") }
        #expect(
            first == ["row 0 willBeginDragging", "row 0 didEndDragging", "row 0 willBeginDragging"]
        )
        #expect(list.isBusy)
    }

    /// Before the finger is said to drag at all.
    @Test(arguments: ["didEndDecelerating", "didEndScrollingAnimation"])
    func whoLetsGoAsContentStopsUnderAFingerIsToldInOrder(_ call: String) {
        list.answers[call] = { $0.endDragging(velocity: .zero) }
        list.atOnce { view in
            if call == "didEndDecelerating" {
                view.endDragging(velocity: Point(x: 0, y: 1))
            } else {
                view.setContentOffset(Point(x: 0, y: 400), animated: true)
            }
        }
        list.frames(5)
        _ = list.news()
        list.atOnce { view in
            view.beginDragging()
            #expect(!view.isDragging && !view.isBusy)
        }
        let calls = list.news().map { $0.split(separator: " ")[0] }
        #expect(calls == [call[...], "willBeginDragging", "willEndDragging", "didEndDragging"])
    }

    /// As a pass of a frame has it, which looks where the item is.
    @Test func anItemIsFollowedOnlyByTheMotionThatIsToShowIt() throws {
        let clock = ManualClock()
        let bench = try Bench([texts(100)], RowLayout(), clock: clock)
        bench.load()
        try bench.view.scrollToItem(at: ItemPath(0, 50), animated: true)
        clock.frames(3)
        bench.watcher.onDisplay = { view, _ in
            bench.watcher.onDisplay = { _, _ in }
            view.setContentOffset(Point(x: 0, y: 20), animated: true)
        }
        bench.view.resize(to: Size(width: 100, height: 90))
        clock.frames(40)
        #expect(bench.view.contentOffset.y == 20 && !bench.view.isBusy)
        bench.lane.run()
        bench.check()
    }

    /// A motion that somebody begins as a frame of the one before looks where all is.
    @Test func aMotionIsMovedByItsOwnFramesAlone() throws {
        let clock = ManualClock()
        let bench = try Bench([texts(100)], RowLayout(), clock: clock)
        bench.load()
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(3)
        bench.watcher.onDisplay = { view, _ in
            bench.watcher.onDisplay = { _, _ in }
            view.contentOffset.y = -50
            view.setContentOffset(Point(x: 0, y: 20), animated: true)
        }
        bench.view.resize(to: Size(width: 100, height: 90))
        clock.frames(1)
        #expect(bench.view.contentOffset.y == -50)
        clock.frames(18)
        #expect(bench.view.contentOffset.y == 20 && !bench.view.isBusy)
        bench.lane.run()
        bench.check()
    }

    @Test func whoScrollsElsewhereAsAnItemIsShownIsHeard() {
        list.answers["didScroll"] = { view in
            guard view.contentOffset.y == 500 else { return }
            view.contentOffset.y = 33
        }
        list.onMain { view in try? view.scrollToItem(at: ItemPath(0, 50)) }
        #expect(list.offsets == [500, 33] && list.y == 33)
    }
}
