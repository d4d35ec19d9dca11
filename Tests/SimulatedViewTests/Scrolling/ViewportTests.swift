import CollectionLayouts
import Testing

@testable import SimulatedView

@Suite("A viewport")
struct ViewportTests {
    /// Every combination of small numbers along one axis, as a scan of all offsets says.
    @Test(arguments: [false, true])
    func offsetsAreLegalWhereContentAndInsetsFillTheViewportAsFarAsTheyCan(_ isVertical: Bool) {
        for extent in 0...3 {
            for content in 0...5 {
                for (before, after) in [(0, 0), (1, 0), (0, 2), (2, 1)] {
                    let viewport = Self.viewport(extent, content, before, after, isVertical)
                    let last = max(-before, content + after - extent)
                    for offset in -4...9 {
                        let nearest = (-before...last).min { abs($0 - offset) < abs($1 - offset) }
                        let legal = viewport.legal(Self.point(offset, isVertical))
                        #expect(legal == Self.point(nearest ?? 0, isVertical))
                    }
                    #expect(viewport.start == Self.point(-before, isVertical))
                }
            }
        }
    }

    /// From right to left the beginning is at the right end.
    @Test func theBeginningIsVisibleAtItsEndOfTheContentAndBeyond() {
        for isRightToLeft in [false, true] {
            var viewport = Self.viewport(2, 5, 1, 0, false)
            viewport.insets.isRightToLeft = isRightToLeft
            #expect(viewport.start.x == (isRightToLeft ? 3 : -1))
            for x in -3...5 {
                viewport.bounds.origin = Point(x: Double(x), y: 0)
                #expect(viewport.isAtStart == (isRightToLeft ? x >= 3 : x <= -1))
                viewport.bounds.origin.y = 1
                #expect(!viewport.isAtStart)
            }
        }
    }

    @Test func whatIsAddedOfTheSafeAreaIsAddedAtEveryEdge() {
        var viewport = Viewport(bounds: .zero)
        viewport.insets.content = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        viewport.insets.safeArea = EdgeInsets(top: 10, left: 20, bottom: 30, right: 40)
        viewport.insets.adjustment = .always
        #expect(viewport.inset == EdgeInsets(top: 11, left: 22, bottom: 33, right: 44))
    }

    private static func point(_ value: Int, _ isVertical: Bool) -> Point {
        isVertical ? Point(x: 0, y: Double(value)) : Point(x: Double(value), y: 0)
    }

    private static func viewport(
        _ extent: Int,
        _ content: Int,
        _ before: Int,
        _ after: Int,
        _ isVertical: Bool
    ) -> Viewport {
        func size(_ value: Int) -> Size {
            isVertical
                ? Size(width: 0, height: Double(value)) : Size(width: Double(value), height: 0)
        }
        var viewport = Viewport(bounds: Rect(origin: .zero, size: size(extent)))
        viewport.contentSize = size(content)
        viewport.insets.content =
            isVertical
            ? EdgeInsets(top: Double(before), left: 0, bottom: Double(after), right: 0)
            : EdgeInsets(top: 0, left: Double(before), bottom: 0, right: Double(after))
        return viewport
    }
}
