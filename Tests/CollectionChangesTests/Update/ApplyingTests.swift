import CollectionChanges
import Testing

@Suite struct ApplyingTests {
    private func update() throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(section: 0, item: 1)])
        changes.insertSections([1])
        return try changes.validated(from: [2, 1], to: [1, 2, 1])
    }

    @Test(arguments: [[[]], [[1, 2]], [[1, 2], [3], [4]]] as [[[Int]]])
    func anotherNumberOfSectionsIsATypedError(_ sections: [[Int]]) throws {
        let update = try update()
        var asked = 0
        let error = #expect(throws: HierarchyUpdateError.self) {
            try update.apply(to: sections) { _ in
                asked += 1
                return 0
            }
        }
        #expect(error?.code == .sectionCount && asked == 0)
        #expect(error?.oldShape == [2, 1] && error?.newShape == [1, 2, 1])
        let found = "the update starts from 2 sections, but \(sections.count) were given"
        #expect(error?.summary == found)
    }

    @Test(arguments: [[[], [1]], [[1], [2]], [[1, 2, 3], [4]], [[1, 2], []]] as [[[Int]]])
    func anotherNumberOfItemsIsATypedError(_ sections: [[Int]]) throws {
        let update = try update()
        let error = #expect(throws: HierarchyUpdateError.self) {
            try update.apply(to: sections) { _ in 0 }
        }
        let section = sections[0].count == 2 ? 1 : 0
        #expect(error?.code == .itemCount && error?.section == section)
        let (expected, found) = ([2, 1][section], sections[section].count)
        let text =
            "the update starts from \(expected) items in section \(section), but \(found) were given"
        #expect(error?.summary == text)
    }

    @Test func whatFreshThrowsComesThrough() throws {
        struct Failure: Error {}
        let update = try update()
        #expect(throws: Failure.self) {
            try update.apply(to: [[1, 2], [3]]) { _ in throw Failure() }
        }
        #expect(try update.apply(to: [[1, 2], [3]]) { _ in 9 } == [[1], [9, 9], [3]])
    }

    @Test func anEditAtAnyPositionIsItOrNil() throws {
        let edits = try update().edits
        for position in [Int.min, -1, edits.endIndex, .max] {
            #expect(edits.element(at: position) == nil)
        }
        for position in edits.indices { #expect(edits.element(at: position) == edits[position]) }
    }
}
