import PipelineTrace
import SimulatedView
import Testing

@testable import layout_gallery

/// A stage shows what the view shows.
@Suite struct GalleryStageTests {
    private let sections = [GallerySection("", "abcde".map { GalleryItem(String($0)) })]

    private func makeLayout() -> ListLayout {
        let layout = ListLayout()
        layout.rowHeight = 20
        return layout
    }

    @Test func anUpdatedLayoutIsAsOneFromScratch() async throws {
        let stage = try await GalleryStage(makeLayout(), sections)
        let picture = try await stage.update { changes, sections in
            changes.moveItem(
                at: ItemPath(section: 0, item: 4),
                to: ItemPath(section: 0, item: 0)
            )
            changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
            sections[0].items = "eabd".map { GalleryItem(String($0)) }
        }
        let updated = [GallerySection("", "eabd".map { GalleryItem(String($0)) })]
        let fresh = try await GalleryStage(makeLayout(), updated)
        #expect(try await fresh.picture() == picture.new)
        #expect(picture.old.elements.count == 5 && picture.edits.count == 2)
    }

    @Test func halfwayRowsAreBetweenTheirPlaces() async throws {
        let stage = try await GalleryStage(makeLayout(), sections)
        let picture = try await stage.update { changes, sections in
            changes.deleteItems(at: [ItemPath(section: 0, item: 3)])
            sections[0].items.remove(at: 3)
        }
        let rows = await stage.middle(of: picture, "title").elements
        #expect(rows.map(\.lines) == [["d"], ["a"], ["b"], ["c"], ["e"]])
        #expect(rows.map(\.attributes.frame.minY) == [60, 0, 20, 40, 70])
        #expect(rows.map(\.attributes.alpha) == [0.5, 1, 1, 1, 1])
    }

    @Test func cellsThatAreShownTakeTheSizeOfTheirText() async throws {
        var section = GallerySection("", ["a", "b c", "d"].map { GalleryItem($0) }, itemWidth: 20)
        section.estimate = Size(width: 0, height: 50)
        let layout = ListLayout()
        layout.estimatesHeights = true
        let stage = try await GalleryStage(layout, [section], height: 55)
        let picture = try await stage.updateBySelfSizing()
        #expect(picture.old.elements.map(\.attributes.size.height) == [50, 50, 50])
        #expect(picture.new.elements.map(\.attributes.size.height) == [22, 34, 50])
    }

    @Test func aRecordThatDoesNotFitIsAnError() async throws {
        let stage = try await GalleryStage(makeLayout(), sections)
        await #expect(throws: UpdateError.self) {
            try await stage.update { _, sections in sections[0].items.removeLast() }
        }
    }

    @Test func whatALayoutCouldNotUseIsAnError() async throws {
        let layout = makeLayout()
        layout.rowHeight = .nan
        let stage = try await GalleryStage(layout, sections)
        await #expect(throws: LayoutError.self) { try await stage.picture() }
    }

    @Test func whatAViewCouldNotUseIsAnError() async throws {
        let stage = try await GalleryStage(makeLayout(), sections)
        await stage.scroll(y: .nan)
        await #expect(throws: ViewError.self) { try await stage.picture() }
    }

    @Test(arguments: [(300.0, 2.0), (520, 5), (60, 1)])
    func columnsFillTheRoomAndNoMore(width: Double, columns: Double) async throws {
        let layout = ColumnFlowLayout(leastColumnWidth: 84, rowHeight: 34)
        layout.minimumInteritemSpacing = 8
        let stage = try await GalleryStage(layout, sections, width: width, height: 100) {
            $0.contentInsetAdjustmentBehavior = .always
            $0.safeAreaInsets = EdgeInsets(left: 20)
            $0.layoutMargins = EdgeInsets(left: 12, right: 12)
        }
        let room = width - 44
        let cells = try await stage.picture().elements.map(\.attributes.size.width)
        let used = columns * (cells.first ?? 0) + (columns - 1) * 8
        #expect(used <= room && room - used < columns / 2)
        #expect(cells.count == sections[0].items.count)
    }

    @Test func itScrollsToAnOffsetWithinTheContent() async throws {
        let layout = PagerLayout()
        let pages = try await GalleryStage(layout, sections, width: 100, height: 50)
        for (target, offset) in [(70.0, 70.0), (30, 30), (-5, 0), (1000, 400)] {
            await pages.scroll(x: target)
            #expect(await pages.withView { $0.contentOffset } == Point(x: offset, y: 0))
        }
        let rows = try await GalleryStage(makeLayout(), sections, height: 40)
        for (target, offset) in [(25.0, 25.0), (10, 10), (-5, 0), (1000, 60)] {
            await rows.scroll(y: target)
            #expect(await rows.withView { $0.contentOffset } == Point(x: 0, y: offset))
        }
        await rows.scroll()
        #expect(await rows.withView { $0.contentOffset.y } == 60)
    }

    @Test func theFirstErrorIsThrown() async throws {
        let stage = try await GalleryStage(makeLayout(), sections)
        await stage.scroll(y: .nan)
        await stage.withView { $0.resize(to: Size(width: .nan, height: 1)) }
        let errors = await stage.withView { $0.errors }
        #expect(errors.count == 2 && errors.first != errors.last)
        await #expect(throws: errors[0]) { try await stage.picture() }

        let layout = FlowLayout()
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (.nan, -1)
        let other = try await GalleryStage(layout, [GallerySection("Title", sections[0].items)])
        let faults = await other.withView { $0.collectionViewLayout.errors }
        #expect(faults.count > 1 && faults.first != faults.last)
        await #expect(throws: faults[0]) { try await other.picture() }
    }

    @Test func onlyNamesThatAreNoTextsAreKeys() async throws {
        let items = [GalleryItem("a"), GalleryItem("b", "text")]
        let section = GallerySection("Title", items, footer: "End")
        let stage = try await GalleryStage(ListLayout(), [section])
        let picture = try await stage.picture()
        let keys = Dictionary(
            uniqueKeysWithValues: picture.elements.map { ($0.lines.joined(), $0.key ?? "none") }
        )
        #expect(keys == ["a": "none", "text": "b", "Title": "none", "End": "none"])
    }
}
