import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("What insets of composed sections are measured from")
struct SectionInsetReferenceTests {
    private func layout(
        _ reference: SectionInsetReference,
        _ direction: ScrollDirection = .vertical,
        isRightToLeft: Bool = false
    ) -> (ComposedLayout, SectionTestHost) {
        let host = SectionTestHost()
        host.isRightToLeft = isRightToLeft
        host.safeAreaInsets = EdgeInsets(top: 10, left: 20, bottom: 30, right: 40)
        host.layoutMargins = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let row = Size(width: 50, height: 50)
        let values = SectionMetrics(
            insets: EdgeInsets(top: 5, left: 6, bottom: 7, right: 8),
            headerExtent: 10
        )
        let rows = Array(repeating: row, count: 30)
        host.sections = (0..<2).map { _ in host.makeSection(rows, values) }
        var flow = FlowSectionLayout()
        flow.insetReference = reference
        let layout = ComposedLayout(scrollDirection: direction, defaultLayout: flow)
        return (host.lay(layout), host)
    }

    /// The leading and trailing edge of the items.
    private func edges(_ layout: ComposedLayout, _ direction: ScrollDirection) -> [Double] {
        let frames = (0..<30).compactMap {
            layout.layoutAttributesForItem(at: ItemPath(section: 1, item: $0))?.frame
        }
        let axis = frames.map { AxisRect($0, direction) }
        return [axis.map(\.across).min() ?? 0, axis.map(\.acrossEnd).max() ?? 0]
    }

    @Test
    func sectionsKeepAwayFromTheReferenceAcross() {
        #expect(edges(layout(.fromContentInset).0, .vertical) == [6, 312])
        #expect(edges(layout(.fromSafeArea).0, .vertical) == [26, 272])
        #expect(edges(layout(.fromLayoutMargins).0, .vertical) == [8, 308])
        #expect(edges(layout(.fromSafeArea, .horizontal).0, .horizontal).first == 15)
    }

    @Test
    func theViewsEdgesAreNotMirrored() {
        let (layout, host) = layout(.fromSafeArea, isRightToLeft: true)
        defer { withExtendedLifetime(host) {} }
        // The section's own insets are: 8 on the left.
        #expect(edges(layout, .vertical) == [28, 274])
    }

    @Test
    func headersAndWhatIsAlongAreAsWithoutReference() {
        let (layout, host) = layout(.fromSafeArea)
        defer { withExtendedLifetime(host) {} }
        #expect(
            layout.layoutAttributes(for: .header(0))?.frame
                == Rect(x: 0, y: 0, width: 320, height: 10)
        )
        let first = layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 0))?.frame
        #expect(first?.minY == 15)
    }

    @Test
    func anotherSafeAreaLaysOutThoseThatAsk() {
        for (reference, count) in [
            (SectionInsetReference.fromSafeArea, 4), (.fromLayoutMargins, 2),
        ] {
            let (layout, host) = layout(reference)
            host.safeAreaInsets.left = 0
            layout.invalidateSections([])
            layout.prepare()
            #expect(layout.work.laidOutSections == count)
        }
    }

    @Test
    func anotherSafeAreaLaysOutAllSectionsDuringAnUpdateToo() throws {
        let (layout, host) = layout(.fromSafeArea)
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        let update = try changes.validated(from: host.shape, to: [29, 30])
        host.sections[0].items.removeFirst()
        host.safeAreaInsets.left = 0
        layout.prepare(applying: update)
        #expect(edges(layout, .vertical).first == 6)
        let updated = layout.layoutAttributesForElements(in: everywhere)
        layout.invalidateLayout()
        layout.prepare()
        #expect(updated == layout.layoutAttributesForElements(in: everywhere))
    }

    @Test
    func columnsKeepAwayFromTheReferenceToo() {
        let (layout, host) = layout(.fromContentInset)
        defer { withExtendedLifetime(host) {} }
        var columns = MasonrySectionLayout(columnCount: 2)
        columns.insetReference = .fromSafeArea
        layout.defaultLayout = columns
        layout.invalidateLayout()
        layout.prepare()
        let first = layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 0))?.frame
        #expect(first == Rect(x: 26, y: 15, width: 118, height: 50))
    }

    @Test
    func insetsThatCannotBeUsedCountAsZero() {
        let (layout, host) = layout(.fromSafeArea)
        host.safeAreaInsets = EdgeInsets(top: .nan, left: -3, bottom: .infinity, right: 1e300)
        layout.invalidateLayout()
        layout.prepare()
        #expect(edges(layout, .vertical) == [6, 312])
        #expect(layout.errors.map(\.code) == Array(repeating: .spacing, count: 8))
    }
}
