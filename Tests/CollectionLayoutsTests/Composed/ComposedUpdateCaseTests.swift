import TestSupport
import Testing

@testable import CollectionLayouts

/// Updates that find a composed layout in every state, counted in sections that are laid out.
@Suite("What a composed layout lays out in an update")
struct ComposedUpdateCaseTests {
    private static let row = Size(width: 100, height: 10)

    private func made(_ count: Int = 4) -> (ComposedLayout, SectionTestHost) {
        let host = SectionTestHost()
        host.sections = (0..<count).map { _ in
            host.makeSection([Self.row, Self.row, Self.row], SectionMetrics(headerExtent: 5))
        }
        return (host.lay(ComposedLayout()), host)
    }

    /// Inserts an item at the front of a section, and deletes the last section.
    private func update(
        _ layout: ComposedLayout,
        _ host: SectionTestHost,
        section: Int = 0
    ) throws {
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(section: section, item: 0)])
        changes.deleteSections([host.sections.count - 1])
        var counts = host.shape.itemCounts
        counts.removeLast()
        counts[section] += 1
        let update = try changes.validated(from: host.shape, to: HierarchyShape(counts))
        host.sections.removeLast()
        host.sections[section].items.insert(host.makeItem(Self.row), at: 0)
        layout.prepare(applying: update)
    }

    private func expectScratch(_ layout: ComposedLayout, _ host: SectionTestHost) {
        let scratch = host.lay(ComposedLayout())
        #expect(layout.collectionViewContentSize == scratch.collectionViewContentSize)
        #expect(
            layout.layoutAttributesForElements(in: everywhere)
                == scratch.layoutAttributesForElements(in: everywhere)
        )
    }

    /// Nobody has told it of the sections that are there.
    @Test(arguments: [1, 3, 4, 6])
    func anUpdateOfOtherSectionsThanItKnowsLaysOutAll(known: Int) throws {
        let (layout, host) = made(known)
        let all = made(4).1.sections
        let prepared = layout.work.laidOutSections
        host.sections = all
        try update(layout, host)
        #expect(layout.work.laidOutSections - prepared == (known == 4 ? 1 : 3))
        expectScratch(layout, host)
        // Where views were is not known then.
        let coming = layout.initialLayoutAttributes(forAppearing: .header(0))
        #expect((coming == nil) == (known != 4))
    }

    @Test func whatIsInvalidAsAWholeIsLaidOutOnce() throws {
        let (layout, host) = made()
        let place = ItemPath(section: 1, item: 0)
        let original = try #require(layout.layoutAttributesForItem(at: place))
        #expect(layout.prefer(Size(width: 50, height: 50), to: original) != nil)
        let prepared = layout.work.laidOutSections
        let everything = ComposedInvalidationContext()
        everything.invalidatesEverything = true
        layout.invalidateLayout(with: everything)
        try update(layout, host)
        #expect(layout.work.laidOutSections - prepared == 3)
        #expect(layout.layoutAttributesForItem(at: place)?.size == Self.row)
        expectScratch(layout, host)
    }

    @Test func whatWasListedIsLaidOutOnceWhereItIsNow() throws {
        let (layout, host) = made()
        let prepared = layout.work.laidOutSections
        let context = ComposedInvalidationContext()
        context.invalidateItems(at: [ItemPath(section: 1, item: 0), ItemPath(section: 3, item: 0)])
        layout.invalidateLayout(with: context)
        layout.invalidateSections([2])
        try update(layout, host)
        #expect(layout.work.laidOutSections - prepared == 3, "0 was touched, 1 and 2 were invalid")
        layout.prepare()
        #expect(layout.work.laidOutSections - prepared == 3)
        expectScratch(layout, host)
    }

    /// While there is no room, updates lay nothing out, and what they lead to is laid out later.
    @Test(arguments: [false, true], [false, true])
    func withoutRoomAnUpdateLaysNothingOut(_ isClosed: Bool, _ closes: Bool) throws {
        let (layout, host) = made()
        let open = host.bounds
        if isClosed {
            host.bounds = .zero
            layout.prepare()
        }
        host.bounds = closes ? .zero : open
        let prepared = layout.work.laidOutSections
        try update(layout, host)
        let done = closes ? 0 : isClosed ? 3 : 1
        #expect(layout.work.laidOutSections - prepared == done)
        #expect(layout.collectionViewContentSize.height == (closes ? 0 : 65))
        host.bounds = open
        layout.prepare()
        #expect(layout.work.laidOutSections - prepared == (closes ? 3 : done))
        expectScratch(layout, host)
    }

    @Test func aReloadOfAllDataBeginsANewListOfErrors() throws {
        let (layout, host) = made()
        let bad = Size(width: -1, height: 1)
        host.sections[0].items[0].size = bad
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errorCount == 1)
        var changes = HierarchyChangeSet()
        changes.reloadData()
        let update = try changes.validated(from: host.shape, to: host.shape)
        layout.prepare(applying: update)
        #expect(layout.errorCount == 1)
        host.sections[0].items[0].size = Self.row
        layout.prepare(applying: update)
        #expect(layout.errorCount == 0)
        expectScratch(layout, host)
    }

    /// The view of a reloaded header has said nothing yet; that of the footer is as it was.
    @Test(arguments: [SupplementaryKind.header, .footer])
    func aReloadedSupplementaryElementPrefersNothingAnyMore(_ kind: SupplementaryKind) throws {
        let (layout, host) = made()
        for section in 0..<4 { host.sections[section].values.footerExtent = 5 }
        layout.invalidateLayout()
        layout.prepare()
        let kinds = [SupplementaryKind.header, .footer]
        func extent(_ kind: SupplementaryKind, _ section: Int) -> Double? {
            let path = ItemPath(section: section, item: 0)
            return layout.layoutAttributesForSupplementaryView(ofKind: kind, at: path)?.size.height
        }
        for (kind, section) in kinds.flatMap({ [($0, 1), ($0, 2)] }) {
            let place = LayoutPlace(.supplementary(kind), ItemPath(section: section, item: 0))
            let original = try #require(layout.layoutAttributes(for: place))
            #expect(layout.prefer(Size(width: 320, height: 30), to: original) != nil)
        }
        var changes = HierarchyChangeSet()
        changes.reloadSupplementaries(ofKind: kind, in: [2])
        layout.prepare(applying: try changes.validated(from: host.shape, to: host.shape))
        for other in kinds {
            #expect(extent(other, 1) == 30)
            #expect(extent(other, 2) == (other == kind ? 5 : 30))
        }
    }

    @Test func touchedSectionsAreAskedAboutInTheirOrder() throws {
        var random = SeededNumbers(seed: 3)
        let host = ScriptedHost((0..<60).map { _ in .uniform(2, 10, 10) })
        let layout = host.lay(ComposedLayout())
        host.metrics?.isWritingDown = true
        let touched = (0..<60).shuffled(using: &random).prefix(20)
        var changes = HierarchyChangeSet()
        for section in touched { changes.insertItems(at: [ItemPath(section: section, item: 1)]) }
        var counts = host.shape.itemCounts
        for section in touched { counts[section] += 1 }
        let update = try changes.validated(from: host.shape, to: HierarchyShape(counts))
        for section in touched { host.sections[section].items.append(Size(width: 1, height: 1)) }
        layout.prepare(applying: update)
        let expected = touched.sorted().flatMap { ["metrics \($0)", "size \($0) - 1"] }
        #expect(host.metrics?.questions == expected)
    }
}

@Suite("Rectangles and reaches of a composed layout that are none")
struct ComposedEdgeTests {
    private func made(_ direction: ScrollDirection = .vertical) -> ComposedLayout {
        let host = SectionTestHost(width: 100, height: 100)
        let size = Size(width: 100, height: 100)
        host.sections = (0..<9).map { _ in host.makeSection([size]) }
        let layout = host.lay(ComposedLayout(scrollDirection: direction))
        // Queries that need no view.
        layout.attach(to: nil)
        return layout
    }

    @Test(arguments: ScrollDirection.allCases)
    func aRectangleThatIsNoneFindsNothing(_ direction: ScrollDirection) {
        let layout = made(direction)
        for (width, height) in [(-10.0, 10.0), (10, -10), (.nan, 10), (10, .nan), (-5, -5)] {
            let rect = Rect(x: 50, y: 50, width: width, height: height)
            #expect(layout.layoutAttributesForElements(in: rect) == [], "\(rect)")
        }
        #expect(
            layout.layoutAttributesForElements(in: Rect(x: .nan, y: 0, width: 9, height: 9)) == []
        )
        let all = Rect(x: -1e308, y: -1e308, width: .infinity, height: .infinity)
        #expect(layout.layoutAttributesForElements(in: all).count == 9)
    }

    /// Moves cells to where the first one is, and says how far that may be.
    private struct Pile: LayoutFeature {
        let reach: Double

        func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
            -> LayoutAttributes
        {
            var piled = attributes
            piled.center.y = 50
            return piled
        }
    }

    @Test func featuresReachAsFarAsTheySayAndNoneTakesAway() {
        let layout = made()
        let rect = Rect(x: 0, y: 10, width: 100, height: 80)
        func found(_ reaches: [Double]) -> Int {
            layout.features = reaches.map(Pile.init)
            return layout.layoutAttributesForElements(in: rect).count
        }
        #expect(found([0]) == 1)
        #expect(found([15]) == 2)
        #expect(found([-500]) == 1 && found([.nan]) == 1 && found([-.infinity]) == 1)
        #expect(found([-500, 15]) == 2 && found([8, 7]) == 2)
        #expect(found([.infinity, .infinity]) == 9 && found([1e300]) == 9)
    }
}
