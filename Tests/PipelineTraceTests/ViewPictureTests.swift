import PipelineTestSupport
import SimulatedView
import Testing

@testable import PipelineTrace

@Suite(.endsHangs) struct ViewPictureTests {
    private let rows = (0..<20).map { "row \($0)" }

    @Test func aPictureIncludesInvisibleElementsWithoutCreatingViews() async throws {
        let scene = try await PicturedView([TextDataSource.Section(rows, headers: ["rows"])])
        let before = try await scene.onMain { view in
            view.layoutIfNeeded()
            return (view.numberOfMadeViews, view.eventLog)
        }
        let picture = try await scene.picture()
        #expect(
            picture.elements.filter { $0.attributes.representedElementCategory == .cell }.map(\.key)
                == rows
        )
        let other = picture.elements.first { $0.attributes.representedElementCategory != .cell }
        #expect(other?.lines == ["rows"])
        let after = try await scene.onMain { ($0.numberOfMadeViews, $0.eventLog) }
        #expect(after == before)
    }

    @Test func aPictureHasTheViewsViewportInsetsSelectionAndDirection() async throws {
        let scene = try await PicturedView([TextDataSource.Section(rows)]) { view in
            view.contentInset = EdgeInsets(top: 4)
            view.contentInsetAdjustmentBehavior = .always
            view.safeAreaInsets = EdgeInsets(top: 5, left: 6)
            view.layoutMargins = EdgeInsets(left: 7, right: 8)
            view.isRightToLeft = true
        }
        let picture = try await scene.onMain { view in
            view.scroll(by: 50)
            try view.selectItem(at: ItemPath(0, 3))
            return LayoutPicture(of: view, title: "title")
        }
        let bounds = try await scene.onMain(\.bounds)
        #expect(picture.bounds == bounds && bounds.minY > 0 && picture.title == "title")
        #expect(picture.insets == EdgeInsets(top: 9, left: 13, bottom: 0, right: 8))
        #expect(picture.isRightToLeft)
        let selected = picture.elements.filter(\.isSelected)
        #expect(selected.map(\.attributes.indexPath) == [ItemPath(0, 3)])
    }

    @Test func aPictureHasTheRangesOfTheView() async throws {
        let scene = try await PicturedView([TextDataSource.Section(rows, headers: ["rows"])]) {
            $0.rangeController = RangeController()
        }
        let picture = try await scene.onMain { view in
            view.scroll(by: 120)
            let picture = LayoutPicture(of: view, text: PicturedView.text)
            let ranges = try #require(view.rangeController)
            #expect(picture.ranges == PicturedRanges(of: ranges))
            for element in picture.elements {
                let place = element.attributes.place
                let shown =
                    place.category == .cell
                    ? view.map.element(at: place.path)
                    : view.map.supplementary(ofKind: .header, at: place.path)
                let state = try #require(shown.map(ranges.interfaceState))
                #expect(element.interfaceState == state, "\(place)")
            }
            return picture
        }
        #expect(picture.ranges?.mode == .full && picture.ranges?.display.size.height == 250)
        #expect(Set(picture.elements.map(\.interfaceState)).count == 4)
        #expect(picture.elements.allSatisfy { $0.hasNode })
    }

    // MARK: Inverted

    private static let sections = [
        TextDataSource.Section((0..<8).map { "row \($0)" }, headers: ["rows"])
    ]

    @Test func aPictureOfAnInvertedViewShowsWhatAReaderSees() async throws {
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
        // Mirroring twice restores the original.
        var twice = drawn.seen
        twice.invertedAxis = nil
        #expect(twice == upright)
    }

    @Test(arguments: ScrollDirection.allCases)
    func anInvertedPictureMirrorsTransforms(_ axis: ScrollDirection) throws {
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
}

/// A view of 200 × 100 with rows of 30 and its controller; a section with a title has a header.
struct PicturedView: Sendable {
    let view: SimulatedCollectionView
    let controller: DataController<TextDataSource>

    init(
        _ sections: [TextDataSource.Section],
        layout: sending ListLayout = ListLayout(),
        _ configure: @Sendable (SimulatedCollectionView) -> Void = { _ in }
    ) async throws {
        layout.rowHeight = 30
        view = SimulatedCollectionView(size: Size(width: 200, height: 100), layout: layout)
        configure(view)
        controller = Substrate.dispatch.makeStage()
            .makeController(TextDataSource(sections), view: view)
        try await controller.reloadData()
    }

    /// Runs `body` on the main lane.
    func onMain<Result: Sendable>(
        _ body: @escaping @Sendable (SimulatedCollectionView) throws -> Result
    ) async throws -> Result {
        let view = view
        return try await controller.lane.run { try body(view) }
    }

    func picture() async throws -> LayoutPicture {
        try await onMain { LayoutPicture(of: $0, text: Self.text, key: Self.text) }
    }

    static func text(_ place: LayoutPlace, _ element: CollectionElement?) -> String? {
        (element?.nodeIfAllocated as? TextNode)?.text
    }
}
