import TestSupport
import Testing

@testable import CollectionChanges

@Suite struct MoveChoiceTests {
    /// How good it is that some stay: first what counts most.
    private struct Worth: Comparable {
        var kept = 0
        var replaced = 0
        var unmoved = 0

        init(_ staying: [ItemStretch]) {
            for stretch in staying {
                if stretch.isKept { kept += stretch.count } else { replaced += stretch.count }
                if stretch.isKept, stretch.history.arrival == 0 { unmoved += stretch.count }
            }
        }

        static func < (left: Worth, right: Worth) -> Bool {
            (left.kept, left.replaced, left.unmoved) < (right.kept, right.replaced, right.unmoved)
        }
    }

    private func isAscending(_ stretches: [ItemStretch]) -> Bool {
        zip(stretches, stretches.dropFirst()).allSatisfy { $0.oldItem + $0.count <= $1.oldItem }
    }

    /// By trying every choice.
    private func best(_ home: [ItemStretch]) -> Worth {
        var best = Worth([])
        for choice in 0..<(1 << home.count) {
            let chosen = home.indices.filter { choice >> $0 & 1 == 1 }.map { home[$0] }
            if isAscending(chosen) { best = max(best, Worth(chosen)) }
        }
        return best
    }

    private func history(_ random: inout SeededNumbers) -> ItemStretch.History {
        let states: [ItemStretch.History.State] = [
            .untouched, .untouched, .reconfigured, .replaced,
        ]
        return ItemStretch.History(
            state: states[random.next(below: states.count)],
            arrival: UInt32(max(0, random.next(below: 5) - 2))
        )
    }

    /// Stretches of several sections, in any order. One of so many leaves those at home in theirs.
    private func row(_ random: inout SeededNumbers, home: Int) -> [ItemStretch] {
        var row: [ItemStretch] = []
        var end = 0
        for _ in 0..<random.next(below: 7) {
            let start = end + random.next(below: 2)
            let count = 1 + random.next(below: 2)
            row.append(
                ItemStretch(
                    oldSection: home,
                    oldItem: start,
                    count: count,
                    history: history(&random)
                )
            )
            end = start + count
        }
        if !random.isTrue(oneIn: 4) { row.shuffle(using: &random) }
        for _ in 0..<random.next(below: 3) {
            let place = random.next(below: row.count + 1)
            let history = ItemStretch.History(arrival: 1)
            let stranger =
                random.isTrue(oneIn: 2)
                ? ItemStretch.fresh(2, history)
                : ItemStretch(oldSection: home + 1, oldItem: place, count: 1, history: history)
            row.insert(stranger, at: place)
        }
        return row
    }

    @Test func noOtherChoiceOfWhatStaysIsBetter() {
        for seed in 0..<UInt64(Effort.number(5_000, usually: 600)) {
            var random = SeededNumbers(seed: seed)
            let home = random.next(below: 2)
            let row = row(&random, home: home)
            let atHome = row.filter { $0.oldSection == home }
            guard let moving = MoveChoice(row, home: home).moving else {
                #expect(isAscending(atHome), "seed \(seed)")
                continue
            }
            #expect(!isAscending(atHome), "seed \(seed)")
            #expect(moving.count == row.count, "seed \(seed)")
            for (stretch, moves) in zip(row, moving) where stretch.oldSection != home {
                #expect(!moves, "seed \(seed)")
            }
            let staying = zip(row, moving).filter { $0.oldSection == home && !$1 }.map(\.0)
            #expect(isAscending(staying), "seed \(seed)")
            #expect(Worth(staying) == best(atHome), "seed \(seed): \(staying) of \(row)")
        }
    }

    @Test func nothingIsAtHomeInANewSection() {
        let row = [ItemStretch.fresh(2), .fresh(1, ItemStretch.History(arrival: 1)), .fresh(3)]
        #expect(MoveChoice(row, home: -1).moving == nil)
        #expect(MoveChoice(row, home: 0).moving == nil)
        #expect(MoveChoice([], home: 0).moving == nil)
    }

    // MARK: Weights

    private static let totals = [
        0, 1, 2, 3, 100, 1 << 20 - 1, 1 << 20, 1 << 20 + 1, 1 << 30 - 1, 1 << 30, 1 << 30 + 1,
        1 << 40, Int.max - 1,
    ]

    @Test func noSumOfWeightsOverflows() {
        for total in Self.totals {
            let weights = StayingWeights(total: total)
            for weight in [weights.kept + weights.unmoved, weights.replaced] {
                let (_, overflows) = weight.multipliedReportingOverflow(by: UInt64(total))
                #expect(!overflows, "\(total)")
            }
        }
    }

    @Test func oneThatCountsMoreOutweighsAllThatCountLess() {
        for total in [0, 1, 2, 3, 100, 1 << 20 - 1] {
            let (weights, all) = (StayingWeights(total: total), UInt64(total))
            #expect(weights.kept > all * (weights.replaced + weights.unmoved), "\(total)")
            #expect(weights.replaced > all * weights.unmoved, "\(total)")
            #expect(weights.unmoved > 0, "\(total)")
        }
        for total in [1 << 20 + 1, 1 << 25, 1 << 30 - 1] {
            let (weights, all) = (StayingWeights(total: total), UInt64(total))
            #expect(weights.kept > all * (weights.replaced + weights.unmoved), "\(total)")
            #expect(weights.replaced == weights.unmoved && weights.unmoved > 0, "\(total)")
        }
        for total in [1 << 30 + 1, 1 << 40, Int.max - 1] {
            let weights = StayingWeights(total: total)
            #expect(weights.kept == weights.replaced && weights.unmoved == 0, "\(total)")
            #expect(weights.kept > 0, "\(total)")
        }
    }
}
