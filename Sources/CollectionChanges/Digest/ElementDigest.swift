/// What one item, or the beginning of one section, contributes to the digest of a state.
///
/// Keep it beside the element: a tree that is edited sums up whole nodes again, and hashing each identifier
/// again would cost ten times the summing.
public struct ElementDigest: Hashable, Sendable {
    /// The element's value for each of the two polynomials: from 1 to 2⁶¹ - 1, where the highest counts as 0.
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64

    /// The digest of an item.
    ///
    /// - Parameters:
    ///   - identifier: which item it is.
    ///   - revision: which content it has; items without revisions leave it out.
    ///   - key: equal for all digests that are compared.
    @inlinable
    public init(
        item identifier: some StableHashable,
        revision: (some StableHashable)? = Int?.none,
        key: StableHashKey = .usual
    ) {
        self.init(1, identifier, revision, key)
    }

    /// The digest of where a section begins. Its items follow; an empty section is this and nothing else.
    ///
    /// - Parameters:
    ///   - identifier: which section it is.
    ///   - revision: which content it has; sections without revisions leave it out.
    ///   - key: equal for all digests that are compared.
    @inlinable
    public init(
        section identifier: some StableHashable,
        revision: (some StableHashable)? = Int?.none,
        key: StableHashKey = .usual
    ) {
        self.init(2, identifier, revision, key)
    }

    /// The domain comes first, so that an item and a section of one identifier are not the same.
    @inlinable
    init(
        _ domain: UInt8,
        _ identifier: some StableHashable,
        _ revision: (some StableHashable)?,
        _ key: StableHashKey
    ) {
        var hasher = StableHasher(key: key)
        hasher.combine(domain)
        identifier.feed(&hasher)
        revision.feed(&hasher)
        let hash = hasher.finish()
        first = max(1, hash.low & DigestSummary.modulus)
        second = max(1, hash.high & DigestSummary.modulus)
    }
}
