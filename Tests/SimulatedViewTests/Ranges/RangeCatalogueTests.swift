import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// What Texture's tests of ranges say, for lists and for flows.
@Suite("What comes into ranges, and how far they reach")
struct RangeCatalogueTests {
    enum Kind: String, CaseIterable, Sendable {
        case list, flow

        func set(_ list: RangedList) {
            guard self == .flow else { return }
            list.onMain { view, _ in
                let layout = FlowLayout()
                layout.minimumLineSpacing = 0
                view.setCollectionViewLayout(layout)
            }
        }
    }

    /// Replaces the first row below the viewport.
    private func replace(_ list: RangedList) {
        list.update { source, changes in
            source.rows[3] = "new"
            changes.deleteItems(at: [ItemPath(0, 3)])
            changes.insertItems(at: [ItemPath(0, 3)])
        }
    }

    @Test(arguments: Kind.allCases)
    func whatTakesAnothersPlaceWithinTheRangeIsPreloadedOnce(_ kind: Kind) throws {
        let list = RangedList(100)
        kind.set(list)
        let screenful = try RangeTuningParameters(leading: 1, trailing: 1)
        list.onMain { _, ranges in
            ranges.setTuningParameters(screenful, for: .preload, in: .minimum)
        }
        func node() -> (any CollectionNode)? {
            list.controller.visibleMap.element(at: ItemPath(0, 3))?.nodeIfAllocated
        }
        let first = node()
        list.update { _, _ in }
        #expect(node() === first, "an empty batch keeps the node")
        #expect(list.told.values.count { $0 == "row 3 +preload" } == 1)
        replace(list)
        #expect(node() !== first)
        #expect(list.told.values.count { $0 == "new +preload" } == 1)
        #expect(list.ranges.mode == .minimum)
    }

    /// As far as it is tuned, and not further: three screenfuls, of which one is visible.
    @Test(arguments: Kind.allCases)
    func theFirstRangesAreThoseOfTheMinimum(_ kind: Kind) throws {
        let list = RangedList(100, hasRanges: false)
        kind.set(list)
        let ahead = try RangeTuningParameters(leading: 2, trailing: 0)
        list.onMain { view, ranges in
            ranges.setTuningParameters(ahead, for: .preload, in: .minimum)
            view.rangeController = ranges
        }
        #expect(list.rows(in: .preload) == Array(0..<9))
        #expect(list.ranges.preloadRect == Rect(x: 0, y: 0, width: 100, height: 90))
        #expect(list.ranges.mode == .minimum)
        #expect(list.told.values.count { $0.hasSuffix("+preload") } == 9)
    }

    @Test(arguments: Kind.allCases)
    func whatLeavesARangeAndComesBackIsToldOfBothAgain(_ kind: Kind) {
        let list = RangedList(100)
        kind.set(list)
        _ = list.news()
        let entered = ["row 0 +preload", "row 0 +display", "row 0 +visible"]
        let left = ["row 0 -visible", "row 0 -display", "row 0 -preload"]
        for _ in 0..<2 {
            list.onMain { view, _ in view.contentOffset.y = 700 }
            #expect(list.news().filter { $0.hasPrefix("row 0 ") } == left)
            list.onMain { view, _ in view.contentOffset.y = 0 }
            #expect(list.news().filter { $0.hasPrefix("row 0 ") } == entered)
        }
    }

    @Test func conditionsMayBeSetBeforeThereIsAView() throws {
        let ranges = RangeController()
        ranges.applicationDidEnterBackground()
        ranges.memoryPressure = .critical
        ranges.isContainerVisible = false
        ranges.applicationWillEnterForeground()
        ranges.requestedMode = .visibleOnly
        #expect(ranges.elements(in: .preload).isEmpty && ranges.mode == .minimum)
        let list = RangedList(100, hasRanges: false)
        nonisolated(unsafe) let early = ranges
        list.onMain { view, _ in view.rangeController = early }
        #expect(early.mode == .visibleOnly)
        list.onMain { _, _ in #expect(early.elements(in: .visible).isEmpty) }
    }

    @Test func whatNoViewHasAnyMoreAnotherMayHave() {
        let list = RangedList(100)
        let other = RangedList(50, hasRanges: false)
        list.onMain { view, _ in view.rangeController = nil }
        nonisolated(unsafe) let ranges = list.ranges
        other.onMain { view, _ in view.rangeController = ranges }
        #expect(other.told.values.count { $0.hasSuffix("+visible") } == 3)
        #expect(ranges.elements(in: .visible).count == 3)
    }

    /// Whatever extent it has along the other axis, in which ranges reach beyond it.
    @Test(arguments: [Size(width: 0, height: 30), Size(width: 100, height: 0)])
    func ofAViewWithoutExtentNothingIsAsked(_ size: Size) {
        let list = RangedList(100)
        list.onMain { view, _ in
            view.resize(to: size)
            view.clearEventLog()
            view.collectionViewLayout.invalidateLayout()
        }
        #expect(list.rows(in: .preload) == [])
        list.onMain { view, _ in
            let questions = view.eventLog.count {
                if case .layout(.layoutAttributesForElements) = $0 { true } else { false }
            }
            #expect(questions == 0 && view.errors == [])
        }
    }

    /// Leaves a row out where much is asked for.
    private final class TwoFaced: RowLayout {
        override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
            let found = super.layoutAttributesForElements(in: rect)
            return rect.size.height > 60 ? found.filter { $0.indexPath.item != 4 } : found
        }
    }

    @Test func whatIsShownIsVisibleWhateverTheLayoutSaidOfMore() {
        let list = RangedList(100)
        list.onMain { view, _ in view.setCollectionViewLayout(TwoFaced()) }
        list.scroll(by: 10)
        #expect(list.rows(in: .visible) == [1, 2, 3])
        list.scroll(by: 10)
        #expect(list.rows(in: .visible) == [2, 3, 4])
    }

    /// Does something whenever it is asked whether ranges may be brought up to date.
    private final class Asked: RangeControllerDelegate {
        var mayUpdate = true
        var onQuestion: () -> Void = {}

        func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool {
            onQuestion()
            return mayUpdate
        }
    }

    @Test func layingOutWhileOneIsAskedIsNoWayAroundTheAnswer() {
        let list = RangedList(100)
        let asked = Asked()
        let view = list.view
        var count = 0
        asked.mayUpdate = false
        asked.onQuestion = {
            count += 1
            guard count == 1 else { return }
            view.setNeedsLayout()
            view.layoutIfNeeded()
        }
        list.ranges.delegate = asked
        _ = list.news()
        list.scroll(by: 10)
        #expect(count > 0 && list.news() == [] && list.ranges.mode == .minimum)
        withExtendedLifetime(asked) {}
    }

    @Test func whoHasTheViewLaidOutWhileItIsAskedIsAskedOnce() {
        let list = RangedList(100)
        let asked = Asked()
        let view = list.view
        var (count, depth, deepest) = (0, 0, 0)
        asked.onQuestion = {
            (count, depth) = (count + 1, depth + 1)
            deepest = max(deepest, depth)
            if count < 10 {
                view.setNeedsLayout()
                view.layoutIfNeeded()
            }
            depth -= 1
        }
        list.ranges.delegate = asked
        list.scroll(by: 10)
        #expect(count > 0 && deepest == 1)
        #expect(list.rows(in: .visible) == [1, 2, 3])
    }

    @Test func whoGivesTheViewAnotherWhileItIsAskedHearsOfThatAlone() {
        let list = RangedList(100)
        let (asked, other) = (Asked(), RangeController())
        let view = list.view
        nonisolated(unsafe) let ranges = other
        asked.onQuestion = { view.rangeController = ranges }
        list.ranges.delegate = asked
        list.scroll(by: 10)
        #expect(list.ranges.elements(in: .preload).isEmpty)
        #expect(!list.told.values.contains { $0.contains("is ") || $0.contains("never") })
        list.onMain { _, _ in #expect(ranges.elements(in: .visible).count == 3) }
    }
}
