import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTesting
@testable import SimulatedView

/// What is found of a watched view whose content was measured or laid out otherwise than it should be.
@Suite("What is found of what was prepared for a watched view", .endsHangs)
struct WatchedViewLayoutTests {
    // MARK: Sizes that were offered

    private static let prefix = "measured for other sizes than the view offers at rest: "

    @Test func whatWasMeasuredForOtherSizesIsListed() {
        let stage = WatchedStage(items: 2)
        let places =
            [LayoutPlace.cell(ItemPath(0, 0)), .cell(ItemPath(0, 1))]
            + [.cell(ItemPath(1, 0)), .cell(ItemPath(1, 1)), .header(0), .header(1)]
        #expect(stage.found() == [])
        #expect(
            stage.found { $0.shown.viewport.bounds.size.width = 30 }
                == ["\(Self.prefix)\(places)"]
        )
        #expect(stage.found(isAtRest: false) { $0.view.isOpen = { true } } == [])
        #expect(stage.found { $0.shown.viewport.bounds.size.width = 40 } == [])
    }

    /// As long as somebody measures, and the view and whoever is asked know of the same content.
    @Test(arguments: [false, true]) func otherSizesAreRightWhereNobodyCanSayWhich(_ isBehind: Bool)
    {
        let stage = WatchedStage(items: 2)
        if isBehind { stage.fallBehind() }
        let visible = stage.view.visibleMap
        for number in 0..<32 {
            let (expectsMeasured, isOpen) = (number & 1 > 0, number & 2 > 0)
            let (countsAgree, isControlled) = (number & 4 > 0, number & 8 > 0)
            let preparesLayout = number & 16 > 0
            let found = stage.found { stage in
                stage.shown.viewport.bounds.size.width = 30
                stage.view.expectsMeasured = expectsMeasured
                stage.view.preparesLayout = preparesLayout
                stage.view.isOpen = { isOpen }
                stage.view.countsAgree = { countsAgree }
                stage.view.visibleMap = isControlled ? visible : { nil }
            }
            let isDue =
                (expectsMeasured || preparesLayout) && isOpen && countsAgree && isControlled
                && !isBehind
            #expect(found.contains { $0.hasPrefix(Self.prefix) } == isDue, "\(number)")
        }
    }

    @Test func aViewWithoutExtentOffersNothing() {
        let stage = WatchedStage(items: 2)
        let found = stage.found { $0.shown.viewport.bounds.size = Size(width: 30, height: 0) }
        #expect(found == ["a view without extent shows something"])
    }

    @Test func whatIsNotMeasuredWasMeasuredForNothingElse() {
        let stage = WatchedStage(isMeasured: false)
        #expect(!stage.found().contains { $0.hasPrefix(Self.prefix) })
    }

    /// Who lays out beforehand has items and headers choose from other sizes than the view offers by itself.
    @Test func whatWorkersLaidOutWasMeasuredForWhatTheyChoose() {
        let plain = WatchedStage(.flow, items: 2)
        #expect(plain.found() == [])
        let headers = [LayoutPlace.header(0), .header(1)]
        let found = plain.found { $0.view.preparesLayout = true }
        #expect(found == ["\(Self.prefix)\(headers)"])
        let prepared = WatchedStage(.flow, items: 2, preparesLayout: true)
        #expect(prepared.found() == ["\(Self.prefix)\(headers)"])
        #expect(prepared.found { $0.view.preparesLayout = true } == [])
    }

    // MARK: What was laid out

    @Test func whatWorkersLaidOutIsAsFromScratch() {
        for (preparesLayout, mark) in [(false, "layout not prepared"), (true, "layout prepared")] {
            let stage = WatchedStage(.flow, preparesLayout: preparesLayout)
            #expect(!stage.found().contains { $0.contains("laid out") })
            #expect(!stage.marks.contains { $0.hasPrefix("layout") })
            #expect(
                !stage.found { $0.view.preparesLayout = true }.contains { $0.contains("laid out") }
            )
            #expect(stage.marks.filter { $0.hasPrefix("layout") } == [mark])
        }
    }

    @Test func whatIsLaidOutOtherwiseIsListed() throws {
        let stage = WatchedStage(.flow)
        let layout = try #require(stage.shown.collectionViewLayout as? FlowLayout)
        let items = stage.shown.map.items.map(\.path)
        let size = layout.collectionViewContentSize
        let frames = items.map { layout.frame(ofItem: $0) }
        stage.onMain { _ in layout.minimumLineSpacing = 3 }
        let found = stage.found { $0.view.preparesLayout = true }.filter { $0.contains("laid out") }
        let other = layout.collectionViewContentSize
        #expect(other.height > size.height)
        var expected = ["the content is \(other), but laid out from scratch \(size)"]
        for (item, frame) in zip(items, frames) {
            let new = layout.frame(ofItem: item)
            if new == frame { continue }
            expected.append("item \(item) is laid out at \(new as Any), not \(frame as Any)")
        }
        #expect(expected.count > 30)
        expected += (0...1).map { "section \($0) is laid out elsewhere than from scratch" }
        #expect(found == expected)
    }

    /// As long as the view and whoever is asked know of the same content, and nothing else decides on sizes.
    @Test(arguments: [false, true]) func whatIsLaidOutOtherwiseIsRightForAReason(_ isBehind: Bool) {
        for sizesItself in [false, true] {
            let stage = WatchedStage(.flow) { $0.sizesItself = sizesItself }
            if isBehind { stage.fallBehind() }
            stage.onMain { stage in
                (stage.shown.collectionViewLayout as? FlowLayout)?.minimumLineSpacing = 3
            }
            for number in 0..<32 {
                let (preparesLayout, isOpen) = (number & 1 > 0, number & 2 > 0)
                let (countsAgree, isAsked) = (number & 4 > 0, number & 8 > 0)
                let isAtRest = number & 16 > 0
                let found = stage.found(isAtRest: isAtRest) { stage in
                    stage.view.preparesLayout = preparesLayout
                    stage.view.nodesAreAskedFor = isAsked
                    stage.view.isOpen = { isOpen }
                    stage.view.countsAgree = { countsAgree }
                }
                let isDue =
                    preparesLayout && isOpen && countsAgree && !isAsked && isAtRest
                    && !sizesItself && !isBehind
                #expect(found.contains { $0.contains("from scratch") } == isDue, "\(number)")
                #expect(stage.marks.contains("layout not prepared") == isDue, "\(number)")
            }
        }
    }

    @Test func otherLayoutsAndNoExtentAreNotComparedWithScratch() {
        let list = WatchedStage()
        _ = list.found { $0.view.preparesLayout = true }
        #expect(!list.marks.contains { $0.hasPrefix("layout") })
        let stage = WatchedStage(.flow)
        _ = stage.found { stage in
            stage.view.preparesLayout = true
            stage.shown.viewport.bounds.size.height = 0
        }
        #expect(!stage.marks.contains { $0.hasPrefix("layout") })
    }
}
