import CollectionElements

/// Random numbers that come again from the same seed.
///
/// A value: a copy goes on with the same numbers.
///
/// Source: SplitMix64 (Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SeededNumbers

    /// Starts the sequence of a seed; every seed is as good as any other.
    public init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    /// The next number.
    public mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to, not including, `bound`, which must be positive.
    public mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Whether an event of one in so many chances happens.
    public mutating func isTrue(oneIn chances: Int) -> Bool { next(below: chances) == 0 }

    /// Whether an event of that probability happens.
    public mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}
