import PipelineTestSupport
import SimulatedView
import Testing

@testable import PipelineTrace

@Suite("Pictures of inverted views", .endsHangs) struct InvertedPictureTests {
    private static let sections = [
        TextDataSource.Section((0..<8).map { "row \($0)" }, headers: ["rows"])
    ]

    @Test func aPictureHasWhatTheViewHasAndIsSeenAsAReaderSeesIt() async throws {
        let scene = try await PicturedView(Self.sections) { view in
            view.isInverted = true
            view.contentInset = EdgeInsets(top: 4)
            view.rangeController = RangeController()
        }
        let (picture, upright, seen) = try await scene.onMain { view in
            view.scroll(by: 50)
            let picture = LayoutPicture(of: view)
            let seen = picture.elements.map { view.convertToViewport($0.attributes.frame) }
            view.isInverted = false
            return (picture, LayoutPicture(of: view), seen)
        }
        #expect(picture.invertedAxis == .vertical)
        var same = picture
        same.invertedAxis = nil
        #expect(same == upright && upright.seen == upright)
        let drawn = picture.seen
        let origin = drawn.bounds.origin
        let frames = drawn.elements.map {
            $0.attributes.frame.offsetBy(dx: -origin.x, dy: -origin.y)
        }
        #expect(frames == seen)
        #expect(drawn.insets == EdgeInsets(bottom: 4))
        #expect(drawn.ranges?.display == picture.ranges.map { picture.mirrored($0.display) })
        #expect(drawn.ranges?.preload == picture.ranges.map { picture.mirrored($0.preload) })
        // What was mirrored twice is what it was.
        var twice = drawn.seen
        twice.invertedAxis = nil
        #expect(twice == upright)
    }

    @Test(arguments: ScrollDirection.allCases)
    func whatIsTurnedIsTurnedTheOtherWay(_ axis: ScrollDirection) throws {
        var attributes = LayoutAttributes(
            .cell(ItemPath(0, 0)),
            frame: Rect(x: 10, y: 20, width: 30, height: 40)
        )
        attributes.transform = AffineTransform(a: 1, b: 0.5, c: -0.25, d: 1, tx: 3, ty: 5)
        var picture = LayoutPicture(
            bounds: Rect(x: 0, y: 0, width: 100, height: 100),
            contentSize: Size(width: 100, height: 200),
            elements: [PicturedElement(attributes)]
        )
        picture.invertedAxis = axis
        picture.insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        picture.area = Rect(x: 0, y: 0, width: 50, height: 60)
        let seen = picture.seen
        let drawn = try #require(seen.elements.first?.attributes)
        #expect(drawn.frame == picture.mirrored(attributes.frame))
        #expect(drawn.transform.b == -0.5 && drawn.transform.c == 0.25)
        switch axis {
        case .vertical:
            #expect(drawn.center == Point(x: 25, y: 160))
            #expect(drawn.transform.tx == 3 && drawn.transform.ty == -5)
            #expect(seen.insets == EdgeInsets(top: 3, left: 2, bottom: 1, right: 4))
            #expect(seen.area == Rect(x: 0, y: 140, width: 50, height: 60))
        case .horizontal:
            #expect(drawn.center == Point(x: 75, y: 40))
            #expect(drawn.transform.tx == -3 && drawn.transform.ty == 5)
            #expect(seen.insets == EdgeInsets(top: 1, left: 4, bottom: 3, right: 2))
            #expect(seen.area == Rect(x: 50, y: 0, width: 50, height: 60))
        }
    }

    /// A reader who points at an element learns where the layout has it.
    @Test func elementsAreNamedWithTheirPlacesInTheContent() async throws {
        let scene = try await PicturedView(Self.sections) { $0.isInverted = true }
        let titles = try ParsedSVG.root(of: try await scene.picture().svg()).all(ofClass: "cell")
            .compactMap { $0.all(named: "title").first?.text }
        #expect(titles.count == 8)
        #expect(titles.contains { $0.hasPrefix("item 0-0 “row 0”: at (0, ") })
        let upright = try await PicturedView(Self.sections)
        let others = try ParsedSVG.root(of: try await upright.picture().svg()).all(ofClass: "cell")
            .compactMap { $0.all(named: "title").first?.text }
        #expect(titles == others)
    }

    @Test(arguments: ScrollDirection.allCases)
    func contentsWithoutAnOutlineAreMirroredAboutTheOrigin(_ axis: ScrollDirection) {
        var picture = LayoutPicture(
            bounds: Rect(x: 0, y: 0, width: 10, height: 10),
            contentSize: Size(width: 1e300, height: 1e300),
            elements: []
        )
        picture.invertedAxis = axis
        let mirrored = picture.mirrored(Rect(x: 10, y: 20, width: 30, height: 40))
        switch axis {
        case .vertical: #expect(mirrored == Rect(x: 10, y: -60, width: 30, height: 40))
        case .horizontal: #expect(mirrored == Rect(x: -40, y: 20, width: 30, height: 40))
        }
    }

    @Test(arguments: LayoutPictureTests.badNumbers)
    func anyNumbersMayBeInIt(_ number: Double) throws {
        let rect = Rect(x: number, y: 0, width: 10, height: number)
        var picture = LayoutPicture(
            bounds: rect,
            contentSize: rect.size,
            elements: [PicturedElement(LayoutAttributes(.cell(ItemPath(0, 0)), frame: rect))]
        )
        for axis in ScrollDirection.allCases {
            picture.invertedAxis = axis
            _ = try ParsedSVG.root(of: picture.svg())
        }
    }
}
