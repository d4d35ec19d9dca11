import TestSupport
import Testing

@testable import CollectionChanges

/// The parts of a walk one by one: which row is skipped to, what confirms an anchor, where a search looks, and how far a
/// walk goes back or leaps.
@Suite struct SectionWalkTests {
    private typealias Walk = SectionWalk<IdentifierRules<Int>>

    private func withWalk(_ old: [Int], _ new: [Int], _ body: (inout Walk) -> Void) {
        old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                var walk = Walk(IdentifierRules(), old: old, new: new, oldBase: 0, newBase: 0)
                body(&walk)
            }
        }
    }

    /// What a walk says of itself, copied out of it.
    private struct State {
        var oldNext: Int
        var newNext: Int
        var leap: Int
        var budget: Int
        var hasLeapt: Bool
        var hasAnchors: Bool

        init(_ walk: borrowing Walk) {
            (oldNext, newNext) = (walk.oldNext, walk.newNext)
            (leap, budget) = (walk.leap, walk.budget)
            hasLeapt = walk.hasLeapt
            hasAnchors = !(walk.anchors == nil)
        }
    }

    private static func fresh(_ count: Int) -> [Int] { (0..<count).map { -1 - $0 } }

    // MARK: Near

    @Test func theNearestCounterpartIsSkippedTo() {
        for seed in 0..<UInt64(400) {
            var generator = SeededNumbers(seed: seed)
            let old = (0..<9).map { _ in generator.next(below: 12) }
            let new = (0..<9).map { _ in generator.next(below: 12) }
            let (start, other) = (generator.next(below: 3), generator.next(below: 3))
            let (oldEnd, newEnd) = (9 - generator.next(below: 5), 9 - generator.next(below: 5))
            var expected: (old: Int, new: Int)?
            for skipped in (1...6).reversed() {
                if start + skipped < oldEnd, old[start + skipped] == new[other] {
                    expected = (start + skipped, other)
                }
                if other + skipped < newEnd, old[start] == new[other + skipped] {
                    expected = (start, other + skipped)
                }
            }
            withWalk(old, new) { walk in
                (walk.oldNext, walk.newNext) = (start, other)
                (walk.oldEnd, walk.newEnd) = (oldEnd, newEnd)
                let skips = walk.skipToCounterpart()
                let end = State(walk)
                #expect(skips == (expected != nil), "seed \(seed)")
                #expect(end.oldNext == expected?.old ?? start, "seed \(seed)")
                #expect(end.newNext == expected?.new ?? other, "seed \(seed)")
            }
        }
    }

    @Test func elevenStrangersAreWalkedOverAndTwelveAreNot() {
        for prefix in [0, 1] {
            for count in 11...12 {
                // A stranger, rows that are the same, and the strangers in question.
                let same = Array(0..<10 * prefix)
                let old = Array(1000..<1000 + prefix) + same + Array(2000..<2200)
                var new = Self.fresh(prefix) + same + Array(2000..<2200)
                for offset in 0..<count { new[11 * prefix + offset] = -100 - offset }
                new[new.count - 1] = -200
                var matches = RowMatches()
                withWalk(old, new) { walk in
                    let isFinished = walk.run(&matches, isCancelled: { false })
                    let end = State(walk)
                    #expect(isFinished)
                    #expect(end.hasAnchors == (count == 12), "\(prefix), \(count)")
                }
                #expect(matches.count == old.count - prefix - count - 1)
            }
        }
    }

    @Test func patienceBeginsAgainAfterASearch() {
        // Behind a leap come so many strangers; the search behind twelve finds its anchor at the fifth row.
        for (count, looks) in [(11, 64), (12, 69)] {
            let old = Array(0..<1200)
            var new = Self.fresh(1200)
            // Every anchor behind the first twelve rows, each alone, where a search looks.
            let anchors = (0..<64).map { 12 + 16 * (63 - $0) }
            new.replaceSubrange(12..<44, with: anchors[..<32])
            new.replaceSubrange(52..<84, with: anchors[32...])
            new.replaceSubrange((92 + count)..<1199, with: old[(92 + count)..<1199])
            var matches = RowMatches()
            withWalk(old, new) { walk in
                walk.leap = 80
                var questions = 0
                let isFinished = walk.run(&matches) {
                    questions += 1
                    return false
                }
                let end = State(walk)
                #expect(isFinished)
                // Each search that goes on is one.
                #expect(questions == count - 10)
                #expect(end.budget == 1200 - looks)
                #expect(end.leap == 160)
                #expect(!end.hasLeapt)
            }
            #expect(matches.count == 1199 - 92 - count)
            matches = RowMatches()
            withWalk(old, new) { walk in
                let isFinished = walk.run(&matches, isCancelled: { true })
                #expect(!isFinished)
            }
        }
    }

    @Test func whatALeapPassedIsFoundByGoingBack() {
        let rows = Array(0..<100)
        var new = rows
        new[0] = -1
        new[99] = -2
        var matches = RowMatches()
        withWalk(rows, new) { walk in
            (walk.oldNext, walk.newNext) = (40, 40)
            walk.hasLeapt = true
            let isFinished = walk.walk(&matches, { false })
            let end = State(walk)
            #expect(isFinished)
            #expect(!end.hasLeapt)
        }
        #expect(matches.count == 98)
    }

    // MARK: Far

    /// Both sides, with what lies between the given rows the same, and nothing else.
    private struct Stretch {
        var old: [Int]
        var new: [Int]

        init(_ oldRow: Int, _ newRow: Int, before: Int, after: Int) {
            old = Array(0..<120)
            new = SectionWalkTests.fresh(60)
            for offset in -before..<after { new[newRow + offset] = old[oldRow + offset] }
        }
    }

    @Test func anAnchorIsConfirmedByEnoughRowsAroundIt() {
        for (oldRow, oldNext) in [(20, 0), (20, 18), (60, 0), (60, 30), (60, 36), (100, 59)] {
            for before in 0...8 {
                for after in 0...8 {
                    let stretch = Stretch(oldRow, 30, before: before, after: after)
                    for newNext in [0, 27, 30] {
                        for (oldEnd, newEnd) in [(120, 60), (oldRow + 2, 60), (120, 33)] {
                            let start = max(oldNext, oldRow - before, oldRow - (30 - newNext))
                            let end = min(oldEnd, oldRow + after, oldRow + (newEnd - 30))
                            let wanted = max(2, (oldRow - oldNext) / 8)
                            withWalk(stretch.old, stretch.new) { walk in
                                (walk.oldNext, walk.newNext) = (oldNext, newNext)
                                (walk.oldEnd, walk.newEnd) = (oldEnd, newEnd)
                                let isConfirmed = walk.isConfirmed(oldRow, 30)
                                #expect(
                                    isConfirmed == (end - start >= wanted),
                                    "\(oldRow) from \(oldNext), \(newNext): \(before), \(after)"
                                )
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func confirmingComparesNoMoreRowsThanAreWanted() {
        for (oldRow, oldNext) in [(60, 0), (60, 36), (100, 59)] {
            let wanted = max(2, (oldRow - oldNext) / 8)
            for before in 0...8 {
                for after in 1...8 {
                    let stretch = Stretch(oldRow, 30, before: before, after: after)
                    let tally = ChosenHash.Tally()
                    let old = stretch.old.map { ChosenHash($0, hash: $0, tally) }
                    let new = stretch.new.map { ChosenHash($0, hash: $0, tally) }
                    old.withUnsafeBufferPointer { old in
                        new.withUnsafeBufferPointer { new in
                            var walk = SectionWalk(
                                IdentifierRules<ChosenHash>(),
                                old: old,
                                new: new,
                                oldBase: 0,
                                newBase: 0
                            )
                            walk.oldNext = oldNext
                            _ = walk.isConfirmed(oldRow, 30)
                        }
                    }
                    let same = min(wanted, before + after)
                    let differences = after >= wanted ? 0 : before + after >= wanted ? 1 : 2
                    #expect(tally.comparisons == same + differences, "\(before), \(after)")
                }
            }
        }
    }

    @Test func goingBackEndsAtTheFirstDifferenceOrMatch() {
        for before in 0...6 {
            let stretch = Stretch(40, 30, before: before, after: 0)
            for lastOld in [0, 34, 37, 40] {
                for lastNew in [0, 25, 28, 30] {
                    withWalk(stretch.old, stretch.new) { walk in
                        (walk.oldNext, walk.newNext) = (40, 30)
                        walk.goBack(to: (lastOld, lastNew))
                        let count = min(before, 40 - lastOld, 30 - lastNew)
                        let end = State(walk)
                        #expect(end.oldNext == 40 - count)
                        #expect(end.newNext == 30 - count)
                    }
                }
            }
        }
    }

    @Test func aLeapIsTwiceAsLongEachTimeAndEndsWithTheRows() {
        let rows = Array(0..<5000)
        withWalk(rows, rows) { walk in
            let start = State(walk)
            #expect(!start.hasLeapt && start.leap == 1024)
            for (oldNext, oldEnd, newNext, newEnd, skipped) in [
                (0, 5000, 0, 5000, 1024), (1000, 5000, 500, 5000, 2048),
                (4000, 4900, 0, 5000, 900), (0, 5000, 4000, 4800, 800),
            ] {
                (walk.oldNext, walk.newNext) = (oldNext, newNext)
                (walk.oldEnd, walk.newEnd) = (oldEnd, newEnd)
                walk.hasLeapt = false
                let leap = walk.leap
                let goesOn = walk.giveUpForNow()
                let end = State(walk)
                #expect(goesOn && end.hasLeapt)
                #expect(end.oldNext == oldNext + skipped)
                #expect(end.newNext == newNext + skipped)
                #expect(end.leap == 2 * leap)
            }
        }
    }

    /// Where a search looks for anchors, from the row where it begins: stretches of 32, between which it leaves out a
    /// fourth of what it came past.
    private static var searchedRows: [Int] {
        var rows: [Int] = []
        var row = 0
        while row < 400 {
            rows += row..<(row + 32)
            row += 32
            row += row / 4
        }
        return rows
    }

    @Test func aSearchLooksAtStretchesAndLeavesOutMoreAndMore() {
        for start in [0, 7] {
            for place in 0..<200 {
                // The only anchor that is there is the first.
                let old = Array(0..<200)
                var new = Self.fresh(300)
                new.replaceSubrange(
                    (start + place)..<(start + place + 2),
                    with: [start, start + 1]
                )
                let isFound = Self.searchedRows.contains(place)
                withWalk(old, new) { walk in
                    (walk.oldNext, walk.newNext) = (start, start)
                    let goesOn = walk.searchAnchor(after: (start, start))
                    let end = State(walk)
                    #expect(goesOn == isFound, "\(place)")
                    #expect(end.oldNext == start)
                    #expect(end.newNext == (isFound ? start + place : start), "\(place)")
                }
            }
        }
    }

    @Test func aSearchEndsWithItsBudget() {
        let old = Array(0..<200)
        for place in [0, 1, 20, 45] {
            var new = Self.fresh(300)
            new.replaceSubrange(place..<(place + 2), with: [0, 1])
            let looks = Self.searchedRows.firstIndex(of: place)! + 1
            for budget in (looks - 1)...looks {
                withWalk(old, new) { walk in
                    walk.budget = budget
                    let goesOn = walk.searchAnchor(after: (0, 0))
                    let end = State(walk)
                    #expect(goesOn == (budget == looks), "\(place)")
                    #expect(end.budget == 0)
                }
            }
        }
    }

    @Test func fewRowsOrNoBudgetAreNotSearched() {
        let rows = Array(0..<100)
        for (oldNext, oldEnd, budget, isSearched) in [
            (0, 64, 10, true), (0, 63, 10, false), (30, 93, 10, false), (36, 100, 10, true),
            (0, 100, 0, false), (0, 100, 1, true),
        ] {
            withWalk(rows, Self.fresh(100)) { walk in
                (walk.oldNext, walk.oldEnd, walk.budget) = (oldNext, oldEnd, budget)
                let goesOn = walk.searchAnchor(after: (oldNext, 0))
                let end = State(walk)
                #expect(!goesOn)
                #expect(end.hasAnchors == isSearched, "\(oldNext)..<\(oldEnd), \(budget)")
            }
        }
    }

    @Test func theSixtyFourthAnchorThatComesToNothingEndsASearch() {
        let old = Array(0..<1200)
        // Each alone, and where a search looks; then rows from the first on.
        for count in [1, 2, 63, 64, 65] {
            var new = Self.fresh(600)
            let searched = Self.searchedRows
            for (index, row) in searched[..<count].enumerated() { new[row] = 16 * (70 - index) }
            let start = searched[count]
            new.replaceSubrange(start..<(start + 40), with: old[..<40])
            withWalk(old, new) { walk in
                let goesOn = walk.searchAnchor(after: (0, 0))
                let end = State(walk)
                #expect(goesOn)
                #expect(end.hasLeapt == (count >= 64), "\(count)")
                #expect(end.oldNext == (count >= 64 ? 600 : 0), "\(count)")
                #expect(end.newNext == (count >= 64 ? 600 : start), "\(count)")
                #expect(end.budget == 600 - min(count + 1, 64), "\(count)")
            }
        }
    }

    @Test func aSearchGoesBackFromItsAnchorAndLeavesTheTrimmedEndAlone() {
        let old = Array(0..<100)
        // Rows 70 to 80 hold the anchor 80 alone.
        let new = Self.fresh(5) + Array(70...80) + Self.fresh(40)
        for (oldEnd, newEnd, isFound) in [
            (100, 56, true), (81, 56, true), (80, 56, false), (79, 56, false), (100, 16, true),
            (100, 15, false),
        ] {
            withWalk(old, new) { walk in
                (walk.oldEnd, walk.newEnd) = (oldEnd, newEnd)
                let goesOn = walk.searchAnchor(after: (0, 0))
                let end = State(walk)
                #expect(goesOn == isFound, "\(oldEnd), \(newEnd)")
                #expect(end.oldNext == (isFound ? 70 : 0))
                #expect(end.newNext == (isFound ? 5 : 0))
            }
        }
        withWalk(old, new) { walk in
            let goesOn = walk.searchAnchor(after: (73, 2))
            let end = State(walk)
            #expect(goesOn)
            #expect(end.oldNext == 73 && end.newNext == 8)
        }
    }

    @Test func anchorsBehindTheWalkAreNotGoneBackTo() {
        let old = Array(0..<200)
        let new = Self.fresh(5) + Array(0..<40) + Self.fresh(40)
        withWalk(old, new) { walk in
            walk.budget = 1
            _ = walk.searchAnchor(after: (0, 0))
            walk.budget = 500
            (walk.oldNext, walk.newNext) = (50, 0)
            let goesOn = walk.searchAnchor(after: (0, 0))
            let end = State(walk)
            #expect(!goesOn)
            #expect(end.oldNext == 50 && end.newNext == 0)
        }
    }
}
