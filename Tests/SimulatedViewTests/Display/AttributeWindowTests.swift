import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The pages around the viewport, against the whole multiples of its extent.
@Suite("The attributes around the viewport")
struct AttributeWindowTests {
    /// The smallest run of whole pages around `low ..< low + extent`, counted one by one.
    private static func span(_ low: Int, _ extent: Int) -> (start: Int, end: Int) {
        var start = -100 * extent
        while start + extent <= low { start += extent }
        var end = start
        while end < low + extent { end += extent }
        return (start, end)
    }

    @Test func pagesAreWholeMultiplesOfTheViewportAndNoMoreThanItTouches() {
        for extent in 1...7 {
            for low in -20...20 {
                let (start, end) = Self.span(low, extent)
                let across = AttributeWindow.pages(
                    around: Rect(x: Double(low), y: 3, width: Double(extent), height: 3),
                    of: Size(width: Double(extent), height: 3)
                )
                let expected = Rect(
                    x: Double(start),
                    y: 3,
                    width: Double(end - start),
                    height: 3
                )
                #expect(across == expected, "\(low) \(extent)")
                let down = AttributeWindow.pages(
                    around: Rect(x: 3, y: Double(low), width: 3, height: Double(extent)),
                    of: Size(width: 3, height: Double(extent))
                )
                #expect(down.origin == Point(x: 3, y: Double(start)), "\(low) \(extent)")
                #expect(down.size == Size(width: 3, height: Double(end - start)))
            }
        }
    }

    @Test func aPageThatEndsWhereTheViewportDoesIsTakenWhole() {
        let bounds = Rect(x: 5, y: 3, width: 5, height: 3)
        let pages = AttributeWindow.pages(around: bounds, of: Size(width: 10, height: 6))
        #expect(pages == Rect(x: 0, y: 0, width: 10, height: 6))
    }

    /// Also where a quotient is rounded to the wrong side of a whole number, or is none any more.
    @Test func theViewportIsAlwaysWithinItsPages() {
        var spans: [(Double, Double)] = [
            (-214.9, 0.7), (-941.5999999999999, 10.7), (-2386.1, 10.7), (-544.6, 0.7),
            (1e300, 1e-300), (-1e300, 1e-300), (1e18, 3), (-1.7e308, 1e308), (0.7e308, 1e308),
        ]
        var random = SeededGenerator(seed: 4)
        for _ in 0..<Effort.number(2_000, usually: 600) {
            let extent = Double(1 + random.next(below: 3000)) / 3
            spans.append((Double(random.next(below: 3_000_000) - 1_000_000) / 7, extent))
        }
        for (low, extent) in spans {
            let bounds = Rect(x: low, y: low, width: extent, height: extent)
            let pages = AttributeWindow.pages(around: bounds, of: bounds.size)
            #expect(pages.minX <= bounds.minX && pages.maxX >= bounds.maxX, "\(low) \(extent)")
            #expect(pages.minY <= bounds.minY && pages.maxY >= bounds.maxY, "\(low) \(extent)")
            #expect(pages.minX.isFinite && pages.size.width.isFinite, "\(low) \(extent)")
        }
    }

    @Test func aWindowCoversWhatLiesWithinItInBothDirections() {
        var window = AttributeWindow()
        #expect(!window.covers(Rect(x: 0, y: 0, width: 1, height: 1)))
        _ = window.load(Rect(x: 1, y: 1, width: 3, height: 3), [])
        for x in 0...4 {
            for y in 0...4 {
                for width in 1...4 {
                    for height in 1...4 {
                        let isWithin = (1...4).contains(x) && (1...4).contains(x + width)
                        let isBetween = (1...4).contains(y) && (1...4).contains(y + height)
                        let bounds = Rect(
                            x: Double(x),
                            y: Double(y),
                            width: Double(width),
                            height: Double(height)
                        )
                        #expect(window.covers(bounds) == (isWithin && isBetween), "\(bounds)")
                    }
                }
            }
        }
        window.invalidate()
        #expect(!window.covers(Rect(x: 2, y: 2, width: 1, height: 1)))
    }

    private func attributes(_ item: Int, _ y: Double) -> LayoutAttributes {
        LayoutAttributes(.cell(ItemPath(0, item)), frame: Rect(x: 0, y: y, width: 1, height: 1))
    }

    /// Every pair of answers in which three items are there or not, at one of two places.
    @Test func whatIsInTwoAnswersAndDiffersIsToldOfUnlessAllWasInvalid() {
        func answer(_ number: Int) -> [LayoutAttributes] {
            var answer: [LayoutAttributes] = []
            for (item, state) in [number % 3, number / 3 % 3, number / 9].enumerated()
            where state > 0 {
                answer.append(attributes(item, Double(state)))
            }
            return answer
        }
        let rect = Rect(x: 0, y: 0, width: 9, height: 9)
        for (old, new) in (0..<729).map({ (answer($0 / 27), answer($0 % 27)) }) {
            var window = AttributeWindow()
            #expect(window.load(rect, old).isEmpty)
            let changes = window.load(rect, new)
            var expected: [[LayoutAttributes]] = []
            for known in old {
                let later = new.first { $0.place == known.place }
                if let later, later != known { expected.append([known, later]) }
            }
            let told = changes.map { [$0.old, $0.new] }
            #expect(told == expected)
            #expect(window.attributes == new && window.rect == rect)
            for item in 0..<4 {
                let place = LayoutPlace.cell(ItemPath(0, item))
                let expected = new.first { $0.place == place }
                #expect(window[place] == expected)
            }
            window.invalidate()
            #expect(window.rect == nil && window.attributes.isEmpty)
            #expect(window.load(rect, old).isEmpty)
        }
    }
}
