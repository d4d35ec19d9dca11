import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Inverted views", .endsHangs)
struct InvertingTests {
    /// What is touched at distances from the upper edge, a word each.
    private static func touched<Layout>(_ bench: Bench<Layout>, _ distances: [Double]) -> [String] {
        distances.map { touched(bench, Point(x: 5, y: $0)) }
    }

    private static func touched<Layout>(_ bench: Bench<Layout>, _ point: Point) -> String {
        guard let view = bench.view.hitTest(point) else { return "-" }
        return (view as? TextCell)?.text ?? "\(view.attributes?.place.category ?? .cell)"
    }

    @Test func theFirstItemIsAtTheLowerEdge() throws {
        let bench = try Bench([texts(9)])
        #expect(!bench.view.isInverted)
        bench.load()
        #expect(Self.touched(bench, [5, 15, 25]) == ["0", "1", "2"])
        bench.view.isInverted = true
        #expect(Self.touched(bench, [5, 15, 25]) == ["2", "1", "0"])
        let frame = try #require(bench.cell(0, 0)?.frame)
        #expect(frame == Rect(x: 0, y: 0, width: 100, height: 10))
        #expect(bench.view.convertToViewport(frame) == frame.offsetBy(dy: 20))
        #expect(bench.view.convertFromViewport(frame.offsetBy(dy: 20)) == frame)
        #expect(bench.view.convertToViewport(Point(x: 3, y: 4)) == Point(x: 3, y: 26))
        #expect(bench.view.convertFromViewport(Point(x: 3, y: 26)) == Point(x: 3, y: 4))
        #expect(bench.view.indexPathForItem(at: Point(x: 5, y: 5)) == ItemPath(0, 0))
    }

    /// As they are seen, upper edges belong to what is below them.
    @Test func afterScrollingWhatIsSeenIsTouchedUpToItsEdges() throws {
        let bench = try Bench([texts(9)])
        bench.view.isInverted = true
        bench.load()
        bench.view.scroll(by: 15)
        bench.settle()
        #expect(bench.view.contentOffset.y == 15)
        let found = Self.touched(bench, [-0.25, 0, 4.75, 5, 14.75, 15, 24.75, 25, 29.75, 30])
        #expect(found == ["-", "4", "4", "3", "3", "2", "2", "1", "1", "-"])
        bench.view.isInverted = false
        #expect(Self.touched(bench, [0, 4.75, 5]) == ["1", "1", "2"])
    }

    @Test func headersAreTouchedAsItemsAre() throws {
        let bench = try Bench([texts(1), texts(1, "x")], height: 40)
        bench.layout.headerHeight = 4
        bench.view.isInverted = true
        bench.load()
        // From the lower edge: a header, an item, a header, an item, and nothing.
        let found = Self.touched(bench, [38, 31, 24, 17, 6])
        #expect(found == ["header", "0", "header", "x0", "-"])
        let header = try #require(bench.view.hitTest(Point(x: 5, y: 24)))
        #expect(bench.view.place(of: header) == .header(1))
    }

    @Test func afterUpdatesRotationAndInsetsWhatIsSeenIsTouched() throws {
        let bench = try Bench([texts(9)])
        bench.view.isInverted = true
        bench.load()
        try bench.update { source, changes in
            source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(Self.touched(bench, [5, 15, 25]) == ["1", "0", "new"])
        bench.view.resize(to: Size(width: 30, height: 50))
        bench.settle()
        #expect(Self.touched(bench, [5, 45]) == ["3", "new"])
        bench.view.contentInset = EdgeInsets(top: 7)
        bench.settle()
        // What is above the content is below it.
        #expect(bench.view.contentOffset.y == -7)
        #expect(Self.touched(bench, [46, 42, 3, 2]) == ["-", "new", "2", "3"])
        bench.check()
    }

    @Test func whatScrollsHorizontallyBeginsAtTheRight() throws {
        let bench = try Bench([texts(4)], PagerLayout())
        bench.view.isInverted = true
        bench.load()
        bench.view.scroll(by: Point(x: 30, y: 0))
        bench.settle()
        let points = [10.0, 29.75, 30, 90].map { Point(x: $0, y: 5) }
        #expect(points.map { Self.touched(bench, $0) } == ["1", "1", "0", "0"])
        bench.view.isRightToLeft = true
        bench.settle()
        // Mirrored twice; the first page that was visible still is.
        #expect(points.map { Self.touched(bench, $0) } == ["1", "1", "2", "2"])
    }

    /// Also where the content does not fill the viewport.
    @Test func theAxisIsThatOfTheLayout() throws {
        let flow = FlowLayout()
        (flow.scrollDirection, flow.itemSize) = (.horizontal, Size(width: 20, height: 10))
        let bench = try Bench<CollectionLayout>([["0"]], flow)
        bench.view.isInverted = true
        bench.load()
        let frame = Rect(x: 0, y: 10, width: 20, height: 10)
        #expect(bench.cell(0, 0)?.frame == frame)
        #expect(bench.view.convertToViewport(frame) == frame.offsetBy(dx: 80))
        #expect(bench.view.hitTest(Point(x: 85, y: 15)) === bench.cell(0, 0))
        func seen(_ layout: CollectionLayout) -> Point {
            bench.view.setCollectionViewLayout(layout)
            return bench.view.convertToViewport(Point(x: 1, y: 2))
        }
        for layout in [ListLayout(), RowLayout(), FlowLayout(), ComposedLayout()] {
            #expect(seen(layout) == Point(x: 1, y: 28), "\(layout)")
        }
        for layout in [PagerLayout(), ComposedLayout(scrollDirection: .horizontal)] {
            #expect(seen(layout) == Point(x: 99, y: 2), "\(layout)")
        }
    }

    @Test func whatScrollsBothWaysIsMirroredVertically() throws {
        let bench = try Bench([texts(9)]) as Bench<SheetLayout>
        bench.view.isInverted = true
        bench.load()
        bench.view.scroll(by: Point(x: 40, y: 0))
        bench.settle()
        let frame = try #require(bench.cell(0, 0)?.frame)
        #expect(bench.view.convertToViewport(frame) == Rect(x: -40, y: 20, width: 300, height: 10))
    }

    @Test func nothingIsTouchedWhereNothingIs() throws {
        let bench = try Bench([texts(2)])
        for isInverted in [false, true] {
            bench.view.isInverted = isInverted
            bench.load()
            let odd = [Double.nan, .infinity, -.infinity, -1, 1e300]
            for x in odd { #expect(bench.view.hitTest(Point(x: x, y: 15)) == nil) }
            for y in odd { #expect(bench.view.hitTest(Point(x: 5, y: y)) == nil) }
            #expect(bench.view.hitTest(Point(x: 100, y: 15)) == nil)
            #expect(Self.touched(bench, [isInverted ? 9 : 20]) == ["-"])
            #expect(Self.touched(bench, [15]) == ["1"])
        }
        bench.view.resize(to: .zero)
        bench.settle()
        #expect(bench.view.hitTest(.zero) == nil)
    }

    @Test func whatCannotBeSeenIsLookedThrough() throws {
        let bench = try Bench([texts(3)])
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                attributes.frame = Rect(x: 0, y: 0, width: 100, height: 10)
                attributes.alpha = [1, 0.01, 0.0099][attributes.indexPath.item]
                return attributes
            }
        }
        bench.load()
        #expect(Self.touched(bench, [5]) == ["1"])
    }

    /// The node that the original's test looks for.
    @Test(arguments: Substrate.allCases)
    func theNodeThatIsSeenIsTouched(_ substrate: Substrate) async throws {
        let sections = (0..<3).map {
            TextDataSource.Section(["\($0)a", "\($0)b"], headers: ["H\($0)"])
        }
        let list = try await List(substrate, sections, height: 5)
        let found = await list.onMain { view, _ in
            view.isInverted = true
            view.layoutIfNeeded()
            return (0..<5).map { y -> String? in
                let element = view.hitTest(Point(x: 0, y: Double(y) + 0.5))?.element
                return (element?.nodeIfAllocated as? TextNode)?.text
            }
        }
        #expect(found == ["1a", "H1", "0b", "0a", "H0"])
        await list.controller.close()
    }
}
