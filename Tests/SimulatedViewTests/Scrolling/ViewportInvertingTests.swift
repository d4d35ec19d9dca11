import CollectionLayouts
import Testing

@testable import SimulatedView

@Suite("What a reader sees of a viewport")
struct ViewportInvertingTests {
    private static let bounds = [
        Rect(x: 0, y: 0, width: 100, height: 30), Rect(x: -4, y: 250.25, width: 320, height: 568.5),
        Rect(x: 1e6, y: -20, width: 0.5, height: 1), Rect(x: 7, y: 1e9, width: 0, height: 0),
    ]

    private static let rects = [
        Rect.zero, Rect(x: 0, y: 0, width: 100, height: 10),
        Rect(x: -20.5, y: 300, width: 3, height: 44.75), Rect(x: 9, y: 1e9, width: 1, height: 0),
    ]

    /// Every viewport and axis, inverted or not.
    private static func each(_ body: (Viewport, ScrollDirection) -> Void) {
        for bounds in bounds {
            for axis in ScrollDirection.allCases {
                for isInverted in [false, true] {
                    var viewport = Viewport(bounds: bounds)
                    viewport.isInverted = isInverted
                    body(viewport, axis)
                }
            }
        }
    }

    @Test func whatIsSeenLeadsBackToWhatItIsExactly() {
        Self.each { viewport, axis in
            for rect in Self.rects {
                let seen = viewport.seen(rect, along: axis)
                #expect(viewport.content(at: seen, along: axis) == rect)
                let point = viewport.seen(rect.origin, along: axis)
                #expect(viewport.content(at: point, along: axis) == rect.origin)
                #expect(seen.center == viewport.seen(rect.center, along: axis))
            }
        }
    }

    /// From the other end along the axis, and as ever across it.
    @Test func theDistancesToTheEndsOfAnInvertedViewportAreSwapped() {
        Self.each { viewport, axis in
            let (bounds, whole) = (viewport.bounds, Rect(origin: .zero, size: viewport.bounds.size))
            #expect(viewport.seen(bounds, along: axis) == whole)
            for rect in Self.rects {
                let seen = viewport.seen(rect, along: axis)
                let isSwapped = (x: axis == .horizontal, y: axis == .vertical)
                let before = (x: rect.minX - bounds.minX, y: rect.minY - bounds.minY)
                let after = (x: bounds.maxX - rect.maxX, y: bounds.maxY - rect.maxY)
                #expect(seen.minX == (isSwapped.x && viewport.isInverted ? after.x : before.x))
                #expect(seen.minY == (isSwapped.y && viewport.isInverted ? after.y : before.y))
                #expect(seen.size == rect.size)
            }
        }
    }
}
