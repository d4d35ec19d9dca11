// What `SeededGenerator` has, for tests that are built without the simulator.

extension RandomNumberGenerator {
    /// A number from 0 up to, not including, `bound`, which must be positive.
    package mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Whether an event of one in so many chances happens.
    package mutating func isTrue(oneIn chances: Int) -> Bool { next(below: chances) == 0 }

    /// Whether an event of that probability happens.
    package mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}
