/// A generator of random numbers that produces the same sequence for the same seed.
///
/// A copy of the value continues with the same numbers.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
@usableFromInline
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// Creates a generator that starts the sequence of a seed; all seeds are equally good.
    @inlinable
    package init(seed: UInt64) { state = seed }

    /// Returns the next number.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
