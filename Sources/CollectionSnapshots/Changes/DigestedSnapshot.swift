public import CollectionChanges
import PersistentTrees

/// A snapshot whose digests take in what its items contain, or have a secret key.
///
/// Made by ``CollectionSnapshot/digested(key:revision:)``.
///
/// ```swift
/// let (old, new) = (current.digested { revisions[$0] }, next.digested { nextRevisions[$0] })
/// digest = try digest.updated(by: update, from: old, to: new)
/// ```
///
/// An item whose revision is another in the next snapshot is marked there for reconfiguring or reloading, so that the
/// update names it.
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

    /// How many sections there are. Complexity: O(1).
    @inlinable
    public var numberOfSections: Int { snapshot.numberOfSections }

    /// How many items a section has. Complexity: O(log sections).
    @inlinable
    public func numberOfItems(inSection section: Int) -> Int {
        snapshot.numberOfItems(inSection: section)
    }

    /// The digest of a section's identifier. Complexity: O(log sections).
    @inlinable
    public func digest(ofSection section: Int) -> ElementDigest {
        ElementDigest(section: snapshot.entries[section].id, key: key)
    }

    /// Calls `body` with the digests of the identifiers and revisions of neighbours in a section.
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
