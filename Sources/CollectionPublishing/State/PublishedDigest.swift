import PersistentTrees

/// The digest of a published state, in the two parts that it is the sum of.
///
/// One is that of ``StateDigest/init(of:)`` over the numbers of sections and items and the digests of the items'
/// payloads. The other is the sum, modulo 2¹²⁸, of a hash for each section that has a payload: of a byte 5, its number in
/// eight bytes, and the 16 bytes of the payload's digest.
struct PublishedDigest: Hashable, Sendable {
    private var links: StateDigest
    private var headers: UInt128

    /// The sum, the lowest byte first.
    var value: StateDigest {
        let total = (UInt128(links.high) << 64 | UInt128(links.low)) &+ headers
        return StateDigest(
            low: UInt64(truncatingIfNeeded: total),
            high: UInt64(truncatingIfNeeded: total >> 64)
        )
    }

    /// Complexity: O(n).
    init(of state: PublishedState) {
        links = StateDigest(of: Digested(state: state))
        headers = state.entries.reduce(0) { $0 &+ Self.hash(of: $1.section) }
    }

    /// The digest of `new`, where this is the one of `old`, and `changeSet` leads from one to the other.
    ///
    /// Complexity: O(k log n) for k edits, and what is in sections that come or go.
    func updated(
        by changeSet: ValidatedChangeSet,
        from old: PublishedState,
        to new: PublishedState
    ) -> PublishedDigest {
        var digest = self
        do throws(HierarchyUpdateError) {
            digest.links = try links.updated(
                by: changeSet,
                from: Digested(state: old),
                to: Digested(state: new)
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

/// A state as digests are taken of it: the numbers of sections, and the numbers and payloads of items.
private struct Digested: DigestedState {
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
    /// What an up-to-date replica says too: a sum of hashes over numbers, payloads, and who stands beside whom.
    ///
    /// Complexity: O(n).
    public var digest: StateDigest { PublishedDigest(of: self).value }
}
