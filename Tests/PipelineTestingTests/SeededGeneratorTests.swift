import CollectionElements
import PipelineTesting
import Testing

@Suite struct SeededGeneratorTests {
    /// From the reference implementation of SplitMix64.
    @Test func theNumbersAreThoseOfTheSource() {
        var random = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() as UInt64 }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    @Test func aCopyGoesOnWithTheSameNumbers() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<20 { _ = random.next() as UInt64 }
        var copy = random
        let numbers = (0..<50).map { _ in random.next() as UInt64 }
        #expect((0..<50).map { _ in copy.next() as UInt64 } == numbers)
    }

    /// Whatever is asked of it is what its numbers say.
    @Test func everyDrawIsThatOfTheNumbers() {
        var random = SeededGenerator(seed: 4)
        var numbers = SeededNumbers(seed: 4)
        for bound in 1...200 {
            #expect(random.next(below: bound) == numbers.next(below: bound))
            #expect(random.isTrue(oneIn: bound) == numbers.isTrue(oneIn: bound))
            let probability = Double(bound) / 200
            #expect(random.chance(probability) == numbers.chance(probability))
        }
        #expect(random.next() as UInt64 == numbers.next() as UInt64)
    }
}
