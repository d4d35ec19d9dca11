import CollectionChanges
import Testing

/// The table "operation combination → verdict" of modern and early UIKit, row by row, with the
/// library's decision if UIKit detects nothing or depends on what is visible.
///
/// A row has its number, the shapes before and after, the record as `record(_:)` reads it, and the
/// verdict: `ok`, or the code and UIKit's text. If the verdict of `strict` differs, it follows.
@Suite struct StandardTableTests {
    private static let table = """
        1: [2] [2] D0.0 I0.0 = ok
        1: [2] [2] I0.1 D0.0 = ok
        2: [2] [1] D0.5 = deleteItemRange
            attempt to delete item 5 from section 0 which only contains 2 items before the \
        update
        2: [2] [1] D3.0 = deleteItemSectionRange
            attempt to delete item 0 from section 3, but there are only 1 sections before the \
        update
        3: [2] [] DS1 = deleteSectionRange
            attempt to delete section 1, but there are only 1 sections before the update
        4: [2] [3] I1.0 = insertItemSectionRange
            attempt to insert item 0 into section 1, but there are only 1 sections after the \
        update
        5: [2] [3] I0.3 = insertItemRange
            attempt to insert item 3 into section 0, but there are only 3 items in section 0 \
        after the update
        6: [2] [2,1] IS2 = insertSectionRange
            attempt to insert section 2 but there are only 2 sections after the update
        7: [3] [1] D0.1+0.1 = duplicateDeleteItem
            item 1 from section 0 twice
        7: [3] [2] D0.1 D0.1 = duplicateDeleteItem
            item 1 from section 0 twice
        7: [3,1] [1] DS0 DS0 = duplicateDeleteSection
            section 0 twice
        8: [1] [3] I0.1+0.1 = duplicateInsertItem
            item 1 into section 0 twice
        8: [1] [1,1] IS1 IS1 = duplicateInsertSection
            section 1 twice
        9: [2] [2] R0.1+0.1 = ok
        9: [2] [5] RS0 RS0 = ok
        10: [2] [1] R0.1 D0.1 = deleteAndReloadItem
            attempt to delete and reload the same index path (0 - 1)
        11: [2] [] RS0 DS0 = deleteAndReloadSection
            attempt to delete and reload the same index path (0
        12: [2] [2] R0.0 M0.0>0.1 = deleteAndMoveItem
            attempt to perform a delete and a move from the same index path (0 - 0)
        13: [2,2] [2,2] RS1 MS1>0 = deleteAndMoveSection
            attempt to perform a delete and a move from the same section (1)
        14: [3] [3] R0.1 D0.0 I0.2 = ok
        15: [0,0,0,0,0] [0,0,0,0,0] MS2>4 RS3 DS4 IS2 = ok
          strict = insertAndMoveSection
            attempt to perform an insert and a move to the same section (4)
        15: [4] [3] D0.1 M0.0>0.1 M0.3>0.0 R0.2 = ok
          strict = insertAndMoveItem
            attempt to perform an insert and a move to the same index path (0 - 1)
        16: [2] [2] R0.2 = deleteItemRange
        17: [2] [2] D0.1 M0.1>0.0 = deleteAndMoveItem
            attempt to perform a delete and a move from the same index path (0 - 1)
        18: [2,1] [2] DS0 MS0>0 = deleteAndMoveSection
            attempt to perform a delete and a move from the same section (0)
        19: [2] [3] I0.2 M0.0>0.2 = insertAndMoveItem
            attempt to perform an insert and a move to the same index path (0 - 2)
        20: [2,1] [2,1,1] IS2 MS0>2 = insertAndMoveSection
            attempt to perform an insert and a move to the same section (2)
        21: [3] [3] M0.0>0.2 M0.0>0.1 = moveItemToTwoPlaces
            attempt to move item at index path 0 - 0 to both 0 - 1 and 0 - 2
        21: [1,1,1] [1,1,1] MS0>1 MS0>2 = moveSectionToTwoPlaces
            attempt to move section 0 to both section 1 and section 2
        22: [2] [2] M0.0>0.1 M0.0>0.1 = ok
        22: [2,1] [1,2] MS0>1 MS0>1 = ok
        23: [3] [3] M0.0>0.1 M0.2>0.1 = moveTwoItemsToOnePlace
            attempt to move both item at index path 0 - 0 and 0 - 2 to 0 - 1
        23: [1,1,1] [1,1,1] MS0>1 MS2>1 = moveTwoSectionsToOnePlace
            attempt to move both section 0 and section 2 to section 1
        24: [2] [2] M0.1>0.1 = ok
        24: [2,1] [2,1] MS1>1 = ok
        25: [2] [2] M1.0>0.0 = moveItemSourceSectionRange
            attempt to move index path (1 - 0) from a section that does not exist - there are \
        only 1 sections before the update
        25: [2] [2] M0.2>0.0 = moveItemSourceRange
            attempt to move index path (0 - 2) that does not exist - there are only 2 items in \
        section 0 before the update
        25: [2] [2] MS1>0 = moveSectionSourceRange
            attempt to move section 1, but there are only 1 sections before the update
        26: [2] [2] M0.0>1.0 = moveItemTargetSectionRange
            attempt to move index path (0 - 0) to index path (1 - 0) in section that does not \
        exist - there are only 1 sections after the update
        26: [2] [2] M0.0>0.2 = moveItemTargetRange
            attempt to move index path (0 - 0) to index path (0 - 2) that does not exist - there\
         are only 2 items in section 0 after the update
        26: [2] [2] MS0>1 = moveSectionTargetRange
            attempt to to move section 0 to section 1, but there are only 1 sections after the \
        update
        27: [2,1] [1] DS0 D0.1 = ok
        # UIKit does not check this path; the library checks every path.
        27: [2,1] [1] DS0 D0.2 = deleteItemRange
        28: [1] [1,2] IS1 I1.1 = ok
        28: [1] [1,2] IS1 I1.2 = insertItemRange
        29: [2,1] [1] DS0 R0.1 = deleteAndReloadItem
            attempt to delete and reload the same index path (0 - 1)
        30: [2,1] [2] DS0 M0.1>0.0 = ok
          strict = moveOutOfDeletedSection
            cannot move an item from a deleted section (0)
        31: [2] [1,3] IS1 M0.1>1.2 = ok
          strict = moveIntoInsertedSection
            cannot move an item into a newly inserted section (1)
        32: [2,1] [5,2] RS0 M0.1>1.0 = ok
          strict = moveOutOfDeletedSection
            cannot move an item from a deleted section (0)
        32: [2,1] [5,0] RS0 M1.0>0.4 = ok
          strict = moveIntoInsertedSection
            cannot move an item into a newly inserted section (0)
        33: [2,1] [1,1] MS0>1 D0.0 = ok
        34: [2,1] [1,3] MS0>1 I1.1 = ok
        35: [2,1] [1,2] MS0>1 M0.0>1.1 = ok
        35: [2,1,1] [1,1,2] MS1>0 M0.0>2.1 = ok
        # Early UIKit sees the same section number on both sides, and no item that leaves.
        35: [2,2] [3,1] MS0>1 M0.0>0.0 = ok
          strict = itemCount
            (0 inserted, 0 deleted) and plus or minus the number of items moved into or out of \
        that section (0 moved in, 0 moved out)
        36: [1,2] [3] DS0 I0.2 = ok
        37: [2,1] [5,1] RS0 D0.1 I0.4 R0.0 = ok
        38: [2] [2,0] = sectionCount
            Invalid update: invalid number of sections. The number of sections contained in the \
        collection view after the update (2) must be equal to the number of sections \
        contained in the collection view before the update (1), plus or minus the number of \
        sections inserted or deleted (0 inserted, 0 deleted)
        38: [2] [3] = itemCount
            Invalid update: invalid number of items in section 0. The number of items contained \
        in an existing section after the update (3) must be equal to the number of items \
        contained in that section before the update (2), plus or minus the number of items \
        inserted or deleted from that section (0 inserted, 0 deleted) and plus or minus the \
        number of items moved into or out of that section (0 moved in, 0 moved out)
        38: [2] [2] = ok
        39: [1] [1] DS0 = sectionCount
            before the update (1), plus or minus the number of sections inserted or deleted (0 \
        inserted, 1 deleted)
        39: [2,1] [2,1] D0.1 M0.0>1.0 = itemCount
            (0 inserted, 1 deleted) and plus or minus the number of items moved into or out of \
        that section (0 moved in, 1 moved out)
        """

    private struct Row {
        var heading: String
        var number: Int
        var old: HierarchyShape
        var new: HierarchyShape
        var changes: HierarchyChangeSet
        var standard: Verdict
        var strict: Verdict?
    }

    private struct Verdict {
        var code: String
        var text = ""
    }

    private static let rows: [Row] = {
        var rows: [Row] = []
        for line in table.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            if line.hasPrefix("    ") {
                let text = String(line.dropFirst(4))
                if rows[rows.count - 1].strict == nil {
                    rows[rows.count - 1].standard.text = text
                } else {
                    rows[rows.count - 1].strict?.text = text
                }
                continue
            }
            let halves = line.split(separator: " = ").map(String.init)
            if line.hasPrefix("  strict") {
                rows[rows.count - 1].strict = Verdict(code: halves[1])
                continue
            }
            let words = halves[0].split(separator: " ").map(String.init)
            func shape(_ word: String) -> HierarchyShape {
                HierarchyShape(word.dropFirst().dropLast().split(separator: ",").map { Int($0)! })
            }
            rows.append(
                Row(
                    heading: line,
                    number: Int(words[0].dropLast())!,
                    old: shape(words[1]),
                    new: shape(words[2]),
                    changes: record(words[3...].joined(separator: " ")),
                    standard: Verdict(code: halves[1])
                )
            )
        }
        return rows
    }()

    @Test(arguments: [ValidationProfile.standard, .strict])
    func everyRowGivesItsVerdict(_ profile: ValidationProfile) {
        for row in Self.rows {
            let expected = profile == .strict ? row.strict ?? row.standard : row.standard
            let error = rejection(
                of: try row.changes.validated(from: row.old, to: row.new, profile: profile)
            )
            let isRight =
                (error?.code.rawValue ?? "ok") == expected.code
                && (expected.text.isEmpty || error?.message.contains(expected.text) == true)
            #expect(isRight, "\(profile), row \(row.heading): \(error?.description ?? "accepted")")
        }
        // Every row of the table was read.
        #expect(Set(Self.rows.map(\.number)) == Set(1...39) && Self.rows.count == 62)
    }
}
