import CollectionChanges
import CollectionSnapshots
import TestSupport
import Testing

/// What a snapshot does to stay quick must not be seen: new labels, tables that are made again, batches.
struct SnapshotUpkeepTests {
    /// What the snapshot says of every identifier is where it is.
    private func expectFound(
        _ snapshot: Snapshot,
        _ sections: [(String, [Int])],
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isRight =
            snapshot.sectionIdentifiers == sections.map(\.0)
            && snapshot.itemIdentifiers == sections.flatMap(\.1)
            && sections.enumerated().allSatisfy { index, section in
                snapshot.indexOfSection(section.0) == index
                    && section.1.enumerated().allSatisfy { item, id in
                        snapshot.path(of: id).map { [$0.section, $0.item] } == [index, item]
                    }
            }
        #expect(isRight, comment, sourceLocation: sourceLocation)
    }

    // Every insert lands between the two before it, so that there is soon no room for labels.
    @Test func itemsThatAreInsertedBetweenTheLastTwoAreFound() throws {
        var snapshot = try Snapshot(["a": [0, 1], "b": [2]])
        var items = [0, 1]
        for item in 3..<300 {
            let isAfter = item.isMultiple(of: 2)
            let anchor = item == 3 ? 0 : item - 1
            let place = items.firstIndex(of: anchor)!
            if isAfter || item == 3 {
                try snapshot.insertItems([item], afterItem: anchor)
                items.insert(item, at: place + 1)
            } else {
                try snapshot.insertItems([item], beforeItem: anchor)
                items.insert(item, at: place)
            }
            if item.isMultiple(of: 20) {
                expectFound(snapshot, [("a", items), ("b", [2])], "after item \(item)")
            }
        }
        expectFound(snapshot, [("a", items), ("b", [2])], "at the end")
    }

    @Test func sectionsThatAreInsertedBetweenTheLastTwoAreFound() throws {
        var snapshot = try Snapshot(["0": [0], "1": [1]])
        var sections = [("0", [0]), ("1", [1])]
        for number in 2..<200 {
            let anchor = number == 2 ? 0 : number - 1
            let place = sections.firstIndex { $0.0 == "\(anchor)" }!
            if number.isMultiple(of: 2) {
                try snapshot.insertSections(["\(number)"], afterSection: "\(anchor)")
                sections.insert(("\(number)", []), at: place + 1)
            } else {
                try snapshot.insertSections(["\(number)"], beforeSection: "\(anchor)")
                sections.insert(("\(number)", []), at: place)
            }
        }
        expectFound(snapshot, sections, "at the end")
    }

    @Test(arguments: [1, 63, 64, 65, 66, 200])
    func batchesOfEverySizeAreFoundAndForgotten(size: Int) throws {
        var snapshot = try Snapshot(["a": Array(0..<100), "b": []])
        let batch = Array(1_000..<1_000 + size)
        try snapshot.insertItems(batch, afterItem: 49)
        var first = Array(0..<50) + batch + Array(50..<100)
        expectFound(snapshot, [("a", first), ("b", [])], "inserted")
        // A batch of what is there moves.
        try snapshot.appendItems(batch, toSection: "b")
        first = Array(0..<100)
        expectFound(snapshot, [("a", first), ("b", batch)], "moved")
        try snapshot.deleteItems(batch)
        expectFound(snapshot, [("a", first), ("b", [])], "deleted")
        #expect(batch.allSatisfy { !snapshot.containsItem($0) && snapshot.path(of: $0) == nil })
    }

    @Test func whatWasThereAndComesBackIsFoundWhereItIs() throws {
        var snapshot = try Snapshot(["a": Array(0..<300), "b": Array(300..<400)])
        for round in 0..<60 {
            let items = (0..<70).map { ($0 * 7 + round * 13) % 400 }
            let unique = Array(Set(items)).sorted()
            try snapshot.deleteItems(unique)
            #expect(unique.allSatisfy { !snapshot.containsItem($0) })
            try snapshot.appendItems(unique, toSection: round.isMultiple(of: 2) ? "a" : "b")
        }
        let sections = try ["a", "b"].map { ($0, try snapshot.itemIdentifiers(inSection: $0)) }
        #expect(Set(sections.flatMap(\.1)) == Set(0..<400))
        expectFound(snapshot, sections, "at the end")
    }

    @Test func manySectionsThatGoAndComeBackAreFound() throws {
        let names = (0..<200).map { "\($0)" }
        var snapshot = Snapshot()
        try snapshot.appendSections(names)
        for (number, name) in names.enumerated() {
            try snapshot.appendItems([number], toSection: name)
        }
        let gone = Array(names[20..<150])
        try snapshot.deleteSections(gone)
        #expect(gone.allSatisfy { !snapshot.containsSection($0) })
        #expect((20..<150).allSatisfy { !snapshot.containsItem($0) })
        try snapshot.insertSections(gone.reversed(), beforeSection: "7")
        try snapshot.appendItems([20], toSection: "149")
        let rest = Array(0..<20) + Array(150..<200)
        var sections = rest.map { ("\($0)", [$0]) }
        sections.insert(contentsOf: gone.reversed().map { ($0, $0 == "149" ? [20] : []) }, at: 7)
        expectFound(snapshot, sections, "at the end")
    }

    // MARK: Marks

    @Test func marksOutlastTheMakingOfNewTables() throws {
        var snapshot = try Snapshot(["a": Array(0..<200), "b": [200]])
        try snapshot.reloadItems([150, 3])
        try snapshot.reconfigureItems([199, 4])
        try snapshot.reloadSections(["b"])
        // So many that the tables are made again.
        try snapshot.deleteItems(4..<140)
        #expect(snapshot.reloadedItemIdentifiers == [150, 3])
        #expect(snapshot.reconfiguredItemIdentifiers == [199])
        #expect(snapshot.reloadedSectionIdentifiers == ["b"])
    }

    @Test func allMarksAreTakenAway() throws {
        var snapshot = try Snapshot(["a": [1, 2]])
        try snapshot.reloadItems([1])
        try snapshot.reconfigureItems([2])
        try snapshot.reloadSections(["a"])
        snapshot.removeAllMarks()
        #expect(snapshot.reloadedItemIdentifiers.isEmpty)
        #expect(snapshot.reconfiguredItemIdentifiers.isEmpty)
        #expect(snapshot.reloadedSectionIdentifiers.isEmpty)
    }

    // MARK: As values

    @Test func hashesFollowSectionsItemsAndWhereTheyAre() throws {
        let states: [Snapshot] = [
            try Snapshot(["a": [1, 2], "b": []]), try Snapshot(["a": [1], "b": [2]]),
            try Snapshot(["a": [], "b": [1, 2]]), try Snapshot(["a": [2, 1], "b": []]),
            try Snapshot(["a": [1, 2], "c": []]), try Snapshot(["a": [1, 2]]),
            try Snapshot(["a": [1, 3], "b": []]), Snapshot(),
        ]
        #expect(Set(states).count == states.count)
        #expect(Set(states.map(\.hashValue)).count == states.count)
        var other = try Snapshot(["b": [2, 1]])
        try other.insertSections(["a"], beforeSection: "b")
        try other.appendItems([1, 2], toSection: "a")
        #expect(other == states[0] && other.hashValue == states[0].hashValue)
    }

    @Test func descriptionsCount() throws {
        #expect("\(try Snapshot(["a": [1]]))" == "1 section with 1 item")
        #expect("\(try Snapshot(["a": [1], "b": [2]]))" == "2 sections with 2 items")
        #expect("\(Snapshot())" == "0 sections with 0 items")
        #expect("\(try SectionSnapshot([1]))" == "1 item, 1 visible")
        #expect("\(try SectionSnapshot([1, 2]))" == "2 items, 2 visible")
        let outlines = try [[1], [2], [1, 2], [2, 1]].map { try SectionSnapshot($0) }
        #expect(Set(outlines.map(\.hashValue)).count == 4)
    }

    // MARK: Texts

    @Test func tenIdentifiersAreNamedAndTheOthersAreCounted() throws {
        func message(_ count: Int) throws -> String {
            let ids = Array(0..<count)
            let error = #expect(throws: SnapshotError.self) {
                try Snapshot(["a": ids, "b": ids])
            }
            return try #require(error).message
        }
        #expect(try message(10).hasSuffix("8, 9)}"))
        #expect(try message(11).hasSuffix("8, 9, … 1 more)}"))
    }

    @Test func errorsOfMovesSayWhichEndIsWrong() throws {
        let snapshot = try Snapshot(["a": [1, 2], "b": []])
        func error(_ edit: (inout Snapshot) throws -> Void) throws -> SnapshotError {
            var copy = snapshot
            return try #require(#expect(throws: SnapshotError.self) { try edit(&copy) })
        }
        let item = try error { try $0.moveItem(9, beforeItem: 1) }
        #expect(
            item.message.hasSuffix("Only what is in the snapshot can be moved, and item 9 is not")
        )
        #expect(item.hint == "Ask indexOfItem(_:) first")
        let target = try error { try $0.moveItem(1, beforeItem: 9) }
        #expect(target.message.hasSuffix("must end beside item of the snapshot, and 9 is none"))
        let section = try error { try $0.moveSection("z", beforeSection: "a") }
        #expect(section.message.hasSuffix("and section z is not"))
        #expect(section.hint == "Ask indexOfSection(_:) first")
        let place = try error { try $0.moveSection("a", afterSection: "z") }
        #expect(place.message.contains("beside section of the snapshot"))
        let twice = try error { try $0.appendItems([3, 3]) }
        #expect(twice.hint == "Name every item once; an item is in one section only")
        #expect(try error { try $0.appendSections(["c", "c"]) }.hint == "Name every section once")
    }
}
