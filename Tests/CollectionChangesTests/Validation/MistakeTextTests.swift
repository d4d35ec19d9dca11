import Testing

@testable import CollectionChanges

/// What every mistake says, to the letter.
@Suite struct MistakeTextTests {
    static let texts: [(LikelyMistake, String)] = [
        (
            .nothingRecorded(isEmpty: true),
            "The data source changed but nothing was recorded; record every change in the batch that makes it"
        ),
        (
            .nothingRecorded(isEmpty: false),
            "The data source changed but nothing was recorded that changes counts; record every change in the"
                + " batch that makes it"
        ),
        (
            .otherSide(isOldExpected: true, nil),
            "The index is one after the update; deletes, reloads and sources of moves need that before it"
        ),
        (
            .otherSide(isOldExpected: false, nil),
            "The index is one before the update; inserts and targets of moves need that after it"
        ),
        (
            .otherSide(isOldExpected: true, .section(1, onOtherSide: 2)),
            "The index is one after the update; deletes, reloads and sources of moves need that before it,"
                + " where section 2 was 1"
        ),
        (
            .otherSide(isOldExpected: false, .section(1, onOtherSide: 2)),
            "The index is one before the update; inserts and targets of moves need that after it,"
                + " where section 2 is 1"
        ),
        (
            .otherSide(isOldExpected: true, .missing(2)),
            "The index is one after the update; deletes, reloads and sources of moves need that before it,"
                + " and section 2 is new"
        ),
        (
            .otherSide(isOldExpected: false, .missing(2)),
            "The index is one before the update; inserts and targets of moves need that after it,"
                + " and section 2 is deleted"
        ),
        (
            .onePastTheEnd(last: 4, isOld: true),
            "The index is one too high: the last before the update is 4"
        ),
        (
            .onePastTheEnd(last: 4, isOld: false),
            "The index is one too high: the last after the update is 4"
        ),
        (
            .sectionsNotInserted([2]),
            "Section 2 is new; record insertSections([2]), and it comes with its items"
        ),
        (
            .sectionsNotInserted([2, 3]),
            "Sections 2, 3 are new; record insertSections([2, 3]), and they come with their items"
        ),
        (
            .sectionsNotDeleted([2]),
            "Section 2 went with its items; record deleteSections([2]) as well"
        ),
        (
            .sectionsNotDeleted([0, 2]),
            "Sections 0, 2 went with their items; record deleteSections([0, 2]) as well"
        ),
    ]

    @Test(arguments: texts.indices)
    func aMistakeSaysWhatIsWrongAndWhatToDo(_ row: Int) {
        #expect(Self.texts[row].0.description == Self.texts[row].1)
    }

    /// Counts before and after, items inserted, deleted, moved in and moved out, and what is said of them.
    static let sums: [([Int], String)] = [
        // Only what came is recorded, or nothing at all.
        ([3, 5, 1, 0, 0, 0], "The counts say that 2 came, but 1 was recorded"),
        ([3, 5, 0, 0, 1, 0], "The counts say that 2 came, but 1 was recorded"),
        ([3, 4, 1, 0, 1, 0], "The counts say that 1 came, but 2 were recorded"),
        ([3, 4, 3, 0, 0, 0], "The counts say that 1 came, but 3 were recorded"),
        ([3, 5, 0, 0, 0, 0], "The counts say that 2 came, but none was recorded"),
        ([3, 3, 1, 0, 0, 0], "The counts say that none came, but 1 was recorded"),
        // Only what left.
        ([3, 1, 0, 1, 0, 0], "The counts say that 2 left, but 1 was recorded"),
        ([3, 2, 0, 1, 0, 1], "The counts say that 1 left, but 2 were recorded"),
        ([3, 1, 0, 0, 0, 1], "The counts say that 2 left, but 1 was recorded"),
        ([3, 1, 0, 0, 0, 0], "The counts say that 2 left, but none was recorded"),
        ([3, 3, 0, 1, 0, 0], "The counts say that none left, but 1 was recorded"),
        ([3, 3, 0, 0, 0, 2], "The counts say that none left, but 2 were recorded"),
        // Both, or the other way than is recorded.
        ([3, 5, 2, 1, 0, 0], "1 more came, or 1 fewer left, than was recorded"),
        ([3, 3, 2, 1, 0, 0], "1 more left, or 1 fewer came, than was recorded"),
        ([3, 4, 0, 1, 0, 0], "2 more came, or 2 fewer left, than was recorded"),
        ([3, 4, 0, 0, 0, 1], "2 more came, or 2 fewer left, than was recorded"),
        ([3, 2, 1, 0, 0, 0], "2 more left, or 2 fewer came, than was recorded"),
        ([3, 2, 0, 0, 1, 0], "2 more left, or 2 fewer came, than was recorded"),
        ([3, 2, 1, 1, 0, 0], "1 more left, or 1 fewer came, than was recorded"),
        ([3, 3, 0, 0, 2, 1], "1 more left, or 1 fewer came, than was recorded"),
    ]

    @Test(arguments: sums)
    func aSumSaysWhatDiffersAsPlainlyAsItCan(_ numbers: [Int], _ text: String) {
        let rest = "; record every change of the model once, in the batch that makes it"
        let mistake = LikelyMistake.miscounted(CountArithmetic(numbers))
        #expect(mistake.description == text + rest)
    }

    @Test func aSumIsWrittenWithMovesAndWithWhatItShouldBe() {
        let texts: [([Int], String)] = [
            ([3, 5, 1, 2, 0, 0], "3 before + 1 inserted - 2 deleted = 2, but there are 5"),
            ([3, 2, 1, 2, 0, 0], "3 before + 1 inserted - 2 deleted = 2"),
            (
                [3, 5, 1, 2, 1, 0],
                "3 before + 1 inserted - 2 deleted + 1 moved in - 0 moved out = 3, but there are 5"
            ),
            (
                [3, 1, 1, 2, 0, 1],
                "3 before + 1 inserted - 2 deleted + 0 moved in - 1 moved out = 1"
            ),
            (
                [3, 1, 1, 2, 2, 1],
                "3 before + 1 inserted - 2 deleted + 2 moved in - 1 moved out = 3, but there are 1"
            ),
        ]
        for (numbers, text) in texts { #expect(CountArithmetic(numbers).description == text) }
    }
}

extension CountArithmetic {
    /// Before, after, inserted, deleted, moved in, moved out.
    fileprivate init(_ numbers: [Int]) {
        self.init(
            before: numbers[0],
            after: numbers[1],
            inserted: numbers[2],
            deleted: numbers[3],
            movedIn: numbers[4],
            movedOut: numbers[5]
        )
    }
}
