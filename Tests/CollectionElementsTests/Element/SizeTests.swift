import CollectionElements
import Testing

@Suite("Sizes and ranges")
struct SizeTests {
    @Test
    func onlyFiniteNumbersThatAreNotNegativeAreSizes() {
        let wrong: [Double] = [-1, .infinity, -.infinity, .nan]
        for value in wrong {
            #expect(!Size(width: value, height: 1).isValid, "\(value)")
            #expect(!Size(width: 1, height: value).isValid, "\(value)")
        }
        #expect(Size.zero.isValid && Size.zero == Size(width: 0, height: 0))
        #expect(Size(width: 1, height: .greatestFiniteMagnitude).isValid)
    }

    @Test
    func clampingKeepsToTheRangeAndTheMinimumWins() {
        let range = SizeRange(
            minimum: Size(width: 2, height: 5),
            maximum: Size(width: 4, height: 3)
        )
        #expect(range.clamp(.zero) == Size(width: 2, height: 5))
        #expect(range.clamp(Size(width: 9, height: 9)) == Size(width: 4, height: 5))
        #expect(
            SizeRange.unconstrained.clamp(Size(width: 7, height: 8)) == Size(width: 7, height: 8)
        )
        #expect(SizeRange.width(3).clamp(Size(width: 9, height: 9)) == Size(width: 3, height: 9))
    }
}
