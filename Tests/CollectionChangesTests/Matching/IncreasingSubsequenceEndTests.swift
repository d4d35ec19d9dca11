import Testing

@testable import CollectionChanges

/// Of several that are as heavy, an increasing subsequence that ends lowest is found: what comes behind has the most room.
@Suite struct IncreasingSubsequenceEndTests {
    @Test func theLowestEndOfTheHeaviestIsFound() {
        for count in 1...4 {
            for keys in everyPartialInjection(count, into: count) where !keys.contains(-1) {
                for code in 0..<(1 << count) {
                    let weights = keys.indices.map { UInt64(1 + (code >> $0) & 1) }
                    var row = HeaviestIncreasingSubsequence(bound: count, capacity: count)
                    for (key, weight) in zip(keys, weights) { row.append(key, weight: weight) }
                    var found: [Int] = []
                    row.finish { found.append($0) }
                    let (weight, end) = best(keys, weights)
                    #expect(found.map { weights[$0] }.reduce(0, +) == weight, "\(keys), \(weights)")
                    #expect(found.first.map { keys[$0] } == end, "\(keys), \(weights)")
                }
            }
        }
    }

    @Test func theLowestEndOfTheLongestIsFound() {
        for count in 1...6 {
            for keys in everyPartialInjection(count, into: count) where !keys.contains(-1) {
                var row = LongestIncreasingSubsequence(capacity: count)
                for key in keys { row.append(UInt32(key)) }
                var found: [Int] = []
                row.finish { found.append($0) }
                let (length, end) = best(keys, keys.map { _ in 1 })
                #expect(found.count == Int(length), "\(keys)")
                #expect(found.first.map { keys[$0] } == end, "\(keys)")
            }
        }
    }

    /// By trying all subsequences.
    private func best(_ keys: [Int], _ weights: [UInt64]) -> (weight: UInt64, end: Int) {
        var best = (weight: UInt64(0), end: Int.max)
        for mask in 1..<(1 << keys.count) {
            let chosen = keys.indices.filter { mask & (1 << $0) != 0 }
            let isIncreasing = zip(chosen, chosen.dropFirst()).allSatisfy { keys[$0] < keys[$1] }
            guard isIncreasing, let end = chosen.last.map({ keys[$0] }) else { continue }
            let weight = chosen.map { weights[$0] }.reduce(0, +)
            if weight > best.weight || (weight == best.weight && end < best.end) {
                best = (weight, end)
            }
        }
        return best
    }
}
