import CollectionElements

/// Spoils bytes at random: what a decoder must live with, whatever it makes of it.
package struct Mutilation {
    private var random: SeededNumbers

    package init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    /// The bytes with some of them changed, doubled, left out or put elsewhere.
    package mutating func spoil(_ bytes: [UInt8]) -> [UInt8] {
        var spoiled = bytes
        for _ in 0...random.next(below: 4) {
            let start = random.next(below: spoiled.count + 1)
            let end = min(spoiled.count, start + random.next(below: 6))
            switch random.next(below: 5) {
            case 0: spoiled.removeSubrange(start..<end)
            case 1: spoiled.insert(contentsOf: spoiled[start..<end], at: start)
            case 2: spoiled.insert(UInt8(random.next(below: 256)), at: start)
            case 3:
                let other = random.next(below: spoiled.count + 1)
                spoiled.insert(contentsOf: Array(spoiled[start..<end]), at: other)
            default:
                for index in start..<end { spoiled[index] = UInt8(random.next(below: 256)) }
            }
        }
        return spoiled
    }
}
