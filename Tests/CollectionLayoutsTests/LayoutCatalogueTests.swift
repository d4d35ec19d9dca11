import TestSupport
import Testing

@testable import CollectionLayouts

/// What the test suites of IGListKit, OpenUXKit, MagazineLayout and CollectionView claim of layouts, on
/// every layout here of which it can be said.
@Suite("Catalogue of other frameworks' layout tests")
struct LayoutCatalogueTests {
    // MARK: Lines

    @Test(arguments: LayoutEngine.flows, [ScrollDirection.vertical, .horizontal])
    func headerInsetsLinesAndFooterFollowOneAnother(
        engine: LayoutEngine,
        direction: ScrollDirection
    ) {
        var section = ScriptedSection.uniform(4, 40, 40)
        section.header = 10
        section.footer = 20
        section.inset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        section.line = 5
        section.interitem = 6
        let host = ScriptedHost([section, section], width: 92, height: 92)
        let layout = host.lay(engine.make(direction))
        if direction == .vertical {
            #expect(layout.collectionViewContentSize == Size(width: 92, height: 2 * 119))
            #expect(layout.frame(.header(1)) == Rect(x: 0, y: 119, width: 92, height: 10))
            #expect(
                layout.frames(ofSection: 1).map(\.origin) == [
                    Point(x: 2, y: 130), Point(x: 48, y: 130), Point(x: 2, y: 175),
                    Point(x: 48, y: 175),
                ]
            )
            #expect(layout.frame(.footer(1)) == Rect(x: 0, y: 218, width: 92, height: 20))
        } else {
            #expect(layout.collectionViewContentSize == Size(width: 2 * 121, height: 92))
            #expect(layout.frame(.header(1)) == Rect(x: 121, y: 0, width: 10, height: 92))
            #expect(
                layout.frames(ofSection: 1).map(\.origin) == [
                    Point(x: 133, y: 1), Point(x: 133, y: 49), Point(x: 178, y: 1),
                    Point(x: 178, y: 49),
                ]
            )
            #expect(layout.frame(.footer(1)) == Rect(x: 222, y: 0, width: 20, height: 92))
        }
    }

    @Test(arguments: LayoutEngine.flows, [0.0, 0.5])
    func itemsWithoutOrWithHalfAPointOfSpacingFitOneRow(engine: LayoutEngine, spacing: Double) {
        var section = ScriptedSection.uniform(3, 33, 10)
        section.interitem = spacing
        let host = ScriptedHost([section], width: 99 + 2 * spacing)
        host.displayScale = 2
        let layout = host.lay(engine.make())
        #expect(layout.frames().map(\.minX) == [0, 33 + spacing, 66 + 2 * spacing])
        #expect(layout.collectionViewContentSize.height == 10)
        // Of different heights they are broken one by one.
        host.sections[0].items[1] = Size(width: 33, height: 12)
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.frames().map(\.minX) == [0, 33 + spacing, 66 + 2 * spacing])
    }

    @Test(arguments: LayoutEngine.flows)
    func aHeaderBeginsANewLine(engine: LayoutEngine) {
        let plain = ScriptedSection.uniform(1, 50, 50)
        var headed = plain
        headed.header = 10
        let layout = ScriptedHost([plain, headed]).lay(engine.make())
        // A section does, even without a header.
        #expect(layout.frames(ofSection: 0)[0].minY == 0)
        #expect(layout.frame(.header(1))?.minY == 50)
        #expect(layout.frames(ofSection: 1)[0].minY == 60)
    }

    @Test(arguments: LayoutEngine.flows)
    func aSecondItemOutsideOfTheRectangleHidesNoLaterOne(engine: LayoutEngine) {
        let heights = [100.0, 10, 100, 10, 100]
        let items = heights.map { Size?(Size(width: 50, height: $0)) }
        let host = ScriptedHost([ScriptedSection(items: items)])
        let layout = host.lay(engine.make())
        let found = layout.layoutAttributesForElements(in: Rect(x: 0, y: 0, width: 320, height: 20))
        #expect(found.map(\.indexPath.item) == [0, 2, 4])
    }

    @Test(arguments: LayoutEngine.flows)
    func widthsThatSumUpToTheWidthButForARoundingErrorAreComparedAsTheyAre(engine: LayoutEngine) {
        let third = 320.0 / 3
        var section = ScriptedSection.uniform(3, third, 10)
        section.interitem = 0
        section.line = 0
        let host = ScriptedHost([section])
        let layout = host.lay(engine.make())
        #expect(layout.collectionViewContentSize.height == 10)
        host.sections[0].items[2]?.height = 20
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.collectionViewContentSize.height == 30)
        host.sections[0].items[2]?.width = third - 1e-9
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.collectionViewContentSize.height == 20)
    }

    // MARK: Queries

    @Test(arguments: LayoutEngine.allCases)
    func whatIsOutOfBoundsHasNoAttributes(engine: LayoutEngine) {
        let layout = ScriptedHost([.uniform(2, 320, 50)]).lay(engine.make())
        for path in [
            ItemPath(section: 0, item: 2), ItemPath(section: 0, item: -1),
            ItemPath(section: 1, item: 0), ItemPath(section: -1, item: 0),
            ItemPath(section: .max, item: .max), ItemPath(section: .min, item: .min),
        ] {
            #expect(layout.layoutAttributesForItem(at: path) == nil)
            #expect(layout.layoutAttributesForSupplementaryView(ofKind: .header, at: path) == nil)
            #expect(layout.layoutAttributesForDecorationView(ofKind: .background, at: path) == nil)
        }
    }

    @Test(arguments: LayoutEngine.allCases)
    func aHeaderOrFooterWithoutExtentDoesNotExist(engine: LayoutEngine) {
        var section = ScriptedSection.uniform(2, 320, 50)
        section.header = 0
        section.footer = 0
        let host = ScriptedHost([section])
        let layout = host.lay(engine.make())
        #expect(layout.frame(.header(0)) == nil)
        #expect(layout.frame(.footer(0)) == nil)
        let all = layout.layoutAttributesForElements(in: host.bounds)
        #expect(all.map(\.representedElementCategory) == [.cell, .cell])
    }

    @Test(arguments: LayoutEngine.allCases)
    func aRectangleWithoutMatchIsAnsweredWithNothing(engine: LayoutEngine) {
        let host = ScriptedHost([.uniform(20, 320, 50)])
        let layout = host.lay(engine.make())
        let end = layout.collectionViewContentSize.height
        for y in [-100, end, end + 1e9] {
            let rect = Rect(x: 0, y: y, width: 320, height: 99)
            #expect(layout.layoutAttributesForElements(in: rect).isEmpty)
        }
    }

    @Test(arguments: LayoutEngine.allCases)
    func aRectangleAroundTheContentFindsEverything(engine: LayoutEngine) {
        var section = ScriptedSection.uniform(7, 100, 50)
        section.header = 10
        section.footer = 10
        let layout = ScriptedHost([section, section]).lay(engine.make())
        let all = layout.layoutAttributesForElements(
            in: Rect(origin: .zero, size: layout.collectionViewContentSize)
        )
        #expect(all.count == 18)
        #expect(Set(all.map(\.place)).count == 18)
    }

    @Test(arguments: LayoutEngine.allCases)
    func onlyAnotherSizeInvalidates(engine: LayoutEngine) {
        let host = ScriptedHost([.uniform(20, 320, 50)])
        let layout = host.lay(engine.make())
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: host.bounds))
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: host.bounds.offsetBy(dy: 30)))
        var narrow = host.bounds
        narrow.size.width = 300
        #expect(layout.shouldInvalidateLayout(forBoundsChange: narrow))
    }

    // MARK: Empty sections

    @Test(arguments: LayoutEngine.flows)
    func aSectionWithoutElementsIsAsTallAsItsInsets(engine: LayoutEngine) {
        let insets = [(10.0, 20.0), (0, 5), (7, 0)]
        let sections = insets.map { top, bottom in
            ScriptedSection(inset: EdgeInsets(top: top, left: 99, bottom: bottom, right: 99))
        }
        let layout = ScriptedHost(sections).lay(engine.make())
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 42))
        let all = layout.layoutAttributesForElements(in: Rect(x: 0, y: -9, width: 320, height: 99))
        #expect(all.isEmpty)
    }

    @Test
    func insetsBelowZeroPullTheNextSectionOnlyAsFarAsThereIsAnything() {
        // Here is a difference: elsewhere a section may be less than nothing.
        let sections = [
            ScriptedSection(inset: EdgeInsets(top: 30, bottom: -10)),
            ScriptedSection(inset: EdgeInsets(top: -50, bottom: 20)),
            ScriptedSection.uniform(1, 50, 50),
        ]
        let layout = ScriptedHost(sections).lay(FlowLayout())
        #expect(layout.frame(ofSection: 1) == Rect(x: 0, y: 20, width: 320, height: 0))
        #expect(layout.frame(ofItem: ItemPath(section: 2, item: 0))?.minY == 20)
    }

    @Test
    func anEmptySectionWithHeaderFooterAndBackgroundHasJustTheirFrames() {
        var section = ScriptedSection(inset: EdgeInsets(top: 5, left: 9, bottom: 6, right: 9))
        section.header = 10
        section.footer = 20
        let host = ScriptedHost([section, section])
        let flow = FlowSectionLayout().background(.background)
        let layout = host.lay(ComposedLayout(defaultLayout: flow))
        let all = layout.layoutAttributesForElements(in: Rect(x: 0, y: 41, width: 320, height: 41))
        #expect(all.map(\.place) == [.header(1), .footer(1), .background(1)])
        #expect(
            all.map(\.frame) == [
                Rect(x: 0, y: 41, width: 320, height: 10),
                Rect(x: 0, y: 62, width: 320, height: 20),
                Rect(x: 0, y: 41, width: 320, height: 41),
            ]
        )
    }

    // MARK: Pixels

    @Test(arguments: LayoutEngine.flows, [1.0, 2, 3])
    func originsFallOnPixelsAndSizesAreAsGiven(engine: LayoutEngine, scale: Double) {
        var section = ScriptedSection.uniform(9, 100 / 3, 10.4)
        section.interitem = 0.3
        section.line = 1.26
        let host = ScriptedHost([section], width: 127)
        host.displayScale = scale
        let layout = host.lay(engine.make())
        for (item, frame) in layout.frames().enumerated() {
            let exact = Point(
                x: (100 / 3 + (127 - 100) / 2) * Double(item % 3),
                y: (10.4 + 1.26) * Double(item / 3)
            )
            // The frame is computed back from the middle.
            #expect(abs(frame.minX - (exact.x * scale).rounded() / scale) < 1e-9)
            #expect(abs(frame.minY - (exact.y * scale).rounded() / scale) < 1e-9)
            #expect(frame.size == Size(width: 100 / 3, height: 10.4))
        }
    }

    @Test
    func aComposedFlowIsTheFlowLayout() {
        for seed in 0..<Effort.number(1_000, usually: 250) {
            var random = SeededNumbers(seed: UInt64(seed))
            let scenario = FlowScenario(&random)
            scenario.layout.sectionInsetReference = .fromContentInset
            let flow = scenario.host.lay(scenario.layout)
            let direction = flow.scrollDirection
            let composed = scenario.host.lay(ComposedLayout(scrollDirection: direction))
            #expect(
                flow.collectionViewContentSize == composed.collectionViewContentSize,
                "seed \(seed)"
            )
            #expect(
                Set(flow.layoutAttributesForElements(in: everywhere))
                    == Set(composed.layoutAttributesForElements(in: everywhere)),
                "seed \(seed)"
            )
        }
    }
}
