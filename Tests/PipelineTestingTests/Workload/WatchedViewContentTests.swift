import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import PipelineTesting
@testable import SimulatedView

/// What is found of single views of a watched view, and of what the elements in them show.
@Suite("What is found of single views of a watched view", .endsHangs)
struct WatchedViewContentTests {
    @Test func aViewThatWasNeverPlacedIsReported() {
        let stage = WatchedStage()
        let found = stage.found { $0.cell(1)?.attributes = nil }
        #expect(found == ["not shown: [0 - 1]", "a visible view has no place"])
    }

    @Test func aViewShowsTheElementOfItsPlaceAndItsNewestRevision() {
        let stage = WatchedStage()
        #expect(
            stage.found { $0.cell(1)?.content = $0.cell(0)?.content }
                == ["the view at 0 - 1 shows an older revision"]
        )
        #expect(
            stage.found { $0.cell(1)?.element = $0.cell(0)?.element }
                == ["the view at 0 - 1 shows another element than is there"]
        )
    }

    // MARK: What is not measured

    /// As long as it may still be measured, by the pipeline or by who lays out.
    @Test func whatIsSeenIsMeasuredAtRest() {
        let stage = WatchedStage(isMeasured: false)
        let visible = stage.view.visibleMap
        let text = "0 - 0 is near at rest, and was never measured"
        #expect(stage.shown.visibleCells.count == 1)
        for isBehind in [false, true] {
            if isBehind { stage.fallBehind() }
            for number in 0..<32 {
                let (isAtRest, isOpen) = (number & 1 > 0, number & 2 > 0)
                let (expectsMeasured, preparesLayout) = (number & 4 > 0, number & 8 > 0)
                let isControlled = number & 16 > 0
                let found = stage.found(isAtRest: isAtRest) { stage in
                    stage.view.isOpen = { isOpen }
                    stage.view.expectsMeasured = expectsMeasured
                    stage.view.preparesLayout = preparesLayout
                    stage.view.visibleMap = isControlled ? visible : { nil }
                }
                let isDue =
                    isAtRest && isOpen && isControlled && !isBehind
                    && (expectsMeasured || preparesLayout)
                #expect(found == (isDue ? [text] : []), "\(number), \(isBehind)")
            }
        }
    }

    @Test func whatIsInRangeIsMeasuredAtRest() throws {
        let stage = WatchedStage(isMeasured: false) { $0.hasRanges = true }
        let far = try RangeTuningParameters(leading: 5, trailing: 0)
        stage.onMain {
            $0.shown.rangeController?.setTuningParameters(far, for: .preload, in: .minimum)
        }
        // Of rows of 44, two begin within six screenfuls of 12, one of which is seen.
        let texts = ["0 - 0", "0 - 0", "0 - 1"].map {
            "\($0) is near at rest, and was never measured"
        }
        #expect(stage.found() == texts)
        #expect(stage.found(isAtRest: false) == [])
    }

    // MARK: What nodes show

    /// A node may be ahead of the map where somebody asks for nodes, until rest, or where the map may be older.
    @Test func aNodeShowsWhatTheMapHasOrIsAheadForAReason() {
        let stage = WatchedStage()
        let item = ModelItem(id: 1)
        for other in [
            item, ModelItem(id: 1, revision: 1), ModelItem(id: 1, revision: -1), ModelItem(id: 7),
        ] {
            for number in 0..<8 {
                let (isAtRest, isAsked) = (number & 1 > 0, number & 2 > 0)
                let mayBeOlder = number & 4 > 0
                let found = stage.found(isAtRest: isAtRest) { stage in
                    stage.node(0, 1)?.update(to: other)
                    stage.view.nodesAreAskedFor = isAsked
                    stage.view.mayBeOlder = { generation, rests in
                        #expect(generation == 1 && rests == isAtRest)
                        return mayBeOlder
                    }
                }
                let isNewer = other.revision == 1
                let isRight = other == item || isNewer && (isAsked && !isAtRest || mayBeOlder)
                let text = "the node at 0 - 1 shows \(other) in place of \(item)"
                #expect(found == (isRight ? [] : [text]), "\(other), \(number)")
            }
        }
        // Where an update was lost, nodes show what the view does not know of.
        stage.fallBehind()
        #expect(stage.node(0, 1)?.shown == ModelItem(id: 7))
        #expect(stage.found() == [])
    }

    @Test func aNodeThatCouldNotBeMeasuredShowsWhatItLikes() {
        let stage = WatchedStage(failures: 3)
        let failed = stage.shown.map.items.filter(\.content.isGivenUp).map(\.path)
        #expect(failed == [ItemPath(0, 0)] && stage.cell(0) != nil)
        #expect(stage.found { $0.node(0, 0)?.update(to: ModelItem(id: 99)) } == [])
    }

    @Test func aHeaderIsThatOfItsSection() {
        let stage = WatchedStage()
        let found = stage.found { stage in
            let header = stage.shown.display.shown[.header(0)]?.view.element
            (header?.nodeIfAllocated as? WatchedNode)?.update(to: ModelItem(id: -2))
        }
        #expect(found == ["the header of section 0 is that of \(ModelItem(id: -2))"])
    }

    // MARK: What is selected

    @Test func cellsLookLikeTheirItems() {
        let stage = WatchedStage()
        stage.perform(.select(2))
        #expect(
            stage.found { $0.cell(1)?.isSelected = true } == ["the cell of 0 - 1 looks selected"]
        )
        #expect(
            stage.found { stage in
                stage.cell(1)?.isSelected = false
                stage.cell(2)?.isSelected = false
            } == ["the cell of 0 - 2 looks deselected"]
        )
    }

    @Test func whileATouchIsDownTheOthersLookDeselected() {
        let stage = WatchedStage()
        stage.perform(.select(2))
        let found = stage.found { stage in
            stage.shown.touchDown(at: ItemPath(0, 3))
            #expect(stage.cell(2)?.isSelected == false)
        }
        #expect(found == [])
    }
}
