import TestSupport
import Testing

@testable import CollectionLayouts

/// Estimated sizes, and where sizes come from.
@Suite struct FlowLayoutSelfSizingTests {
    private func attributes(_ layout: FlowLayout, _ item: Int) throws -> LayoutAttributes {
        try #require(layout.layoutAttributesForItem(at: ItemPath(section: 0, item: item)))
    }

    private func prefer(_ layout: FlowLayout, _ item: Int, _ size: Size) throws
        -> FlowLayoutInvalidationContext?
    {
        layout.prefer(size, to: try attributes(layout, item)) as? FlowLayoutInvalidationContext
    }

    private func estimating(_ count: Int, _ size: Size) -> (ScriptedHost, FlowLayout) {
        let items = [Size?](repeating: nil, count: count)
        let host = ScriptedHost([ScriptedSection(items: items, line: 0, header: 10)])
        let layout = FlowLayout()
        layout.estimatedItemSize = size
        return (host, host.lay(layout))
    }

    @Test func aPreferredSizeTakesThePlaceOfTheEstimate() throws {
        let (host, layout) = estimating(10, Size(width: 320, height: 50))
        defer { withExtendedLifetime(host) {} }
        #expect(layout.collectionViewContentSize.height == 510)
        let context = try #require(try prefer(layout, 2, Size(width: 320, height: 80)))
        #expect(context.contentSizeAdjustment == Size(width: 0, height: 30))
        #expect(context.contentOffsetAdjustment == .zero)
        #expect(context.invalidatedItemIndexPaths == [ItemPath(section: 0, item: 2)])
        #expect(
            context.invalidatedSupplementaryIndexPaths == [.header: [ItemPath(section: 0, item: 0)]]
        )
        #expect(
            !context.invalidatesFlowLayoutDelegateMetrics
                && !context.invalidatesFlowLayoutAttributes
        )
        #expect(layout.collectionViewContentSize.height == 540)
        #expect(try attributes(layout, 3).frame.minY == 190)
        #expect(try prefer(layout, 2, Size(width: 320, height: 80)) == nil)
    }

    @Test func whatGrowsAboveTheViewportMovesTheOffset() throws {
        let (host, layout) = estimating(10, Size(width: 320, height: 50))
        host.bounds.origin.y = 110
        let above = try #require(try prefer(layout, 1, Size(width: 320, height: 45)))
        #expect(above.contentOffsetAdjustment == Point(x: 0, y: -5))
        let within = try #require(try prefer(layout, 2, Size(width: 320, height: 45)))
        #expect(within.contentOffsetAdjustment == .zero)
    }

    @Test func retainedSizesOutliveInvalidationButNotAReload() throws {
        let (host, layout) = estimating(4, Size(width: 320, height: 50))
        defer { withExtendedLifetime(host) {} }
        _ = try prefer(layout, 0, Size(width: 300, height: 80))
        layout.invalidateLayout()
        layout.prepare()
        #expect(try attributes(layout, 0).size == Size(width: 300, height: 80))
        let context = FlowLayoutInvalidationContext()
        context.invalidatesEverything = true
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(try attributes(layout, 0).size == Size(width: 320, height: 50))
    }

    @Test func anAutomaticEstimateIsTheMeanOfWhatWasMeasured() throws {
        let (host, layout) = estimating(4, FlowLayout.automaticSize)
        defer { withExtendedLifetime(host) {} }
        #expect(try attributes(layout, 3).size == Size(width: 50, height: 50))
        _ = try prefer(layout, 0, Size(width: 100, height: 20))
        _ = try prefer(layout, 1, Size(width: 200, height: 40))
        layout.invalidateLayout()
        layout.prepare()
        #expect(try attributes(layout, 3).size == Size(width: 150, height: 30))
    }

    @Test func anEmptyPreferredSizeIsRefused() throws {
        let (host, layout) = estimating(1, Size(width: 320, height: 50))
        defer { withExtendedLifetime(host) {} }
        #expect(try prefer(layout, 0, .zero) == nil)
        #expect(layout.errors.map(\.code) == [.preferredSize])
        #expect(
            layout.errors[0].message.hasPrefix(
                "UICollectionView Flow Layout received layout attributes with an empty size. This"
                    + " happens when a reusable view has incorrectly configured constraints,"
            )
        )
    }

    @Test func movedItemsKeepTheSizeThatTheyAskedFor() throws {
        let (host, layout) = estimating(4, Size(width: 320, height: 50))
        _ = try prefer(layout, 0, Size(width: 300, height: 80))
        var changes = HierarchyChangeSet()
        changes.moveItem(at: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 3))
        changes.deleteItems(at: [ItemPath(section: 0, item: 1)])
        changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        let update = try changes.validated(from: [4], to: [4])
        host.sections[0].items = Array(repeating: nil, count: 4)
        let context = FlowLayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        let heights = try (0..<4).map { try attributes(layout, $0).size.height }
        #expect(heights == [50, 50, 50, 80])
    }

    @Test func sizesComeFromMetricsThenContextThenLayoutThenPipeline() {
        final class Context: SectionMetricsProviding {
            let sectionMetrics = SectionMetrics(
                itemSize: Size(width: 2, height: 2),
                insets: EdgeInsets(top: 5),
                headerExtent: 3
            )
        }
        let path = ItemPath(section: 0, item: 0)
        let host = ScriptedHost([ScriptedSection(items: [nil])])
        func found(_ layout: FlowLayout = FlowLayout()) -> Size? {
            host.lay(layout).layoutAttributesForItem(at: path)?.size
        }
        #expect(found() == Size(width: 50, height: 50))
        host.measured = [
            .cell(path): Size(width: 4, height: 4), .header(0): Size(width: 9, height: 7),
        ]
        #expect(found() == Size(width: 4, height: 4))
        let own = FlowLayout()
        own.itemSize = Size(width: 3, height: 3)
        #expect(found(own) == Size(width: 3, height: 3))
        #expect(own.collectionViewContentSize.height == 10)
        host.sections[0].context = Context()
        #expect(found(own) == nil || own.collectionViewContentSize.height == 10)
        own.invalidateLayout()
        #expect(found(own) == Size(width: 2, height: 2))
        #expect(own.collectionViewContentSize.height == 10)
        host.sections[0].items = [Size(width: 1, height: 1)]
        own.invalidateLayout()
        #expect(found(own) == Size(width: 1, height: 1))
    }

    @Test func aSubclassMaySetPropertiesWhilePreparing() {
        final class Columns: FlowLayout {
            override func prepare() {
                let width = (host?.bounds.size.width ?? 0) / 2 - minimumInteritemSpacing / 2
                itemSize = Size(width: width, height: 10)
                super.prepare()
            }
        }
        let host = ScriptedHost([ScriptedSection(items: [nil, nil, nil])])
        let layout = host.lay(Columns())
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 30))
        let bounds = Rect(x: 0, y: 0, width: 500, height: 480)
        layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: bounds))
        host.bounds = bounds
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 500, height: 30))
        #expect(host.contexts.count == 1)
    }
}
