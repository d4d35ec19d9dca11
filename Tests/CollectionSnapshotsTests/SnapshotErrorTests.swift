import CollectionSnapshots
import Testing

/// UIKit's texts for faults, each contained in ours, and nothing changed.
struct SnapshotErrorTests {
    private typealias Edit = (inout Snapshot) throws -> Void

    private func check(
        _ code: SnapshotError.Code,
        _ text: String,
        _ identifiers: [String],
        _ edit: (inout Snapshot) throws -> Void,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let original = try Snapshot(["a": [1, 2], "b": [3]])
        var snapshot = original
        do {
            try edit(&snapshot)
            Issue.record("no error", sourceLocation: location)
        } catch let error as SnapshotError {
            #expect(error.code == code, sourceLocation: location)
            #expect(error.message.contains(text), "\(error.message)", sourceLocation: location)
            #expect(error.identifiers == identifiers, sourceLocation: location)
            #expect(!error.hint.isEmpty, sourceLocation: location)
            #expect(
                "\(error)" == "\(error.message)\nHint: \(error.hint)\n[\(code.rawValue)]",
                sourceLocation: location
            )
        }
        #expect(snapshot == original, sourceLocation: location)
        #expect(snapshot.reloadedItemIdentifiers.isEmpty, sourceLocation: location)
        #expect(snapshot.reconfiguredItemIdentifiers.isEmpty, sourceLocation: location)
        #expect(snapshot.reloadedSectionIdentifiers.isEmpty, sourceLocation: location)
    }

    private let unknownSection =
        "Section identifier was not found. You can verify the section exists by calling the"
        + " indexOfSectionIdentifier API (which has O(1) performance)"

    @Test func askingAnUnknownSectionNamesIt() throws {
        try check(.unknownSection, unknownSection, ["z"]) { s in
            _ = try s.numberOfItems(inSection: "z")
        }
        try check(.unknownSection, unknownSection, ["z"]) { s in
            _ = try s.itemIdentifiers(inSection: "z")
        }
    }

    @Test func unknownPlacesAreTheConditionsThatUIKitPrints() throws {
        let begin = "Invalid parameter not satisfying: "
        try check(.unknownDestination, begin + "section != NSNotFound", ["z"]) {
            s in try s.appendItems([9], toSection: "z")
        }
        try check(.unknownDestination, begin + "section != NSNotFound", ["8"]) {
            s in try s.insertItems([9], beforeItem: 8)
        }
        try check(.unknownDestination, begin + "section != NSNotFound", ["8"]) {
            s in try s.insertItems([9], afterItem: 8)
        }
        try check(.unknownSectionAnchor, begin + "insertIndex != NSNotFound", ["z"]) {
            s in try s.insertSections(["y"], beforeSection: "z")
        }
        try check(.unknownMovedItem, begin + "fromIndex != NSNotFound", ["9"]) {
            s in try s.moveItem(9, beforeItem: 1)
        }
        try check(.unknownMoveTarget, begin + "toIndex != NSNotFound", ["9"]) {
            s in try s.moveItem(1, afterItem: 9)
        }
        try check(.unknownMovedSection, begin + "fromSection != NSNotFound", ["z"]) {
            s in try s.moveSection("z", beforeSection: "a")
        }
        try check(.unknownSectionMoveTarget, begin + "toSection != NSNotFound", ["z"]) {
            s in try s.moveSection("a", afterSection: "z")
        }
    }

    @Test func appendingItemsWithoutASectionSaysToAddOne() throws {
        let text =
            "There are currently no sections in the data source. Please add a section first."
        var snapshot = Snapshot()
        let error = #expect(throws: SnapshotError.self) { try snapshot.appendItems([1]) }
        #expect(error?.code == .noSections && error?.message.contains(text) == true)
        #expect(snapshot == Snapshot())
    }

    @Test func duplicatesWithinAnArgumentAreNamedEachOnce() throws {
        let items =
            "Fatal: supplied item identifiers are not unique. Duplicate identifiers: {(8, 7)}"
        let twice = [7, 8, 8, 7, 8]
        let edits: [Edit] = [
            { s in try s.appendItems(twice) },
            { s in try s.appendItems(twice, toSection: "a") },
            { s in try s.insertItems(twice, beforeItem: 1) },
            { s in try s.insertItems(twice, afterItem: 1) },
            { s in try s.deleteItems(twice) },
            { s in try s.reloadItems(twice) },
            { s in try s.reconfigureItems(twice) },
        ]
        for edit in edits { try check(.duplicateItems, items, ["8", "7"], edit) }
        let sections =
            "Fatal: supplied section identifiers are not unique. Duplicate identifiers: {(y)}"
        let sectionEdits: [Edit] = [
            { s in try s.appendSections(["y", "y"]) },
            { s in try s.insertSections(["y", "y"], beforeSection: "a") },
            { s in try s.insertSections(["y", "y"], afterSection: "a") },
            { s in try s.deleteSections(["y", "y"]) },
            { s in try s.reloadSections(["y", "y"]) },
        ]
        for edit in sectionEdits { try check(.duplicateSections, sections, ["y"], edit) }
    }

    @Test func makingASnapshotWithDuplicatesNamesThem() throws {
        let items = #expect(throws: SnapshotError.self) {
            try Snapshot(["a": [1, 2], "b": [2, 1]])
        }
        #expect(items?.code == .duplicateItems && items?.identifiers == ["2", "1"])
        let sections = #expect(throws: SnapshotError.self) { try Snapshot(["a": [], "a": []]) }
        #expect(sections?.code == .duplicateSections && sections?.identifiers == ["a"])
        #expect(throws: SnapshotError.self) { try Snapshot(items: [1, 1], inSection: "a") }
    }

    @Test func insertingSectionsThatExistCountsAndNamesThem() throws {
        let text =
            "Diffable data source detected an attempt to insert or append 2 section identifier(s)"
            + " that already exist(s) in the snapshot. Identifiers in a snapshot must be unique."
            + " Section identifier(s) that already exist(s): [b, a]"
        try check(.existingSections, text, ["b", "a"]) { s in
            try s.appendSections(["y", "b", "a"])
        }
        try check(.existingSections, text, ["b", "a"]) { s in
            var copy = s
            try copy.appendSections(["z"])
            try copy.insertSections(["b", "a"], afterSection: "z")
        }
    }

    @Test func aDestinationAmongWhatIsInsertedIsNamed() throws {
        try check(
            .destinationAmongItems,
            "Invalid update: destination for insertion operation [1] is in the insertion identifier"
                + " list for update: [9, 1].",
            ["1"]
        ) { s in try s.insertItems([9, 1], beforeItem: 1) }
        try check(
            .destinationAmongSections,
            "Invalid update: destination for section operation [a] is in the inserted section list"
                + " for update: [y, a]",
            ["a"]
        ) { s in try s.insertSections(["y", "a"], afterSection: "a") }
    }

    @Test func aMoveOntoItselfIsNamed() throws {
        try check(
            .itemMovedToItself,
            "Invalid update: destination for item move is the same as the source [1] for update: ",
            ["1"]
        ) { s in try s.moveItem(1, beforeItem: 1) }
        try check(
            .sectionMovedToItself,
            "Invalid update: destination for section move is the same as the source [a] for update",
            ["a"]
        ) { s in try s.moveSection("a", afterSection: "a") }
    }

    @Test func markingWhatDoesNotExistIsNamed() throws {
        let end = " identifier that does not exist in the snapshot: "
        try check(.unknownReloadedItem, "Attempted to reload item" + end + "9, 8", ["9", "8"]) {
            s in try s.reloadItems([1, 9, 8])
        }
        try check(.unknownReloadedSection, "Attempted to reload section" + end + "z", ["z"]) {
            s in try s.reloadSections(["a", "z"])
        }
        try check(.unknownReconfiguredItem, "Attempted to reconfigure item" + end + "9", ["9"]) {
            s in try s.reconfigureItems([1, 9])
        }
    }

    @Test func longListsAreShortened() throws {
        var snapshot = Snapshot()
        try snapshot.appendSections(["a"])
        let error = #expect(throws: SnapshotError.self) { try snapshot.reloadItems(0..<150) }
        #expect(error?.identifiers.count == 100)
        #expect(error?.message.contains("8, 9, … 140 more") == true)
    }
}
