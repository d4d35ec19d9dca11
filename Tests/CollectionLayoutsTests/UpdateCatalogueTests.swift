import TestSupport
import Testing

@testable import CollectionLayouts

/// What the test suites of MagazineLayout and ChatLayout claim of layouts after updates, on every layout of
/// rows here.
@Suite("Catalogue of other frameworks' update tests")
struct UpdateCatalogueTests {
    /// Rows of full width, without space between them.
    private func rows(_ heights: Double...) -> ScriptedSection {
        ScriptedSection(
            items: heights.map { Size(width: 320, height: $0) },
            line: 0,
            interitem: 0
        )
    }

    private func path(_ section: Int, _ item: Int) -> ItemPath {
        ItemPath(section: section, item: item)
    }

    private func tops(_ layout: CollectionLayout, _ section: Int = 0) -> [Double] {
        layout.frames(ofSection: section).map(\.minY)
    }

    @Test(arguments: LayoutEngine.allCases)
    func insertedItemsShiftWhatComesBehind(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(10, 20), rows(30)])
        let layout = host.lay(engine.make())
        try layout.update(host, to: [rows(1, 10, 2, 20, 3), rows(30)]) {
            // In any order: each names its final place.
            $0.insertItems(at: [path(0, 4), path(0, 0), path(0, 2)])
        }
        #expect(tops(layout) == [0, 1, 11, 13, 33])
        #expect(tops(layout, 1) == [36])
    }

    @Test(arguments: LayoutEngine.allCases)
    func deletedItemsPullUpWhatComesBehind(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(10, 20, 30), rows(5)])
        let layout = host.lay(engine.make())
        try layout.update(host, to: [rows(20), rows(5)]) {
            $0.deleteItems(at: [path(0, 2), path(0, 0)])
        }
        #expect(tops(layout) == [0] && tops(layout, 1) == [20])
        #expect(layout.collectionViewContentSize.height == 25)
    }

    @Test(arguments: LayoutEngine.allCases)
    func aSurvivorOfDeletesAndAnInsertIsBehindWhatCame(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(10, 20, 30)])
        let layout = host.lay(engine.make())
        try layout.update(host, to: [rows(7, 30)]) {
            $0.deleteItems(at: [path(0, 0), path(0, 1)])
            $0.insertItems(at: [path(0, 0)])
        }
        #expect(layout.frames().map(\.size.height) == [7, 30])
    }

    @Test(arguments: LayoutEngine.allCases)
    func aReloadAmongDeletesIsResolvedAndAskedAboutAgain(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(10, 20, 30)])
        let layout = host.lay(engine.make())
        host.metrics?.isWritingDown = true
        try layout.update(host, to: [rows(33)]) {
            $0.deleteItems(at: [path(0, 0), path(0, 1)])
            $0.reloadItems(at: [path(0, 2)])
        }
        #expect(layout.frames() == [Rect(x: 0, y: 0, width: 320, height: 33)])
        let asked = host.metrics?.questions.filter { $0.contains("\(path(0, 0))") }
        #expect(asked?.count == 1)
    }

    @Test(arguments: LayoutEngine.allCases)
    func itemsThatMoveAcrossSectionsTakeTheirSizesAlong(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(1, 2), rows(3, 4), rows(5, 6)])
        let layout = host.lay(engine.make())
        try layout.update(host, to: [rows(), rows(2, 5, 3, 1, 4), rows(6)]) {
            $0.moveItem(at: path(0, 0), to: path(1, 3))
            $0.moveItem(at: path(0, 1), to: path(1, 0))
            $0.moveItem(at: path(2, 0), to: path(1, 1))
        }
        #expect(layout.frames(ofSection: 1).map(\.size.height) == [2, 5, 3, 1, 4])
        #expect(tops(layout, 2) == [15])
    }

    @Test(arguments: LayoutEngine.allCases)
    func movedSectionsChangePlacesWithTheirContent(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(1), rows(2), rows(3, 4)])
        let layout = host.lay(engine.make())
        try layout.update(host, to: [rows(3, 4), rows(1), rows(2)]) {
            $0.moveSection(0, toSection: 1)
            $0.moveSection(2, toSection: 0)
        }
        #expect((0..<3).map { tops(layout, $0) } == [[0, 3], [7], [8]])
    }

    @Test(arguments: LayoutEngine.allCases)
    func insertedAndDeletedSectionsShiftTheOthers(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(1), rows(2)])
        let layout = host.lay(engine.make())
        try layout.update(host, to: [rows(9), rows(2), rows(8)]) {
            $0.deleteSections([0])
            $0.insertSections([2, 0])
        }
        #expect((0..<3).map { tops(layout, $0) } == [[0], [9], [11]])
        try layout.update(host, to: []) { $0.deleteSections([2, 0, 1]) }
        #expect(layout.collectionViewContentSize.height == 0)
        #expect(layout.layoutAttributesForElements(in: everywhere).isEmpty)
    }

    @Test(arguments: LayoutEngine.allCases)
    func aReloadedSectionIsBuiltAgain(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(1, 2, 3), rows(4)])
        let layout = host.lay(engine.make())
        var fresh = rows(7)
        fresh.header = 10
        try layout.update(host, to: [fresh, rows(4)]) { $0.reloadSections([0]) }
        #expect(tops(layout) == [10] && tops(layout, 1) == [17])
        #expect(layout.frame(.header(0))?.size.height == 10)
    }

    @Test(arguments: LayoutEngine.allCases)
    func aDeleteInADeletedSectionIsAbsorbed(engine: LayoutEngine) throws {
        let host = ScriptedHost([rows(1, 2, 3), rows(4)])
        let layout = host.lay(engine.make())
        try layout.update(host, to: [rows(4)]) {
            $0.deleteItems(at: [path(0, 1)])
            $0.deleteSections([0])
        }
        #expect(tops(layout) == [0])
    }

    @Test(arguments: LayoutEngine.allCases)
    func allKindsOfEditsAtOnceLeadWhereOneFromScratchIs(engine: LayoutEngine) throws {
        let host = ScriptedHost([
            rows(1, 2), rows(3, 4), rows(5, 6), rows(7, 8), rows(9, 10), rows(11, 12),
        ])
        let layout = host.lay(engine.make())
        let sections = [
            rows(11, 12), rows(10, 4), rows(0, 1, 2, 3, 4, 5), rows(5, 6), rows(7, 8, 9), rows(50),
        ]
        try layout.update(host, to: sections) {
            $0.reloadSections([3])
            $0.reloadItems(at: [path(4, 0)])
            $0.insertSections([2])
            $0.insertItems(at: [path(2, 5)])
            $0.deleteSections([0])
            $0.deleteItems(at: [path(1, 0)])
            $0.moveSection(5, toSection: 0)
            $0.moveItem(at: path(4, 1), to: path(1, 0))
        }
        let scratch = host.lay(engine.make())
        #expect(
            Set(layout.layoutAttributesForElements(in: everywhere))
                == Set(scratch.layoutAttributesForElements(in: everywhere))
        )
    }

    // MARK: Single sections

    private func composed(_ host: ScriptedHost) -> ComposedLayout {
        host.lay(ComposedLayout(defaultLayout: FlowSectionLayout().background(.background)))
    }

    @Test
    func headersFootersAndBackgroundsAreAddedResizedAndRemoved() {
        let host = ScriptedHost([rows(10), rows(20)])
        let layout = composed(host)
        let steps: [(header: Double?, footer: Double?)] = [
            (5, nil), (5, 7), (9, 7), (9, 1), (nil, 1), (nil, nil),
        ]
        for (header, footer) in steps {
            (host.sections[0].header, host.sections[0].footer) = (header, footer)
            layout.invalidateSections([0])
            layout.prepare()
            #expect(layout.frame(.header(0))?.size.height == header)
            #expect(layout.frame(.footer(0))?.size.height == footer)
            let extent = 10 + (header ?? 0) + (footer ?? 0)
            #expect(layout.frame(.background(0))?.size.height == extent)
            #expect(layout.frames()[0].minY == header ?? 0)
            #expect(layout.frames(ofSection: 1)[0].minY == extent)
        }
    }

    @Test
    func otherMetricsOfASectionMoveItsItemsAndWhatComesBehind() {
        let host = ScriptedHost([rows(10, 10), rows(20)])
        let layout = composed(host)
        host.sections[0].line = 3
        host.sections[0].inset = EdgeInsets(top: 1, bottom: 2)
        layout.invalidateSections([0])
        layout.prepare()
        #expect(tops(layout) == [1, 14] && tops(layout, 1) == [26])
    }

    @Test
    func otherSizesOfItemsBreakTheLinesOfTheirSection() {
        let host = ScriptedHost([rows(10, 10, 10), rows(20)])
        let layout = composed(host)
        // Half as wide, so that two share a line.
        host.sections[0].items = [160, 160, 320].map { Size(width: $0, height: 10) }
        layout.invalidateSections([0])
        layout.prepare()
        #expect(layout.frames().map(\.origin) == [.zero, Point(x: 160, y: 0), Point(x: 0, y: 10)])
        #expect(tops(layout, 1) == [20])
    }
}
