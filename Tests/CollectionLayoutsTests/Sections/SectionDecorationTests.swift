import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("Decorations of sections")
struct SectionDecorationTests {
    private let row = Size(width: 100, height: 40)

    private func layout(
        _ host: SectionTestHost,
        _ sectionLayout: any SectionLayout,
        _ direction: ScrollDirection = .vertical
    ) -> ComposedLayout {
        host.lay(ComposedLayout(scrollDirection: direction, defaultLayout: sectionLayout))
    }

    @Test
    func aBackgroundLiesBehindItsWholeSectionWithinInsets() throws {
        let host = SectionTestHost()
        let values = SectionMetrics(headerExtent: 20, footerExtent: 10)
        host.sections = (0..<2).map { _ in host.makeSection([row, row], values) }
        let insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let layout = layout(host, FlowSectionLayout().background(.background, insets: insets))
        let path = ItemPath(section: 1, item: 0)
        let background = try #require(
            layout.layoutAttributesForDecorationView(ofKind: .background, at: path)
        )
        #expect(background.frame == Rect(x: 2, y: 71, width: 314, height: 66))
        #expect(background.zIndex < 0)
        #expect(layout.layoutAttributes(for: background.place) == background)
        let other = ItemPath(section: 1, item: 1)
        #expect(layout.layoutAttributesForDecorationView(ofKind: .background, at: other) == nil)
        #expect(layout.layoutAttributesForDecorationView(ofKind: .header, at: path) == nil)
        let negative = ItemPath(section: 1, item: -1)
        #expect(layout.layoutAttributesForDecorationView(ofKind: .background, at: negative) == nil)
    }

    @Test
    func aCardIsPutBehindASectionAsDocumented() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([row])]
        let layout = ComposedLayout()
        layout.defaultLayout = FlowSectionLayout().background(
            SupplementaryKind(rawValue: "card"),
            insets: EdgeInsets(left: 8, right: 8)
        )
        let card = LayoutPlace(
            .decoration(SupplementaryKind(rawValue: "card")),
            ItemPath(section: 0, item: 0)
        )
        #expect(host.lay(layout).frame(card) == Rect(x: 8, y: 0, width: 304, height: 40))
    }

    @Test
    func rectanglesFindDecorationsThatReachIntoThem() {
        let host = SectionTestHost()
        host.sections = (0..<2).map { _ in host.makeSection([row]) }
        let insets = EdgeInsets(left: 100)
        let layout = layout(host, FlowSectionLayout().background(.background, insets: insets))
        let right = Rect(x: 250, y: 50, width: 10, height: 10)
        #expect(layout.layoutAttributesForElements(in: right).map(\.place) == [.background(1)])
        let left = Rect(x: 0, y: 50, width: 10, height: 10)
        #expect(layout.layoutAttributesForElements(in: left).isEmpty)
    }

    @Test
    func aSectionWithoutExtentHasNoBackground() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([]), host.makeSection([row])]
        let layout = layout(host, FlowSectionLayout().background(.background))
        #expect(layout.layoutAttributes(for: .background(0)) == nil)
        #expect(layout.layoutAttributes(for: .background(1)) != nil)
    }

    @Test
    func backgroundsBehindOneAnotherAreNumberedFromTheOutside() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([row])]
        let inner = FlowSectionLayout().background(.background, insets: EdgeInsets(left: 9))
        let layout = layout(host, inner.background(.background, zIndex: -2))
        #expect(layout.layoutAttributes(for: .background(0))?.frame.minX == 0)
        #expect(layout.layoutAttributes(for: .background(0))?.zIndex == -2)
        #expect(layout.layoutAttributes(for: .background(0, 1))?.frame.minX == 9)
        #expect(layout.layoutAttributes(for: .background(0, 2)) == nil)
    }

    @Test
    func decorationsAreMirroredWhereContentRunsFromRightToLeft() {
        let host = SectionTestHost()
        host.isRightToLeft = true
        host.sections = (0..<2).map { _ in host.makeSection([row]) }
        let insets = EdgeInsets(left: 30, right: 10)
        let sectionLayout = FlowSectionLayout().background(.background, insets: insets)
        let vertical = layout(host, sectionLayout)
        #expect(
            vertical.layoutAttributes(for: .background(0))?.frame
                == Rect(x: 10, y: 0, width: 280, height: 40)
        )
        let horizontal = layout(host, sectionLayout, .horizontal)
        #expect(
            horizontal.layoutAttributes(for: .background(1))?.frame
                == Rect(x: 10, y: 0, width: 60, height: 480)
        )
    }

    @Test
    func featuresSeeDecorations() {
        struct Shade: LayoutFeature {
            func followsContentOffset(_ category: ElementCategory) -> Bool {
                category == .decoration(.background)
            }
            func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
                -> LayoutAttributes
            {
                guard followsContentOffset(attributes.representedElementCategory) else {
                    return attributes
                }
                var shaded = attributes
                shaded.alpha = surroundings.contentOffset.y == 0 ? 1 : 0.5
                return shaded
            }
        }
        let host = SectionTestHost()
        host.sections = (0..<3).map { _ in host.makeSection([row]) }
        let layout = layout(host, FlowSectionLayout().background(.background))
        layout.features = [Shade()]
        let bounds = Rect(x: 0, y: 10, width: 320, height: 60)
        host.bounds = Rect(x: 0, y: 0, width: 320, height: 60)
        #expect(layout.shouldInvalidateLayout(forBoundsChange: bounds))
        let context = layout.invalidationContext(forBoundsChange: bounds)
        #expect(
            context.invalidatedDecorationIndexPaths
                == [.background: [ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 0)]]
        )
        #expect(
            context.invalidatedItemIndexPaths.isEmpty
                && context.invalidatedSupplementaryIndexPaths.isEmpty
        )
        host.bounds = bounds
        #expect(layout.layoutAttributes(for: .background(0))?.alpha == 0.5)
    }

    @Test
    func aListedDecorationLaysOutItsSectionAlone() {
        let host = SectionTestHost()
        host.sections = (0..<9).map { _ in host.makeSection([row]) }
        let layout = layout(host, FlowSectionLayout().background(.background))
        let context = LayoutInvalidationContext()
        context.invalidateDecorationElements(
            ofKind: .background,
            at: [ItemPath(section: 4, item: 0)]
        )
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.work.laidOutSections == 10)
    }

    @Test
    func aDecorationCannotPreferASize() throws {
        let host = SectionTestHost()
        host.sections = [host.makeSection([row])]
        let layout = layout(host, FlowSectionLayout().background(.background))
        let original = try #require(layout.layoutAttributes(for: .background(0)))
        var preferred = original
        preferred.size.height = 90
        #expect(
            !layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        )
    }

    @Test
    func insetsOfABackgroundThatCannotBeUsedCountAsZero() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([row])]
        let insets = EdgeInsets(top: .nan, left: -5, bottom: .infinity, right: 1e300)
        let layout = layout(host, FlowSectionLayout().background(.background, insets: insets))
        #expect(
            layout.layoutAttributes(for: .background(0))?.frame
                == Rect(x: 0, y: 0, width: 320, height: 40)
        )
        #expect(layout.errors.map(\.code) == Array(repeating: .spacing, count: 4))
    }

    @Test
    func decorationsThatAreNowhereAreNotBelieved() {
        struct Nowhere: SectionLayout, SectionArrangement {
            func prepare(_ input: SectionInput) -> any SectionArrangement { self }
            var extent: Double { 10 }
            var headerFrame: Rect? { nil }
            var footerFrame: Rect? { nil }
            var itemCount: Int { 0 }
            func frame(ofItem item: Int) -> Rect? { nil }
            var decorations: [SectionDecoration] {
                let frame = Rect(x: .nan, y: -.infinity, width: -1, height: 1e300)
                return [SectionDecoration(.background, frame: frame, zIndex: .max)]
            }
        }
        let host = SectionTestHost()
        host.sections = [host.makeSection([])]
        let layout = layout(host, Nowhere())
        #expect(layout.layoutAttributes(for: .background(0))?.frame == .zero)
        #expect(layout.layoutAttributes(for: .background(0))?.zIndex == .max)
    }
}
