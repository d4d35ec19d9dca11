import CollectionChanges
import Testing

/// Texts that people read and search for, to the letter.
@Suite struct DescriptionTests {
    @Test func errorIsDescribedWithAllThatIsKnown() {
        var error = HierarchyUpdateError(
            .itemCount,
            "It does not come out",
            oldShape: [1],
            newShape: [2, 0],
            hint: "Look twice"
        )
        error.dataSourceName = "Feed"
        #expect(
            error.description == """
                It does not come out
                Hint: Look twice
                Before: { 1 section with item counts: [1] }
                After: { 2 sections with item counts: [2, 0] }
                Data source: Feed
                [itemCount]
                """
        )
        let bare = HierarchyUpdateError(.itemCount, "It does not come out")
        #expect(bare.description == "It does not come out\n[itemCount]")
        #expect(bare.description(with: ["Then"]) == "It does not come out\nThen\n[itemCount]")
        let long = HierarchyUpdateError(
            .itemCount,
            "Here",
            oldShape: HierarchyShape(Array(repeating: 2, count: 17)),
            newShape: HierarchyShape(Array(repeating: .max, count: 17))
        )
        #expect(
            long.description == """
                Here
                Before: 17 sections with 34 items
                After: 17 sections with too many items
                [itemCount]
                """
        )
    }

    @Test func editIsDescribedWithRoleCounterpartAndFreshItems() {
        let edits: [HierarchyEdit] = [
            .removeItem(ItemEdit(path: path(0, 2), role: .move, associatedWith: path(1, 0))),
            .removeSection(SectionEdit(section: 3, role: .delete)),
            .insertSection(SectionEdit(section: 1, role: .insert, freshItemCount: 5)),
            .insertSection(
                SectionEdit(section: 2, role: .reload, associatedWith: 0, freshItemCount: 1)
            ),
            .insertSection(SectionEdit(section: 4, role: .move, associatedWith: 1)),
            .insertItem(ItemEdit(path: path(0, 7), role: .insert)),
        ]
        #expect(
            edits.map(\.description) == [
                "remove item 0 - 2 (move with 1 - 0)", "remove section 3 (delete)",
                "insert section 1 (insert, 5 fresh)", "insert section 2 (reload with 0, 1 fresh)",
                "insert section 4 (move with 1)", "insert item 0 - 7 (insert)",
            ]
        )
    }

    @Test func shapesAreCutAfterSixteenSections() {
        let counts = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15"
        #expect(
            HierarchyShape(Array(0..<16)).description
                == "{ 16 sections with item counts: [\(counts)] }"
        )
        #expect(
            HierarchyShape(Array(0..<17)).description
                == "{ 17 sections with item counts: [\(counts), … 1 more] }"
        )
    }

    @Test func ofManyPathsTheFirstEightAreListed() {
        let paths = (0..<9).map { ItemPath(section: 0, item: $0) }
        let eight = paths.prefix(8).map { "(\($0))" }.joined(separator: " ")
        let operation = HierarchyChangeSet.Operation.deleteItems(Array(paths.prefix(8)), .none)
        #expect("\(operation)" == "deleteItems at \(eight)")
        let longer = HierarchyChangeSet.Operation.deleteItems(paths, .none)
        #expect("\(longer)" == "deleteItems at \(eight) … 1 more")
    }
}
