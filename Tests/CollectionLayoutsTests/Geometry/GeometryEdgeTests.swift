import TestSupport
import Testing

@testable import CollectionLayouts

/// Rectangles without extent, transforms, and what bounds leave out when they jump, by small models.
@Suite("Geometry at its edges")
struct GeometryEdgeTests {
    private static let intervals = (0..<4).flatMap { low in
        (0..<4).map { (low: Double(low), extent: Double($0)) }
    }

    /// The half units of an interval that begins with its lower end; without extent, that end alone.
    private func points(_ interval: (low: Double, extent: Double)) -> Set<Double> {
        let (low, extent) = interval
        guard extent > 0 else { return [low] }
        return Set(stride(from: low, to: low + extent, by: 0.5))
    }

    @Test func aRectangleWithoutExtentIsMetByWhatReachesOverItsPlace() {
        for interval in Self.intervals {
            for other in Self.intervals {
                // Two without extent meet nothing of each other.
                let meets =
                    !points(interval).isDisjoint(with: points(other))
                    && (interval.extent > 0 || other.extent > 0)
                for direction in ScrollDirection.allCases {
                    func rect(_ interval: (low: Double, extent: Double)) -> Rect {
                        AxisRect(
                            along: interval.low,
                            across: 2,
                            alongExtent: interval.extent,
                            acrossExtent: 3
                        ).rect(direction)
                    }
                    #expect(rect(interval).intersects(rect(other)) == meets)
                }
            }
        }
    }

    @Test func aRectangleIsEmptyWithoutExtentOnEitherAxis() {
        for (extent, isEmpty) in [
            (-1.0, true), (0, true), (0.25, false), (1, false), (.infinity, false), (.nan, true),
        ] {
            #expect(Rect(x: 0, y: 0, width: extent, height: 0.5).isEmpty == isEmpty)
            #expect(Rect(x: 0, y: 0, width: 0.5, height: extent).isEmpty == isEmpty)
        }
        let rect = Rect(x: 1, y: 2, width: 3, height: 4)
        #expect(rect.offsetBy() == rect)
        #expect(rect.offsetBy(dx: 5) == Rect(x: 6, y: 2, width: 3, height: 4))
        #expect(rect.offsetBy(dy: 5) == Rect(x: 1, y: 7, width: 3, height: 4))
        #expect(Rect.zero == Rect(x: 0, y: 0, width: 0, height: 0))
        #expect(Point.zero == Point(x: 0, y: 0))
        #expect(EdgeInsets.zero == EdgeInsets(top: 0, left: 0, bottom: 0, right: 0))
    }

    /// And no more than the old bounds are long.
    @Test(arguments: ScrollDirection.allCases)
    func whatBoundsSkipIsTheGapUpToAViewport(_ direction: ScrollDirection) {
        for extent in 1...3 {
            for other in 1...3 {
                for place in -8...8 {
                    let (low, high) = (0, extent)
                    let (newLow, newHigh) = (place, place + other)
                    let gap: (low: Int, high: Int)? =
                        newLow > high
                        ? (high, min(newLow, high + extent))
                        : newHigh < low ? (max(newHigh, low - extent), low) : nil
                    func rect(_ low: Int, _ high: Int) -> Rect {
                        AxisRect(
                            along: Double(low),
                            across: 7,
                            alongExtent: Double(high - low),
                            acrossExtent: 5
                        ).rect(direction)
                    }
                    let bounds = rect(low, high)
                    let skipped = bounds.skipped(to: rect(newLow, newHigh), direction)
                    let expected = gap.map { rect($0.low, $0.high) }
                    #expect(skipped == expected, "\(extent) to \(place), \(other)")
                }
            }
        }
    }

    @Test func transformsScaleAndShiftAboutTheMiddle() {
        let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
        #expect(AffineTransform.identity == identity)
        let frame = Rect(x: 10, y: 20, width: 4, height: 6)
        func transformed(_ transform: AffineTransform) -> Rect {
            var attributes = LayoutAttributes(.header(0), frame: frame)
            attributes.transform = transform
            return attributes.frame
        }
        #expect(transformed(identity) == frame)
        let shifted = AffineTransform(translationX: 3, y: -2)
        #expect(transformed(shifted) == frame.offsetBy(dx: 3, dy: -2))
        #expect(transformed(.init(scaleX: 2, y: 3)) == Rect(x: 8, y: 14, width: 8, height: 18))
        #expect(transformed(.init(scaleX: 0.5, y: 1)) == Rect(x: 11, y: 20, width: 2, height: 6))
        #expect(AffineTransform(translationX: 0, y: 0) == identity)
        #expect(AffineTransform(scaleX: 1, y: 1) == identity)
    }

    @Test func eachSideOfInsetsIsWhereItsDirectionSays() {
        let insets = EdgeInsets(top: 1, left: 2, bottom: 4, right: 8)
        #expect(insets.leading(.vertical) == 1 && insets.leading(.horizontal) == 2)
        #expect(insets.trailing(.vertical) == 4 && insets.trailing(.horizontal) == 8)
        #expect(insets.acrossLeading(.vertical) == 2 && insets.acrossLeading(.horizontal) == 1)
        #expect(insets.across(.vertical) == 10 && insets.across(.horizontal) == 5)
        let range = SizeRange.across(3, to: 5, .horizontal)
        #expect(range.minimum == Size(width: 0, height: 3))
        #expect(range.maximum == Size(width: .infinity, height: 5))
        let rect = AxisRect(along: 1, across: 2, alongExtent: 10, acrossExtent: 20)
        #expect(rect.alongEnd == 11 && rect.acrossEnd == 22)
        for direction in ScrollDirection.allCases {
            #expect(AxisRect(rect.rect(direction), direction) == rect)
        }
    }

    @Test func whatIsAbsentIsWhereItsOptionSays() {
        let view = LayoutAttributes(.header(0), frame: Rect(x: 5, y: 50, width: 20, height: 7))
        let expected: [(animation: AnimationOption, x: Double, mirrored: Double, y: Double)] = [
            (.none, 5, 5, 50), (.automatic, 5, 5, 50), (.fade, 5, 5, 50), (.leading, -15, 25, 50),
            (.trailing, 25, -15, 50), (.top, 5, 5, 43), (.bottom, 5, 5, 57),
            (AnimationOption(rawValue: 7), 5, 5, 50), (AnimationOption(rawValue: -1), 5, 5, 50),
        ]
        for (row, alpha) in zip(expected, [1, 0, 0, 1, 1, 1, 1, 0, 0] as [Double]) {
            for isRightToLeft in [false, true] {
                let absent = view.absent(by: row.animation, isRightToLeft: isRightToLeft)
                let x = isRightToLeft ? row.mirrored : row.x
                #expect(absent.frame == Rect(x: x, y: row.y, width: 20, height: 7))
                #expect(absent.alpha == alpha && absent.place == view.place)
            }
        }
    }

    @Test func backgroundsAndDecorationsLieBehindCells() {
        let flow = FlowSectionLayout()
        #expect(BackgroundSectionLayout(flow, kind: .background).zIndex == -1)
        #expect(BackgroundSectionLayout(flow, kind: .background).insets == .zero)
        #expect(flow.background(.background).zIndex == -1)
        #expect(SectionDecoration(.background, frame: .zero).zIndex == -1)
    }

    /// Within the insets; what is no room is none.
    @Test func theRoomAcrossIsWhatTheInsetsLeave() {
        let cases: [(width: Double, inset: Double, room: Double)] = [
            (100, 0, 100), (100, 30, 70), (1, 0, 1), (0.5, 0, 0.5), (30, 30, 0), (30, 31, 0),
            (.infinity, 0, 0), (.nan, 0, 0), (-5, 0, 0), (100, -20, 120),
        ]
        for (width, inset, room) in cases {
            let host = ScriptedHost(width: width, height: width)
            host.adjustedContentInset = EdgeInsets(
                top: inset / 2,
                left: inset / 2,
                bottom: inset / 2,
                right: inset / 2
            )
            let layouts = [CollectionLayout(), FlowLayout(), ComposedLayout()]
            for layout in layouts {
                layout.attach(to: host)
                let range = layout.elementSizeRange
                #expect(range.minimum == .zero)
                #expect(range.maximum == Size(width: room, height: .infinity))
            }
            let layout = ComposedLayout(scrollDirection: .horizontal)
            layout.attach(to: host)
            #expect(layout.elementSizeRange.maximum == Size(width: .infinity, height: room))
            withExtendedLifetime(host) {}
        }
        #expect(CollectionLayout().elementSizeRange.maximum.width == 0, "without a view")
    }
}
