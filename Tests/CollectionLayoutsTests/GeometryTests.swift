import TestSupport
import Testing

@testable import CollectionLayouts

/// Compares rectangles, places and spans with sets of points, lists and edits.
@Suite("Geometry of layouts")
struct GeometryTests {
    /// Every rectangle with corners on a small grid, including those without extent.
    private static let rects: [Rect] = {
        let numbers: [Double] = [0, 1, 2]
        var rects: [Rect] = []
        for x in numbers {
            for y in numbers {
                for width in numbers {
                    for height in numbers {
                        rects.append(Rect(x: x, y: y, width: width, height: height))
                    }
                }
            }
        }
        return rects
    }()

    /// The half units of an interval; an interval without extent has only its low end.
    private static func points(_ low: Double, _ high: Double) -> Set<Double> {
        low == high ? [low] : Set(stride(from: low, to: high, by: 0.5))
    }

    private static func intervals(_ rect: Rect) -> (x: Set<Double>, y: Set<Double>) {
        (points(rect.minX, rect.maxX), points(rect.minY, rect.maxY))
    }

    /// Whether the intervals have common points and at least one has an extent.
    private func meet(_ first: Set<Double>, _ second: Set<Double>) -> Bool {
        (first.count > 1 || second.count > 1) && !first.isDisjoint(with: second)
    }

    @Test func rectanglesMatchSetsOfPoints() {
        var faults: [String] = []
        for rect in Self.rects {
            let (xs, ys) = Self.intervals(rect)
            if rect.isEmpty != (rect.size.width == 0 || rect.size.height == 0) {
                faults.append("\(rect) empty")
            }
            for other in Self.rects {
                let (otherXs, otherYs) = Self.intervals(other)
                let pair = "\(rect) and \(other)"
                if rect.intersects(other) != (meet(xs, otherXs) && meet(ys, otherYs)) {
                    faults.append("\(pair) meet")
                }
                let point = other.origin
                let isInside =
                    !rect.isEmpty && xs.contains(point.x) && ys.contains(point.y)
                if rect.contains(point) != isInside { faults.append("\(pair) contains") }
                let union = rect.union(other)
                let isAround =
                    union.minX == min(rect.minX, other.minX)
                    && union.maxX == max(rect.maxX, other.maxX)
                    && union.minY == min(rect.minY, other.minY)
                    && union.maxY == max(rect.maxY, other.maxY)
                if !isAround { faults.append("\(pair) union") }
                guard !rect.isEmpty, !other.isEmpty else { continue }
                let part = rect.intersection(other)
                let (partXs, partYs) = Self.intervals(part)
                let isPart =
                    part.isEmpty
                    ? !rect.intersects(other)
                    : partXs == xs.intersection(otherXs) && partYs == ys.intersection(otherYs)
                if !isPart || part.size.width < 0 || part.size.height < 0 {
                    faults.append("\(pair) part")
                }
            }
            let moved = rect.offsetBy(dx: 3, dy: -2)
            if moved != Rect(origin: Point(x: rect.minX + 3, y: rect.minY - 2), size: rect.size)
                || rect.offsetBy() != rect
                || rect.center
                    != Point(x: (rect.minX + rect.maxX) / 2, y: (rect.minY + rect.maxY) / 2)
            {
                faults.append("\(rect) moved")
            }
            let insets = EdgeInsets(top: 0.5, left: 1, bottom: 0.25, right: -3)
            let inner = Rect(
                x: rect.minX + 1,
                y: rect.minY + 0.5,
                width: rect.size.width + 2,
                height: max(0, rect.size.height - 0.75)
            )
            if rect.inset(by: insets) != inner { faults.append("\(rect) inset") }
        }
        #expect(faults == [])
        #expect(Rect(x: 0, y: 0, width: .nan, height: 1).isEmpty)
        let both = EdgeInsets(top: 1, left: 2, bottom: 4, right: 8) + EdgeInsets(top: 16, right: 32)
        #expect(both == EdgeInsets(top: 17, left: 2, bottom: 4, right: 40))
    }

    /// The skipped rectangle is never longer than the old bounds.
    @Test(arguments: ScrollDirection.allCases)
    func skippedBoundsAreTheGapUpToOneViewport(_ direction: ScrollDirection) {
        func rect(_ low: Int, _ high: Int) -> Rect {
            AxisRect(
                along: Double(low),
                across: 7,
                alongExtent: Double(high - low),
                acrossExtent: 5
            )
            .rect(direction)
        }
        for extent in 1...3 {
            for other in 1...3 {
                for place in -8...8 {
                    let high = place + other
                    let gap: (low: Int, high: Int)? =
                        place > extent
                        ? (extent, min(place, 2 * extent))
                        : high < 0 ? (max(high, -extent), 0) : nil
                    let skipped = rect(0, extent).skipped(to: rect(place, high), direction)
                    #expect(skipped == gap.map { rect($0.low, $0.high) }, "\(extent) to \(place)")
                }
            }
        }
    }

    /// The corners of a view, transformed by hand, touch the edges of the box.
    @Test func aTransformedFrameIsTheBoxAroundItsCorners() {
        let frame = Rect(x: 3, y: 5, width: 8, height: 6)
        var plain = LayoutAttributes(.header(0), frame: frame)
        #expect(plain.frame == frame && plain.center == Point(x: 7, y: 8))
        plain.frame = Rect(x: 1, y: 2, width: 4, height: 2)
        #expect(plain.center == Point(x: 3, y: 3) && plain.size == Size(width: 4, height: 2))
        plain.bounds = Rect(x: 9, y: 9, width: 4, height: 1)
        #expect(plain.bounds == Rect(x: 0, y: 0, width: 4, height: 1))
        #expect(plain.center == Point(x: 3, y: 3), "only the size is set")
        plain.size.height = 2
        plain.size.width = .infinity
        #expect(
            plain.frame.size == Size(width: .infinity, height: 2),
            "identity multiplies nothing"
        )
        for seed in 0..<UInt64(200) {
            let draw = Draw(seed: seed)
            func number() -> Double { draw.quarters(10) - 5 }
            let map = AffineTransform(
                a: number(),
                b: number(),
                c: number(),
                d: number(),
                tx: number(),
                ty: number()
            )
            let center = Point(x: number(), y: number())
            let size = draw.size(5, 5)
            var attributes = LayoutAttributes(.header(0), frame: Rect(origin: center, size: size))
            (attributes.center, attributes.transform) = (center, map)
            var (xs, ys) = ([Double](), [Double]())
            for (right, down) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
                let (x, y) = (right * size.width, down * size.height)
                xs.append(center.x + map.a * x + map.c * y + map.tx)
                ys.append(center.y + map.b * x + map.d * y + map.ty)
            }
            let box = attributes.frame
            let edges = [box.minX, box.maxX, box.minY, box.maxY]
            let expected = [xs.min() ?? 0, xs.max() ?? 0, ys.min() ?? 0, ys.max() ?? 0]
            #expect(zip(edges, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "seed \(seed)")
        }
        let scaled = AffineTransform(scaleX: 2, y: 3)
        let shifted = AffineTransform(translationX: 3, y: -2)
        #expect([scaled.a, scaled.d, shifted.tx, shifted.ty] == [2, 3, 3, -2])
        #expect(AffineTransform(scaleX: 1, y: 1) == .identity)
    }

    /// `places` is built in this order.
    @Test func placesAreOrderedByCategoryKindAndPath() {
        let kinds = ["a", "b", "header"].map { SupplementaryKind(rawValue: $0) }
        let categories: [ElementCategory] =
            [.cell] + kinds.map { .supplementary($0) } + kinds.map { .decoration($0) }
        let paths = [ItemPath(0, 0), ItemPath(0, 1), ItemPath(1, 0)]
        let places = categories.flatMap { category in paths.map { LayoutPlace(category, $0) } }
        let draw = Draw(seed: 1)
        for _ in 0..<50 { #expect(draw.shuffled(places).sorted() == places) }
        #expect(Set(places + places).count == places.count)
        let texts = [places[1], places[18], .header(2)].map(\.description)
        #expect(texts == ["0 - 1", "decoration header 0 - 0", "header 2 - 0"])
        // The order from back to front at one path; the z-index takes precedence.
        var depths = [
            ElementCategory.decoration(.background), .cell, .supplementary(.header),
            .supplementary(.footer), .supplementary(.badge),
        ].map { LayoutAttributes(LayoutPlace($0, paths[1]), frame: .zero) }
        depths.append(LayoutAttributes(.cell(paths[2]), frame: .zero))
        depths.append(LayoutAttributes(.cell(paths[0]), frame: .zero))
        depths[6].zIndex = 1
        #expect(draw.shuffled(depths).sorted { $0.isBehind($1) } == depths)
    }

    /// Covers every set of removed and inserted items in a small section.
    @Test func spansAreSeparatedByKeptItemsAndCoverTheUpdate() {
        func subsets(_ count: Int) -> [[Int]] {
            (0..<(1 << count)).map { bits in (0..<count).filter { bits >> $0 & 1 == 1 } }
        }
        var faults: [String] = []
        for count in 0...5 {
            for removed in subsets(count) {
                for inserted in subsets(count) where inserted.count <= 3 {
                    let newCount = count - removed.count + inserted.count
                    guard inserted.allSatisfy({ $0 < newCount }) else { continue }
                    let spans = ItemSpan.spans(removed: removed, inserted: inserted)
                    let areApart = zip(spans, spans.dropFirst()).allSatisfy { span, next in
                        let stayed = next.old.lowerBound - span.old.upperBound
                        return stayed >= 1 && stayed == next.new.lowerBound - span.new.upperBound
                    }
                    let old = spans.flatMap { Array($0.old) }
                    let new = spans.flatMap { Array($0.new) }
                    let areSome = spans.allSatisfy { !$0.old.isEmpty || !$0.new.isEmpty }
                    guard old == removed, new == inserted, areApart, areSome else {
                        faults.append("\(removed) \(inserted): \(spans)")
                        continue
                    }
                }
            }
        }
        #expect(faults == [])
    }
}
