import CollectionLayouts
import Testing

/// Pinned headers and footers, and what other bounds invalidate.
@Suite struct FlowLayoutPinningTests {
    private let host = ScriptedHost(
        [.uniform(3, 100, 100), .uniform(3, 100, 100)],
        width: 100,
        height: 150
    )
    private let layout = FlowLayout()

    /// Two sections of 350: a header of 20, items of 300, a footer of 30.
    init() {
        for index in host.sections.indices {
            host.sections[index].header = 20
            host.sections[index].footer = 30
        }
        layout.minimumLineSpacing = 0
        _ = host.lay(layout)
    }

    private func scroll(to y: Double) -> (header: [Double?], footer: [Double?]) {
        host.bounds.origin.y = y
        func places(_ kind: SupplementaryKind) -> [Double?] {
            [0, 1].map {
                layout.frame(ofSupplementary: kind, at: ItemPath(section: $0, item: 0))?.minY
            }
        }
        return (places(.header), places(.footer))
    }

    @Test func headersStayAtTheTopUntilTheirSectionEnds() {
        layout.sectionHeadersPinToVisibleBounds = true
        #expect(scroll(to: -10).header == [0, 350])
        #expect(scroll(to: 0).header == [0, 350])
        #expect(scroll(to: 120).header == [120, 350])
        // The footer keeps its place above the section's end.
        #expect(scroll(to: 300).header == [300, 350])
        #expect(scroll(to: 301).header == [300, 350])
        #expect(scroll(to: 400).header == [300, 400])
        #expect(scroll(to: 120).footer == [320, 670])
    }

    @Test func footersStayAtTheBottomUntilTheirSectionBegins() {
        layout.sectionFootersPinToVisibleBounds = true
        #expect(scroll(to: 0).footer == [120, 370])
        #expect(scroll(to: 210).footer == [320, 370])
        #expect(scroll(to: 300).footer == [320, 420])
        #expect(scroll(to: 0).header == [0, 350])
    }

    @Test func theContentInsetIsNoPlaceToStay() {
        layout.sectionHeadersPinToVisibleBounds = true
        host.adjustedContentInset = EdgeInsets(top: 40)
        #expect(scroll(to: 100).header == [140, 350])
    }

    @Test func queriesFindPinnedFramesIfTheirSectionIsInTheRectangle() {
        layout.sectionHeadersPinToVisibleBounds = true
        host.bounds.origin.y = 120
        let all = layout.layoutAttributesForElements(in: host.bounds)
        #expect(all.contains { $0.place == .header(0) && $0.frame.minY == 120 })
        let below = layout.layoutAttributesForElements(
            in: Rect(x: 0, y: 200, width: 100, height: 50)
        )
        #expect(!below.contains { $0.place == .header(0) })
    }

    @Test func scrollingInvalidatesOnlyWhatIsPinned() throws {
        let scrolled = Rect(x: 0, y: 300, width: 100, height: 150)
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: scrolled))
        #expect(
            layout.shouldInvalidateLayout(forBoundsChange: Rect(x: 0, y: 0, width: 99, height: 150))
        )
        #expect(
            layout.shouldInvalidateLayout(
                forBoundsChange: Rect(x: 1, y: 0, width: 100, height: 150)
            )
        )
        #expect(
            !layout.shouldInvalidateLayout(forBoundsChange: Rect(x: 0, y: 0, width: 100, height: 1))
        )
        layout.sectionHeadersPinToVisibleBounds = true
        #expect(layout.shouldInvalidateLayout(forBoundsChange: scrolled))
        let context = try #require(
            layout.invalidationContext(forBoundsChange: scrolled)
                as? FlowLayoutInvalidationContext
        )
        #expect(
            !context.invalidatesFlowLayoutDelegateMetrics
                && !context.invalidatesFlowLayoutAttributes
        )
        #expect(
            context.invalidatedSupplementaryIndexPaths == [
                .header: [ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 0)]
            ]
        )
        #expect(context.invalidatedItemIndexPaths.isEmpty)
        let before = layout.work
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.work.laidOutSections == before.laidOutSections)
    }

    /// Where the inset takes all of the bounds, a pinned header is held behind their end.
    @Test func scrollingInvalidatesWhatIsHeldOutOfSightAndMoves() {
        layout.sectionHeadersPinToVisibleBounds = true
        host.bounds.size.height = 40
        host.adjustedContentInset = EdgeInsets(top: 40)
        #expect(scroll(to: 100).header == [140, 350])
        let scrolled = Rect(x: 0, y: 110, width: 100, height: 40)
        #expect(layout.shouldInvalidateLayout(forBoundsChange: scrolled))
        let context = layout.invalidationContext(forBoundsChange: scrolled)
        #expect(
            context.invalidatedSupplementaryIndexPaths == [.header: [ItemPath(section: 0, item: 0)]]
        )
        // At its section's end it does not move.
        host.adjustedContentInset = .zero
        host.bounds = Rect(x: 0, y: 325, width: 100, height: 10)
        #expect(
            !layout.shouldInvalidateLayout(
                forBoundsChange: Rect(x: 0, y: 330, width: 100, height: 10)
            )
        )
    }

    @Test func anotherWidthKeepsTheSizes() throws {
        let before = layout.work
        let wide = Rect(x: 0, y: 0, width: 330, height: 150)
        let context = layout.invalidationContext(forBoundsChange: wide)
        let flow = try #require(context as? FlowLayoutInvalidationContext)
        #expect(!flow.invalidatesFlowLayoutDelegateMetrics && flow.invalidatesFlowLayoutAttributes)
        layout.invalidateLayout(with: context)
        host.bounds = wide
        layout.prepare()
        #expect(layout.work.askedSizes == before.askedSizes)
        #expect(layout.collectionViewContentSize == Size(width: 330, height: 300))
    }

    @Test func propertiesInvalidateOnlyWhenTheyChange() {
        layout.minimumLineSpacing = 0
        #expect(host.contexts.isEmpty)
        layout.minimumLineSpacing = 5
        #expect(host.contexts.count == 1)
        // No longer prepared: the view knows.
        layout.minimumInteritemSpacing = 5
        #expect(host.contexts.count == 1)
        layout.prepare()
        #expect(layout.collectionViewContentSize.height == 720)
        layout.estimatedItemSize = Size(width: 1, height: 1)
        #expect(host.contexts.last?.invalidatesEverything == true)
    }

    @Test func aPlainInvalidationAsksForEverythingAgain() {
        host.metrics?.isWritingDown = true
        layout.invalidateLayout()
        layout.prepare()
        let section = { (index: Int) in
            ["metrics \(index)"] + (0..<3).map { "size \(index) - \($0)" }
        }
        #expect(host.metrics?.questions == section(0) + section(1))
        layout.prepare()
        #expect(host.metrics?.questions.count == 8)
    }
}
