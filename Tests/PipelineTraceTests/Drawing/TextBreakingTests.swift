import Testing

@testable import PipelineTrace

@Suite("Where a text is broken") struct TextBreakingTests {
    @Test func aBlankTakesRoomAlsoAfterASingleLetter() {
        #expect(PictureText.lines(of: "a b c", columns: 4) == ["a b", "c"])
        #expect(PictureText.lines(of: "a b c", columns: 5) == ["a b c"])
        #expect(PictureText.lines(of: "a b c d", columns: 3) == ["a b", "c d"])
    }

    @Test func noLineHasMoreThanTenThousandCharacters() {
        let word = String(repeating: "a", count: 10_001)
        for width in [60_016, 1e300, .infinity] {
            #expect(PictureText.lines(of: word, width: width).map(\.count) == [10_000, 1])
        }
    }
}
