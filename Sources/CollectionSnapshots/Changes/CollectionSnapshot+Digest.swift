public import CollectionChanges
import PersistentTrees

/// The digests of a snapshot cover the identifiers in their order; marks are ignored.
///
/// ```swift
/// var digest = StateDigest(of: current)
/// digest = try digest.updated(by: next.changes(from: current), from: current, to: next)
/// ```
extension CollectionSnapshot: DigestedState
where SectionID: StableHashable, ItemID: StableHashable {
    /// Returns the number of items in the section at an index. Complexity: O(log sections).
    @inlinable
    public func numberOfItems(inSection section: Int) -> Int { entries[section].items.count }

    /// Returns the digest of a section's identifier. Complexity: O(log sections).
    @inlinable
    public func digest(ofSection section: Int) -> ElementDigest {
        ElementDigest(section: entries[section].id)
    }

    /// Calls `body` with the digests of the identifiers of a range of items in a section, in order.
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
}
