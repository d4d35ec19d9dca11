/// Random numbers that come again from the same seed.
///
/// A value: a copy goes on with the same numbers.
///
/// Source: SplitMix64 (Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed; every seed is as good as any other.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, `bound`, which must be positive.
    public mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Whether an event of one in so many chances happens.
    public mutating func isTrue(oneIn chances: Int) -> Bool { next(below: chances) == 0 }

    /// Whether an event of that probability happens.
    public mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}
