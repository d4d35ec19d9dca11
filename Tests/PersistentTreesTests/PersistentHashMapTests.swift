import PersistentTrees
import TestSupport
import Testing

/// A key with a limited number of hash values, so that keys collide down to the last bit.
private struct Key: Hashable, Sendable {
    let number: Int
    let hashes: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }

    static func == (left: Key, right: Key) -> Bool { left.number == right.number }
}

/// Compares hash maps with dictionaries.
struct PersistentHashMapTests {
    /// `hashes` is the number of distinct hashes: from all keys alike to almost none alike. With
    /// three keys a map is empty now and then.
    @Test(arguments: [1, 2, 7, 1 << 40], UInt64(1)...4)
    func editsMatchADictionary(hashes: Int, seed: UInt64) {
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
            return "wrong value for \(number)"
        }
        let census = map.census
        if census.entries != model.count { return "\(census.entries) entries" }
        if !census.isCanonical { return "a node with a single entry" }
        return map.isEmpty == model.isEmpty ? nil : "emptiness"
    }

    @Test func anEditCopiesOnlyTheNodesOnItsPath() {
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
        // Four full levels hold a million keys; some paths are longer by chance.
        #expect(most <= 10)
        #expect(most >= 3)
    }

    @Test func aTransactionCopiesANodeOnceAndNothingForAnAbsentKey() {
        let map = filled(10_000)
        var transaction = map.transaction()
        #expect(transaction.removeValue(forKey: -1) == nil && transaction.madeNodes == 0)
        for value in 0..<1000 { transaction.updateValue(value, forKey: 77) }
        #expect(transaction.madeNodes <= 6 && transaction[77] == 999)
        #expect(transaction.commit()[77] == 999 && map[77] == 77)
    }

    /// A map releases values when they are replaced or removed, or with the last version that has
    /// them.
    @Test(arguments: [1, 3, 1 << 40])
    func replacedAndRemovedValuesAreReleased(hashes: Int) {
        let alive = LiveCount()
        func value() -> Counted { Counted(alive) }
        do {
            var map = PersistentHashMap<Key, Counted>()
            var older: [PersistentHashMap<Key, Counted>] = []
            for number in 0..<40 {
                var transaction = map.transaction()
                transaction.updateValue(value(), forKey: Key(number: number, hashes: hashes))
                map = transaction.commit()
                if number % 10 == 0 { older.append(map) }
            }
            #expect(alive.value == 40)
            var transaction = map.transaction()
            for number in 0..<20 {
                transaction.removeValue(forKey: Key(number: number, hashes: hashes))
            }
            for number in 20..<30 {
                transaction.updateValue(value(), forKey: Key(number: number, hashes: hashes))
            }
            map = transaction.commit()
            // The last older version has 31 values, of which the map still has one.
            #expect(alive.value == 50)
            older = []
            #expect(alive.value == 20)
            withExtendedLifetime(map) {}
        }
        #expect(alive.value == 0)
    }

    private func filled(_ count: Int) -> PersistentHashMap<Int, Int> {
        var transaction = PersistentHashMap<Int, Int>().transaction()
        for key in 0..<count { transaction.updateValue(key, forKey: key) }
        return transaction.commit()
    }
}
