import TestSupport
import Testing

@testable import CollectionLayouts

/// Counts itself as long as somebody has it.
private final class Token: Sendable {}

/// An arrangement of nothing that holds a token.
private struct Held: SectionArrangement {
    let token: Token
    var extent: Double { 1 }
    var headerFrame: Rect? { nil }
    var footerFrame: Rect? { nil }
    var itemCount: Int { 0 }
    func frame(ofItem item: Int) -> Rect? { nil }
}

/// Makes a new token with every arrangement, and knows the last.
private struct Holding: SectionLayout {
    final class Last: @unchecked Sendable {  // one thread
        weak var token: Token?
    }

    let last: Last

    func prepare(_ input: SectionInput) -> any SectionArrangement {
        let token = Token()
        last.token = token
        return Held(token: token)
    }
}

@Suite("What layouts keep, and how long")
struct LayoutLifeTests {
    private func update(_ host: ScriptedHost) throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        changes.reloadSections([0])
        return try changes.validated(from: host.shape, to: host.shape)
    }

    /// What was before the update is asked about until it is over, and gone then.
    @Test func theVersionBeforeAnUpdateIsKeptUntilItIsOver() throws {
        let last = Holding.Last()
        let host = ScriptedHost([.uniform(1, 1, 1)])
        let layout = host.lay(ComposedLayout(defaultLayout: Holding(last: last)))
        weak let before = last.token
        #expect(before != nil)
        layout.prepare(applying: try update(host))
        #expect(before != nil && last.token !== before)
        layout.prepare(forCollectionViewUpdates: [])
        #expect(before != nil)
        layout.finalizeCollectionViewUpdates()
        #expect(before == nil && last.token != nil)
        weak let now = last.token
        host.sections = []
        layout.invalidateLayout()
        layout.prepare()
        #expect(now == nil, "nothing is kept of what is gone")
    }

    @Test(arguments: [0, 1, 2])
    func whatIsNotedOfAnUpdateIsKeptUntilItIsOver(_ ending: Int) throws {
        let host = ScriptedHost([.uniform(1, 1, 1)])
        let layout = host.lay(PagerLayout())
        let place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        weak var token: Token?
        do {
            let own = Token()
            token = own
            layout.noteUpdate(try update(host)) { [own] place in
                withExtendedLifetime(own) {}
                return LayoutAttributes(place, frame: .zero)
            }
        }
        #expect(token != nil && layout.layoutAttributesBeforeUpdate(for: place) != nil)
        switch ending {
        case 0: layout.finalizeCollectionViewUpdates()
        case 1:
            let context = LayoutInvalidationContext()
            context.invalidatesEverything = true
            layout.invalidateLayout(with: context)
        default: layout.noteUpdate(try update(host))
        }
        #expect(token == nil)
        if ending < 2 { #expect(layout.layoutAttributesBeforeUpdate(for: place) == nil) }
    }

    @Test func aLayoutDoesNotKeepItsView() {
        let layouts = [FlowLayout(), ListLayout(), ComposedLayout(), PagerLayout()]
        for layout in layouts {
            weak var host: ScriptedHost?
            do {
                let own = ScriptedHost([.uniform(3, 10, 10)])
                host = own
                _ = own.lay(layout)
            }
            #expect(host == nil && layout.host == nil, "\(type(of: layout))")
        }
    }

    /// What a subclass need not override.
    @Test func aPlainLayoutPlacesNothingAndInvalidatesNothing() {
        let host = ScriptedHost([.uniform(3, 10, 10)], width: 120, height: 50)
        host.adjustedContentInset = EdgeInsets(left: 15, right: 5)
        let layout = host.lay(CollectionLayout())
        let path = ItemPath(section: 0, item: 0)
        #expect(layout.collectionViewContentSize == .zero)
        #expect(layout.layoutAttributesForElements(in: everywhere) == [])
        for place in [
            .cell(path), .header(0), LayoutPlace(.decoration(.header), path),
        ] as [LayoutPlace] {
            #expect(layout.layoutAttributes(for: place) == nil)
            #expect(layout.initialLayoutAttributes(forAppearing: place) == nil)
            #expect(layout.finalLayoutAttributes(forDisappearing: place) == nil)
            #expect(layout.layoutAttributesBeforeUpdate(for: place) == nil)
            #expect(layout.indexPathsToInsert(for: place.category) == [])
            #expect(layout.indexPathsToDelete(for: place.category) == [])
            let attributes = LayoutAttributes(place, frame: .zero)
            #expect(
                !layout.shouldInvalidateLayout(
                    forPreferredLayoutAttributes: attributes,
                    withOriginalAttributes: attributes
                )
            )
        }
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: everywhere))
        #expect(!layout.invalidationContext(forBoundsChange: everywhere).isPartial)
        let range = layout.elementSizeRange
        #expect(range.minimum == .zero)
        #expect(range.maximum == Size(width: 100, height: .infinity))
        let point = Point(x: 3, y: 4)
        #expect(layout.targetContentOffset(forProposedContentOffset: point) == point)
        // A fling ends where an update would, unless a subclass says otherwise.
        final class Fixed: CollectionLayout {
            override func targetContentOffset(forProposedContentOffset offset: Point) -> Point {
                .zero
            }
        }
        #expect(
            Fixed().targetContentOffset(
                forProposedContentOffset: point,
                withScrollingVelocity: point
            ) == .zero
        )
    }

    @Test func eachLayoutSaysHowLargeElementsMayBe() {
        let host = ScriptedHost([.uniform(3, 10, 10)], width: 120, height: 50)
        host.adjustedContentInset = EdgeInsets(top: 1, left: 15, bottom: 2, right: 5)
        func range(_ layout: CollectionLayout) -> [Size] {
            let range = host.lay(layout).elementSizeRange
            return [range.minimum, range.maximum]
        }
        let vertical = [Size.zero, Size(width: 100, height: .infinity)]
        let horizontal = [Size.zero, Size(width: .infinity, height: 47)]
        let flow = FlowLayout()
        #expect(range(flow) == vertical && range(ComposedLayout()) == vertical)
        flow.scrollDirection = .horizontal
        #expect(range(flow) == horizontal)
        #expect(range(ComposedLayout(scrollDirection: .horizontal)) == horizontal)
        #expect(
            range(ListLayout()) == [
                Size(width: 100, height: 0), Size(width: 100, height: .infinity),
            ]
        )
        #expect(range(PagerLayout()) == Array(repeating: Size(width: 100, height: 47), count: 2))
        #expect(CollectionLayout().elementSizeRange.maximum.width == 0, "without a view")
    }

    @Test func aContextIsPartialWhereOnlyListsAreFilled() {
        let path = ItemPath(section: 0, item: 0)
        func context(_ change: (LayoutInvalidationContext) -> Void) -> Bool {
            let context = LayoutInvalidationContext()
            change(context)
            return context.isPartial
        }
        #expect(!context { _ in })
        #expect(context { $0.invalidateItems(at: [path]) })
        #expect(context { $0.invalidateSupplementaryElements(ofKind: .header, at: [path]) })
        #expect(context { $0.invalidateDecorationElements(ofKind: .header, at: [path]) })
        #expect(!context { $0.invalidateItems(at: []) })
        #expect(
            !context {
                $0.invalidateItems(at: [path])
                $0.invalidatesEverything = true
            }
        )
        #expect(
            !context {
                $0.invalidateItems(at: [path])
                $0.invalidatesDataSourceCounts = true
            }
        )
    }
}
