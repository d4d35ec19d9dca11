import CollectionChanges
import CollectionSnapshots
import TestSupport
import Testing

/// Maintenance that keeps a snapshot fast must not be visible: relabelling, rebuilding of tables,
/// batches.
struct SnapshotUpkeepTests {
    /// Expects that every identifier is found at its position.
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

    // Every insertion is between the previous two, so that the labels are soon used up.
    @Test func itemsInsertedBetweenTheLastTwoAreFound() throws {
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

    @Test func sectionsInsertedBetweenTheLastTwoAreFound() throws {
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

    @Test func manySectionsThatAreDeletedAndInsertedAgainAreFound() throws {
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

    // MARK: As values

    @Test func hashesDependOnSectionsItemsAndPositions() throws {
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
}
