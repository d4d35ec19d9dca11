import TestSupport
import Testing

@testable import CollectionLayouts

/// An object whose weak references show whether it is still retained.
private final class Token: Sendable {}

/// Makes a new token with every arrangement, and refers weakly to the last one.
private struct TokenLayout: SectionLayout {
    final class Last: @unchecked Sendable {  // one thread
        weak var token: Token?
    }

    struct TokenArrangement: SectionArrangement {
        let token: Token
        var extent: Double { 1 }
        var headerFrame: Rect? { nil }
        var footerFrame: Rect? { nil }
        var itemCount: Int { 0 }
        func frame(ofItem item: Int) -> Rect? { nil }
    }

    let last: Last

    func prepare(_ input: SectionInput) -> any SectionArrangement {
        let token = Token()
        last.token = token
        return TokenArrangement(token: token)
    }
}

/// The lifetimes of objects in layouts, and the guarantees for subclasses.
@Suite("Layouts and their subclasses")
struct LayoutLifeTests {
    private func reload(_ host: ScriptedHost) throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        changes.reloadSections([0])
        return try changes.validated(from: host.shape, to: host.shape)
    }

    // MARK: Lifetimes

    /// The version before an update is available until the update ends, and is then released.
    @Test func theVersionBeforeAnUpdateIsKeptUntilTheUpdateEnds() throws {
        let last = TokenLayout.Last()
        let host = ScriptedHost([.uniform(1, 1, 1)])
        let layout = host.lay(ComposedLayout(defaultLayout: TokenLayout(last: last)))
        weak let before = last.token
        layout.prepare(applying: try reload(host))
        layout.prepare(forCollectionViewUpdates: [])
        #expect(before != nil && last.token !== before)
        layout.finalizeCollectionViewUpdates()
        #expect(before == nil && last.token != nil)
        weak let now = last.token
        host.sections = []
        layout.invalidateLayout()
        layout.prepare()
        #expect(now == nil, "removed sections are released")
    }

    @Test(arguments: [0, 1, 2, 3])
    func aNotedUpdateIsKeptUntilItEnds(_ ending: Int) throws {
        let host = ScriptedHost([.uniform(1, 1, 1)])
        let layout = host.lay(PagerLayout())
        let place = LayoutPlace.cell(ItemPath(0, 0))
        weak var token: Token?
        do {
            let own = Token()
            token = own
            layout.noteUpdate(try reload(host)) { [own] place in
                withExtendedLifetime(own) {}
                return LayoutAttributes(place, frame: .zero)
            }
        }
        #expect(token != nil && layout.layoutAttributesBeforeUpdate(for: place) != nil)
        switch ending {
        case 0: layout.finalizeCollectionViewUpdates()
        case 1: layout.invalidate { $0.invalidatesEverything = true }
        case 2: layout.invalidate { $0.invalidatesDataSourceCounts = true }
        default: layout.noteUpdate(try reload(host))
        }
        #expect(token == nil)
        #expect((layout.layoutAttributesBeforeUpdate(for: place) == nil) == (ending < 3))
    }

    @Test func aLayoutDoesNotRetainItsView() {
        for layout in [FlowLayout(), ListLayout(), ComposedLayout(), PagerLayout()] {
            weak var host: ScriptedHost?
            do {
                let own = ScriptedHost([.uniform(3, 10, 10)])
                host = own
                _ = own.lay(layout)
            }
            layout.prepare()
            #expect(host == nil && layout.host == nil, "\(type(of: layout))")
        }
    }

    // MARK: Subclasses

    /// The defaults of methods that subclasses need not override.
    @Test func aPlainLayoutPlacesNothingAndInvalidatesNothing() {
        let host = ScriptedHost([.uniform(3, 10, 10)])
        let layout = host.lay(CollectionLayout())
        let path = ItemPath(0, 0)
        let places: [LayoutPlace] = [
            .cell(path), .header(0), LayoutPlace(.decoration(.header), path),
        ]
        for place in places {
            let found: [LayoutAttributes?] = [
                layout.layoutAttributes(for: place),
                layout.initialLayoutAttributes(forAppearing: place),
                layout.finalLayoutAttributes(forDisappearing: place),
                layout.layoutAttributesBeforeUpdate(for: place),
            ]
            #expect(found == [nil, nil, nil, nil])
            let paths = layout.indexPathsToInsert(for: place.category)
            #expect(paths + layout.indexPathsToDelete(for: place.category) == [])
            let attributes = LayoutAttributes(place, frame: .zero)
            let isInvalidated = layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: attributes,
                withOriginalAttributes: attributes
            )
            #expect(!isInvalidated)
        }
        #expect(layout.collectionViewContentSize == .zero && layout.everything.isEmpty)
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: everywhere))
        #expect(!layout.invalidationContext(forBoundsChange: everywhere).isPartial)
        // By default a fling ends at the same offset as an update.
        final class Fixed: CollectionLayout {
            override func targetContentOffset(forProposedContentOffset offset: Point) -> Point {
                Point(x: offset.x + 1, y: 0)
            }
        }
        let target = Fixed().targetContentOffset(
            forProposedContentOffset: Point(x: 3, y: 4),
            withScrollingVelocity: Point(x: 3, y: 4)
        )
        #expect(target == Point(x: 4, y: 0))
    }

    /// The size within the insets; an invalid or negative size counts as zero.
    @Test func eachLayoutLimitsElementSizes() {
        let rooms: [(width: Double, room: Double)] = [
            (120, 100), (20, 0), (19, 0), (.infinity, 0), (.nan, 0), (-5, 0),
        ]
        for (width, room) in rooms {
            let host = ScriptedHost([.uniform(3, 10, 10)], width: width, height: 50)
            host.adjustedContentInset = EdgeInsets(top: 1, left: 15, bottom: 2, right: 5)
            let wide = SizeRange(minimum: .zero, maximum: Size(width: room, height: .infinity))
            let tall = SizeRange(minimum: .zero, maximum: Size(width: .infinity, height: 47))
            var row = wide
            row.minimum.width = room
            let page = room > 0 ? Size(width: room, height: 47) : .zero
            let expected: [(CollectionLayout, SizeRange)] = [
                (CollectionLayout(), wide), (FlowLayout(), wide), (ComposedLayout(), wide),
                (LayoutEngine.flow.make(.horizontal), tall),
                (LayoutEngine.composed.make(.horizontal), tall), (ListLayout(), row),
            ]
            for (layout, range) in expected {
                #expect(host.lay(layout).elementSizeRange == range, "\(type(of: layout)) \(width)")
            }
            // If the view has no width, a page of a pager has the view's height or no size.
            let pager = host.lay(PagerLayout()).elementSizeRange
            #expect(pager.minimum == pager.maximum && (room == 0 || pager.minimum == page))
        }
        #expect(FlowLayout().elementSizeRange.maximum.width == 0, "without a view")
    }

    /// A custom animation option in a subclass; the subclass's own attributes take precedence.
    @Test func aSubclassChoosesWhereViewsAppearAndDisappear() throws {
        final class Zooming: ListLayout {
            override func absentLayoutAttributes(
                for attributes: LayoutAttributes,
                animation: AnimationOption
            ) -> LayoutAttributes {
                guard animation.rawValue == 100 else {
                    return super.absentLayoutAttributes(for: attributes, animation: animation)
                }
                var small = attributes
                small.transform = AffineTransform(scaleX: 0.5, y: 0.5)
                return small
            }

            override func initialLayoutAttributes(forAppearing place: LayoutPlace)
                -> LayoutAttributes?
            {
                var own = super.initialLayoutAttributes(forAppearing: place)
                if place.path.item == 3 { own?.alpha = 0.25 }
                return own
            }
        }
        let host = ScriptedHost([.uniform(3, 100, 10)])
        let layout = host.lay(Zooming())
        let zoom = AnimationOption(rawValue: 100)
        try layout.update(host, to: [.uniform(4, 100, 10)]) { changes in
            changes.insertItems(at: [ItemPath(0, 0)], animation: zoom)
            changes.insertItems(at: [ItemPath(0, 1)], animation: .leading)
            changes.deleteItems(at: [ItemPath(0, 1)], animation: zoom)
        }
        func appearing(_ item: Int) -> LayoutAttributes? {
            layout.initialLayoutAttributes(forAppearing: .cell(ItemPath(0, item)))
        }
        let disappearing = layout.finalLayoutAttributes(forDisappearing: .cell(ItemPath(0, 1)))
        let sizes = [appearing(0)?.frame.size, disappearing?.frame.size]
        #expect(sizes == [Size(width: 160, height: 5), Size(width: 160, height: 5)])
        #expect(appearing(1)?.frame.minX == -320 && appearing(0)?.alpha == 1)
        #expect(appearing(3)?.alpha == 0.25 && appearing(3)?.frame.minY == 20, "its old frame")
    }

    /// Views start from the attributes that a subclass shows; views outside the visible bounds
    /// start from those of the layout.
    @Test func viewsStartFromTheAttributesThatASubclassShows() throws {
        final class Faint: FlowLayout {
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                super.layoutAttributesForElements(in: rect).map {
                    var attributes = $0
                    attributes.alpha = 0.5
                    return attributes
                }
            }
        }
        let host = ScriptedHost([.uniform(100, 320, 40)])
        let layout = host.lay(Faint())
        try layout.update(host, to: [.uniform(99, 320, 40)]) {
            $0.deleteItems(at: [ItemPath(0, 0)])
        }
        let found = [0, 50].map {
            layout.initialLayoutAttributes(forAppearing: .cell(ItemPath(0, $0)))
        }
        #expect(found.map { $0?.alpha } == [0.5, 1])
        #expect(found.map { $0?.frame.minY } == [50, 51 * 50])
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
        #expect(host.contexts.count == 1 && layout.errors.isEmpty)
    }

    // MARK: Contexts

    @Test func aContextIsPartialIfItOnlyListsElements() {
        let paths = (0..<4).map { ItemPath($0 / 2, $0 % 2) }
        let context = LayoutInvalidationContext()
        #expect(!context.isPartial)
        context.invalidateItems(at: [])
        #expect(!context.isPartial)
        context.invalidateItems(at: paths[..<2])
        context.invalidateItems(at: paths[1..<3])
        context.invalidateSupplementaryElements(ofKind: .header, at: paths[..<1])
        context.invalidateSupplementaryElements(ofKind: .footer, at: paths[2...])
        context.invalidateSupplementaryElements(ofKind: .header, at: paths[3...])
        context.invalidateDecorationElements(ofKind: .header, at: paths[1...2])
        let expected =
            paths[..<3].map(LayoutPlace.cell)
            + [0, 3].map { LayoutPlace(.supplementary(.header), paths[$0]) }
            + [2, 3].map { LayoutPlace(.supplementary(.footer), paths[$0]) }
            + [1, 2].map { LayoutPlace(.decoration(.header), paths[$0]) }
        #expect(context.places == Set(expected) && context.isPartial)
        context.invalidatesDataSourceCounts = true
        #expect(!context.isPartial)
        (context.invalidatesDataSourceCounts, context.invalidatesEverything) = (false, true)
        #expect(!context.isPartial)
        let single = [ElementCategory.supplementary(.header), .decoration(.header)]
        for category in single {
            let own = ComposedInvalidationContext()
            own.list([LayoutPlace(category, paths[1])])
            #expect(own.isPartial && own.places == [LayoutPlace(category, paths[1])])
        }
    }
}
