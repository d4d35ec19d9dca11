import PipelineTestSupport
import SimulatedView
import Testing

/// What is shown, and where the layout has what is not.
@Suite("Looking up what is shown")
struct LookUpTests {
    /// Two sections, of which the first has five rows: its header and two rows and a half are visible.
    private func made() throws -> Bench<RowLayout> {
        let bench = try Bench([["a", "b", "c", "d", "e"], ["f"]], RowLayout())
        bench.layout.headerHeight = 5
        bench.load()
        return bench
    }

    private func same(_ some: [CollectionReusableView?], _ other: [CollectionReusableView]) -> Bool
    {
        some.count == other.count && zip(some, other).allSatisfy { $0 === $1 }
    }

    @Test func lookUpsByPathAndByViewAgreeWithWhatIsShownAfterEveryScroll() throws {
        let bench = try made()
        let view = bench.view
        for offset in stride(from: 0.0, through: 40, by: 2.5) {
            view.contentOffset.y = offset
            view.layoutIfNeeded()
            let shown = view.visibleViews.compactMap(\.attributes?.place)
            let items = shown.filter { $0.category == .cell }.map(\.path)
            #expect(view.indexPathsForVisibleItems == items && !items.isEmpty)
            #expect(same(items.map { view.cellForItem(at: $0) }, view.visibleCells))
            #expect(view.visibleCells.map { view.indexPath(for: $0) } == items)
            for kind in [SupplementaryKind.header, .footer] {
                let paths = shown.filter { $0.category == .supplementary(kind) }.map(\.path)
                let found = view.indexPathsForVisibleSupplementaryElements(ofKind: kind)
                #expect(found == paths)
                let views = paths.map { view.supplementaryView(forElementKind: kind, at: $0) }
                #expect(same(views, view.visibleSupplementaryViews(ofKind: kind)))
            }
        }
    }

    @Test func whatIsNotInTheViewportIsNotShown() throws {
        let view = try made().view
        let far = ItemPath(1, 0)
        #expect(view.cellForItem(at: far) == nil)
        #expect(view.supplementaryView(forElementKind: .header, at: far) == nil)
        #expect(view.indexPath(for: CollectionViewCell()) == nil)
        let cell = try #require(view.cellForItem(at: ItemPath(0, 0)))
        view.scroll(by: 1_000)
        view.layoutIfNeeded()
        #expect(view.indexPath(for: cell) != ItemPath(0, 0))
    }

    @Test func theLayoutSaysWhereThingsAreThatAreNotInTheViewport() throws {
        let bench = try made()
        let view = bench.view
        for (section, count) in [5, 1].enumerated() {
            for item in -1...count {
                let path = ItemPath(section, item)
                let expected = bench.layout.layoutAttributesForItem(at: path)
                #expect(view.layoutAttributesForItem(at: path) == expected)
                #expect((expected == nil) == !(0..<count).contains(item))
            }
            let path = ItemPath(section, 0)
            let header = view.layoutAttributesForSupplementaryElement(ofKind: .header, at: path)
            #expect(header?.size.height == 5)
            #expect(view.layoutAttributesForSupplementaryElement(ofKind: .footer, at: path) == nil)
        }
        #expect(view.layoutAttributesForItem(at: ItemPath(2, 0)) == nil)
        #expect(view.layoutAttributesForItem(at: ItemPath(-1, 0)) == nil)
        #expect(view.errors == [])
    }

    @Test func attributesAreThoseOfALayoutThatIsBroughtUpToDate() throws {
        let bench = try made()
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        let last = ItemPath(0, 4)
        #expect(bench.view.layoutAttributesForItem(at: last)?.frame.minY == 85)
    }

    @Test func aLayoutIsNotAskedForWhatIsNotThere() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        #expect(bench.view.layoutAttributesForItem(at: ItemPath(0, 3)) == nil)
        let header = bench.view.layoutAttributesForSupplementaryElement(
            ofKind: .header,
            at: ItemPath(1, 0)
        )
        #expect(header == nil && bench.log == [])
    }
}
