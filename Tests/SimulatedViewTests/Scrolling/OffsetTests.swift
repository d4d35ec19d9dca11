import PipelineTestSupport
import SimulatedView
import Testing

@Suite("The content offset")
struct OffsetTests {
    private static let courses: [Course?] = [nil] + Course.allCases

    /// With any kind of scrolling and any changes meanwhile.
    @Test(arguments: courses)
    func theOffsetFollowsTheModel(_ course: Course?) throws {
        var (kept, shifted) = (0, 0)
        for seed in 0..<UInt64(Effort.number(400, usually: course == nil ? 120 : 16)) {
            let walk = try ScrollWalk(course, seed: seed)
            for step in 0..<50 {
                guard let fault = try walk.step() else { continue }
                let name = course?.rawValue ?? "sheet"
                Issue.record("\(name) seed \(seed) step \(step): \(fault) \(walk.story.suffix(6))")
                return
            }
            kept += walk.numberKept
            shifted += walk.numberShifted
        }
        #expect(kept > 20 && shifted > 5)
    }

    /// Without a clock and with one, and with ranges and a fetcher that use the numbers too.
    @Test(arguments: [false, true], [1e30, 1e308, Double.greatestFiniteMagnitude])
    func hugeNumbersLeadToTheEndsOfTheContent(_ hasClock: Bool, _ number: Double) throws {
        let clock = hasClock ? ManualClock() : nil
        let bench = try Bench([texts(100)], RowLayout(), clock: clock)
        bench.load()
        let (view, ranges, fetcher) = (bench.view, RangeController(), BatchFetcher())
        view.decelerationRate = .fast
        ranges.requestedMode = .full
        try ranges.setTuningParameters(
            RangeTuningParameters(leading: number, trailing: number),
            for: .preload
        )
        try fetcher.setLeadingScreens(number, at: .tail)
        (view.rangeController, view.batchFetcher) = (ranges, fetcher)
        var found: [Double] = []
        func rest() {
            clock?.frames(20)
            bench.settle()
            found.append(view.contentOffset.y)
        }
        for sign in [1.0, -1] {
            let far = Point(x: sign * number, y: sign * number)
            view.drag(by: far)
            view.endDragging(velocity: .zero)
            rest()
            view.endDragging(at: .zero, velocity: far)
            rest()
            view.endDragging(velocity: far)
            rest()
            bench.watcher.flingTarget = { _ in Point(x: -far.x, y: -far.y) }
            view.endDragging(at: Point(x: 0, y: 400), velocity: far)
            bench.watcher.flingTarget = { $0 }
            rest()
            view.scroll(by: far)
            rest()
        }
        #expect(found == [970, 0, 970, 0, 970, 0, 0, 0, 970, 0])
        // An offset stays as set until the layout is prepared again.
        for sign in [1.0, -1] {
            view.setContentOffset(Point(x: 0, y: sign * number), animated: true)
            clock?.frames(20)
            #expect(view.contentOffset.y == sign * number)
        }
        view.scrollToTop(animated: true)
        rest()
        #expect(view.contentOffset == .zero && view.visibleCells.count == 3)
        #expect(!view.isBusy && view.errors.isEmpty)
    }

    // MARK: Notifications

    @Test func scrollingToTheCurrentPositionDoesNothing() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        let view = bench.view
        view.scroll(by: 50)
        bench.settle()
        view.touchDown(at: ItemPath(0, 6))
        bench.clear()
        view.contentOffset = Point(x: 0, y: 50)
        view.scroll(by: 0)
        try view.scrollToItem(at: ItemPath(0, 5))
        view.resize(to: view.size)
        view.resize(to: view.size, animated: true)
        #expect(bench.log == [] && bench.lane.count == 0)
        #expect(view.highlightedItem == ItemPath(0, 6))
        view.scroll(by: 1)
        #expect(view.highlightedItem == nil, "scrolling ends a touch")
        view.contentOffset = Point(x: -0.0, y: -0.0)
        #expect(view.contentOffset.x.sign == .plus && view.contentOffset.y.sign == .plus)
    }

    /// A delegate that scrolls further in each notification is notified only up to the limit of
    /// rounds.
    @Test func aDelegateThatScrollsInEveryNotificationIsStopped() throws {
        let bench = try Bench([texts(60)])
        bench.load()
        bench.watcher.onScroll = { $0.contentOffset.y += 1 }
        bench.view.scroll(by: 10)
        let limit = SimulatedCollectionView.roundLimit
        #expect(bench.watcher.numberOfScrolls == limit && bench.view.contentOffset.y == 25)
        #expect(bench.view.errors.map(\.code) == [.reentrantLayout])
        #expect(bench.view.errors.first?.message.contains("15 levels deep") == true)
        bench.watcher.onScroll = { _ in }
        for _ in 0..<40 { bench.view.scroll(by: 1) }
        #expect(bench.watcher.numberOfScrolls == limit + 40)
    }
}

/// The actions and notifications of delegates and nodes during scrolling. `OffsetTests` covers the
/// offset.
@Suite("Reactions to scrolling")
struct ScrollReactionTests {
    private static let limit = SimulatedCollectionView.roundLimit

    // MARK: Motions that are stopped

    private func bench(_ clock: ManualClock?) throws -> Bench<RowLayout> {
        let bench = try Bench([texts(100)], RowLayout(), clock: clock)
        bench.load()
        return bench
    }

    /// A stopped motion is updated first; its pending frame lays out nothing, and no frame follows.
    @Test func aStoppedMotionHasNoLaterEffect() throws {
        let clock = ManualClock()
        let bench = try bench(clock)
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(3)
        bench.layout.invalidateLayout()
        let count = bench.layout.numberOfPrepares
        bench.view.contentOffset.y = 20
        #expect(bench.layout.numberOfPrepares == count + 1)
        bench.settle()
        bench.layout.invalidateLayout()
        clock.frames(1)
        #expect(bench.layout.numberOfPrepares == count + 1 && clock.numberOfWaiting == 0)
    }

    @Test func aTargetItemThatLosesItsPlaceKeepsItsLastPosition() throws {
        let clock = ManualClock()
        let bench = try bench(clock)
        try bench.view.scrollToItem(at: ItemPath(0, 50), animated: true)
        clock.frames(9)
        bench.layout.unplacedItem = 50
        bench.layout.invalidateLayout()
        clock.frames(9)
        #expect(bench.view.contentOffset.y == 500 && !bench.view.isBusy)
    }

    // MARK: Endless reactions

    /// Scrolls to one end after the other without end.
    private func carousel(_ bench: Bench<RowLayout>) {
        bench.watcher.answers["didEndScrollingAnimation"] = { view in
            let y = view.contentOffset.y < 300 ? 600.0 : 0
            view.setContentOffset(Point(x: 0, y: y), animated: true)
        }
    }

    @Test func endlessAnimationsYieldToAFingerAndToTheProgram() throws {
        let clock = ManualClock()
        let bench = try bench(clock)
        let view = bench.view
        carousel(bench)
        view.setContentOffset(Point(x: 0, y: 100), animated: true)
        clock.frames(4)
        view.setContentOffset(Point(x: 0, y: 400), animated: true)
        #expect(view.isScrollAnimating && view.contentOffset.y == 600)
        clock.frames(4)
        view.contentOffset.y = 20
        #expect(view.contentOffset.y == 20 && !view.isBusy)
        view.setContentOffset(Point(x: 0, y: 100), animated: true)
        bench.clear()
        clock.frames(4)
        view.beginDragging()
        #expect(view.isDragging && !view.isScrollAnimating)
        #expect(view.contentOffset.y == 600, "under a finger the animation ends immediately")
        #expect(bench.watcher.movements == ["didEndScrollingAnimation", "willBeginDragging"])
    }

    /// Without a clock nothing takes time: an animation after each animation, a drag after each
    /// drag, or a fling that begins too deep.
    @Test func endlessReactionsAreStoppedAndReported() throws {
        let (moving, dragging, flinging) = (try bench(nil), try bench(nil), try bench(nil))
        carousel(moving)
        var left = 40
        dragging.watcher.answers["didEndDragging false"] = { view in
            left -= 1
            if left > 0 { view.endDragging(velocity: .zero) }
        }
        var count = 0
        flinging.watcher.answers["didEndScrollingAnimation"] = { view in
            count += 1
            guard count < Self.limit - 1 else { return view.beginDragging() }
            let y = view.contentOffset.y < 300 ? 600.0 : 0
            view.setContentOffset(Point(x: 0, y: y), animated: true)
        }
        flinging.watcher.answers["willBeginDragging"] = {
            $0.endDragging(velocity: Point(x: 0, y: 1))
        }
        for (bench, call, number) in [
            (moving, "didEndScrollingAnimation", Self.limit),
            (dragging, "didEndDragging false", Self.limit), (flinging, "didEndDragging true", 1),
        ] {
            let view = bench.view
            if bench === dragging {
                view.endDragging(velocity: .zero)
            } else {
                view.setContentOffset(Point(x: 0, y: 100), animated: true)
            }
            #expect(!view.isBusy && !view.isDragging && !view.isScrollAnimating)
            #expect(view.errors.map(\.code) == [.reentrantLayout])
            #expect(view.errors.first?.message.contains("15 levels deep") == true)
            let heard = bench.watcher.movements
            #expect(heard.count { $0 == call } == number && heard.last == call, "\(call)")
        }
        // Successive calls do not count as nested.
        let bench = try bench(nil)
        for _ in 0...Self.limit { bench.view.endDragging(velocity: .zero) }
        #expect(bench.view.errors == [] && !bench.view.isBusy)
    }

    // MARK: Nodes

    /// The nodes that are visible at the end of a motion are notified of rest: at its end, if
    /// something else stops it, and immediately without a clock.
    @Test(arguments: [false, true])
    func visibleNodesAreNotifiedOfRest(_ hasClock: Bool) {
        let clock = hasClock ? ManualClock() : nil
        func rows(_ first: Int) -> [String] { (first..<(first + 3)).map { "row \($0) didStop" } }
        func events(_ stop: @escaping (SimulatedCollectionView) -> Void) -> [String] {
            let (list, watcher) = (RangedList(100, clock: clock), Watcher())
            watcher.answers["didEndDragging false"] = { $0.contentOffset.y = 600 }
            _ = list.news()
            list.onMain { $0.delegate = watcher }
            list.onMain { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
            list.onMain { view in
                clock?.frames(9)
                stop(view)
            }
            return list.news().filter { $0.hasSuffix("didStop") }
        }
        let place = hasClock ? 15 : 30
        #expect(events { $0.beginDragging() } == rows(place))
        #expect(events { $0.contentOffset.y = 150 } == rows(place))
        #expect(events { $0.endDragging(velocity: .zero) } == rows(place) + rows(60))
        #expect(events { _ in clock?.frames(9) } == rows(30))
    }
}
