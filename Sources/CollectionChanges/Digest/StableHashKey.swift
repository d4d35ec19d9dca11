/// What a ``StableHasher`` starts from: 128 bits, secret or not.
///
/// Digests are comparable only where their keys are equal.
public struct StableHashKey: Hashable, Sendable {
    /// The first eight bytes of the key, the first one lowest.
    public let low: UInt64

    /// The last eight bytes of the key, the first one lowest.
    public let high: UInt64

    /// Makes a key of two words.
    @inlinable
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The key that everyone has: the bytes 0 to 15, as in the function's published vectors.
    public static let usual = StableHashKey(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)
}
