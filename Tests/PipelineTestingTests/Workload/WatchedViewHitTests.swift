import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTesting
@testable import SimulatedView

/// What is found of a watched view in which touches reach something else than what is seen.
@Suite("What is found of touches on a watched view", .endsHangs) struct WatchedViewHitTests {
    private static func found(_ tamper: @escaping (WatchedStage) -> Void) -> [String] {
        WatchedStage(sections: 1, items: 3).found(tamper).filter { $0.contains("is hit") }
    }

    @Test func whatIsLookedThroughIsNotHit() {
        let found = Self.found { stage in
            stage.shown.display.shown[.cell(ItemPath(0, 1))]?.attributes.alpha = 0
        }
        let middle = Point(x: 20, y: 4)
        #expect(found == ["nothing is hit in the middle of 0 - 1, at \(middle)"])
    }

    /// Has a touch on the middle of an item reach the next one, which says that it is elsewhere.
    ///
    /// - Parameters:
    ///   - frame: where it says that it is; the middle of the item is at 20, 4.
    ///   - zIndex: how far in front it says that it is.
    private static func isReported(at frame: Rect, zIndex: Int = 9) -> Bool {
        let found = found { stage in
            guard let shown = stage.shown.display.shown[.cell(ItemPath(0, 2))],
                let other = stage.cell(1)?.attributes
            else { return }
            shown.attributes.frame = other.frame
            shown.attributes.zIndex = 9
            shown.view.attributes?.frame = frame
            shown.view.attributes?.zIndex = zIndex
        }
        return found.contains("0 - 2 is hit in the middle of 0 - 1")
    }

    /// Its edges are part of a view, all four.
    @Test func whatIsHitIsThere() {
        for (low, extent, isAlongX) in [
            (-10.0, 20.0, true), (-10, 10, true), (0, 10, true), (-10, 9.5, false),
            (0.5, 10, false),
        ] {
            for (lowY, extentY, isAlongY) in [
                (-2.0, 4.0, true), (-2, 2, true), (0, 2, true), (-2, 1.5, false), (0.5, 2, false),
            ] {
                let frame = Rect(x: 20 + low, y: 4 + lowY, width: extent, height: extentY)
                #expect(Self.isReported(at: frame) == !(isAlongX && isAlongY), "\(frame)")
            }
        }
    }

    @Test func whatIsHitIsInFront() {
        let frame = Rect(x: 0, y: 3, width: 40, height: 2)
        // Of equals, the later one is in front.
        for (zIndex, isReported) in [(-1, true), (0, false), (1, false)] {
            #expect(Self.isReported(at: frame, zIndex: zIndex) == isReported, "\(zIndex)")
        }
    }

    /// What is less than seen has no middle that could be touched.
    @Test func whatIsHardlyThereIsNotTouched() {
        for (extent, isTouched) in [(0, false), (1e-7, false), (1e-5, true)] {
            let stage = WatchedStage()
            // Where there is nothing.
            let frame = Rect(x: 50, y: 3, width: 40, height: 2)
            let found = stage.found { stage in
                stage.shown.viewport.bounds.size.width = 50 + extent
                stage.cell(1)?.attributes?.frame = frame
            }
            let isFound = found.contains { $0.hasPrefix("nothing is hit in the middle of 0 - 1") }
            #expect(isFound == isTouched, "\(extent)")
        }
    }

    /// Along either axis.
    @Test func whatIsNowhereLeadsNowhere() {
        for origin in [Point(x: 0, y: .infinity), Point(x: .infinity, y: 0)] {
            let stage = WatchedStage()
            let found = stage.found { stage in
                stage.cell(1)?.attributes?.center = origin
            }
            #expect(found.contains { $0.contains(" is seen at ") && $0.contains(", around ") })
            #expect(
                found.contains { $0.contains(" is seen at ") && $0.hasSuffix(" in the content") }
            )
        }
    }
}
