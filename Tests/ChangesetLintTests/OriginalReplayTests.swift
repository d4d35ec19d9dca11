import CollectionPipeline
import Testing

@testable import changeset_lint

/// What the original is said to do with reloaded sections and repeated paths.
@Suite struct OriginalReplayTests {
    private static func paths(_ places: (Int, Int)...) -> [ItemPath] {
        places.map { ItemPath(section: $0.0, item: $0.1) }
    }

    /// Every set of numbers below four.
    private static let sets: [Set<Int>] = (0..<16).map { bits in
        Set((0..<4).filter { bits >> $0 & 1 == 1 })
    }

    /// What stays goes to the places that nothing is inserted at.
    @Test func rowsOfAReloadedSectionAreThoseOfOneThatSurvived() {
        for oldCount in 0...3 {
            for newCount in 0...4 {
                for deleted in Self.sets {
                    for inserted in Self.sets {
                        var free = (0..<10).filter { !inserted.contains($0) }[...]
                        let row = (0..<oldCount).map {
                            deleted.contains($0) ? -1 : free.removeFirst()
                        }
                        let isTouched = !deleted.isEmpty || !inserted.isEmpty
                        let reverseRow = (0..<newCount).map { newItem in
                            row.firstIndex(of: newItem)
                                ?? (isTouched || oldCount == 0 ? -1 : newItem)
                        }
                        let rows = PhantomRows(
                            oldCount: oldCount,
                            newCount: newCount,
                            deletedItems: deleted,
                            insertedItems: inserted
                        )
                        #expect(rows.row == row)
                        #expect(rows.reverseRow == reverseRow)
                    }
                }
            }
        }
    }

    @Test func pathsAreCountedAsOftenAsTheyAreRecorded() {
        let (first, second) = (ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1))
        let recorded = RecordedPaths([
            .deleteItems([first, second, first], .none), .deleteItems([first], .none),
            .insertItems([first], .none), .insertItems([second, second], .none),
            .reloadItems([second, second], .none), .reloadItems([second], .none),
            .moveItem(at: second, to: first, .none), .reloadSections([1, 3], .none),
            .reloadSections([2], .none), .deleteSections([7], .none),
        ])
        #expect(recorded.deletes == [first: 3, second: 2])
        #expect(recorded.inserts == [first: 2, second: 2])
        #expect(recorded.reloads == [second: 3])
        #expect(recorded.reloadedSections == [1, 2, 3])
        #expect(recorded.deleteCount(ItemEdit(path: first, role: .delete)) == 3)
        #expect(recorded.deleteCount(ItemEdit(path: second, role: .delete)) == 5)
        let elsewhere = ItemPath(section: 5, item: 5)
        #expect(recorded.deleteCount(ItemEdit(path: elsewhere, role: .delete)) == 0)
        for (path, associatedWith, count) in [
            (first, nil, 2), (first, second, 5), (first, first, 2), (elsewhere, nil, 0),
            (elsewhere, second, 3),
        ] {
            let edit = ItemEdit(path: path, role: .insert, associatedWith: associatedWith)
            #expect(recorded.insertCount(edit) == count)
        }
    }

    // MARK: Duplicates

    private struct Replay: Equatable {
        let asks: [String]
        let map: [[String]]
        var applyError: String?
    }

    /// Of sections with two and one items, of which the first loses its first and the last gets a
    /// new first, with a new section between.
    private static func replay(_ removals: [ItemPath], _ insertions: [ItemPath]) throws -> Replay {
        let changes = HierarchyChangeSet([
            .deleteItems(paths((0, 0)), .none), .insertSections([1], .none),
            .insertItems(paths((2, 0)), .none),
        ])
        let update = try changes.validated(from: [2, 1], to: [1, 2, 2], profile: .texture)
        let replay = DuplicateReplay(update, removals: removals, insertions: insertions)
        return Replay(asks: replay.asks, map: replay.map, applyError: replay.applyError)
    }

    @Test func whatIsNamedTwiceIsRemovedAndInsertedTwice() throws {
        #expect(
            try Self.replay(Self.paths((0, 0), (0, 0)), Self.paths((2, 0), (2, 0)))
                == Replay(
                    asks: ["c1", "b1.0", "b1.1", "b2.0", "b2.0"],
                    map: [[], ["n0", "n1"], ["n3", "n2", "o1.0"]]
                )
        )
    }

    @Test func aPlaceThatIsNotThereIsTheOriginalsFault() throws {
        let none =
            "NSInternalInconsistencyException: Invalid item index 0 – only 0 items in section 0"
        #expect(
            try Self.replay(Self.paths((0, 0), (0, 0), (0, 0)), []).applyError == none
        )
        // Behind the last is the last that there is.
        let last = try Self.replay([], Self.paths((2, 1)))
        #expect(last.map == [["o0.0", "o0.1"], ["n0", "n1"], ["o1.0", "n2"]])
        #expect(last.applyError == nil)
        #expect(try Self.replay([], Self.paths((2, 2))).applyError == "NSRangeException")
    }

    @Test func aSectionThatGoesTakesItsItemsAlong() throws {
        let changes = HierarchyChangeSet([
            .deleteSections([0, 1], .none), .deleteItems(Self.paths((2, 1)), .none),
        ])
        let update = try changes.validated(from: [1, 2, 3], to: [2], profile: .texture)
        let replay = DuplicateReplay(update, removals: Self.paths((2, 1), (2, 1)), insertions: [])
        #expect(replay.map == [["o2.0"]])
        #expect(replay.asks == [])
    }
}
