public import CollectionChanges
import PersistentTrees

/// A snapshot with digests that include the contents of its items or use a secret key.
///
/// Created by ``CollectionSnapshot/digested(key:revision:)``.
///
/// ```swift
/// let (old, new) = (current.digested { revisions[$0] }, next.digested { nextRevisions[$0] })
/// digest = try digest.updated(by: update, from: old, to: new)
/// ```
///
/// If an item has another revision in the next snapshot, mark it there for reconfiguring or
/// reloading, so that the update includes it.
public struct DigestedSnapshot<
    SectionID: Hashable & Sendable & StableHashable,
    ItemID: Hashable & Sendable & StableHashable,
    Revision: StableHashable
>: DigestedState {
    @usableFromInline let snapshot: CollectionSnapshot<SectionID, ItemID>
    @usableFromInline let key: StableHashKey
    @usableFromInline let revision: (ItemID) -> Revision?

    @inlinable
    init(
        snapshot: CollectionSnapshot<SectionID, ItemID>,
        key: StableHashKey,
        revision: @escaping (ItemID) -> Revision?
    ) {
        self.snapshot = snapshot
        self.key = key
        self.revision = revision
    }

    /// The number of sections. Complexity: O(1).
    @inlinable
    public var numberOfSections: Int { snapshot.numberOfSections }

    /// Returns the number of items in a section. Complexity: O(log sections).
    @inlinable
    public func numberOfItems(inSection section: Int) -> Int {
        snapshot.numberOfItems(inSection: section)
    }

    /// Returns the digest of a section's identifier. Complexity: O(log sections).
    @inlinable
    public func digest(ofSection section: Int) -> ElementDigest {
        ElementDigest(section: snapshot.entries[section].id, key: key)
    }

    /// Calls `body` with the digests of the identifiers and revisions of a range of items in a
    /// section, in order.
    ///
    /// Complexity: O(log n + items).
    @inlinable
    public func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    ) {
        snapshot.forEachItem(in: range, ofSection: section) {
            body(ElementDigest(item: $0, revision: revision($0), key: key))
        }
    }
}

/// The digests of a snapshot cover the identifiers in their order; marks are ignored.
///
/// ```swift
/// var digest = StateDigest(of: current)
/// digest = try digest.updated(by: next.changes(from: current), from: current, to: next)
/// ```
///
/// To include the revisions of contents, use ``digested(key:revision:)``.
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

    /// Returns the snapshot in a form whose digests include revisions or use a key.
    ///
    /// - Parameters:
    ///   - key: The key, equal for all digests that are compared.
    ///   - revision: A closure that returns the revision of an item's content in this snapshot.
    @inlinable
    public func digested<Revision: StableHashable>(
        key: StableHashKey = .usual,
        revision: @escaping (ItemID) -> Revision?
    ) -> DigestedSnapshot<SectionID, ItemID, Revision> {
        DigestedSnapshot(snapshot: self, key: key, revision: revision)
    }
}
