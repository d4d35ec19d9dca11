import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import PipelineTesting
@testable import SimulatedView

/// What is found of what nodes in a watched view were told of ranges.
@Suite("What is found of ranges in a watched view", .endsHangs) struct WatchedViewRangeTests {
    private static func stage(failures: Int = 0) -> WatchedStage {
        WatchedStage(failures: failures) { $0.hasRanges = true }
    }

    // MARK: What is right

    /// Whatever decides how far ranges reach, in every mode.
    @Test(arguments: [ViewPlan.Layout.list, .flow, .pages])
    func nothingIsFoundWhereNodesWereToldWhatIsSo(_ layout: ViewPlan.Layout) {
        var modes: Set<String> = []
        let actions: [[RangeAction]] = [
            [], [.isHidden], [.isHidden, .asksForFull], [.isHidden, .pressureRises],
            [.isHidden, .asksForFull, .tunes], [.pressureRises], [.pressureRises, .pressureRises],
            [.goesToBackground], [.asksForFull], [.tunes],
            [.asksForFull, .tunes], [.isHidden, .isSeen],
        ]
        for actions in actions {
            let stage = WatchedStage(layout, items: 12) { $0.hasRanges = true }
            for scroll in [0, 5, 200] {
                for action in actions { stage.perform(.range(action)) }
                stage.perform(.scroll(scroll))
                for isAtRest in [false, true] {
                    #expect(stage.found(isAtRest: isAtRest) == [], "\(actions), \(scroll)")
                }
                modes.formUnion(stage.marks.filter { $0.hasPrefix("ranges") })
            }
        }
        #expect(modes == Set(RangeMode.allCases.map { "ranges \($0)" }))
    }

    @Test func withoutRangesNothingIsMarked() {
        let stage = WatchedStage()
        #expect(stage.found() == [])
        #expect(!stage.marks.contains { $0.hasPrefix("ranges") })
    }

    /// What has no extent is seen with none, and what is hidden is in no range.
    @Test func whatHasNoExtentOrIsHiddenIsInRangeAsFarAsItIsSeen() {
        let stage = Self.stage(failures: 3)
        #expect(stage.cell(0)?.frame.size.height == 0)
        #expect(stage.node(0, 0)?.visibleRect?.size.height == 0)
        #expect(stage.found() == [])
        let other = Self.stage()
        other.takeOddList { list in
            let hide: (LayoutAttributes) -> LayoutAttributes? = { attributes in
                var attributes = attributes
                attributes.isHidden = attributes.indexPath.item % 2 == 1
                return attributes
            }
            (list.one, list.each) = (hide, hide)
        }
        #expect(other.node(0, 6)?.interfaceState == [.preload, .display])
        #expect(other.node(0, 5)?.interfaceState == [])
        #expect(other.found() == [])
    }

    @Test func aViewWithoutExtentHasNothingInRange() {
        let stage = Self.stage()
        stage.perform(.scroll(5), .resize(width: 40, height: 0, isAnimated: false))
        #expect(stage.nodes.numberInRange == 0 && stage.found() == [])
    }

    // MARK: What is wrong

    @Test func aNodeThatWasToldAnotherStateIsReported() {
        let stage = Self.stage()
        let text =
            "ranges: the node at 0 - 1 was told preload, display, not preload, display, visible"
        #expect(stage.found { $0.node(0, 1)?.didExitVisibleState() } == [text])
        stage.fallBehind()
        #expect(stage.found() == [])
    }

    @Test func aNodeThatWasToldAnotherPartIsReported() {
        let stage = Self.stage()
        let all = Rect(x: 0, y: 0, width: 40, height: 2)
        let start = "ranges: the node at 0 - 1 was told"
        for other in [nil, Rect(x: 0, y: 0, width: 40, height: 1)] {
            let found = stage.found { stage in
                stage.node(0, 1)?.viewed.withLock { $0.rect = other }
            }
            #expect(found == ["\(start) \(other as Any), not \(all as Rect? as Any)"])
        }
        let unseen = stage.found { stage in
            stage.node(0, 1)?.viewed.withLock { $0.rect = all }
            stage.node(0, 6)?.viewed.withLock { $0.rect = all }
        }
        #expect(
            unseen == ["ranges: the node at 0 - 6 was told \(all as Rect? as Any), not nil"]
        )
        stage.fallBehind()
        #expect(stage.found() == [])
    }

    @Test func asManyNodesThinkThatTheyAreInRangeAsAre() {
        let stage = Self.stage()
        let count = stage.nodes.numberInRange
        #expect(count > 6)
        let text = "ranges: \(count + 1) nodes think that they are in range, but \(count) are"
        #expect(stage.found { $0.nodes.noteInRange(1) } == [text])
        stage.fallBehind()
        #expect(stage.found() == [])
    }

    /// With ranges that turn out to be smaller, nothing is in them but what is seen.
    @Test func whatIsInAnotherStateThanItMustBeIsReported() {
        let stage = Self.stage()
        let found = stage.found { stage in
            for type in RangeType.allCases {
                stage.shown.rangeController?.setTuningParameters(.zero, for: type, in: .minimum)
            }
        }
        // The display range reaches a quarter of a screenful further than 12, the preload range half of one.
        let (both, one) = ("preload, display", "preload")
        #expect(
            found
                == [(6, both), (7, one), (8, one)].map {
                    "ranges: 0 - \($0) is in \($1), but must be in none"
                }
        )
    }

    // MARK: Nodes that are to be released

    /// Those of a header and nine items were in range, and are far away.
    @Test func whatLeftAllRangesIsReleased() {
        let stage = Self.stage()
        stage.perform(.scroll(600))
        let places = (0...8).map { "0 - \($0)" } + ["\(LayoutPlace.header(0))"]
        let texts = places.map { "ranges: the node at \($0) left all ranges, and was not released" }
        for isBehind in [false, true] {
            if isBehind { stage.fallBehind() }
            for number in 0..<16 {
                let (isAtRest, releasesNodes) = (number & 1 > 0, number & 2 > 0)
                let (isAsked, isOpen) = (number & 4 > 0, number & 8 > 0)
                let found = stage.found(isAtRest: isAtRest) { stage in
                    stage.view.releasesNodes = releasesNodes
                    stage.view.nodesAreAskedFor = isAsked
                    stage.view.isOpen = { isOpen }
                }
                let isDue = isAtRest && releasesNodes && !isAsked && isOpen && !isBehind
                #expect(found == (isDue ? texts : []), "\(number), \(isBehind)")
            }
        }
    }

    @Test func whatCouldNotBeMeasuredKeepsItsNode() {
        let stage = Self.stage(failures: 3)
        stage.perform(.scroll(600))
        let found = stage.found { $0.view.releasesNodes = true }
        #expect(found.contains { $0.contains("the node at 0 - 1 left") })
        #expect(!found.contains { $0.contains("the node at 0 - 0 left") })
    }
}
