import CollectionLayouts
import TestSupport
import Testing

/// A pager by the letter: the items of all sections in a row, each as large as what the view shows.
private struct NaivePager {
    let host: ScriptedHost
    let direction: ScrollDirection
    let attributes: [LayoutAttributes]
    let contentSize: Size
    /// The offsets at which a page fills what is visible, ascending.
    let rests: [Double]

    /// - Parameter spacing: as it is to be used.
    init(_ host: ScriptedHost, _ direction: ScrollDirection, spacing: Double) {
        (self.host, self.direction) = (host, direction)
        let (bounds, inset) = (host.bounds.size, host.adjustedContentInset)
        let page = Size(
            width: bounds.width - inset.left - inset.right,
            height: bounds.height - inset.top - inset.bottom
        )
        let hasPages = page.width > 0 && page.height > 0
        let paths = host.sections.enumerated().flatMap { section, content in
            (hasPages ? content.items.indices : 0..<0).map { ItemPath(section: section, item: $0) }
        }
        let isMirrored = host.isRightToLeft && direction == .horizontal
        let pitch = (direction == .vertical ? page.height : page.width) + spacing
        attributes = paths.enumerated().map { number, path in
            let along = Double(isMirrored ? paths.count - 1 - number : number) * pitch
            let origin = direction == .vertical ? Point(x: 0, y: along) : Point(x: along, y: 0)
            return LayoutAttributes(.cell(path), frame: Rect(origin: origin, size: page))
        }
        let along = Double(paths.count) * pitch - spacing
        contentSize =
            paths.isEmpty
            ? .zero
            : direction == .vertical
                ? Size(width: page.width, height: along) : Size(width: along, height: page.height)
        let start = direction == .vertical ? inset.top : inset.left
        rests = paths.indices.map { Double($0) * pitch - start }
    }

    private func moved(_ point: Point, _ along: Double?) -> Point {
        guard let along else { return point }
        return direction == .vertical ? Point(x: point.x, y: along) : Point(x: along, y: point.y)
    }

    func target(_ point: Point) -> Point {
        let along = direction == .vertical ? point.y : point.x
        guard let least = rests.map({ abs($0 - along) }).min() else { return point }
        // Between two pages that are as near, the later.
        return moved(point, rests.last { abs($0 - along) == least })
    }

    func target(_ point: Point, velocity: Double) -> Point {
        guard velocity > 0 || velocity < 0 else { return target(point) }
        let current = direction == .vertical ? host.bounds.minY : host.bounds.minX
        return moved(
            point,
            velocity > 0
                ? rests.first { $0 > current } ?? rests.last
                : rests.last { $0 < current } ?? rests.first
        )
    }
}

@Suite("Pages, compared with a row of them")
struct PagerModelTests {
    private static let spacings: [(asked: Double, used: Double)] = [
        (0, 0), (0.5, 0.5), (1, 1), (5, 5), (-3, 0), (.nan, 0), (.infinity, 0),
    ]

    /// Every pager of few small pages.
    private func forEach(_ body: (PagerLayout, ScriptedHost, NaivePager) -> Void) {
        let counts = [[], [0], [1], [2, 0, 1], [0, 3, 0, 0, 2]]
        let sizes = [(1, 1), (4, 3), (0, 3), (4, 0), (9, 8), (0.5, 0.25)]
        let insets = [EdgeInsets.zero, EdgeInsets(top: 1, left: 2, bottom: 0.5, right: 1)]
        for (counts, isRightToLeft) in counts.flatMap({ [($0, false), ($0, true)] }) {
            for (size, inset) in sizes.flatMap({ size in insets.map { (size, $0) } }) {
                let host = ScriptedHost(
                    counts.map { .uniform($0, 1, 1) },
                    width: size.0,
                    height: size.1
                )
                host.isRightToLeft = isRightToLeft
                host.adjustedContentInset = inset
                for direction in ScrollDirection.allCases {
                    for (asked, used) in Self.spacings {
                        let layout = PagerLayout()
                        layout.scrollDirection = direction
                        layout.pageSpacing = asked
                        _ = host.lay(layout)
                        let naive = NaivePager(host, direction, spacing: used)
                        body(layout, host, naive)
                    }
                }
            }
        }
    }

    @Test func everyPageIsWhereTheRowHasIt() {
        forEach { layout, host, naive in
            let expected = naive.attributes
            let paths = (-1...host.sections.count).flatMap { section in
                (-1...4).map { ItemPath(section: section, item: $0) }
            }
            let found = paths.compactMap { layout.layoutAttributesForItem(at: $0) }
            let size = layout.collectionViewContentSize
            if found != expected || size != naive.contentSize {
                Issue.record("\(found.map(\.frame)) of \(size) in \(naive)")
            }
        }
    }

    @Test func aRectangleFindsThePagesThatItMeetsInOrder() {
        var random = SeededNumbers(seed: 1)
        forEach { layout, _, naive in
            let all = naive.attributes
            let reach = Int(max(naive.contentSize.width, naive.contentSize.height)) + 12
            func number(_ limit: Int) -> Double { Double(random.next(below: 2 * limit)) / 2 }
            for _ in 0..<12 {
                let direction = naive.direction
                let origin = Point(along: number(reach) - 6, across: number(6) - 2, direction)
                let size = Size(along: number(reach), across: number(6), direction)
                let rect = Rect(origin: origin, size: size)
                let found = layout.layoutAttributesForElements(in: rect)
                if found != all.filter({ $0.frame.intersects(rect) }) {
                    Issue.record("\(rect) finds \(found.map(\.frame)) of \(naive)")
                }
            }
            #expect(layout.layoutAttributesForElements(in: everywhere) == all)
        }
    }

    @Test func aRectangleThatIsNoneFindsNothing() {
        let host = ScriptedHost([.uniform(5, 1, 1)], width: 10, height: 10)
        for direction in ScrollDirection.allCases {
            let layout = PagerLayout()
            layout.scrollDirection = direction
            _ = host.lay(layout)
            for extent in [-1.0, -15, -.infinity, .nan] {
                let size = Size(along: extent, across: 10, direction)
                let rect = Rect(origin: Point(along: 25, across: 0, direction), size: size)
                #expect(layout.layoutAttributesForElements(in: rect) == [])
            }
            let nowhere = Point(along: .nan, across: 0, direction)
            let rect = Rect(origin: nowhere, size: Size(width: 10, height: 10))
            #expect(layout.layoutAttributesForElements(in: rect) == [])
        }
    }

    @Test func scrollingEndsOnTheNearestPageAndAFlingOnTheNext() {
        let velocities: [Double] = [2, 1, 0.5, 0, -0.0, -0.5, -1, -7, .nan]
        var count = 0
        forEach { layout, host, naive in
            for step in -4...20 {
                let place = Double(step) * 1.5
                let point = Point(x: place, y: place)
                if layout.targetContentOffset(forProposedContentOffset: point)
                    != naive.target(point)
                {
                    Issue.record("nearest \(point) of \(naive)")
                }
                guard !naive.rests.isEmpty else { continue }
                count += 1
                let velocity = velocities[count % velocities.count]
                host.bounds.origin = Point(x: place / 2, y: place / 2)
                let target = layout.targetContentOffset(
                    forProposedContentOffset: point,
                    withScrollingVelocity: Point(x: velocity, y: velocity)
                )
                if target != naive.target(point, velocity: velocity) {
                    Issue.record("fling \(velocity) from \(host.bounds) of \(naive)")
                }
            }
            host.bounds.origin = .zero
        }
    }

    @Test func anOffsetThatIsNoneStaysAsItIs() {
        let host = ScriptedHost([.uniform(5, 1, 1)], width: 10, height: 10)
        let layout = host.lay(PagerLayout())
        for offset in [Double.infinity, -.infinity] {
            let point = Point(x: offset, y: 3)
            #expect(layout.targetContentOffset(forProposedContentOffset: point) == point)
        }
        let target = layout.targetContentOffset(forProposedContentOffset: Point(x: .nan, y: 3))
        #expect(target.x.isNaN && target.y == 3)
    }

    @Test func withoutAViewOrAPageThereIsNothing() {
        let layout = PagerLayout()
        let point = Point(x: 3, y: 4)
        func check() {
            #expect(layout.collectionViewContentSize == .zero)
            for rect in [everywhere, Rect(x: 0, y: 0, width: 9, height: 9)] {
                #expect(layout.layoutAttributesForElements(in: rect) == [])
            }
            #expect(layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 0)) == nil)
            #expect(layout.targetContentOffset(forProposedContentOffset: point) == point)
        }
        check()
        #expect(layout.elementSizeRange == SizeRange(minimum: .zero, maximum: .zero))
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: everywhere))
        #expect(
            layout.targetContentOffset(
                forProposedContentOffset: point,
                withScrollingVelocity: point
            ) == point
        )
        let host = ScriptedHost([.uniform(5, 1, 1)], width: 10, height: 10)
        _ = host.lay(layout)
        #expect(layout.collectionViewContentSize.width == 50)
        layout.prepare()
        #expect(layout.collectionViewContentSize.width == 50, "and no more the second time")
        for change in [
            { host.bounds.size.width = .infinity }, { host.bounds.size.height = .infinity },
            { host.claimedItemCount = -3 }, { host.claimedSectionCount = -1 },
        ] as [() -> Void] {
            change()
            layout.prepare()
            check()
            host.bounds = Rect(x: 0, y: 0, width: 10, height: 10)
            (host.claimedItemCount, host.claimedSectionCount) = (nil, nil)
        }
        host.bounds.size.width = .infinity
        #expect(layout.elementSizeRange == SizeRange(minimum: .zero, maximum: .zero))
        layout.attach(to: nil)
        layout.prepare()
        check()
    }

    /// There is no page to turn to, wherever the view is.
    @Test func aFlingWithoutPagesEndsWhereItWould() {
        let host = ScriptedHost([.uniform(0, 1, 1)], width: 10, height: 10)
        let layout = host.lay(PagerLayout())
        host.bounds.origin = Point(x: 7, y: 8)
        let point = Point(x: 3, y: 4)
        for velocity in [-2.0, 0, 2] {
            let velocity = Point(x: velocity, y: velocity)
            #expect(
                layout.targetContentOffset(
                    forProposedContentOffset: point,
                    withScrollingVelocity: velocity
                ) == point
            )
        }
    }

    @Test func anotherValueInvalidatesAndTheSameDoesNot() {
        let host = ScriptedHost([.uniform(5, 1, 1)], width: 10, height: 10)
        let layout = host.lay(PagerLayout())
        var count = 0
        func check(_ isOther: Bool) {
            count += isOther ? 1 : 0
            #expect(host.contexts.count == count)
        }
        layout.scrollDirection = .horizontal
        layout.pageSpacing = 0
        check(false)
        layout.scrollDirection = .vertical
        check(true)
        layout.pageSpacing = 3
        check(true)
        layout.pageSpacing = 3
        layout.scrollDirection = .vertical
        check(false)
        #expect(host.contexts.allSatisfy { !$0.isPartial && !$0.invalidatesEverything })
    }
}
