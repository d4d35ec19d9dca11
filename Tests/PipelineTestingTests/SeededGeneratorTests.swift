import PipelineTestSupport
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

    @Test(arguments: [0, 1, 2, .max, 1 << 63] as [UInt64])
    func everySeedIsAsGoodAsAnyOther(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var counts = Array(repeating: 0, count: 10)
        for _ in 0..<10_000 { counts[random.next(below: 10)] += 1 }
        #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
        #expect((0..<100).allSatisfy { _ in random.next(below: 1) == 0 })
    }

    @Test func chancesAreAsOftenAsTheySay() {
        var random = SeededGenerator(seed: 4)
        let ones = (0..<8000).count { _ in random.isTrue(oneIn: 4) }
        #expect((1800...2200).contains(ones))
        #expect((0..<100).allSatisfy { _ in random.isTrue(oneIn: 1) })
        let chances = (0..<8000).count { _ in random.chance(0.3) }
        #expect((2200...2600).contains(chances))
        #expect((0..<500).allSatisfy { _ in !random.chance(0) && random.chance(1) })
    }

    /// So that a seed is worth the same in tests that are built without the simulator.
    @Test func theDrawsOfPlainNumbersAreTheSame() {
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
