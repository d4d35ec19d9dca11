import JournalCampaign
import Testing

/// What one state says of the edits that led to it.
struct ContentsTests {
    private let first = CampaignTerm(epoch: 1, nonce: 7)
    private let second = CampaignTerm(epoch: 3, nonce: 9)

    private func contents(_ tail: [EditMark], marks: [EditMark]) -> EditedContents {
        var contents = EditedContents()
        (contents.tail, contents.marks) = (tail, marks)
        return contents
    }

    private func edits(_ term: CampaignTerm, _ numbers: [Int]) -> [EditMark] {
        numbers.map { EditMark(term, $0) }
    }

    @Test func editsInTheirOrderOfSeveralLeadershipsFit() {
        #expect(EditedContents().misfit == nil)
        let tail = edits(first, [4, 5, 6]) + edits(second, [1, 2])
        let marks = [EditMark(first, 6), EditMark(second, 2)]
        #expect(contents(tail, marks: marks).misfit == nil)
    }

    @Test(arguments: [[1, 2, 2], [1, 3], [2, 1], [1, 2, 1, 2]])
    func anEditThatIsDoubledMissingOrOutOfOrderIsFound(_ numbers: [Int]) throws {
        let last = try #require(numbers.last)
        let found = contents(edits(first, numbers), marks: [EditMark(first, last)])
        #expect(found.misfit != nil)
    }

    @Test func aLeadershipThatGoesOnBehindALaterOneIsFound() {
        let tail = edits(first, [1]) + edits(second, [1]) + edits(first, [2])
        let marks = [EditMark(first, 2), EditMark(second, 1)]
        #expect(contents(tail, marks: marks).misfit != nil)
    }

    @Test func aLeadershipThatBeginsInTheMiddleIsFound() {
        let tail = edits(first, [1]) + edits(second, [2])
        let marks = [EditMark(first, 1), EditMark(second, 2)]
        #expect(contents(tail, marks: marks).misfit != nil)
    }

    @Test func aPlaceThatMissedAnEditIsFound() {
        let tail = edits(first, [1, 2])
        #expect(contents(tail, marks: [EditMark(first, 1)]).misfit != nil)
        #expect(contents(tail, marks: []).misfit != nil)
        let later = tail + edits(second, [1])
        let marks = [EditMark(first, 3), EditMark(second, 1)]
        #expect(contents(later, marks: marks).misfit != nil)
    }

    @Test func twoLastEditsOfOneLeadershipAreFound() {
        let marks = [EditMark(first, 1), EditMark(first, 2)]
        #expect(contents(edits(first, [1, 2]), marks: marks).misfit != nil)
    }
}
