import CollectionChanges
import TestSupport
import Testing

/// How much a difference looks at: edits that are local cost next to no hashing, and order that is lost costs each row a
/// few looks at most.
@Suite struct DifferenceCostTests {
    private final class Tally {
        var comparisons = 0
        var hashes = 0
    }

    private struct Counted: Hashable {
        let id: Int
        let tally: Tally

        static func == (left: Counted, right: Counted) -> Bool {
            left.tally.comparisons += 1
            return left.id == right.id
        }

        func hash(into hasher: inout Hasher) {
            tally.hashes += 1
            hasher.combine(id)
        }
    }

    private static let count = 20_000
    private static let rows = Array(0..<count)

    private static func fresh(_ count: Int, _ number: Int = 1) -> [Int] {
        (0..<count).map { -1 - $0 - number * 100_000 }
    }

    private static func shuffled(_ rows: some Sequence<Int>, by size: Int) -> [Int] {
        let rows = Array(rows)
        var random = SeededNumbers(seed: UInt64(size))
        return stride(from: 0, to: rows.count, by: size).flatMap {
            rows[$0..<min(rows.count, $0 + size)].shuffled(using: &random)
        }
    }

    /// The rows with others in place of some stretches, which are given ascending.
    private static func replacing(_ stretches: [(Range<Int>, by: Int)]) -> [Int] {
        var result: [Int] = []
        var start = 0
        for (number, (stretch, length)) in stretches.enumerated() {
            result += rows[start..<stretch.lowerBound] + fresh(length, number)
            start = stretch.upperBound
        }
        return result + rows[start...]
    }

    private struct Input {
        var name: String
        var new: [Int]
        /// How often two identifiers may be compared; with a table a few more, as hashes fall.
        var comparisons: Int
        var hashes: Int

        init(_ name: String, _ new: [Int], _ comparisons: Int, _ hashes: Int = 0) {
            (self.name, self.new, self.comparisons, self.hashes) = (name, new, comparisons, hashes)
        }
    }

    private static var inputs: [Input] {
        let half = count / 2
        return [
            Input("the same", rows, 20_000),
            Input("one in front", replacing([(0..<0, 1)]), 20_001),
            Input("one gone in front", replacing([(0..<1, 0)]), 20_000),
            Input("one at the end", rows + fresh(1), 20_000),
            Input("one in the middle", replacing([(half..<half, 1)]), 20_001),
            Input("two gaps of one", replacing([(5000..<5000, 1), (9000..<9000, 1)]), 20_005),
            Input("two gaps of six", replacing([(5000..<5000, 6), (9000..<9006, 0)]), 20_016, 12),
            Input(
                "two gaps of seven",
                replacing([(5000..<5000, 7), (9000..<9007, 0)]),
                20_175,
                959
            ),
            Input(
                "a gap of seven and one",
                replacing([(5000..<5007, 0), (9000..<9000, 1)]),
                20_178,
                955
            ),
            Input("a block comes", replacing([(7000..<7000, 3000)]), 20_001),
            Input("a block goes", replacing([(7000..<10_000, 0)]), 17_001),
            Input("a block is replaced", replacing([(7000..<10_000, 3000)]), 20_170, 7260),
            Input(
                "blocks come",
                replacing([(3000..<3000, 500), (12_000..<12_001, 700)]),
                21_510,
                2500
            ),
            Input("blocks go", replacing([(3000..<3500, 0), (12_000..<12_700, 1)]), 19_058, 2276),
            Input(
                "blocks for others",
                replacing([(3000..<3500, 900), (12_000..<12_700, 90)]),
                20_344,
                3618
            ),
            Input(
                "a long block comes",
                replacing([(50..<50, count), (half..<half, 1)]),
                21_756,
                1963
            ),
            Input("every hundredth replaced", rows.map { $0 % 100 == 3 ? -$0 : $0 }, 22_989, 400),
            Input("every hundredth gone", rows.filter { $0 % 100 != 3 }, 20_796),
            Input("every other gone", rows.filter { $0 % 2 == 0 }, 59_995),
            Input("every other new", rows.flatMap { [$0, -1 - $0] }, 99_997),
            Input("halves swapped", Array(rows[half...] + rows[..<half]), 21_422, 11_251),
            Input(
                "a block moves far",
                Array(rows[..<2000] + rows[5000..<15_000] + rows[2000..<5000] + rows[15_000...]),
                20_556,
                4134
            ),
            Input(
                "a block moves near",
                Array(rows[..<2000] + rows[2100..<2400] + rows[2000..<2100] + rows[2400...]),
                20_198,
                1238
            ),
            Input(
                "order begins again",
                shuffled(0..<half, by: half) + rows[half...] + [-1],
                24_123,
                21_862
            ),
            Input("order ends", rows[..<half] + shuffled(half..<count, by: half), 21_908, 21_233),
            Input("reversed", rows.reversed(), 23_397, 41_954),
            Input("eights shuffled", shuffled(rows, by: 8), 106_687, 23_221),
            Input("hundreds shuffled", shuffled(rows, by: 100), 24_216, 41_914),
            Input("all shuffled", shuffled(rows, by: count), 23_443, 41_954),
            Input("all others", rows.map { $0 + count }, 20_237, 41_954),
        ]
    }

    @Test func noInputIsLookedAtMoreOftenThanItNeeds() throws {
        for input in Self.inputs {
            let tally = Tally()
            func section(_ rows: [Int]) -> [(Int, [Counted])] {
                [(0, rows.map { Counted(id: $0, tally: tally) })]
            }
            let (old, new) = (section(Self.rows), section(input.new))
            _ = try ValidatedChangeSet(fromIdentifiers: old, to: new)
            #expect(tally.comparisons <= input.comparisons + input.hashes / 100, "\(input.name)")
            #expect(tally.hashes <= input.hashes, "\(input.name)")
        }
    }
}
