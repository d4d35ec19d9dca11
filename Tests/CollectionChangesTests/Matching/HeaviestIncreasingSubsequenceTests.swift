import TestSupport
import Testing

@testable import CollectionChanges

@Suite struct HeaviestIncreasingSubsequenceTests {
    @Test func isTheHeaviestOfEveryPermutation() {
        for count in 0...Effort.number(6, usually: 4) {
            var row = HeaviestIncreasingSubsequence(bound: 2 * count, capacity: count)
            let keys = everyPermutation(count)
            for weights in everyWeighting(count) {
                for keys in keys {
                    // Spread over the bound, so that not every integer is a key.
                    check(keys.map { 2 * $0 }, weights, &row)
                }
            }
        }
    }

    @Test(arguments: [64, 65, 4_096, 5_000, 300_000])
    func isTheHeaviestOfLongRows(_ bound: Int) {
        for seed in 0..<UInt64(Effort.number(40, usually: 4)) {
            var generator = SeededNumbers(seed: seed)
            let count = 1 + generator.next(below: min(bound, 400))
            var keys: Set<Int> = []
            while keys.count < count { keys.insert(generator.next(below: bound)) }
            let row = keys.sorted().shuffled(using: &generator)
            let weights = row.map { _ in UInt64(1 + generator.next(below: 9)) }
            let (found, positions) = heaviest(row, weights, bound: bound)
            var best: [UInt64] = []
            for index in row.indices {
                let before = (0..<index).filter { row[$0] < row[index] }.map { best[$0] }.max() ?? 0
                best.append(before + weights[index])
            }
            #expect(found == best.max(), "seed \(seed)")
            #expect(positions == positions.sorted(), "seed \(seed)")
            #expect(positions.map { row[$0] } == positions.map { row[$0] }.sorted(), "seed \(seed)")
        }
    }

    @Test func theLongestIsAsLongAsTheHeaviestOfEqualWeights() {
        for count in 0...Effort.number(7, usually: 6) {
            var longest = LongestIncreasingSubsequence(capacity: count)
            for keys in everyPermutation(count) {
                for key in keys { longest.append(UInt32(2 * key)) }
                var found: [Int] = []
                longest.finish { found.append($0) }
                found.reverse()
                let (weight, _) = heaviest(keys, keys.map { _ in 1 }, bound: count)
                #expect(found.count == weight, "\(keys)")
                #expect(found == found.sorted(), "\(keys)")
                #expect(found.map { keys[$0] } == found.map { keys[$0] }.sorted(), "\(keys)")
            }
        }
    }

    private func heaviest(
        _ keys: [Int],
        _ weights: [UInt64],
        bound: Int
    ) -> (weight: UInt64, positions: [Int]) {
        var row = HeaviestIncreasingSubsequence(bound: bound, capacity: keys.count)
        for (key, weight) in zip(keys, weights) { row.append(key, weight: weight) }
        var positions: [Int] = []
        row.finish { positions.append($0) }
        return (positions.map { weights[$0] }.reduce(0, +), positions.reversed())
    }

    private func check(
        _ keys: [Int],
        _ weights: [UInt64],
        _ row: inout HeaviestIncreasingSubsequence
    ) {
        for (key, weight) in zip(keys, weights) { row.append(key, weight: weight) }
        var found: UInt64 = 0
        var lastPosition = keys.count
        var lastKey = Int.max
        var isIncreasing = true
        row.finish { position in
            found += weights[position]
            if position >= lastPosition || keys[position] >= lastKey { isIncreasing = false }
            (lastPosition, lastKey) = (position, keys[position])
        }
        // The best that ends at each position, from those before it.
        var best: [UInt64] = []
        for index in keys.indices {
            var before: UInt64 = 0
            for other in 0..<index where keys[other] < keys[index] {
                before = max(before, best[other])
            }
            best.append(before + weights[index])
        }
        if !isIncreasing || found != best.max() ?? 0 {
            Issue.record("\(keys) of weights \(weights) gave \(found)")
        }
    }

    private func everyPermutation(_ count: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return everyPermutation(count - 1).flatMap { rest in
            (0...rest.count).map { place in
                var result = rest
                result.insert(count - 1, at: place)
                return result
            }
        }
    }

    private func everyWeighting(_ count: Int) -> [[UInt64]] {
        guard count > 0 else { return [[]] }
        return everyWeighting(count - 1).flatMap { rest in (1...3).map { rest + [UInt64($0)] } }
    }
}

@Suite struct BitLadderTests {
    @Test(arguments: [1, 63, 64, 65, 4_095, 4_097, 262_145])
    func findsTheNeighboursThatASetHas(_ bound: Int) {
        for seed in 0..<UInt64(Effort.number(20, usually: 2)) {
            var generator = SeededNumbers(seed: seed)
            var ladder = BitLadder(bound: bound)
            var members: Set<Int> = []
            for _ in 0..<60 {
                let member = generator.next(below: bound)
                if generator.isTrue(oneIn: 3) {
                    ladder.remove(member)
                    members.remove(member)
                } else {
                    ladder.insert(member)
                    members.insert(member)
                }
                for key in [generator.next(below: bound), member, 0, bound - 1] {
                    let before = members.filter { $0 < key }.max() ?? -1
                    let after = members.filter { $0 > key }.min() ?? -1
                    #expect(ladder.neighbours(of: key).below == before, "seed \(seed)")
                    #expect(ladder.neighbours(of: key).above == after, "seed \(seed)")
                }
                #expect(ladder.last == members.max() ?? -1, "seed \(seed)")
            }
            ladder.removeAll()
            #expect(ladder.last == -1, "seed \(seed)")
        }
    }
}
