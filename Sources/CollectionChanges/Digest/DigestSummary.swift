import PersistentTrees

/// The digest of a run of elements, in a form that joins with those of its neighbours.
///
/// A tree keeps one for each node, so that an edit costs the nodes above it. The digest depends on the order,
/// and not on how the run was cut: joining is associative, and ``zero`` is neutral.
///
/// ```swift
/// var state = DigestSummary.zero
/// for section in sections {
///     state = state.combined(with: DigestSummary(of: ElementDigest(section: section.id)))
///     for item in section.items {
///         state = state.combined(with: DigestSummary(of: ElementDigest(item: item.id)))
///     }
/// }
/// let digest = state.digest
/// ```
///
/// The function: each element has two values modulo the prime p = 2⁶¹ - 1, the low 61 bits of both halves of
/// its ``StableHasher`` hash (0 becoming 1) over a byte 1 for an item or 2 for a section, the identifier and
/// the optional revision. Elements e₁…eₙ have the polynomials Σ eᵢ·bⁿ⁻ⁱ for two bases b, the first 61 bits of
/// the fractions of √2 and √3, both primitive roots of p. The digest is the hash, with the usual key, of a
/// byte 3, both polynomials and both powers bⁿ. It holds 122 bits of what was there: two states that differ
/// have one digest with a chance of about (n/2⁶¹)².
///
/// Complexity: eight multiplications to join two; 32 bytes.
///
/// Source: Karp and Rabin, "Efficient randomized pattern-matching algorithms" (1987); hashes of sequences in
/// trees as for ropes.
public struct DigestSummary: Hashable, Sendable {
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64
    /// The bases to the power of the number of elements.
    @usableFromInline let firstPower: UInt64
    @usableFromInline let secondPower: UInt64

    @inlinable static var modulus: UInt64 { (1 << 61) - 1 }
    @inlinable static var firstBase: UInt64 { 0x0d41_3ccc_fe77_9921 }
    @inlinable static var secondBase: UInt64 { 0x176c_f5d0_b099_54e7 }

    @inlinable @inline(__always)
    init(first: UInt64, second: UInt64, firstPower: UInt64, secondPower: UInt64) {
        self.first = first
        self.second = second
        self.firstPower = firstPower
        self.secondPower = secondPower
    }

    /// The summary of no elements.
    @inlinable
    public static var zero: DigestSummary {
        DigestSummary(first: 0, second: 0, firstPower: 1, secondPower: 1)
    }

    /// The summary of one element.
    @inlinable @inline(__always)
    public init(of element: ElementDigest) {
        first = element.first == Self.modulus ? 0 : element.first
        second = element.second == Self.modulus ? 0 : element.second
        firstPower = Self.firstBase
        secondPower = Self.secondBase
    }

    /// The summary of what this one is of, followed by what `next` is of.
    @inlinable @inline(__always)
    public func combined(with next: DigestSummary) -> DigestSummary {
        DigestSummary(
            first: Self.add(Self.multiply(first, next.firstPower), next.first),
            second: Self.add(Self.multiply(second, next.secondPower), next.second),
            firstPower: Self.multiply(firstPower, next.firstPower),
            secondPower: Self.multiply(secondPower, next.secondPower)
        )
    }

    /// The digest of the run.
    public var digest: StateDigest {
        var hasher = StableHasher()
        hasher.combine(UInt8(3))
        hasher.combine(first)
        hasher.combine(second)
        hasher.combine(firstPower)
        hasher.combine(secondPower)
        return hasher.finish()
    }

    // Modulo 2⁶¹ - 1 the bits from the 62nd on count as if they began at the first.

    @inlinable @inline(__always)
    static func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        let folded = (product.low & modulus) &+ (product.low >> 61 | product.high << 3)
        return folded >= modulus ? folded &- modulus : folded
    }

    @inlinable @inline(__always)
    static func add(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let sum = left &+ right
        return sum >= modulus ? sum &- modulus : sum
    }
}

extension DigestSummary: SequenceSummary {}
