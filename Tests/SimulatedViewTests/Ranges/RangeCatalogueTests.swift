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
}
