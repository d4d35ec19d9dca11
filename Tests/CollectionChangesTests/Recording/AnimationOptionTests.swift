import CollectionChanges
import Testing

@Suite struct AnimationOptionTests {
    @Test func namedOptionsAreNumberedInTheOrderOfTheirDeclaration() {
        let options: [AnimationOption] = [
            .none, .automatic, .fade, .leading, .trailing, .top, .bottom,
        ]
        #expect(options.map(\.rawValue) == Array(0...6))
    }
}
