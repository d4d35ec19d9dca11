import CollectionChanges
import TestSupport
import Testing

@Suite struct ApplyingToCollectionsTests {
    /// What an update makes of things that know where they were, asked for fresh ones at their new path.
    private func expected(_ update: ValidatedChangeSet) -> [[ItemPath]] {
        AlgebraModel(after: [update]).sections.enumerated().map { section, found in
            found.items.enumerated().map { $1.origin ?? path(-1 - section, $0) }
        }
    }

    private func start(_ shape: HierarchyShape) -> [[ItemPath]] {
        shape.itemCounts.enumerated().map { section, count in (0..<count).map { path(section, $0) }
        }
    }

    @Test func everySmallUpdateDoesToArraysWhatItsRunsDo() throws {
        for update in SmallUpdates.ofTwoEdits.all {
            var arrays = start(update.oldShape)
            try update.apply(to: &arrays) { path(-1 - $0.section, $0.item) }
            #expect(arrays == expected(update))
        }
    }

    @Test func otherCollectionsAreEditedLikeArrays() throws {
        for seed in 0..<Effort.number(300, usually: 30) {
            var random = RandomUpdates(seed: UInt64(seed))
            let update = try random.next(from: random.shape(sections: 5, items: 7))
            var slices = ContiguousArray(
                start(update.oldShape).map { ArraySlice([path(9, 9)] + $0).dropFirst() }
            )
            var asked: [ItemPath] = []
            try update.apply(to: &slices) {
                asked.append($0)
                return path(-1 - $0.section, $0.item)
            }
            #expect(slices.map(Array.init) == expected(update), "seed \(seed)")
            let inSections = update.sectionInsertions.flatMap { edit in
                (0..<update.newShape.itemCounts[edit.section]).map { path(edit.section, $0) }.filter
                {
                    path in
                    edit.role != .move && !update.itemInsertions.contains { $0.path == path }
                }
            }
            let oneByOne = update.itemInsertions.filter { $0.role != .move }.map(\.path)
            #expect(asked == inSections + oneByOne, "seed \(seed)")
        }
    }

    @Test func stringsOfCharactersAreCollectionsToo() throws {
        let update = try HierarchyChangeSet([
            .moveItem(at: path(0, 0), to: path(1, 2), .automatic),
            .insertItems([path(0, 0)], .automatic),
        ]).validated(from: [3, 2], to: [3, 3])
        var words = ["cat", "do"]
        try update.apply(to: &words) { _ in "b" }
        #expect(words == ["bat", "doc"])
    }

    @Test func aCollectionThatCannotBeEditedStaysAsItIs() throws {
        struct Failure: Error {}
        let update = try HierarchyChangeSet([.insertItems([path(0, 0)], .automatic)])
            .validated(from: [1], to: [2])
        var wrong = [[1, 2]]
        #expect(throws: HierarchyUpdateError.self) { try update.apply(to: &wrong) { _ in 0 } }
        #expect(wrong == [[1, 2]])
        var failing = [[1]]
        #expect(throws: Failure.self) { try update.apply(to: &failing) { _ in throw Failure() } }
        #expect(failing == [[1]])
    }
}
