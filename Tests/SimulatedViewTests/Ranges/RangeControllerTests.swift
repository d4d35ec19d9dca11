import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Each State Once")
struct RangeControllerTests {
    private let list = RangedList(100)

    /// Enters or exits of one state by some rows.
    private func all(_ rows: some Sequence<Int>, _ what: String...) -> [String] {
        rows.flatMap { row in what.map { "row \(row) \($0)" } }
    }

    @Test func theFirstUpdateIsMinimalAndVisibleFirst() {
        let rows = 0..<3
        // Half a screenful ahead is preloaded, and a quarter displayed.
        #expect(
            list.news() == all(rows, "+preload", "+display", "+visible")
                + all([3], "+preload", "+display") + all([4], "+preload")
        )
        #expect(list.ranges.mode == .minimum)
        #expect(list.rows(in: .visible) == [0, 1, 2])
        #expect(list.rows(in: .display) == [0, 1, 2, 3])
        #expect(list.rows(in: .preload) == [0, 1, 2, 3, 4])
    }

    @Test func statesAreToldAsAWholeToo() {
        let first = list.told.values.prefix(8)
        #expect(first.contains("row 0 none > preload, display, visible"))
        #expect(!list.told.values.contains { $0.contains("is ") || $0.contains("never") })
    }

    @Test func onceSomebodyHasScrolledRangesReachFurther() {
        _ = list.news()
        list.scroll(by: 10)
        #expect(list.ranges.mode == .full)
        // Row 0 goes out of the viewport, and stays in the ranges behind it.
        #expect(
            list.news() == all([3], "+visible") + ["row 0 -visible"]
                + all([4], "+display") + all([5, 6], "+preload", "+display")
                + all(7..<12, "+preload")
        )
        list.scroll(by: 10)
        #expect(
            list.news() == ["row 4 +visible", "row 1 -visible"]
                + ["row 7 +display", "row 12 +preload"]
        )
    }

    @Test func scrollingBackTurnsTheRangesAround() {
        list.scroll(by: 300)
        _ = list.news()
        #expect(list.rows(in: .display) == Array(28..<36))
        list.scroll(by: -10)
        // From 30 on: 1.5 and 0.5 screenfuls become 2.5 and 1.
        #expect(list.rows(in: .visible) == [29, 30, 31])
        #expect(list.rows(in: .display) == Array(26..<34))
        #expect(list.rows(in: .preload).first == 21 && list.rows(in: .preload).last == 36)
    }

    @Test func farAwayEverythingIsLeftAndEntered() {
        list.scroll(by: 10)
        _ = list.news()
        list.onMain { view, _ in view.contentOffset = Point(x: 0, y: 700) }
        let news = list.news()
        let ended = news.filter { $0.contains("-") }
        #expect(Array(news.suffix(ended.count)) == ended, "what left comes last")
        #expect(ended.prefix(3) == ["row 0 -display", "row 0 -preload", "row 1 -visible"])
        #expect(news.prefix(3) == ["row 70 +preload", "row 70 +display", "row 70 +visible"])
        #expect(list.rows(in: .visible) == [70, 71, 72])
    }

    // MARK: Updates

    @Test func whatIsInsertedWithinARangeIsInItAtOnce() {
        _ = list.news()
        list.update { source, changes in
            source.rows.insert("new", at: 3)
            changes.insertItems(at: [ItemPath(0, 3)])
        }
        // It stands where row 3 stood, and row 4 leaves what was half a screenful.
        #expect(
            list.news() == ["new +preload", "new +display"] + ["row 3 -display", "row 4 -preload"]
        )
    }

    @Test func whatIsInsertedFarAwayIsToldOfNothing() {
        _ = list.news()
        list.update { source, changes in
            source.rows.insert("new", at: 50)
            changes.insertItems(at: [ItemPath(0, 50)])
        }
        #expect(list.news() == [])
    }

    @Test func withoutRangesOnlyWhatIsVisibleIsPreloaded() {
        list.onMain { _, ranges in
            ranges.setTuningParameters(.zero, for: .preload, in: .minimum)
            ranges.setTuningParameters(.zero, for: .display, in: .minimum)
        }
        _ = list.news()
        list.update { source, changes in
            source.rows.insert("new", at: 3)
            changes.insertItems(at: [ItemPath(0, 3)])
        }
        #expect(list.news() == [])
        #expect(list.rows(in: .preload) == [0, 1, 2])
    }

    @Test func whatIsRemovedHearsThatItLeft() {
        _ = list.news()
        list.update { source, changes in
            source.rows.remove(at: 1)
            changes.deleteItems(at: [ItemPath(0, 1)])
        }
        let news = list.news()
        #expect(news.contains("row 3 +visible"))
        #expect(news.suffix(3) == ["row 1 -visible", "row 1 -display", "row 1 -preload"])
    }

    @Test func whatMovesOutOfSightGoesOnByWhereItIs() {
        _ = list.news()
        list.update { source, changes in
            source.rows.insert(source.rows.remove(at: 0), at: 4)
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 4))
        }
        #expect(
            list.news() == ["row 3 +visible"] + ["row 4 +display"]
                + ["row 0 -visible", "row 0 -display"]
        )
    }

    @Test func anUpdateWithoutEditsTellsNothing() {
        _ = list.news()
        list.update { _, _ in }
        #expect(list.news() == [])
    }

    @Test func aReloadTellsOfTheEndOfAllAndOfAllThatCame() {
        _ = list.news()
        list.update { _, changes in changes.reloadData() }
        let news = list.news()
        #expect(
            news.filter { $0.contains("row 0 ") }.sorted()
                == all([0], "+display", "+preload", "+visible", "-display", "-preload", "-visible")
        )
        #expect(list.rows(in: .preload) == [0, 1, 2, 3, 4])
    }

    @Test func aReconfiguredNodeGoesOnAndAnotherIsToldInItsPlace() {
        _ = list.news()
        list.update { source, changes in
            source.rows[1] = "kept"
            changes.reconfigureItems(at: [ItemPath(0, 1)])
        }
        #expect(list.news() == [])
        list.update { source, changes in
            source.rows[1] = "other!"
            changes.reconfigureItems(at: [ItemPath(0, 1)])
        }
        #expect(
            list.news() == ["other! +preload", "other! +display", "other! +visible"]
                + ["kept -visible", "kept -display", "kept -preload"]
        )
    }

    // MARK: Conditions

    @Test func memoryPressureTakesWhatIsNotVisible() {
        list.scroll(by: 10)
        _ = list.news()
        list.onMain { _, ranges in ranges.memoryPressure = .warning }
        #expect(list.ranges.mode == .visibleOnly)
        #expect(list.rows(in: .preload) == [1, 2, 3])
        #expect(list.news().allSatisfy { $0.contains("-") })
        list.onMain { _, ranges in ranges.memoryPressure = .normal }
        #expect(list.ranges.mode == .full && list.rows(in: .preload).count == 12)
    }

    @Test func aViewThatIsNotSeenHasNothingVisible() {
        _ = list.news()
        list.onMain { _, ranges in ranges.isContainerVisible = false }
        #expect(
            list.news() == all(0..<3, "-visible") + ["row 3 -display"] + ["row 4 -preload"]
        )
        list.onMain { _, ranges in ranges.memoryPressure = .warning }
        #expect(list.ranges.mode == .lowMemory)
        #expect(list.news() == all(0..<3, "-display") + ["row 3 -preload"])
        list.onMain { _, ranges in
            ranges.memoryPressure = .normal
            ranges.isContainerVisible = true
        }
        #expect(list.rows(in: .visible) == [0, 1, 2])
    }

    @Test func inTheBackgroundLittleIsKeptUntilSomebodyScrollsAgain() {
        list.scroll(by: 10)
        list.onMain { _, ranges in ranges.applicationDidEnterBackground() }
        #expect(list.ranges.isInBackground && list.ranges.mode == .visibleOnly)
        list.onMain { _, ranges in ranges.applicationWillEnterForeground() }
        #expect(!list.ranges.isInBackground && list.ranges.mode == .minimum)
        list.scroll(by: 10)
        #expect(list.ranges.mode == .full)
    }

    @Test func aRequestedModeHoldsUntilItIsTakenBack() {
        list.onMain { _, ranges in ranges.requestedMode = .full }
        #expect(list.rows(in: .preload).count == 11 && list.ranges.requestedMode == .full)
        list.onMain { _, ranges in ranges.requestedMode = nil }
        #expect(list.ranges.mode == .minimum && list.rows(in: .preload).count == 5)
    }

    @Test func aViewWithoutExtentHasNothingInRange() {
        list.onMain { view, _ in view.resize(to: .zero) }
        #expect(list.rows(in: []) == [] && list.rows(in: .preload) == [])
        list.onMain { view, _ in view.resize(to: Size(width: 100, height: 20)) }
        #expect(list.rows(in: .visible) == [0, 1])
    }

    // MARK: Who is told

    /// Notes what it is told; refuses while it should.
    private final class Heard: RangeControllerDelegate {
        var mayUpdate = true
        var modes: [String] = []
        var states: [String] = []
        var onChange: () -> Void = {}

        func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool { mayUpdate }

        func rangeController(
            _ rangeController: RangeController,
            didChangeModeFrom oldMode: RangeMode
        ) { modes.append("\(oldMode) > \(rangeController.mode)") }

        func rangeController(
            _ rangeController: RangeController,
            didChangeStateOf element: CollectionElement,
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) {
            states.append("\(element.content.model ?? "-"): \(oldState) > \(newState)")
            onChange()
        }
    }

    @Test func theDelegateIsToldAndMayRefuse() {
        let heard = Heard()
        list.ranges.delegate = heard
        heard.mayUpdate = false
        _ = list.news()
        list.scroll(by: 10)
        #expect(list.news() == [] && heard.modes == [] && list.ranges.mode == .minimum)
        heard.mayUpdate = true
        list.onMain { view, _ in view.setNeedsLayout() }
        #expect(heard.modes == ["minimum > full"])
        #expect(heard.states.first == "row 3: preload, display > preload, display, visible")
        #expect(list.rows(in: .visible) == [1, 2, 3])
    }

    /// Which leads to passes within the telling, and to tellings that come after all that is under way.
    @Test func whoScrollsInAnswerIsToldWhatFollowsInOrder() {
        let heard = Heard()
        list.ranges.delegate = heard
        nonisolated(unsafe) let list = list
        var answers = 0
        heard.onChange = {
            answers += 1
            guard answers % 4 == 1, answers < 40 else { return }
            list.view.scroll(by: 10)
            list.view.layoutIfNeeded()
        }
        list.scroll(by: 10)
        #expect(!list.told.values.contains { $0.contains("is ") || $0.contains("never") })
        let state: [String: String] = heard.states.reduce(into: [:]) { states, line in
            let parts = line.split(separator: ": ")
            let (name, change) = (String(parts[0]), parts[1].components(between: " > "))
            if let last = states[name] { #expect(last == change[0], "\(line)") }
            states[name] = change[1]
        }
        let visible = state.filter { $0.value.contains("visible") }.keys.sorted()
        #expect(visible == list.rows(in: .visible).map { "row \($0)" }.sorted())
    }

    @Test func aControllerThatIsReplacedTellsThatEverythingIsOver() {
        _ = list.news()
        let other = RangeController()
        list.onMain { view, _ in view.rangeController = other }
        let news = list.news()
        #expect(news.prefix(2) == ["row 0 -visible", "row 0 -display"])
        #expect(
            news.filter { $0.contains("+") } == all(0..<3, "+preload", "+display", "+visible")
                + all([3], "+preload", "+display") + all([4], "+preload")
        )
        #expect(list.ranges.elements(in: .preload).isEmpty)
        list.onMain { view, _ in view.rangeController = nil }
        #expect(list.news().allSatisfy { $0.contains("-") })
        list.scroll(by: 100)
        #expect(list.news() == [])
        list.onMain { view, ranges in
            view.rangeController = ranges
            view.rangeController = ranges
        }
        #expect(list.rows(in: .visible) == [10, 11, 12], "one that nobody has may be taken again")
    }

    /// Also where a node has the view laid out at once.
    @Test func nothingIsToldWithinAnotherTelling() {
        let heard = Heard()
        list.ranges.delegate = heard
        nonisolated(unsafe) let list = list
        var depth = 0
        var deepest = 0
        var answers = 0
        heard.onChange = {
            depth += 1
            deepest = max(deepest, depth)
            answers += 1
            if answers < 10 {
                list.view.scroll(by: 10)
                list.view.layoutIfNeeded()
            }
            depth -= 1
        }
        list.scroll(by: 10)
        #expect(answers > 10 && deepest == 1)
    }

    @Test func aNodeThatIsReplacedIsNoChangeOfItsElement() {
        let heard = Heard()
        list.ranges.delegate = heard
        list.update { source, changes in
            source.rows[1] = "other!"
            changes.reconfigureItems(at: [ItemPath(0, 1)])
        }
        #expect(heard.states == [] && heard.modes == [])
    }

    @Test func aModeIsNotedWhenItIsAnother() {
        list.scroll(by: 10)
        list.scroll(by: 10)
        nonisolated(unsafe) var modes: [String] = []
        list.onMain { view, _ in
            modes = view.eventLog.compactMap {
                if case .rangeMode(let mode) = $0 { "\(mode)" } else { nil }
            }
        }
        #expect(modes == ["full"])
    }

    @Test func aDelegateThatSaysNothingHoldsNothingUp() {
        final class Silent: RangeControllerDelegate {}
        let silent = Silent()
        list.ranges.delegate = silent
        list.scroll(by: 10)
        withExtendedLifetime(silent) {}
        #expect(list.rows(in: .visible) == [1, 2, 3])
    }

    @Test func theDisplayRangeMayReachBeyondThePreloadRange() throws {
        let wide = try RangeTuningParameters(leading: 4, trailing: 0)
        list.onMain { _, ranges in
            ranges.requestedMode = .full
            ranges.setTuningParameters(wide, for: .display, in: .full)
            ranges.setTuningParameters(.zero, for: .preload, in: .full)
        }
        #expect(list.rows(in: .display) == Array(0..<15))
        #expect(list.rows(in: .preload) == [0, 1, 2])
    }

    @Test func withoutAControllerNothingIsAskedOrTold() {
        let list = RangedList(100, hasRanges: false)
        list.scroll(by: 10)
        #expect(list.told.values == [])
        list.onMain { view, _ in view.rangeController = list.ranges }
        #expect(list.rows(in: .visible) == [1, 2, 3])
    }

    @Test func inLowMemoryTheDisplayRangeStaysEmpty() throws {
        let wide = try RangeTuningParameters(leading: 1, trailing: 1)
        list.onMain { _, ranges in
            ranges.setTuningParameters(wide, for: .display, in: .lowMemory)
            ranges.requestedMode = .lowMemory
        }
        #expect(list.rows(in: .display) == [0, 1, 2] && list.ranges.displayRect == .zero)
        #expect(list.rows(in: .preload) == [0, 1, 2])
        // Far from the beginning no more is asked for than lies around the viewport.
        list.onMain { view, ranges in
            ranges.setTuningParameters(wide, for: .preload, in: .lowMemory)
            view.scroll(by: 600)
        }
        #expect(list.rows(in: .preload) == Array(57..<66))
        list.onMain { view, _ in
            let counts = view.eventLog.suffix(20).compactMap { event -> Int? in
                guard case .layout(.layoutAttributesForElements(_, let count)) = event else {
                    return nil
                }
                return count
            }
            #expect(counts.max() == 15, "with a page on each side")
        }
    }

    @Test func theLayoutIsAskedAgainOnlyBeyondWhatIsKnown() {
        func questions(
            of list: RangedList,
            _ body: @escaping (SimulatedCollectionView) -> Void
        ) -> Int {
            nonisolated(unsafe) var count = 0
            list.onMain { view, _ in view.clearEventLog() }
            list.onMain { view, _ in body(view) }
            list.onMain { view, _ in
                count = view.eventLog.count {
                    if case .layout(.layoutAttributesForElements) = $0 { true } else { false }
                }
            }
            return count
        }
        // Ranges reach from 255 to 405, and pages from 240 on to 420; the view's own from 300 to 330.
        #expect(questions(of: list) { $0.scroll(by: 300) } == 2)
        #expect(questions(of: list) { $0.scroll(by: 0.25) } == 1, "the view's own next page")
        #expect(questions(of: list) { $0.scroll(by: 10) } == 0)
        #expect(questions(of: list) { $0.setNeedsLayout() } == 0)
        #expect(questions(of: list) { $0.collectionViewLayout.invalidateLayout() } == 2)
        list.onMain { _, ranges in ranges.requestedMode = .visibleOnly }
        #expect(questions(of: list) { $0.collectionViewLayout.invalidateLayout() } == 1)
        let plain = RangedList(100, hasRanges: false)
        #expect(questions(of: plain) { $0.collectionViewLayout.invalidateLayout() } == 1)
    }

    @Test func theDelegateIsHeldWeakly() {
        var heard: Heard? = Heard()
        weak let seen = heard
        list.ranges.delegate = heard
        heard = nil
        #expect(seen == nil && list.ranges.delegate == nil)
    }

    @Test func theDelegateIsToldAfterTheNodeAndWithoutOne() {
        let heard = Heard()
        list.ranges.delegate = heard
        nonisolated(unsafe) let unsafeHeard = heard
        nonisolated(unsafe) var lateness: [Bool] = []
        let told = list.told
        told.removeAll()
        heard.onChange = {
            let element =
                unsafeHeard.states.last?.split(separator: ":").first.map(String.init) ?? ""
            lateness.append(told.values.contains { $0.hasPrefix(element) })
        }
        list.scroll(by: 10)
        #expect(lateness.count == 10 && lateness.allSatisfy { $0 })
        // Models alone have no nodes.
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(size: Size(width: 10, height: 3))
        let ranges = RangeController()
        ranges.delegate = heard
        view.rangeController = ranges
        heard.onChange = {}
        heard.states = []
        let controller = DataController(
            dataSource: ModelList([["a", "b"]]),
            view: view,
            in: simulation
        )
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        simulation.run()
        #expect(heard.states.first == "a: none > preload, display, visible")
        withExtendedLifetime((view, ranges)) {}
    }

    @Test func theViewsLogHasWhatWasTold() {
        list.onMain { view, _ in view.clearEventLog() }
        list.scroll(by: 10)
        list.onMain { view, _ in
            let lines = view.eventLog.map(\.description).filter {
                $0.hasPrefix("ranges ") || $0.hasPrefix("state ")
            }
            #expect(
                lines.prefix(3) == [
                    "ranges full", "state 0 - 3: preload, display > preload, display, visible",
                    "state 0 - 0: preload, display, visible > preload, display",
                ]
            )
        }
    }

    @Test func theStateOfAnElementIsKnown() {
        list.onMain { view, ranges in
            let paths = [0, 3, 4, 5].compactMap { view.map.element(at: ItemPath(0, $0)) }
            let states = paths.map { "\(ranges.interfaceState(of: $0))" }
            #expect(states == ["preload, display, visible", "preload, display", "preload", "none"])
        }
    }
}

extension Substring {
    fileprivate func components(between separator: String) -> [String] {
        let parts = split(separator: separator, omittingEmptySubsequences: false)
        return parts.map(String.init)
    }
}
