import TestSupport
import Testing

@testable import CollectionLayouts

/// Rectangles on a small grid, compared with the sets of points that they are.
@Suite("Rectangles as sets of points")
struct GeometryModelTests {
    /// Every rectangle with corners on a small grid.
    private static let rects = (0..<4).flatMap { x in
        (0..<4).flatMap { y in
            (0..<4).flatMap { width in
                (0..<4).map { height in
                    Rect(
                        x: Double(x),
                        y: Double(y),
                        width: Double(width),
                        height: Double(height)
                    )
                }
            }
        }
    }

    /// The middles of the grid's squares that lie in a rectangle.
    private static func squares(_ rect: Rect) -> Set<Point> {
        var found: Set<Point> = []
        for x in -1..<9 {
            for y in -1..<9 {
                let middle = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                if rect.minX < middle.x, middle.x < rect.maxX, rect.minY < middle.y,
                    middle.y < rect.maxY
                {
                    found.insert(middle)
                }
            }
        }
        return found
    }

    @Test func thoseWithExtentIntersectWhereTheyShareASquare() {
        let filled = Self.rects.filter { !$0.isEmpty }
        let squares = filled.map(Self.squares)
        for (index, rect) in filled.enumerated() {
            for (other, otherRect) in filled.enumerated() where other >= index {
                let isShared = !squares[index].isDisjoint(with: squares[other])
                if rect.intersects(otherRect) != isShared
                    || otherRect.intersects(rect) != isShared
                {
                    Issue.record("\(rect) and \(otherRect)")
                }
            }
        }
    }

    @Test func theLeftAndUpperEdgesBelongToIt() {
        for rect in Self.rects {
            for x in stride(from: -0.5, through: 7.5, by: 0.5) {
                for y in stride(from: -0.5, through: 7.5, by: 0.5) {
                    let isIn =
                        rect.minX...max(rect.minX, rect.maxX) ~= x && x != rect.maxX
                        && rect.minY...max(rect.minY, rect.maxY) ~= y && y != rect.maxY
                    if rect.contains(Point(x: x, y: y)) != isIn {
                        Issue.record("\(rect) at \(x), \(y)")
                    }
                }
            }
            if rect.isEmpty { #expect(!rect.contains(rect.origin)) }
        }
    }

    @Test func theUnionIsTheSmallestRectangleAroundBoth() {
        for rect in Self.rects {
            for other in Self.rects where other.minX >= rect.minX {
                let union = rect.union(other)
                let expected = [
                    min(rect.minX, other.minX), min(rect.minY, other.minY),
                    max(rect.maxX, other.maxX), max(rect.maxY, other.maxY),
                ]
                if [union.minX, union.minY, union.maxX, union.maxY] != expected
                    || union != other.union(rect)
                {
                    Issue.record("\(rect) and \(other)")
                }
            }
        }
    }

    @Test func theIntersectionHasTheSquaresThatBothHave() {
        for rect in Self.rects where !rect.isEmpty {
            for other in Self.rects where !other.isEmpty {
                let part = rect.intersection(other)
                let shared = Self.squares(rect).intersection(Self.squares(other))
                let squares = part.isEmpty ? [] : Self.squares(part)
                if squares != shared || part.size.width < 0 || part.size.height < 0 {
                    Issue.record("\(rect) and \(other)")
                }
            }
        }
    }

    @Test func insetsTakeFromEachSideAndLeaveNoLessThanNothing() {
        let rect = Rect(x: 1, y: 2, width: 5, height: 4)
        for top in -2..<7 {
            for left in -2..<7 {
                for (bottom, right) in [(0, 0), (1, 2), (-1, 3), (6, 6)] {
                    let insets = EdgeInsets(
                        top: Double(top),
                        left: Double(left),
                        bottom: Double(bottom),
                        right: Double(right)
                    )
                    let inner = rect.inset(by: insets)
                    #expect(inner.origin == Point(x: 1 + Double(left), y: 2 + Double(top)))
                    #expect(inner.size.width == Double(max(0, 5 - left - right)))
                    #expect(inner.size.height == Double(max(0, 4 - top - bottom)))
                    // One inside the other takes what both take.
                    let both = insets + insets
                    #expect(both.top == Double(2 * top) && both.left == Double(2 * left))
                    #expect(both.bottom == Double(2 * bottom) && both.right == Double(2 * right))
                }
            }
        }
    }

    @Test func aMovedRectangleIsAsLargeAndElsewhere() {
        for rect in Self.rects {
            let moved = rect.offsetBy(dx: 3, dy: -2)
            #expect(moved.size == rect.size)
            #expect(moved.origin == Point(x: rect.minX + 3, y: rect.minY - 2))
            #expect(moved.offsetBy(dx: -3, dy: 2) == rect)
            #expect(rect.center.x == (rect.minX + rect.maxX) / 2)
            #expect(rect.center.y == (rect.minY + rect.maxY) / 2)
        }
    }

    /// A corner of a view, turned, scaled and moved by hand, is on the edge of the box.
    @Test func theFrameOfATransformedViewIsTheBoxAroundItsCorners() {
        var random = SeededNumbers(seed: 5)
        func number() -> Double { Double(random.next(below: 41) - 20) / 4 }
        for _ in 0..<500 {
            var attributes = LayoutAttributes(
                .cell(ItemPath(section: 0, item: 0)),
                frame: Rect(x: number(), y: number(), width: abs(number()), height: abs(number()))
            )
            let map = AffineTransform(
                a: number(),
                b: number(),
                c: number(),
                d: number(),
                tx: number(),
                ty: number()
            )
            attributes.transform = map
            let (center, size) = (attributes.center, attributes.size)
            let corners = [-0.5, 0.5].flatMap { x in
                [-0.5, 0.5].map { y in
                    let (x, y) = (x * size.width, y * size.height)
                    return Point(
                        x: center.x + map.a * x + map.c * y + map.tx,
                        y: center.y + map.b * x + map.d * y + map.ty
                    )
                }
            }
            let frame = attributes.frame
            #expect(abs(frame.minX - (corners.map(\.x).min() ?? 0)) < 1e-9)
            #expect(abs(frame.maxX - (corners.map(\.x).max() ?? 0)) < 1e-9)
            #expect(abs(frame.minY - (corners.map(\.y).min() ?? 0)) < 1e-9)
            #expect(abs(frame.maxY - (corners.map(\.y).max() ?? 0)) < 1e-9)
        }
    }

    // MARK: Places

    private static let places: [LayoutPlace] = {
        let kinds = ["a", "b", "header"].map { SupplementaryKind(rawValue: $0) }
        let categories: [ElementCategory] =
            [.cell] + kinds.map { .supplementary($0) } + kinds.map { .decoration($0) }
        return categories.flatMap { category in
            [(0, 0), (0, 1), (1, 0)].map { LayoutPlace(category, ItemPath(section: $0, item: $1)) }
        }
    }()

    /// The list is made in that order.
    @Test func placesAreInOneOrderByCategoryKindAndPath() {
        var random = SeededNumbers(seed: 1)
        for _ in 0..<50 {
            #expect(Self.places.shuffled(using: &random).sorted() == Self.places)
        }
        for (index, place) in Self.places.enumerated() {
            for (other, otherPlace) in Self.places.enumerated() {
                #expect((place < otherPlace) == (index < other))
                #expect((place == otherPlace) == (index == other))
            }
        }
        #expect(Set(Self.places + Self.places).count == Self.places.count)
    }

    @Test func aPlaceSaysWhatItIsAndWhere() {
        let path = ItemPath(section: 2, item: 0)
        let backdrop = SupplementaryKind(rawValue: "background")
        #expect(LayoutPlace.cell(ItemPath(section: 0, item: 3)).description == "0 - 3")
        #expect(LayoutPlace.header(2).description == "header 2 - 0")
        let decoration = LayoutPlace(.decoration(backdrop), path)
        #expect(decoration.description == "decoration background 2 - 0")
        let move = LayoutUpdateItem.moveItem(
            old: ItemPath(section: 0, item: 3),
            new: ItemPath(section: 1, item: 0)
        )
        #expect(move.description == "move 0 - 3 to 1 - 0")
    }

    // MARK: Spans

    /// Of every set of items that went, and every one that came, of a section of few.
    @Test func betweenTwoSpansLiesAnItemThatStayedAndTogetherTheyAreTheUpdate() {
        for count in 0...5 {
            for removed in subsets(count) {
                for inserted in subsets(count) where inserted.count <= 3 {
                    let kept = (0..<count).filter { !removed.contains($0) }
                    let newCount = kept.count + inserted.count
                    guard inserted.allSatisfy({ $0 < newCount }) else { continue }
                    check(ItemSpan.spans(removed: removed, inserted: inserted), removed, inserted)
                }
            }
        }
    }

    private func subsets(_ count: Int) -> [[Int]] {
        (0..<(1 << count)).map { bits in (0..<count).filter { bits >> $0 & 1 == 1 } }
    }

    private func check(_ spans: [ItemSpan], _ removed: [Int], _ inserted: [Int]) {
        #expect(spans.flatMap { Array($0.old) } == removed)
        #expect(spans.flatMap { Array($0.new) } == inserted)
        for (span, next) in zip(spans, spans.dropFirst()) {
            let stayed = next.old.lowerBound - span.old.upperBound
            #expect(stayed >= 1 && stayed == next.new.lowerBound - span.new.upperBound)
        }
        #expect(spans.allSatisfy { !$0.old.isEmpty || !$0.new.isEmpty })
    }
}
