import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import PipelineTesting
@testable import SimulatedView

/// What is found of what nodes in a watched view were told of selection and touches.
@Suite("What is found of looks in a watched view", .endsHangs) struct WatchedViewLookTests {
    private static func text(_ item: Int, _ isSelected: Bool, _ isHighlighted: Bool) -> String {
        "ranges: the node at 0 - \(item) was told that it is \(isSelected ? "" : "not ")selected"
            + " and \(isHighlighted ? "" : "not ")highlighted, which is otherwise"
    }

    /// All that a node may have been told, of an item that is or is not selected and touched.
    @Test func aNodeKnowsHowItsItemLooks() {
        for number in 0..<16 {
            let (isSelected, isHighlighted) = (number & 1 > 0, number & 2 > 0)
            let (toldSelected, toldHighlighted) = (number & 4 > 0, number & 8 > 0)
            let stage = WatchedStage()
            let found = stage.found { stage in
                stage.shown.allowsMultipleSelection = true
                if isSelected { try? stage.shown.selectItem(at: ItemPath(0, 1)) }
                if isHighlighted { stage.shown.touchDown(at: ItemPath(0, 1)) }
                stage.node(0, 1)?.viewed.withLock {
                    ($0.isSelected, $0.isHighlighted) = (toldSelected, toldHighlighted)
                }
            }
            let isRight = isSelected == toldSelected && isHighlighted == toldHighlighted
            let expected = isRight ? [] : [Self.text(1, toldSelected, toldHighlighted)]
            #expect(found == expected, "\(number)")
        }
    }

    @Test func ofWhatWasLostNodesKnowMoreThanTheView() {
        let stage = WatchedStage()
        stage.fallBehind()
        #expect(stage.found { $0.node(0, 1)?.selectionDidChange(to: true) } == [])
        let selected = stage.node(0, 1)?.isSelected
        #expect(selected == true)
    }

    /// One that is seen and one that is not, in every situation: a node may not have been told yet where it may be
    /// there before the update that says so, or where it took the place of a released one and is not seen.
    @Test(arguments: [1, 10]) func aNodeMayBeUntoldForAReason(_ item: Int) {
        let stage = WatchedStage(sections: 1, items: 11)
        stage.onMain { $0.shown.selection.items.insert(ItemPath(0, item)) }
        for number in 0..<64 {
            let (isAtRest, isOpen) = (number & 1 > 0, number & 2 > 0)
            let (measuresLater, expectsMeasured) = (number & 4 > 0, number & 8 > 0)
            let (isAsked, releasesNodes) = (number & 16 > 0, number & 32 > 0)
            let mayBeUntold =
                isAsked || releasesNodes && item == 10
                || !(isAtRest && isOpen) && (measuresLater || !expectsMeasured)
            func found(_ isSelected: Bool, _ isHighlighted: Bool) -> [String] {
                let found = stage.found(isAtRest: isAtRest) { stage in
                    stage.view.isOpen = { isOpen }
                    stage.view.measuresLater = measuresLater
                    stage.view.expectsMeasured = expectsMeasured
                    stage.view.nodesAreAskedFor = isAsked
                    stage.view.releasesNodes = releasesNodes
                    stage.node(0, item)?.viewed.withLock {
                        ($0.isSelected, $0.isHighlighted) = (isSelected, isHighlighted)
                    }
                }
                return found.filter { $0.hasPrefix("ranges") }
            }
            let untold = mayBeUntold ? [] : [Self.text(item, false, false)]
            #expect(found(false, false) == untold, "\(number)")
            // Nobody is told what is not so.
            #expect(found(false, true) == [Self.text(item, false, true)], "\(number)")
            #expect(found(true, true) == [Self.text(item, true, true)], "\(number)")
            #expect(found(true, false) == [], "\(number)")
        }
    }

    @Test func aNodeThatFailedBeforeMayBeUntoldUntilRest() {
        let stage = WatchedStage(failures: 3)
        stage.onMain { stage in
            for item in 0...1 { stage.shown.selection.items.insert(ItemPath(0, item)) }
        }
        let early = stage.found(isAtRest: false).filter { $0.hasPrefix("ranges") }
        #expect(early == [Self.text(1, false, false)])
        let late = stage.found(isAtRest: true).filter { $0.hasPrefix("ranges") }
        #expect(late == [Self.text(0, false, false), Self.text(1, false, false)])
    }

    @Test func whatHasNoNodeIsToldNothing() {
        let stage = WatchedStage(isMeasured: false)
        stage.onMain { $0.shown.selection.items.insert(ItemPath(0, 10)) }
        #expect(stage.node(0, 10) == nil)
        #expect(stage.found(isAtRest: false) == [])
    }
}
