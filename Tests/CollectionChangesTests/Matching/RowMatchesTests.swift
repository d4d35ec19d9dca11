import TestSupport
import Testing

@testable import CollectionChanges

/// What is kept of matches, what they leave over, and how they are put together.
@Suite struct RowMatchesTests {
    @Test func theLastMatchOfASectionIsCountedFromItsFirstRows() {
        var matches = RowMatches()
        func last(_ oldBase: Int, _ newBase: Int) -> [Int] {
            let last = matches.last(oldBase, newBase)
            return [last.old, last.new]
        }
        #expect(last(0, 0) == [0, 0])
        matches.append(old: 3, new: 10, count: 4)
        matches.append(old: 20, new: 5, count: 2)
        matches.append(old: 25, new: 9, count: 1)
        #expect(matches.count == 7)
        #expect(last(0, 0) == [26, 10])
        #expect(last(20, 2) == [6, 8])
        #expect(last(25, 9) == [1, 1])
        #expect(last(26, 0) == [0, 0])
    }

    @Test func everyRowBetweenMatchesIsLeftOverOnce() throws {
        for seed in 0..<UInt64(300) {
            var generator = SeededNumbers(seed: seed)
            let oldCounts = (0..<4).map { _ in generator.next(below: 7) }
            let newCounts = (0..<4).map { _ in generator.next(below: 7) }
            let (old, new) = (try RowNumbers(oldCounts), try RowNumbers(newCounts))
            let targets = Array(0..<4).shuffled(using: &generator)
            var matches = RowMatches()
            var pairs: [SurvivingSection] = []
            var (oldRows, newRows) = (Set<Int>(), Set<Int>())
            for section in 0..<4 where !generator.isTrue(oneIn: 4) {
                let target = targets[section]
                pairs.append(SurvivingSection(oldSection: section, newSection: target))
                var (oldItem, newItem) = (generator.next(below: 3), generator.next(below: 3))
                while oldItem < oldCounts[section], newItem < newCounts[target] {
                    let room = min(oldCounts[section] - oldItem, newCounts[target] - newItem)
                    let count = min(1 + generator.next(below: 2), room)
                    let (oldRow, newRow) = (
                        old.starts[section] + oldItem, new.starts[target] + newItem
                    )
                    matches.append(old: oldRow, new: newRow, count: count)
                    oldRows.formUnion(oldRow..<(oldRow + count))
                    newRows.formUnion(newRow..<(newRow + count))
                    oldItem += count + generator.next(below: 3)
                    newItem += count + generator.next(below: 3)
                }
            }
            var gaps: [[Int]] = []
            matches.withEveryOldGap(old) { gaps.append([$0, $1.lowerBound, $1.upperBound]) }
            #expect(gaps == Self.gaps(old, without: oldRows), "seed \(seed)")
            gaps = []
            matches.withEveryNewGap(new, pairs, old) {
                gaps.append([$0, $1.lowerBound, $1.upperBound])
            }
            #expect(gaps == Self.gaps(new, without: newRows), "seed \(seed)")
        }
    }

    /// Stretches of rows that are not matched: section, first item and end.
    private static func gaps(_ numbers: RowNumbers, without matched: Set<Int>) -> [[Int]] {
        var gaps: [[Int]] = []
        for section in 0..<numbers.sectionCount {
            for row in numbers.rows(section) where !matched.contains(row) {
                let item = row - numbers.starts[section]
                if let last = gaps.last, last[0] == section, last[2] == item {
                    gaps[gaps.count - 1][2] += 1
                } else {
                    gaps.append([section, item, item + 1])
                }
            }
        }
        return gaps
    }

    // MARK: Numbers

    @Test func rowsThatTakeMoreThanThirtyOneBitsAreAnError() {
        func error(_ counts: [Int]) -> DifferenceError? {
            do throws(DifferenceError) {
                _ = try RowNumbers(counts)
                return nil
            } catch {
                return error
            }
        }
        let limit = Int(Int32.max)
        #expect(error([limit - 1]) == nil)
        #expect(error([1, limit - 2, 0]) == nil)
        for counts in [
            [limit], [1, limit - 1], [5, .max], [.max], [.max, .max, 1], [-1], [3, -2],
        ] {
            #expect(error(counts)?.code == .tooManyItems, "\(counts)")
        }
        #expect(
            error([1, limit, 7])?.message
                == "A side must have less than 2147483647 items, but the sections up to 1 already"
                + " have more"
        )
    }

    @Test func everyRowHasItsPathWhereverTheSearchBegins() throws {
        let numbers = try RowNumbers([2, 0, 0, 3, 1, 0, 2])
        for row in 0..<8 {
            let section = (0..<7).first { numbers.rows($0).contains(row) }!
            let expected = path(section, row - numbers.starts[section])
            #expect(numbers.path(of: row) == expected)
            for start in 0..<7 {
                var near = start
                #expect(numbers.path(row, near: &near) == expected, "\(row) from \(start)")
                #expect(near == section, "\(row) from \(start)")
            }
        }
    }

    // MARK: Assembling

    /// Runs of left-over old rows `0..<partners.count`, with the partners given as indexes or -1.
    private static func assembled(_ partners: [Int]) throws -> [CompactRun] {
        let numbers = try RowNumbers([partners.count])
        var assembler = RunAssembler(numbers, numbers)
        let rows = Array(0..<UInt32(partners.count))
        let successors = partners.map { UInt32($0 + 1) }
        assembler.append(RowMatches(), and: rows.count, successors, rows)
        return assembler.runs
    }

    @Test(arguments: [1_100, 1_500])
    func runsHaveNoMoreMemoryThanThereAreRuns(_ count: Int) throws {
        let scattered = try Self.assembled(Array((0..<count).reversed()))
        #expect(scattered.count == count)
        #expect(scattered.capacity < count + count / 10)
        let whole = try Self.assembled(Array(0..<count))
        #expect(whole.count == 1)
        #expect(whole.capacity < 20)
        let none = try Self.assembled(Array(repeating: -1, count: count))
        #expect(none.isEmpty)
        #expect(none.capacity < 20)
    }
}
