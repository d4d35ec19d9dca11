import CollectionChanges
import CollectionSnapshots
import Testing

// The catalogue of tests that open implementations of diffable data sources have, name by name: DiffableDataSources
// (each also with a duplicate) and GNUstep. What they test of applying belongs to the pipeline.

/// Edits of snapshots, one of each, with and without duplicates.
struct SnapshotCatalogueTests {
    private func content(_ snapshot: Snapshot) -> [String] {
        snapshot.sectionIdentifiers.map { section in
            let items = (try? snapshot.itemIdentifiers(inSection: section)) ?? []
            return section + items.map { " \($0)" }.joined()
        }
    }

    /// What is there after an edit, or the code of the fault, which must have changed nothing.
    private func after(
        _ snapshot: Snapshot,
        _ edit: (inout Snapshot) throws -> Void
    ) -> [String] {
        var copy = snapshot
        do {
            try edit(&copy)
        } catch {
            #expect(copy == snapshot)
            return [(error as? SnapshotError)?.code.rawValue ?? "\(error)"]
        }
        return content(copy)
    }

    private func snapshot() throws -> Snapshot {
        try Snapshot(["a": [1, 2], "b": [3, 4], "c": []])
    }

    // MARK: Sections

    @Test func appendSectionsAddsThemAtTheEnd() throws {
        #expect(
            after(try snapshot()) { s in try s.appendSections(["d", "e"]) }
                == ["a 1 2", "b 3 4", "c", "d", "e"]
        )
    }

    @Test func appendSectionsWithDuplicationIsAnError() throws {
        #expect(
            after(try snapshot()) { s in try s.appendSections(["d", "a"]) }
                == ["existingSections"]
        )
        #expect(
            after(try snapshot()) { s in try s.appendSections(["d", "d"]) }
                == ["duplicateSections"]
        )
    }

    @Test func insertSectionsBeforeAndAfterKeepsTheirOrder() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in
                try s.insertSections(["d", "e"], beforeSection: "b")
            } == ["a 1 2", "d", "e", "b 3 4", "c"]
        )
        #expect(
            after(snapshot) { s in
                try s.insertSections(["d", "e"], afterSection: "b")
            } == ["a 1 2", "b 3 4", "d", "e", "c"]
        )
    }

    @Test func insertSectionsBeforeAndAfterWithDuplicationIsAnError() throws {
        let snapshot = try snapshot()
        for (sections, anchor, code) in [
            (["d", "c"], "b", "existingSections"), (["d", "d"], "b", "duplicateSections"),
            (["d"], "d", "destinationAmongSections"), (["d"], "e", "unknownSectionAnchor"),
        ] {
            #expect(
                after(snapshot) { s in
                    try s.insertSections(sections, beforeSection: anchor)
                } == [code]
            )
            #expect(
                after(snapshot) { s in
                    try s.insertSections(sections, afterSection: anchor)
                } == [code]
            )
        }
    }

    @Test func deleteSectionsTakesTheirItemsAlongAndIgnoresUnknownOnes() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in try s.deleteSections(["c", "z", "a"]) }
                == ["b 3 4"]
        )
        var rest = snapshot
        try rest.deleteSections(["a"])
        #expect(!rest.containsItem(1) && rest.numberOfItems == 2)
        #expect(
            after(snapshot) { s in try s.deleteSections(["a", "a"]) }
                == ["duplicateSections"]
        )
    }

    @Test func moveSectionBeforeAndAfterTakesItsItemsAlong() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in
                try s.moveSection("c", beforeSection: "a")
            } == ["c", "a 1 2", "b 3 4"]
        )
        #expect(
            after(snapshot) { s in
                try s.moveSection("a", afterSection: "b")
            } == ["b 3 4", "a 1 2", "c"]
        )
    }

    @Test func moveSectionOntoItselfOrOfUnknownOnesIsAnError() throws {
        let snapshot = try snapshot()
        for (section, target, code) in [
            ("a", "a", "sectionMovedToItself"), ("z", "a", "unknownMovedSection"),
            ("a", "z", "unknownSectionMoveTarget"),
        ] {
            #expect(
                after(snapshot) { s in
                    try s.moveSection(section, beforeSection: target)
                } == [code]
            )
            #expect(
                after(snapshot) { s in
                    try s.moveSection(section, afterSection: target)
                } == [code]
            )
        }
    }

    @Test func reloadSectionsListsThemOnce() throws {
        var snapshot = try snapshot()
        try snapshot.reloadSections(["b"])
        try snapshot.reloadSections(["a", "b"])
        #expect(snapshot.reloadedSectionIdentifiers == ["b", "a"])
        #expect(throws: SnapshotError.self) { try snapshot.reloadSections(["c", "c"]) }
        #expect(throws: SnapshotError.self) { try snapshot.reloadSections(["c", "z"]) }
        #expect(snapshot.reloadedSectionIdentifiers == ["b", "a"])
    }

    // MARK: Items

    @Test func appendItemsGoesToTheLastSection() throws {
        #expect(
            after(try snapshot()) { s in try s.appendItems([5, 6]) }
                == ["a 1 2", "b 3 4", "c 5 6"]
        )
    }

    @Test func appendItemsToSectionGoesToItsEnd() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in try s.appendItems([5], toSection: "a") }
                == ["a 1 2 5", "b 3 4", "c"]
        )
        #expect(
            after(snapshot) { s in try s.appendItems([5], toSection: "z") }
                == ["unknownDestination"]
        )
        #expect(
            after(Snapshot()) { s in try s.appendItems([5]) } == [
                "noSections"
            ]
        )
    }

    @Test func appendItemsWithDuplicationMovesThemThere() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in try s.appendItems([5, 1, 3]) }
                == ["a 2", "b 4", "c 5 1 3"]
        )
        #expect(
            after(snapshot) { s in try s.appendItems([1], toSection: "a") }
                == ["a 2 1", "b 3 4", "c"]
        )
        #expect(
            after(snapshot) { s in try s.appendItems([5, 5]) }
                == ["duplicateItems"]
        )
    }

    @Test func insertItemsBeforeAndAfterKeepsTheirOrder() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in
                try s.insertItems([5, 6], beforeItem: 2)
            } == ["a 1 5 6 2", "b 3 4", "c"]
        )
        #expect(
            after(snapshot) { s in try s.insertItems([5, 6], afterItem: 3) }
                == ["a 1 2", "b 3 5 6 4", "c"]
        )
    }

    @Test func insertItemsBeforeAndAfterWithDuplicationMovesThemThere() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in
                try s.insertItems([4, 1], beforeItem: 2)
            } == ["a 4 1 2", "b 3", "c"]
        )
        #expect(
            after(snapshot) { s in try s.insertItems([1, 2], afterItem: 4) }
                == ["a", "b 3 4 1 2", "c"]
        )
        for (items, anchor, code) in [
            ([5, 5], 1, "duplicateItems"), ([5, 1], 1, "destinationAmongItems"),
            ([5], 9, "unknownDestination"),
        ] {
            #expect(
                after(snapshot) { s in
                    try s.insertItems(items, beforeItem: anchor)
                } == [code]
            )
            #expect(
                after(snapshot) { s in
                    try s.insertItems(items, afterItem: anchor)
                } == [code]
            )
        }
    }

    @Test func deleteItemsIgnoresUnknownOnes() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in try s.deleteItems([4, 9, 1]) }
                == ["a 2", "b 3", "c"]
        )
        #expect(
            after(snapshot) { s in try s.deleteItems([9, 9]) }
                == ["duplicateItems"]
        )
    }

    @Test func deleteAllItemsRemovesTheSectionsToo() throws {
        #expect(after(try snapshot()) { s in s.deleteAllItems() } == [])
    }

    @Test func moveItemBeforeAndAfterAlsoMovesAcrossSections() throws {
        let snapshot = try snapshot()
        #expect(
            after(snapshot) { s in try s.moveItem(4, beforeItem: 1) }
                == ["a 4 1 2", "b 3", "c"]
        )
        #expect(
            after(snapshot) { s in try s.moveItem(1, afterItem: 2) }
                == ["a 2 1", "b 3 4", "c"]
        )
    }

    @Test func moveItemOntoItselfOrOfUnknownOnesIsAnError() throws {
        let snapshot = try snapshot()
        for (item, target, code) in [
            (1, 1, "itemMovedToItself"), (9, 1, "unknownMovedItem"), (1, 9, "unknownMoveTarget"),
        ] {
            #expect(
                after(snapshot) { s in
                    try s.moveItem(item, beforeItem: target)
                } == [code]
            )
            #expect(
                after(snapshot) { s in
                    try s.moveItem(item, afterItem: target)
                } == [code]
            )
        }
    }

    @Test func reloadItemsListsThemOnceAndOutranksReconfiguring() throws {
        var snapshot = try snapshot()
        try snapshot.reconfigureItems([2, 1])
        try snapshot.reloadItems([3, 2])
        try snapshot.reloadItems([2])
        try snapshot.reconfigureItems([2, 4])
        #expect(snapshot.reloadedItemIdentifiers == [3, 2])
        #expect(snapshot.reconfiguredItemIdentifiers == [1, 4])
        #expect(throws: SnapshotError.self) { try snapshot.reloadItems([1, 1]) }
        #expect(throws: SnapshotError.self) { try snapshot.reloadItems([9]) }
        #expect(throws: SnapshotError.self) { try snapshot.reconfigureItems([9]) }
        #expect(snapshot == (try self.snapshot()))
    }

    // MARK: Questions

    @Test func numberOfItemsAndSectionsAreThose() throws {
        let snapshot = try snapshot()
        #expect(snapshot.numberOfSections == 3 && snapshot.numberOfItems == 4)
        #expect(try snapshot.numberOfItems(inSection: "b") == 2)
        #expect(throws: SnapshotError.self) { try snapshot.numberOfItems(inSection: "z") }
    }

    @Test func sectionAndItemIdentifiersAreInOrder() throws {
        let snapshot = try snapshot()
        #expect(snapshot.sectionIdentifiers == ["a", "b", "c"])
        #expect(snapshot.itemIdentifiers == [1, 2, 3, 4])
        #expect(try snapshot.itemIdentifiers(inSection: "b") == [3, 4])
        #expect(throws: SnapshotError.self) { try snapshot.itemIdentifiers(inSection: "z") }
    }

    @Test func indexOfItemAndSectionIsNilForUnknownOnes() throws {
        let snapshot = try snapshot()
        #expect([1, 4, 9].map { snapshot.indexOfItem($0) } == [0, 3, nil])
        #expect(["a", "c", "z"].map { snapshot.indexOfSection($0) } == [0, 2, nil])
    }

    @Test func sectionIdentifierContainingItemIsNilForUnknownOnes() throws {
        let snapshot = try snapshot()
        #expect(
            [1, 4, 9].map { snapshot.sectionIdentifier(containingItem: $0) } == ["a", "b", nil]
        )
    }

    @Test func itemIdentifierForAPathOutOfRangeIsNil() throws {
        let snapshot = try snapshot()
        let paths = [
            ItemPath(section: 1, item: 1), ItemPath(section: 1, item: 2),
            ItemPath(section: 2, item: 0), ItemPath(section: 3, item: 0),
            ItemPath(section: 0, item: -1), ItemPath(section: -1, item: 0),
        ]
        #expect(paths.map { snapshot.itemIdentifier(at: $0) } == [4, nil, nil, nil, nil, nil])
        #expect([-1, 3, 4].map { snapshot.itemIdentifier(at: $0) } == [nil, 4, nil])
        #expect([-1, 2, 3].map { snapshot.sectionIdentifier(at: $0) } == [nil, "c", nil])
    }

    @Test func indexPathForAnUnknownItemIsNil() throws {
        #expect(try snapshot().path(of: 9) == nil)
        #expect(try snapshot().path(of: 4) == ItemPath(section: 1, item: 1))
    }

    // MARK: Copies

    @Test func copiesOfASnapshotAreIndependent() throws {
        let original = try snapshot()
        var copy = original
        try copy.moveItem(1, afterItem: 4)
        try copy.deleteSections(["c"])
        #expect(content(original) == ["a 1 2", "b 3 4", "c"])
        #expect(content(copy) == ["a 2", "b 3 4 1"])
    }

    /// GNUstep's basic sequence.
    @Test func aSequenceOfOneEditOfEachGivesTheirSum() throws {
        var snapshot = Snapshot()
        try snapshot.appendSections(["1", "2", "3"])
        try snapshot.appendItems([1, 2], toSection: "1")
        try snapshot.appendItems([3, 4, 5], toSection: "2")
        try snapshot.insertSections(["0"], beforeSection: "2")
        try snapshot.insertItems([6], afterItem: 1)
        try snapshot.deleteItems([4])
        try snapshot.deleteSections(["3"])
        let copy = snapshot
        try snapshot.moveSection("0", beforeSection: "1")
        #expect(content(copy) == ["1 1 6 2", "0", "2 3 5"])
        #expect(content(snapshot) == ["0", "1 1 6 2", "2 3 5"])
    }
}
