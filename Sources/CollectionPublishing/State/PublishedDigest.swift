import PersistentTrees

/// The digest of a published state: the sum of two parts.
///
/// The first part is ``StateDigest/init(of:)`` over the numbers of sections and items and the
/// digests of the items' payloads. The second part is the sum, modulo 2¹²⁸, of one hash for each
/// section that has a payload: the hash of the byte 5, the section's number in eight bytes, and the
/// 16 bytes of the payload's digest.
struct PublishedDigest: Hashable, Sendable {
    private var links: StateDigest
    private var headers: UInt128

    /// The sum, with the lowest byte first.
    var value: StateDigest {
        let total = (UInt128(links.high) << 64 | UInt128(links.low)) &+ headers
        return StateDigest(
            low: UInt64(truncatingIfNeeded: total),
            high: UInt64(truncatingIfNeeded: total >> 64)
        )
    }

    /// Computes the digest of a state. Complexity: O(n).
    init(of state: PublishedState) {
        links = StateDigest(of: DigestSource(state: state))
        headers = state.entries.reduce(0) { $0 &+ Self.hash(of: $1.section) }
    }

    /// Returns the digest of `new`, where `self` is the digest of `old` and `changeSet` leads from
    /// `old` to `new`.
    ///
    /// Complexity: O(k log n) for k edits, plus the size of the sections that are inserted or
    /// removed.
    func updated(
        by changeSet: ValidatedChangeSet,
        from old: PublishedState,
        to new: PublishedState
    ) -> PublishedDigest {
        var digest = self
        do throws(HierarchyUpdateError) {
            digest.links = try links.updated(
                by: changeSet,
                from: DigestSource(state: old),
                to: DigestSource(state: new)
            )
        } catch {
            fatalError("a change set was applied to a state of another shape: \(error)")
        }
        for edit in changeSet.sectionRemovals where edit.role != .move {
            digest.headers &-= Self.hash(of: old.entries[edit.section].section)
        }
        for edit in changeSet.sectionInsertions where edit.role != .move {
            digest.headers &+= Self.hash(of: new.entries[edit.section].section)
        }
        for index in changeSet.changedSections {
            guard let oldIndex = changeSet.oldSection(for: index) else { continue }
            digest.headers &-= Self.hash(of: old.entries[oldIndex].section)
            digest.headers &+= Self.hash(of: new.entries[index].section)
        }
        return digest
    }

    private static func hash(of section: PublishedSection) -> UInt128 {
        guard let payload = section.payload else { return 0 }
        var hasher = StableHasher()
        hasher.combine(UInt8(5))
        hasher.combine(section.number)
        hasher.combine(payload.digest.low)
        hasher.combine(payload.digest.high)
        let hash = hasher.finish()
        return UInt128(hash.high) << 64 | UInt128(hash.low)
    }
}

/// The view of a state that digests are computed from: section numbers, and numbers and payloads of
/// items.
private struct DigestSource: DigestedState {
    let state: PublishedState

    var numberOfSections: Int { state.numberOfSections }

    func numberOfItems(inSection section: Int) -> Int {
        state.shape.numberOfItems(inSection: section) ?? 0
    }

    func digest(ofSection section: Int) -> ElementDigest {
        ElementDigest(section: state.entries[section].section.number)
    }

    func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    ) {
        var iterator = state.entries[section].items.makeIterator(from: range.lowerBound)
        for _ in range {
            guard let item = iterator.next() else { return }
            body(ElementDigest(item: item.number, revision: item.payload?.digest))
        }
    }
}

extension PublishedState {
    /// The digest of the state, which equals the digest of an up-to-date replica. It is a sum of
    /// hashes of the number, the payload and the neighbours of each element.
    ///
    /// Complexity: O(n).
    public var digest: StateDigest { PublishedDigest(of: self).value }
}

/// A state with its digest, which every update maintains. A hub has one, and so has each replica.
package struct StateWithDigest: Sendable {
    package private(set) var state = PublishedState()
    /// The digest of the state.
    package var value: StateDigest { digest.value }
    private(set) var digest = PublishedDigest(of: PublishedState())

    package init() {}

    /// Creates the value for a state. Complexity: O(n).
    package init(_ state: PublishedState) {
        self.state = state
        digest = PublishedDigest(of: state)
    }

    /// Applies a change set that starts from the current shape, with contents that fit it.
    ///
    /// Complexity: O(k log n).
    package mutating func apply(_ changeSet: ValidatedChangeSet, _ contents: PublishedContents) {
        let old = state
        state = old.applying(changeSet, contents)
        digest = digest.updated(by: changeSet, from: old, to: state)
    }
}
