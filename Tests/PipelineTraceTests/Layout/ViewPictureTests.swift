import PipelineTestSupport
import PipelineTrace
import SimulatedView
import Testing

private typealias PostNode = TextNode

@Suite(.endsHangs) struct ViewPictureTests {
    private let rows = (0..<20).map { "row \($0)" }

    /// The sample of the documentation.
    private static func sample(_ view: SimulatedCollectionView) -> LayoutPicture {
        let picture = LayoutPicture(of: view) { _, element in
            (element?.nodeIfAllocated as? PostNode)?.text
        }
        return picture
    }

    @Test func aViewIsPicturedAsTheDocumentationSays() async throws {
        let scene = try await PicturedView([["a", "b"]])
        let picture = try await scene.onMain { Self.sample($0) }
        #expect(picture.elements.map(\.lines) == [["a"], ["b"]])
        #expect(picture.elements.allSatisfy { $0.key == nil })
    }

    @Test func whatIsOutOfSightIsPicturedAndNoViewMade() async throws {
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
        #expect(
            picture.elements.first { $0.attributes.representedElementCategory != .cell }?.lines == [
                "rows"
            ]
        )
        let after = try await scene.onMain { ($0.numberOfMadeViews, $0.eventLog) }
        #expect(after == before)
    }

    @Test func theViewIsLaidOutFirst() async throws {
        let scene = try await PicturedView([["a", "b"]])
        let picture = try await scene.onMain { view in
            (view.collectionViewLayout as? ListLayout)?.rowHeight = 40
            return LayoutPicture(of: view)
        }
        #expect(picture.contentSize == Size(width: 200, height: 80))
        #expect(picture.elements.map(\.attributes.size.height) == [40, 40])
    }

    @Test func viewportInsetsSelectionAndDirectionAreThoseOfTheView() async throws {
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
        #expect(
            picture.elements.filter(\.isSelected).map(\.attributes.indexPath) == [ItemPath(0, 3)]
        )
    }

    @Test func aViewWithARangeControllerIsPicturedWithItsRanges() async throws {
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

    @Test func whatIsYetToBeMeasuredIsPicturedWithoutANode() async throws {
        let names = rows
        let picture = try await scene(of: names) { $0.rangeController = RangeController() }
        let known = picture.elements.filter(\.hasNode).map(\.lines)
        #expect(known.first == ["row 0"] && (4..<20).contains(known.count))
        #expect(picture.elements.filter { !$0.hasNode }.allSatisfy { $0.interfaceState == [] })
        // Without ranges nobody says.
        let plain = try await scene(of: names) { _ in }
        #expect(plain.ranges == nil && plain.elements.allSatisfy { $0.hasNode })
        #expect(plain.elements.allSatisfy { $0.interfaceState == nil })
        #expect(plain.elements.contains { $0.lines.isEmpty })
    }

    /// Rows that are measured when they are looked at.
    private func scene(
        of rows: [String],
        _ configure: @Sendable (SimulatedCollectionView) -> Void
    ) async throws -> LayoutPicture {
        let layout = ListLayout()
        layout.rowHeight = 30
        let view = SimulatedCollectionView(size: Size(width: 200, height: 100), layout: layout)
        configure(view)
        var configuration = PipelineConfiguration.unwatched
        configuration.measuringPolicy = .onDemand(1)
        let controller = Substrate.dispatch.makeStage().makeController(
            TextDataSource([TextDataSource.Section(rows)]),
            view: view,
            configuration: configuration
        )
        try await controller.reloadData()
        await controller.lane.run { view.layoutIfNeeded() }
        await controller.reached(.completed)
        return await controller.lane.run { LayoutPicture(of: view, text: PicturedView.text) }
    }

    @Test func onlyWhatIsDrawnIsAskedFor() async throws {
        let scene = try await PicturedView([TextDataSource.Section((0..<1000).map { "\($0)" })])
        let count = try await scene.picture().elements.count
        #expect(count > 100 && count <= Int(LayoutPicture.largestExtent / 30) + 2)
        let area = Rect(x: 0, y: 15 * 30 + 1, width: 200, height: 58)
        let part = try await scene.picture(area: area)
        #expect(part.elements.map(\.key) == ["15", "16"] && part.area == area)
    }

    @Test func textIsWrappedToItsElement() async throws {
        let scene = try await PicturedView([[String(repeating: "word ", count: 10)]])
        let lines = try await scene.picture().elements.flatMap(\.lines)
        #expect(lines == ["word word word word word word", "word word word word"])
    }

    @Test func withoutAPipelineThereAreNoElements() {
        let view = SimulatedCollectionView(size: Size(width: 50, height: 40), layout: TwiceLayout())
        let picture = LayoutPicture(of: view) { _, element in
            #expect(element == nil)
            return nil
        }
        #expect(picture.bounds == Rect(x: 0, y: 0, width: 50, height: 40))
    }

    @Test func whatIsPlacedTwiceIsPicturedOnce() {
        let view = SimulatedCollectionView(size: Size(width: 50, height: 40), layout: TwiceLayout())
        let picture = LayoutPicture(of: view)
        #expect(picture.elements.map(\.attributes.frame) == [TwiceLayout.first])
    }
}

/// Places the same twice.
private final class TwiceLayout: CollectionLayout {
    static let first = Rect(x: 1, y: 2, width: 3, height: 4)

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        let place = LayoutPlace.header(0)
        let other = Rect(x: 5, y: 6, width: 7, height: 8)
        return [
            LayoutAttributes(place, frame: Self.first), LayoutAttributes(place, frame: other),
        ]
    }
}
