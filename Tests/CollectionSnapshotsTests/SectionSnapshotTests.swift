import CollectionSnapshots
import Testing

/// Outlines.
struct SectionSnapshotTests {
    private func outline() throws -> SectionSnapshot<Int> {
        var outline = try SectionSnapshot([1, 2])
        try outline.append([11, 12], to: 1)
        try outline.append([111], to: 11)
        try outline.insert([15], before: 2)
        try outline.insert([16], after: 1)
        return outline
    }

    @Test func anItemComesBeforeItsChildren() throws {
        let outline = try outline()
        #expect(outline.items == [1, 11, 111, 12, 16, 15, 2])
        #expect(outline.rootItems == [1, 16, 15, 2])
        #expect(outline.items.map { outline.level(of: $0) } == [0, 1, 2, 1, 0, 0, 0])
        #expect(outline.items.map { outline.index(of: $0) } == Array(0..<7))
        #expect(outline.parent(of: 111) == 11)
        #expect(outline.parent(of: 1) == nil)
        #expect(outline.level(of: 9) == nil && outline.index(of: 9) == nil && !outline.contains(9))
    }

    @Test func onlyWhatIsBelowExpandedItemsIsVisible() throws {
        var outline = try outline()
        #expect(outline.visibleItems == outline.rootItems)
        try outline.expand([11])
        #expect(!outline.isVisible(111))
        try outline.expand([1])
        #expect(outline.visibleItems == outline.items)
        #expect(outline.isVisible(111) && outline.isExpanded(11))
        let expanded = outline
        try outline.collapse([1])
        #expect(outline.visibleItems == outline.rootItems)
        #expect(outline.isExpanded(11))
        #expect(outline != expanded && expanded.visibleItems == expanded.items)
    }

    @Test func deletingTakesWhatIsBelowAlong() throws {
        var outline = try outline()
        try outline.delete([11, 9])
        #expect(outline.items == [1, 12, 16, 15, 2])
        #expect(!outline.contains(111))
        try outline.delete([12, 1])
        #expect(outline.items == [16, 15, 2])
        outline.deleteAll()
        #expect(outline.items.isEmpty && outline.count == 0)
    }

    @Test func partsAreOutlinesOfTheirOwn() throws {
        var outline = try outline()
        try outline.expand([11])
        let below = outline.snapshot(of: 1)
        #expect(below.rootItems == [11, 12] && below.items == [11, 111, 12])
        #expect(below.visibleItems == [11, 111, 12])
        #expect(outline.snapshot(of: 1, includingParent: true).items == [1, 11, 111, 12])
        #expect(outline.snapshot(of: 9).items.isEmpty)

        var other = outline
        try other.delete([1])
        try other.insert(outline.snapshot(of: 1, includingParent: true), after: 2)
        #expect(other.items == [16, 15, 2, 1, 11, 111, 12])
        try other.replace(childrenOf: 1, using: outline.snapshot(of: 11))
        #expect(other.items == [16, 15, 2, 1, 111])
        try other.insert(SectionSnapshot([7, 8]), before: 111)
        #expect(other.items == [16, 15, 2, 1, 7, 8, 111])
    }

    @Test func aFaultChangesNothing() throws {
        var outline = try outline()
        let before = outline
        let text =
            "Identifiers in a section snapshot must be unique. Duplicate item identifiers: {("
        for items in [[3, 3], [3, 111]] {
            let error = #expect(throws: SnapshotError.self) { try outline.append(items) }
            #expect(error?.code == .duplicateOutlineItems)
            #expect(error?.message.contains(text) == true)
        }
        for edit in [0, 1, 2, 3, 4] {
            let error = #expect(throws: SnapshotError.self) {
                switch edit {
                case 0: try outline.append([3], to: 9)
                case 1: try outline.insert([3], before: 9)
                case 2: try outline.insert([3], after: 9)
                case 3: try outline.expand([1, 9])
                default: try outline.replace(childrenOf: 9, using: SectionSnapshot())
                }
            }
            #expect(error?.code == .unknownOutlineItem)
        }
        #expect(throws: SnapshotError.self) {
            try outline.replace(childrenOf: 1, using: SectionSnapshot([2]))
        }
        #expect(outline == before)
    }

    @Test func applyingGivesASectionItsVisibleItems() throws {
        var outline = try outline()
        var snapshot = try CollectionSnapshot(["a": [1, 5, 2], "b": [16]])
        try snapshot.apply(outline, toSection: "a")
        #expect(snapshot.itemIdentifiers == [1, 16, 15, 2])
        try outline.expand([1])
        try snapshot.apply(outline, toSection: "a")
        #expect(try snapshot.itemIdentifiers(inSection: "a") == [1, 11, 12, 16, 15, 2])
        try snapshot.apply(SectionSnapshot([7]), toSection: "new")
        #expect(snapshot.sectionIdentifiers == ["a", "b", "new"])
        #expect(try snapshot.itemIdentifiers(inSection: "new") == [7])
    }
}
