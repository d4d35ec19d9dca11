import CollectionSnapshots
import Testing

/// UIKit's texts for faults, which our messages contain. The model tests compare codes and
/// identifiers, and that nothing changes.
struct SnapshotErrorTests {
    @Test func everyErrorContainsUIKitsTextAndAHint() throws {
        let parameter = "Invalid parameter not satisfying: "
        let list =
            "Fatal: supplied item identifiers are not unique. Duplicate identifiers: {(8, 7)}"
        let rows: [(SnapshotOperation, text: String, hint: String)] = [
            (.appendItemsToSection([9], "z"), parameter + "section != NSNotFound", "Append the"),
            (
                .insertItems([9], 8, isAfter: true), parameter + "section != NSNotFound",
                "indexOfItem"
            ),
            (
                .insertSections(["y"], "z", isAfter: false), "insertIndex != NSNotFound",
                "Section(_:)"
            ),
            (.moveItem(9, 1, isAfter: false), parameter + "fromIndex != NSNotFound", "indexOfItem"),
            (.moveItem(9, 1, isAfter: false), "Only what is in the snapshot can be moved", "first"),
            (.moveItem(1, 9, isAfter: true), parameter + "toIndex != NSNotFound", "indexOfItem"),
            (.moveItem(1, 9, isAfter: true), "target of a move must be in the snapshot", "first"),
            (.moveSection("z", "a", isAfter: false), "fromSection != NSNotFound", "indexOfSection"),
            (.moveSection("a", "z", isAfter: false), "toSection != NSNotFound", "indexOfSection"),
            (.appendItems([7, 8, 8, 7, 8]), list, "Name every item once"),
            (
                .deleteSections(["y", "y"]), "section identifiers are not unique",
                "Name every section"
            ),
            (
                .appendSections(["y", "b", "a"]),
                "Diffable data source detected an attempt to insert or append 2 section identifier(s)"
                    + " that already exist(s) in the snapshot. Identifiers in a snapshot must be unique."
                    + " Section identifier(s) that already exist(s): [b, a]", "Insert only what"
            ),
            (
                .insertItems([9, 1], 1, isAfter: false),
                "Invalid update: destination for insertion operation [1] is in the insertion"
                    + " identifier list for update: [9, 1].", "Name a neighbour"
            ),
            (
                .insertSections(["y", "a"], "a", isAfter: true),
                "Invalid update: destination for section operation [a] is in the inserted section list"
                    + " for update: [y, a]", "Name a neighbour"
            ),
            (
                .moveItem(1, 1, isAfter: false),
                "Invalid update: destination for item move is the same as the source [1] for update: ",
                "Name another item"
            ),
            (
                .moveSection("a", "a", isAfter: true),
                "destination for section move is the same as the source [a] for update", "another"
            ),
            (
                .reloadItems([1, 9, 8]),
                "Attempted to reload item identifier that does not exist in the snapshot: 9, 8",
                "Reload only"
            ),
            (
                .reloadSections(["a", "z"]), "Attempted to reload section identifier that",
                "Reload only"
            ),
            (.reconfigureItems([1, 9]), "Attempted to reconfigure item identifier", "Reconfigure"),
            (.reloadItems(Array(50..<200)), "58, 59, … 140 more", "Reload only"),
            (.reloadItems(Array(50..<60)), "58, 59", "Reload only"),
        ]
        for (operation, text, hint) in rows {
            var snapshot = try Snapshot(["a": [1, 2], "b": [3]])
            do {
                try snapshot.apply(operation)
                Issue.record("no error from \(operation)")
            } catch {
                let isRight =
                    error.message.contains(text) && error.hint.contains(hint)
                    && "\(error)"
                        == "\(error.message)\n\(error.hint).\n[\(error.code.rawValue)]"
                #expect(isRight, "\(error)")
            }
        }
        var empty = Snapshot()
        let none = #expect(throws: SnapshotError.self) { try empty.appendItems([1]) }
        #expect(
            none?.message.contains("There are currently no sections in the data source") == true
        )
        let unknown = #expect(throws: SnapshotError.self) {
            try empty.numberOfItems(inSection: "z")
        }
        #expect(
            unknown?.message.contains("Section identifier was not found. You can verify") == true
        )
        let outline = #expect(throws: SnapshotError.self) { try SectionSnapshot([3, 3]) }
        #expect(
            outline?.message.contains("Identifiers in a section snapshot must be unique") == true
        )
    }

    @Test func theErrorForDuplicatesNamesThem() throws {
        let items = #expect(throws: SnapshotError.self) {
            try Snapshot(["a": [1, 2], "b": [2, 1]])
        }
        #expect(items?.code == .duplicateItems && items?.identifiers == ["2", "1"])
        let sections = #expect(throws: SnapshotError.self) { try Snapshot(["a": [], "a": []]) }
        #expect(sections?.code == .duplicateSections && sections?.identifiers == ["a"])
        #expect("\(try Snapshot(["a": [1], "b": [2]]))" == "2 sections with 2 items")
        #expect("\(try SectionSnapshot([1]))" == "1 item, 1 visible")
    }
}
