import CollectionLayouts
import Testing

@Suite("Geometry of layouts")
struct GeometryTests {
    @Test
    func rectanglesThatOnlyTouchDoNotIntersect() {
        let rect = Rect(x: 10, y: 10, width: 20, height: 20)
        #expect(rect.intersects(Rect(x: 29, y: 29, width: 5, height: 5)))
        #expect(!rect.intersects(Rect(x: 30, y: 10, width: 5, height: 5)))
        #expect(!rect.intersects(Rect(x: 10, y: 5, width: 5, height: 5)))
    }

    @Test
    func aRowWithoutHeightIsInTheRectangleThatItLiesIn() {
        let row = Rect(x: 0, y: 10, width: 20, height: 0)
        #expect(row.intersects(Rect(x: 0, y: 0, width: 20, height: 20)))
        #expect(row.intersects(Rect(x: 0, y: 10, width: 20, height: 20)))
        #expect(!row.intersects(Rect(x: 0, y: 0, width: 20, height: 10)))
    }

    @Test
    func insetsThatAreTooLargeLeaveNothing() {
        let rect = Rect(x: 0, y: 0, width: 10, height: 10)
        let insets = EdgeInsets(top: 6, left: 2, bottom: 6, right: 2)
        #expect(rect.inset(by: insets) == Rect(x: 2, y: 6, width: 6, height: 0))
    }

    @Test
    func aTransformedFrameIsTheBoxAroundTheView() {
        var attributes = LayoutAttributes(
            .cell(ItemPath(section: 0, item: 0)),
            frame: Rect(x: 10, y: 10, width: 20, height: 40)
        )
        attributes.transform = .init(scaleX: 0.5, y: 2)
        #expect(attributes.frame == Rect(x: 15, y: -10, width: 10, height: 80))
        attributes.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 5)
        #expect(attributes.frame == Rect(x: 0, y: 25, width: 40, height: 20))
    }

    @Test
    func attributesAreEqualOnlyInAllThatTheySay() {
        let attributes = LayoutAttributes(
            .header(1),
            frame: Rect(x: 0, y: 0, width: 1, height: 1)
        )
        var other = attributes
        #expect(other == attributes)
        other.zIndex = 1
        #expect(other != attributes)
        other = attributes
        other.isHidden = true
        #expect(other != attributes)
    }
}
