import CollectionLayouts
import Testing

/// One item a page.
@Suite struct PagerLayoutTests {
    private let host = ScriptedHost(
        [.uniform(2, 1, 1), ScriptedSection(), .uniform(3, 1, 1)],
        width: 100,
        height: 200
    )

    @Test func everyItemIsAPage() {
        let layout = PagerLayout()
        layout.pageSpacing = 10
        _ = host.lay(layout)
        #expect(layout.collectionViewContentSize == Size(width: 540, height: 200))
        let third = layout.layoutAttributesForItem(at: ItemPath(section: 2, item: 0))
        #expect(third?.frame == Rect(x: 220, y: 0, width: 100, height: 200))
        for path in [(0, 2), (1, 0), (3, 0), (-1, 0), (0, -1), (.max, .max)] {
            #expect(
                layout.layoutAttributesForItem(at: ItemPath(section: path.0, item: path.1)) == nil
            )
        }
        let found = layout.layoutAttributesForElements(in: Rect(x: 90, y: 0, width: 140, height: 1))
        #expect(
            found.map(\.indexPath) == [
                ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1),
                ItemPath(section: 2, item: 0),
            ]
        )
    }

    @Test func pagesHaveNumbersInTheOrderOfItems() {
        let layout = PagerLayout()
        #expect(layout.numberOfPages == 0 && layout.currentPage == nil, "nowhere")
        _ = host.lay(layout)
        #expect(layout.numberOfPages == 5)
        let paths = [(0, 0), (0, 1), (2, 0), (2, 1), (2, 2)].map {
            ItemPath(section: $0.0, item: $0.1)
        }
        #expect((0..<5).map { layout.path(ofPage: $0) } == paths)
        #expect(paths.map { layout.page(of: $0) } == [0, 1, 2, 3, 4])
        for number in [-1, 5, .min, .max] { #expect(layout.path(ofPage: number) == nil) }
        for path in [(0, 2), (1, 0), (3, 0), (-1, 0), (0, -1), (.max, .max)] {
            #expect(layout.page(of: ItemPath(section: path.0, item: path.1)) == nil)
        }
    }

    /// From left to right, and from right to left.
    @Test func theCurrentPageIsTheNearest() {
        let layout = host.lay(PagerLayout())
        func page(at x: Double) -> Int? {
            host.bounds.origin.x = x
            return layout.currentPage
        }
        #expect([-1000, 0, 49, 51, 200, 400, 9999].map(page) == [0, 0, 0, 1, 2, 4, 4])
        host.isRightToLeft = true
        _ = host.lay(layout)
        #expect([-1000, 0, 49, 51, 200, 400, 9999].map(page) == [4, 4, 4, 3, 2, 0, 0])
        host.isRightToLeft = false
        host.adjustedContentInset = EdgeInsets(left: 20)
        _ = host.lay(layout)
        // Pages of 80, the first at -20.
        #expect([-20, 19, 21, 60].map(page) == [0, 0, 1, 1])
    }

    @Test func withoutRoomThereIsNoPage() {
        host.bounds.size.width = 0
        let layout = host.lay(PagerLayout())
        #expect(layout.numberOfPages == 0 && layout.currentPage == nil)
        #expect(layout.path(ofPage: 0) == nil)
    }

    @Test func pagesRunFromRightToLeft() {
        host.isRightToLeft = true
        let layout = host.lay(PagerLayout())
        let first = layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 0))
        #expect(first?.frame.minX == 400)
        let found = layout.layoutAttributesForElements(in: Rect(x: 0, y: 0, width: 50, height: 1))
        #expect(found.map(\.indexPath) == [ItemPath(section: 2, item: 2)])
    }

    @Test func scrollingEndsOnAPage() {
        let layout = PagerLayout()
        layout.scrollDirection = .vertical
        host.adjustedContentInset = EdgeInsets(top: 50)
        _ = host.lay(layout)
        func target(_ y: Double) -> Double {
            layout.targetContentOffset(forProposedContentOffset: Point(x: 0, y: y)).y
        }
        // Pages of 150, the first at -50.
        #expect([-500, -50, 24, 26, 9999].map(target) == [-50, -50, -50, 100, 550])
        host.bounds.origin.y = 110
        func fling(_ speed: Double) -> Double {
            layout.targetContentOffset(
                forProposedContentOffset: Point(x: 0, y: 500),
                withScrollingVelocity: Point(x: 0, y: speed)
            ).y
        }
        #expect([2, -0.1].map(fling) == [250, 100])
        #expect(fling(0) == 550)
    }

    @Test func otherSizesInvalidateAndOffsetsDoNot() {
        let layout = host.lay(PagerLayout())
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: host.bounds.offsetBy(dx: 30)))
        #expect(
            layout.shouldInvalidateLayout(forBoundsChange: Rect(x: 0, y: 0, width: 1, height: 200))
        )
        host.bounds.size.width = 0
        layout.prepare()
        #expect(layout.collectionViewContentSize == .zero)
        #expect(layout.layoutAttributesForElements(in: Rect(x: 0, y: 0, width: 9, height: 9)) == [])
    }
}
