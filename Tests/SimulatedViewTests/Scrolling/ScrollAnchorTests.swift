import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Which cell stays in place, and where the content goes for that, against a scan of all cells.
@Suite("What is to stay where it is")
struct ScrollAnchorTests {
    /// A viewport with something over each of its edges.
    private static let bounds = Rect(x: 20, y: 30, width: 12, height: 10)
    private static let visible = Rect(x: 22, y: 31, width: 8, height: 6)

    /// Wholly in sight are cells whose leading and upper edges are; the rest may be cut off.
    private static func expected(
        _ cells: [LayoutAttributes],
        _ isRightToLeft: Bool
    ) -> LayoutAttributes? {
        let candidates = cells.filter { $0.frame.intersects(visible) }
            .sorted { $0.indexPath < $1.indexPath }
        let whole = candidates.first { attributes in
            let frame = attributes.frame
            let isLeadingEdgeInSight =
                isRightToLeft ? visible.maxX >= frame.maxX : visible.minX <= frame.minX
            return isLeadingEdgeInSight && visible.minY <= frame.minY
        }
        return whole ?? candidates.first
    }

    private static func cells(_ random: inout SeededGenerator) -> [LayoutAttributes] {
        (0..<random.next(below: 5)).map { item in
            let frame = Rect(
                x: Double(18 + random.next(below: 14)),
                y: Double(28 + random.next(below: 11)),
                width: Double(1 + random.next(below: 5)),
                height: Double(1 + random.next(below: 5))
            )
            return LayoutAttributes(.cell(ItemPath(0, item)), frame: frame)
        }
    }

    @Test(arguments: [false, true])
    func itIsTheFirstCellThatIsWhollyInSightOrElseTheFirst(_ isRightToLeft: Bool) {
        var random = SeededGenerator(seed: 8)
        var found = 0
        for round in 0..<3000 {
            // In the order of paths, or not.
            var cells = Self.cells(&random)
            if random.isTrue(oneIn: 2) { cells.reverse() }
            let anchor = ScrollAnchor(
                cells,
                in: Self.bounds,
                visible: Self.visible,
                isRightToLeft: isRightToLeft
            )
            let expected = Self.expected(cells, isRightToLeft).map { attributes in
                let frame = attributes.frame
                let distance =
                    isRightToLeft
                    ? Point(x: frame.maxX - 32, y: frame.minY - 30)
                    : Point(x: frame.minX - 20, y: frame.minY - 30)
                return ScrollAnchor.cell(
                    attributes.indexPath,
                    distance: distance,
                    isRightToLeft: isRightToLeft
                )
            }
            #expect(anchor == expected, "\(round)")
            if anchor != nil { found += 1 }
        }
        #expect(found > 1000 && found < 3000)
    }

    /// Wherever the cell went, however wide it became, and however wide the viewport is now.
    @Test(arguments: [false, true])
    func itsLeadingCornerStaysAsFarFromThatOfTheViewport(_ isRightToLeft: Bool) throws {
        let path = ItemPath(2, 3)
        let old = Rect(x: 23, y: 32, width: 4, height: 3)
        let anchor = try #require(
            ScrollAnchor(
                [LayoutAttributes(.cell(path), frame: old)],
                in: Self.bounds,
                visible: Self.visible,
                isRightToLeft: isRightToLeft
            )
        )
        for (x, y, width) in [(23.0, 32.0, 4.0), (100, 7, 4), (-5, 300, 9), (0, 0, 1)] {
            for viewport in [12.0, 5, 40] {
                var asked: [ItemPath] = []
                let offset = anchor.offset(start: Point(x: -1, y: -1), width: viewport) { path in
                    asked.append(path)
                    return Rect(x: x, y: y, width: width, height: 8)
                }
                #expect(asked == [path])
                let bounds = Rect(
                    origin: try #require(offset),
                    size: Size(width: viewport, height: 10)
                )
                #expect(y - bounds.minY == 2)
                if isRightToLeft {
                    #expect(x + width - bounds.maxX == -5)
                } else {
                    #expect(x - bounds.minX == 3)
                }
            }
        }
        #expect(anchor.offset(start: .zero, width: 12) { _ in nil } == nil)
    }

    @Test func theBeginningStaysTheBeginning() {
        let start = Point(x: -3, y: -4)
        let offset = ScrollAnchor.beginning.offset(start: start, width: 12) { _ in
            Rect(x: 1, y: 1, width: 1, height: 1)
        }
        #expect(offset == start)
    }
}
