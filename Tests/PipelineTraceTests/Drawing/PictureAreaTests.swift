import CollectionLayouts
import Testing

@testable import PipelineTrace

/// What part of a picture is drawn, up to the last number that is.
@Suite("The part that is drawn") struct PictureAreaTests {
    private static let edges: [(number: Double, isDrawable: Bool)] = [
        (0, true), (1e9, true), (1e9.nextUp, false), (.nan, false), (.infinity, false),
    ]

    @Test func numbersUpToABillionAreDrawn() {
        for (number, isDrawable) in Self.edges {
            for sign in [1.0, -1.0] {
                let value = number * sign
                for origin in [Point(x: value, y: 3), Point(x: 3, y: value)] {
                    let rect = Rect(origin: origin, size: Size(width: 1, height: 1))
                    #expect(PictureArea.isDrawable(rect) == isDrawable, "\(rect)")
                }
                // Sizes are not negative, but for the zero that is.
                let fits = isDrawable && (sign > 0 || number == 0)
                for size in [Size(width: value, height: 2), Size(width: 2, height: value)] {
                    let rect = Rect(origin: .zero, size: size)
                    #expect(PictureArea.isDrawable(rect) == fits, "\(rect)")
                }
            }
        }
        let small = -Double.leastNonzeroMagnitude
        for size in [Size(width: small, height: 2), Size(width: 2, height: small)] {
            #expect(!PictureArea.isDrawable(Rect(origin: .zero, size: size)))
        }
    }

    private func area(
        _ bounds: Rect,
        _ content: Size,
        asked: Rect? = nil
    ) -> PictureArea {
        var picture = LayoutPicture(bounds: bounds, contentSize: content)
        picture.area = asked
        return PictureArea(picture)
    }

    @Test func itIsWhatIsAskedForOrViewportAndContentOrOneOfThem() {
        let bounds = Rect(x: -10, y: 20, width: 50, height: 60)
        let empty = Rect(x: -10, y: 20, width: 0, height: 60)
        let size = Size(width: 30, height: 200)
        let content = Rect(origin: .zero, size: size)
        let asked = Rect(x: 5, y: 6, width: 7, height: 8)
        #expect(area(bounds, size).shown == Rect(x: -10, y: 0, width: 50, height: 200))
        #expect(area(bounds, .zero).shown == bounds)
        #expect(area(empty, size).shown == content)
        #expect(area(empty, .zero).shown == Rect(x: 0, y: 0, width: 100, height: 20))
        #expect(area(bounds, size, asked: asked).shown == asked)
        for bad in [empty, Rect(x: .nan, y: 0, width: 9, height: 9)] {
            #expect(area(bounds, .zero, asked: bad).shown == bounds)
        }
        #expect(area(bounds, size).viewport == bounds && area(bounds, size).content == content)
        #expect(area(empty, .zero).viewport == nil && area(empty, .zero).content == nil)
    }

    /// Against the definition, a side at a time.
    @Test func ofWhatIsTooLargeThePartAroundTheMiddleOfTheViewportIsDrawn() {
        let limit = LayoutPicture.largestExtent
        for extent in [1, 7999, 8000, 8001, 9000, 30_000.0] {
            for middle in [-100, 0, 10, 3999, 4000, 4001, 4600, 15_000, 29_990, 40_000.0] {
                for isVertical in [true, false] {
                    let asked = Rect(
                        x: 0,
                        y: 0,
                        width: isVertical ? 10 : extent,
                        height: isVertical ? extent : 10
                    )
                    let bounds = Rect(
                        x: isVertical ? 0 : middle - 1,
                        y: isVertical ? middle - 1 : 0,
                        width: 2,
                        height: 2
                    )
                    let shown = area(bounds, .zero, asked: asked).shown
                    let (start, size) =
                        isVertical
                        ? (shown.minY, shown.size.height) : (shown.minX, shown.size.width)
                    let least = max(0, min(middle - limit / 2, extent - limit))
                    #expect(size == min(extent, limit))
                    #expect(start == (extent > limit ? least : 0), "\(extent) around \(middle)")
                }
            }
        }
    }

    @Test func transformsUpToTenThousandfoldAreDrawn() {
        let parts: [WritableKeyPath<AffineTransform, Double>] = [\.a, \.b, \.c, \.d]
        for part in parts {
            for (factor, isDrawn) in [(1e4, true), (-1e4, true), (1e4.nextUp, false)] {
                var element = cell(0, 0, Rect(x: 40, y: 40, width: 1, height: 1))
                element.attributes.transform[keyPath: part] = factor
                let panel = PicturePanel(
                    LayoutPicture(
                        bounds: Rect(x: 0, y: 0, width: 100, height: 100),
                        contentSize: Size(width: 100, height: 100),
                        elements: [element]
                    )
                )
                #expect(panel.elements.count == (isDrawn ? 1 : 0), "\(factor)")
                #expect(panel.leftOut.unusable == (isDrawn ? 0 : 1))
            }
        }
    }

    @Test func whatIsLeftOutIsCountedByItsReason() {
        var sum = LeftOutElements(unusable: 1, hidden: 2, empty: 3, outside: 4, edits: 5)
        sum = sum + LeftOutElements(unusable: 10, hidden: 20, empty: 30, outside: 40, edits: 50)
        #expect(
            sum.note
                == "Left out: 11 with numbers that cannot be drawn, 22 hidden, 33 without extent,"
                + " 44 beyond the part that is shown, 55 marks of what is not drawn."
        )
        #expect(
            LeftOutElements(edits: 1).note == "Left out: 1 mark of what is not drawn."
        )
        #expect(LeftOutElements().note == nil)
    }
}
