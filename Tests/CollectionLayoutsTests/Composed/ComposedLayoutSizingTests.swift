import TestSupport
import Testing

@testable import CollectionLayouts

/// Room behind the last section.
private final class PaddedLayout: ComposedLayout {
    override var collectionViewContentSize: Size {
        Size(
            width: super.collectionViewContentSize.width + 40,
            height: super.collectionViewContentSize.height
        )
    }
}

@Suite("Self-sizing in a composed layout")
struct ComposedLayoutSizingTests {
    private func makeLayout(_ direction: ScrollDirection = .vertical)
        -> (ComposedLayout, SectionTestHost)
    {
        let host = SectionTestHost()
        host.bounds = Rect(x: 0, y: 0, width: 100, height: 100)
        let row = Size(width: 100, height: 100)
        host.sections = (0..<20).map { _ in
            host.makeSection([row, row], SectionMetrics(lineSpacing: 0))
        }
        let layout = ComposedLayout(scrollDirection: direction)
        layout.attach(to: host)
        layout.prepare()
        return (layout, host)
    }

    private func ask(_ layout: ComposedLayout, _ place: LayoutPlace, _ size: Size)
        -> LayoutInvalidationContext?
    {
        layout.layoutAttributes(for: place).flatMap { layout.prefer(size, to: $0) }
    }

    @Test
    func aTallerItemLaysOutItsSectionAndShiftsTheRest() throws {
        let (layout, host) = makeLayout()
        host.bounds.origin.y = 250
        let place = LayoutPlace.cell(ItemPath(section: 1, item: 0))
        let context = try #require(ask(layout, place, Size(width: 100, height: 160)))
        #expect(context.contentSizeAdjustment == Size(width: 0, height: 60))
        #expect(context.contentOffsetAdjustment == .zero)
        #expect(context.invalidatedItemIndexPaths.contains(place.path))
        #expect(context.isPartial)
        #expect(layout.work.laidOutSections == 21)
        #expect(layout.collectionViewContentSize.height == 4_060)
        #expect(
            layout.layoutAttributesForItem(at: ItemPath(section: 2, item: 0))?.frame.minY == 460
        )
        #expect(ask(layout, place, Size(width: 100, height: 160)) == nil)
        #expect(ask(layout, place, Size(width: 100, height: 160.1)) == nil)
    }

    @Test
    func anItemThatEndsAboveTheViewportMovesTheOffset() throws {
        let (layout, host) = makeLayout()
        host.bounds.origin.y = 200
        let path = ItemPath(section: 0, item: 1)
        let context = try #require(ask(layout, .cell(path), Size(width: 100, height: 40)))
        #expect(context.contentOffsetAdjustment == Point(x: 0, y: -60))
        #expect(context.contentSizeAdjustment == Size(width: 0, height: -60))
    }

    @Test
    func fromRightToLeftTheOffsetFollowsWhatGrowsBehindTheViewport() throws {
        let (layout, host) = makeLayout(.horizontal)
        host.isRightToLeft = true
        // The third item from the right is in the viewport.
        host.bounds.origin.x = 4_000 - 300
        let shown = ItemPath(section: 1, item: 0)
        let before = try #require(layout.layoutAttributesForItem(at: shown)).frame.minX
        #expect(before == 3_700)
        var place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        var context = try #require(ask(layout, place, Size(width: 150, height: 100)))
        #expect(context.contentOffsetAdjustment == .zero)
        #expect(layout.layoutAttributesForItem(at: shown)?.frame.minX == before)
        place = .cell(ItemPath(section: 5, item: 0))
        context = try #require(ask(layout, place, Size(width: 150, height: 100)))
        #expect(context.contentOffsetAdjustment == Point(x: 50, y: 0))
        #expect(layout.layoutAttributesForItem(at: shown)?.frame.minX == before + 50)
    }

    @Test
    func fromRightToLeftSectionsBeginWhereTheContentOfASubclassDoes() throws {
        let (other, host) = makeLayout(.horizontal)
        defer { withExtendedLifetime(other) {} }
        host.isRightToLeft = true
        let layout = PaddedLayout(scrollDirection: .horizontal)
        layout.attach(to: host)
        layout.prepare()
        let first = ItemPath(section: 0, item: 0)
        #expect(layout.collectionViewContentSize.width == 4_040)
        #expect(layout.layoutAttributesForItem(at: first)?.frame.maxX == 4_040)
        let atTheEnd = layout.layoutAttributesForElements(
            in: Rect(x: 0, y: 0, width: 39, height: 9)
        )
        #expect(atTheEnd.isEmpty)
        let begins = layout.layoutAttributesForElements(
            in: Rect(x: 4_001, y: 0, width: 39, height: 9)
        )
        #expect(begins.map(\.indexPath) == [first])
        // What was before an update lay within the content of then.
        var changes = HierarchyChangeSet()
        changes.deleteSections([19])
        let counts = Array(repeating: 2, count: 20)
        let update = try changes.validated(
            from: HierarchyShape(counts),
            to: HierarchyShape(Array(counts.dropLast()))
        )
        host.sections.removeLast()
        layout.prepare(applying: update)
        #expect(layout.collectionViewContentSize.width == 3_840)
        #expect(layout.initialLayoutAttributes(forAppearing: .cell(first))?.frame.maxX == 4_040)
        #expect(layout.layoutAttributesForItem(at: first)?.frame.maxX == 3_840)
    }

    @Test
    func aSizeOfWhichOnlyOneExtentIsUsedIsAskedForOnce() {
        let (layout, host) = makeLayout()
        defer { withExtendedLifetime(host) {} }
        layout.layoutProvider = { _, _ in MasonrySectionLayout(columnCount: 2) }
        layout.invalidateLayout()
        layout.prepare()
        let place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        #expect(ask(layout, place, Size(width: 300, height: 70)) != nil)
        #expect(layout.layoutAttributes(for: place)?.size == Size(width: 45, height: 70))
        #expect(ask(layout, place, Size(width: 300, height: 70)) == nil)
    }

    @Test
    func aHeaderPrefersAnExtentToo() {
        let (layout, host) = makeLayout()
        host.sections[0].values.headerExtent = 20
        layout.invalidateLayout()
        layout.prepare()
        #expect(ask(layout, .header(0), Size(width: 100, height: 35)) != nil)
        #expect(layout.layoutAttributes(for: .header(0))?.size.height == 35)
        #expect(layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 0))?.frame.minY == 35)
    }

    @Test
    func whatIsTooWideForOtherBoundsIsForgotten() {
        let (layout, host) = makeLayout()
        let narrow = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        let wide = LayoutPlace.cell(ItemPath(section: 1, item: 0))
        #expect(ask(layout, narrow, Size(width: 60, height: 50)) != nil)
        #expect(ask(layout, wide, Size(width: 80, height: 50)) != nil)
        host.bounds.size.width = 80
        layout.prepare()
        #expect(layout.layoutAttributes(for: narrow)?.size == Size(width: 60, height: 50))
        #expect(layout.layoutAttributes(for: wide)?.size == Size(width: 100, height: 100))
    }

    @Test
    func whatThePipelineMeasuredHoldsWhereMetricsSayNothing() {
        let (layout, host) = makeLayout()
        host.answersSizes = false
        host.measured[.cell(ItemPath(section: 0, item: 1))] = Size(width: 90, height: 30)
        host.measured[.header(0)] = Size(width: 100, height: 15)
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.layoutAttributes(for: .header(0))?.size == Size(width: 100, height: 15))
        let frame = layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 1))?.frame
        #expect(frame == Rect(x: 5, y: 65, width: 90, height: 30))
    }

    /// A view that prefers what it is given is no mistake, even if that is nothing.
    @Test
    func anItemWithoutExtentMayRemainSo() {
        let (layout, host) = makeLayout()
        defer { withExtendedLifetime(host) {} }
        let place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        host.sections[0].items[0].size = .zero
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.layoutAttributes(for: place)?.size == .zero)
        #expect(ask(layout, place, .zero) == nil)
        #expect(layout.errors.isEmpty)
    }

    @Test
    func unusablePreferredSizesAreReportedAndChangeNothing() {
        let (layout, host) = makeLayout()
        defer { withExtendedLifetime(host) {} }
        let place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        for value in [Double.nan, .infinity, -1] {
            #expect(ask(layout, place, Size(width: 100, height: value)) == nil)
        }
        #expect(ask(layout, place, .zero) == nil)
        #expect(layout.errors.map(\.code) == Array(repeating: .preferredSize, count: 4))
        #expect(layout.errors.allSatisfy { $0.place == place })
        #expect(
            layout.errors[2].message
                == "preferredSize of item 0 in section 0: expected a finite size, neither negative "
                + "nor empty, found {100.0, -1.0}; it is ignored"
        )
        #expect(layout.collectionViewContentSize.height == 4_000)
    }
}
