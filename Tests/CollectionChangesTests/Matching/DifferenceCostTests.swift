import CollectionChanges
import TestSupport
import Testing

/// The cost of a difference besides its result: comparisons and hashes of identifiers, and
/// cancellation checks.
@Suite struct DifferenceCostTests {
    /// Counts the comparisons and hashes of identifiers.
    private final class Tally {
        var comparisons = 0
        var hashes = 0
        var comparisonsAtLastCheck = 0
        var mostBetweenChecks = 0

        /// Records a cancellation check; never cancels.
        func checkCancellation() -> Bool {
            mostBetweenChecks = max(mostBetweenChecks, comparisons - comparisonsAtLastCheck)
            comparisonsAtLastCheck = comparisons
            return false
        }
    }

    private struct Counted: Hashable {
        let id: Int
        let tally: Tally

        static func == (left: Counted, right: Counted) -> Bool {
            left.tally.comparisons += 1
            return left.id == right.id
        }

        func hash(into hasher: inout Hasher) {
            tally.comparisons += 1
            tally.hashes += 1
            hasher.combine(id)
        }
    }

    private static let count = 120_000

    /// Inputs that exercise different parts of the search.
    private static var inputs: [(name: String, old: [[Int]], new: [[Int]])] {
        let rows = Array(0..<count)
        let sections = stride(from: 0, to: count, by: 10).map { Array($0..<$0 + 10) }
        return [
            ("the same", [rows], [rows]),
            ("every other row removed", [rows], [rows.filter { $0 % 2 == 0 }]),
            ("halves swapped", [rows], [Array(rows[(count / 2)...] + rows[..<(count / 2)])]),
            ("reversed", [rows], [rows.reversed()]),
            ("all rows replaced", [rows], [rows.map { $0 + count }]),
            ("all in another section", [rows, []], [[], rows]),
            ("small sections", sections, sections),
        ]
    }

    @Test func cancellationIsCheckedEveryFewThousandRows() throws {
        for input in Self.inputs {
            let tally = Tally()
            func sections(_ rows: [[Int]]) -> [(Int, [Counted])] {
                rows.enumerated().map { ($0, $1.map { Counted(id: $0, tally: tally) }) }
            }
            _ = try ValidatedChangeSet(
                fromIdentifiers: sections(input.old),
                to: sections(input.new),
                isCancelled: tally.checkCancellation
            )
            _ = tally.checkCancellation()
            // A step compares a row with at most a dozen others.
            #expect(
                tally.mostBetweenChecks < 13 * 4096,
                "\(input.name): \(tally.mostBetweenChecks)"
            )
        }
    }

    @Test func everyCancellationCheckCanEndTheSearch() throws {
        for input in Self.inputs {
            for duplicates in [DuplicatePolicy.byOccurrence, .reject] {
                func search(endingAt last: Int) -> (checks: Int, error: DifferenceError?) {
                    var checks = 0
                    do throws(DifferenceError) {
                        _ = try ValidatedChangeSet(
                            fromIdentifiers: input.old.enumerated().map { ($0, $1) },
                            to: input.new.enumerated().map { ($0, $1) },
                            options: DifferenceOptions(duplicates: duplicates),
                            isCancelled: {
                                checks += 1
                                return checks == last
                            }
                        )
                        return (checks, nil)
                    } catch {
                        return (checks, error)
                    }
                }
                let checkCount = search(endingAt: 0).checks
                #expect(checkCount > 3, "\(input.name)")
                for number in Set([1, checkCount / 2, checkCount]) {
                    let (checks, error) = search(endingAt: number)
                    let isRight = error?.code == .cancelled && checks == number
                    #expect(isRight, "\(input.name), check \(number)")
                }
            }
        }
    }

    /// Local edits need almost no hashing; lost order costs a few comparisons per row.
    @Test func everyInputStaysWithinItsComparisonsAndHashes() throws {
        let rows = Array(0..<20_000)
        var random = SeededNumbers(seed: 1)
        let inputs: [(name: String, new: [Int], comparisons: Int, hashes: Int)] = [
            ("the same", rows, 20_000, 0), ("one inserted first", [-1] + rows, 20_001, 0),
            ("first removed", Array(rows[1...]), 20_000, 0),
            (
                "two gaps of one",
                Array(rows[..<5_000] + [-1] + rows[5_000..<9_000] + [-2] + rows[9_000...]), 20_005,
                0
            ),
            ("a block removed", Array(rows[..<7_000] + rows[10_000...]), 17_001, 0),
            ("every hundredth replaced", rows.map { $0 % 100 == 3 ? -$0 : $0 }, 23_000, 400),
            ("every other removed", rows.filter { $0 % 2 == 0 }, 60_000, 0),
            (
                "a block moved nearby",
                Array(rows[..<2_000] + rows[2_100..<2_400] + rows[2_000..<2_100] + rows[2_400...]),
                20_300, 1_300
            ),
            ("reversed", rows.reversed(), 24_000, 42_000),
            ("all shuffled", rows.shuffled(using: &random), 24_000, 42_000),
            ("all replaced", rows.map { $0 + 20_000 }, 21_000, 42_000),
        ]
        for input in inputs {
            let tally = Tally()
            func section(_ rows: [Int]) -> [(Int, [Counted])] {
                [(0, rows.map { Counted(id: $0, tally: tally) })]
            }
            let (old, new) = (section(rows), section(input.new))
            _ = try ValidatedChangeSet(fromIdentifiers: old, to: new)
            let comparisons = tally.comparisons - tally.hashes
            #expect(comparisons <= input.comparisons + input.hashes / 100, "\(input.name)")
            #expect(tally.hashes <= input.hashes, "\(input.name)")
        }
    }
}
