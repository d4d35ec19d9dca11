import CollectionChanges
import TestSupport
import Testing

/// What a difference costs beside its result: questions whether to go on, and copies of what is not in memory.
@Suite struct DifferenceEffortTests {
    /// Counts what is done with identifiers.
    private final class Tally {
        var comparisons = 0
        var comparisonsAtQuestion = 0
        var longest = 0

        /// Whether to give up: never.
        func ask() -> Bool {
            longest = max(longest, comparisons - comparisonsAtQuestion)
            comparisonsAtQuestion = comparisons
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
            hasher.combine(id)
        }
    }

    private static let count = 120_000

    /// Inputs that each go through another part of the search.
    private static var inputs: [(name: String, old: [[Int]], new: [[Int]])] {
        let rows = Array(0..<count)
        let sections = stride(from: 0, to: count, by: 10).map { Array($0..<$0 + 10) }
        return [
            ("the same", [rows], [rows]),
            ("every other row gone", [rows], [rows.filter { $0 % 2 == 0 }]),
            ("halves swapped", [rows], [Array(rows[(count / 2)...] + rows[..<(count / 2)])]),
            ("reversed", [rows], [rows.reversed()]),
            ("all other rows", [rows], [rows.map { $0 + count }]),
            ("all in another section", [rows, []], [[], rows]),
            ("small sections", sections, sections),
        ]
    }

    @Test func nobodyWaitsForMoreThanSomeThousandRowsToGiveUp() throws {
        for input in Self.inputs {
            let tally = Tally()
            func sections(_ rows: [[Int]]) -> [(Int, [Counted])] {
                rows.enumerated().map { ($0, $1.map { Counted(id: $0, tally: tally) }) }
            }
            _ = try ValidatedChangeSet(
                fromIdentifiers: sections(input.old),
                to: sections(input.new),
                isCancelled: tally.ask
            )
            _ = tally.ask()
            // A step compares a row with a dozen others at most.
            #expect(tally.longest < 13 * 4096, "\(input.name): \(tally.longest)")
        }
    }

    @Test func everyQuestionCanEndTheSearch() throws {
        for input in Self.inputs {
            var questions = 0
            _ = try ValidatedChangeSet(
                fromIdentifiers: Array(input.old.enumerated()).map { ($0.offset, $0.element) },
                to: Array(input.new.enumerated()).map { ($0.offset, $0.element) },
                isCancelled: {
                    questions += 1
                    return false
                }
            )
            for number in Set([1, questions / 2, questions]) where number > 0 {
                var asked = 0
                let error = #expect(throws: DifferenceError.self) {
                    try ValidatedChangeSet(
                        fromIdentifiers: Array(input.old.enumerated()).map {
                            ($0.offset, $0.element)
                        },
                        to: Array(input.new.enumerated()).map { ($0.offset, $0.element) },
                        isCancelled: {
                            asked += 1
                            return asked == number
                        }
                    )
                }
                #expect(error?.code == .cancelled, "\(input.name), question \(number)")
            }
        }
    }

    /// A collection that has to make its elements.
    private struct Made: Collection {
        let count: Int
        let skipped: Int
        let tally: Tally

        var startIndex: Int { 0 }
        var endIndex: Int { count }
        func index(after index: Int) -> Int { index + 1 }

        subscript(index: Int) -> Int {
            tally.comparisons += 1
            // Every hundredth is another, which leaves a gap each.
            return index % 100 == skipped ? -index : index
        }
    }

    @Test(arguments: [DuplicatePolicy.byOccurrence, .refuse])
    func whatIsNotInMemoryIsMadeOnce(duplicates: DuplicatePolicy) throws {
        let tally = Tally()
        let (old, new) = (
            Made(count: 20_000, skipped: 1, tally: tally),
            Made(count: 20_000, skipped: 2, tally: tally)
        )
        let update = try ValidatedChangeSet(
            fromIdentifiers: old,
            to: new,
            options: DifferenceOptions(duplicates: duplicates)
        )
        #expect(update.itemRemovals.count == 400)
        #expect(tally.comparisons == 40_000)
    }
}
