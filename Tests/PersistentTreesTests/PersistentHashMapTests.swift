import PersistentTrees
import TestSupport
import Testing

/// A key whose hash can take few values only, so that keys collide down to the last bit.
private struct Key: Hashable, Sendable {
    let number: Int
    let hashes: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }

    static func == (left: Key, right: Key) -> Bool { left.number == right.number }
}

/// Hash maps against dictionaries.
struct PersistentHashMapTests {
    /// How many distinct hashes there are: from all the same to almost none the same. Of three keys a map is empty now
    /// and then.
    @Test(arguments: [1, 2, 7, 1 << 40], UInt64(1)...4)
    func editsGiveWhatADictionaryGives(hashes: Int, seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let keys = seed == 4 ? 3 : 60
        var timesEmpty = 0
        var map = PersistentHashMap<Key, Int>()
        var model: [Int: Int] = [:]
        var kept: [(PersistentHashMap<Key, Int>, [Int: Int])] = []
        for step in 0..<Effort.number(600, usually: 120) {
            var transaction = map.transaction()
            for _ in 0..<random.next(below: 8) {
                let number = random.next(below: keys)
                let key = Key(number: number, hashes: hashes)
                if random.isTrue(oneIn: 2) {
                    let old = transaction.updateValue(step, forKey: key)
                    let expected = model.updateValue(step, forKey: number)
                    if old != expected { Issue.record("seed \(seed), step \(step)") }
                } else {
                    let old = transaction.removeValue(forKey: key)
                    let expected = model.removeValue(forKey: number)
                    if old != expected { Issue.record("seed \(seed), step \(step)") }
                }
                if transaction[key] != model[number] || transaction.count != model.count {
                    Issue.record("seed \(seed), step \(step)")
                }
            }
            map = transaction.commit()
            if model.isEmpty { timesEmpty += 1 }
            if let fault = fault(map, model, hashes) {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
            if random.isTrue(oneIn: 20) { kept.append((map, model)) }
            if random.isTrue(oneIn: 30), let old = kept.randomElement(using: &random) {
                (map, model) = old
            }
        }
        for (map, model) in kept { #expect(fault(map, model, hashes) == nil, "seed \(seed)") }
        #expect(keys > 3 || timesEmpty > 5)
    }

    private func fault(
        _ map: PersistentHashMap<Key, Int>,
        _ model: [Int: Int],
        _ hashes: Int
    ) -> String? {
        if map.count != model.count { return "\(map.count) keys, not \(model.count)" }
        for number in 0..<60 where map[Key(number: number, hashes: hashes)] != model[number] {
            return "another value for \(number)"
        }
        let census = map.census
        if census.entries != model.count { return "\(census.entries) entries" }
        if !census.isCanonical { return "a node with a single entry" }
        return map.isEmpty == model.isEmpty ? nil : "emptiness"
    }

    @Test func anEditCopiesTheNodesOnTheWayOnly() {
        let map = filled(Effort.number(1_000_000, usually: 50_000))
        var most = 0
        for key in 0..<500 {
            var replacement = map.transaction()
            replacement.updateValue(-1, forKey: key)
            most = max(most, replacement.madeNodes)
            _ = replacement.commit()
            var removal = map.transaction()
            removal.removeValue(forKey: key)
            most = max(most, removal.madeNodes)
            _ = removal.commit()
            var insertion = map.transaction()
            insertion.updateValue(0, forKey: -1 - key)
            most = max(most, insertion.madeNodes)
            _ = insertion.commit()
        }
        // Four full levels hold a million; chance makes some ways longer.
        #expect(most <= 10)
        #expect(most >= 3)
    }

    @Test func aTransactionCopiesANodeOnceAndNothingForWhatIsNotThere() {
        let map = filled(10_000)
        var transaction = map.transaction()
        #expect(transaction.removeValue(forKey: -1) == nil && transaction.madeNodes == 0)
        for value in 0..<1000 { transaction.updateValue(value, forKey: 77) }
        #expect(transaction.madeNodes <= 6 && transaction[77] == 999)
        #expect(transaction.commit()[77] == 999 && map[77] == 77)
    }

    /// Values are let go of when they are replaced or removed, and with the last version that has them.
    @Test(arguments: [1, 3, 1 << 40])
    func valuesAreLetGoOf(hashes: Int) {
        let alive = Counter()
        func value() -> Living { Living(alive) }
        do {
            var map = PersistentHashMap<Key, Living>()
            var older: [PersistentHashMap<Key, Living>] = []
            for number in 0..<40 {
                var transaction = map.transaction()
                transaction.updateValue(value(), forKey: Key(number: number, hashes: hashes))
                map = transaction.commit()
                if number % 10 == 0 { older.append(map) }
            }
            #expect(alive.count == 40)
            var transaction = map.transaction()
            for number in 0..<20 {
                transaction.removeValue(forKey: Key(number: number, hashes: hashes))
            }
            for number in 20..<30 {
                transaction.updateValue(value(), forKey: Key(number: number, hashes: hashes))
            }
            map = transaction.commit()
            // The last of the older versions has 31.
            #expect(alive.count == 50)
            older = []
            #expect(alive.count == 20)
            withExtendedLifetime(map) {}
        }
        #expect(alive.count == 0)
    }

    private final class Counter: @unchecked Sendable {  // one thread
        var count = 0
    }

    private final class Living: Sendable {
        private let counter: Counter
        init(_ counter: Counter) {
            self.counter = counter
            counter.count += 1
        }
        deinit { counter.count -= 1 }
    }

    private func filled(_ count: Int) -> PersistentHashMap<Int, Int> {
        var transaction = PersistentHashMap<Int, Int>().transaction()
        for key in 0..<count { transaction.updateValue(key, forKey: key) }
        return transaction.commit()
    }
}
