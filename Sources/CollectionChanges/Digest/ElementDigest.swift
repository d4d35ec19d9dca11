/// What one item, or one section, contributes to the digest of a state: the hash of which it is, and of which
/// content it has.
public struct ElementDigest: Hashable, Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    /// The digest of an item.
    ///
    /// - Parameters:
    ///   - identifier: which item it is; no other in the state has the same.
    ///   - revision: which content it has; items without revisions leave it out.
    ///   - key: equal for all digests that are compared.
    @inlinable
    public init(
        item identifier: some StableHashable,
        revision: (some StableHashable)? = Int?.none,
        key: StableHashKey = .usual
    ) {
        var hasher = StableHasher(key: key)
        hasher.combine(UInt8(1))
        identifier.feed(&hasher)
        revision.feed(&hasher)
        self.init(hasher.finish())
    }

    /// The digest of a section, whatever is in it.
    ///
    /// - Parameters:
    ///   - identifier: which section it is; no other in the state has the same.
    ///   - key: equal for all digests that are compared.
    @inlinable
    public init(section identifier: some StableHashable, key: StableHashKey = .usual) {
        var hasher = StableHasher(key: key)
        // An item and a section of one identifier are not the same.
        hasher.combine(UInt8(2))
        identifier.feed(&hasher)
        self.init(hasher.finish())
    }

    @inlinable
    init(_ hash: StateDigest) {
        low = hash.low
        high = hash.high
    }

    /// What stands at both ends of all sections.
    @inlinable
    static var ends: ElementDigest { ElementDigest(StateDigest(low: 0, high: 0)) }
}
