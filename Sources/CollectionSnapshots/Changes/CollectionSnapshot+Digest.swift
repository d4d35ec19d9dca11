public import CollectionChanges
import PersistentTrees

/// What digests are taken of: the identifiers in their order. Marks do not count.
///
/// ```swift
/// var digest = StateDigest(of: current)
/// digest = try digest.updated(by: next.changes(from: current), from: current, to: next)
/// ```
///
/// Where contents have revisions, ``digested(key:revision:)`` takes them in.
extension CollectionSnapshot: DigestedState
where SectionID: StableHashable, ItemID: StableHashable {
    /// How many items a section has, by index. Complexity: O(log sections).
    @inlinable
    public func numberOfItems(inSection section: Int) -> Int { entries[section].items.count }

    /// The digest of a section's identifier. Complexity: O(log sections).
    @inlinable
    public func digest(ofSection section: Int) -> ElementDigest {
        ElementDigest(section: entries[section].id)
    }

    /// Calls `body` with the digests of the identifiers of neighbours in a section.
    ///
    /// Complexity: O(log n + items).
    @inlinable
    public func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    ) {
        forEachItem(in: range, ofSection: section) { body(ElementDigest(item: $0)) }
    }

    /// The snapshot, to take digests with revisions or with a key.
    ///
    /// - Parameters:
    ///   - key: equal for all digests that are compared.
    ///   - revision: which content an item has in this snapshot.
    @inlinable
    public func digested<Revision: StableHashable>(
        key: StableHashKey = .usual,
        revision: @escaping (ItemID) -> Revision?
    ) -> DigestedSnapshot<SectionID, ItemID, Revision> {
        DigestedSnapshot(snapshot: self, key: key, revision: revision)
    }
}
