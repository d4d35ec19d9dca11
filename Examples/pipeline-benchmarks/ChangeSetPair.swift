import CollectionPipeline

/// Two change sets of deletes and inserts, half and half, and all their paths to sort.
struct ChangeSetPair {
    private let first: ValidatedChangeSet
    private let second: ValidatedChangeSet
    private let paths: [ItemPath]

    /// The second follows the first.
    init(edits: Int, _ outline: LoadedCollection.Outline, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let plan = EditPlan(edits, outline.counts, using: &random)
        let counts = plan.applied(to: outline.counts)
        let next = EditPlan(edits, counts, using: &random)
        first = try plan.validated(from: outline.counts)
        second = try next.validated(from: counts)
        paths = plan.oldPaths + plan.newPaths + next.oldPaths + next.newPaths
    }

    /// Both start from the same.
    init(edits: Int, over others: Int, _ outline: LoadedCollection.Outline) throws {
        var random = SplitMix64()
        let mine = EditPlan(edits, outline.counts, using: &random)
        let theirs = EditPlan(others, outline.counts, using: &random)
        first = try mine.validated(from: outline.counts)
        second = try theirs.validated(from: outline.counts)
        paths = mine.oldPaths + mine.newPaths + theirs.oldPaths + theirs.newPaths
    }

    func compose() throws {
        BlackHole.consume(UInt(try first.composed(with: second).edits.count))
    }

    func rebase() throws {
        let rebased = try first.rebased(over: second)
        BlackHole.consume(UInt(rebased.update.edits.count + rebased.dropped.count))
    }

    func sort() {
        let sorted = opaque(paths).sorted()
        BlackHole.consume(UInt(sorted.count))
    }
}

/// A change set with its record, to be encoded.
struct EncodedChanges {
    let update: ValidatedChangeSet
    private let changes: HierarchyChangeSet

    init(edits: Int, _ outline: LoadedCollection.Outline, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let plan = EditPlan(edits, outline.counts, using: &random)
        var changes = HierarchyChangeSet()
        plan.record(into: &changes)
        self.changes = changes
        update = try plan.validated(from: outline.counts)
    }

    func encodeAndDecode() throws {
        let decoded = try ValidatedChangeSet(decoding: update.encoded())
        BlackHole.consume(UInt(decoded.edits.count))
    }

    func validate() throws {
        let validated = try changes.validated(from: update.oldShape, to: update.newShape)
        BlackHole.consume(UInt(validated.edits.count))
    }
}

extension EditPlan {
    /// Deletes and inserts, half and half.
    fileprivate init(_ edits: Int, _ counts: [Int], using random: inout SplitMix64) {
        self = .random(
            in: counts,
            deletions: edits / 2,
            insertions: edits - edits / 2,
            using: &random
        )
    }

    fileprivate func validated(from counts: [Int]) throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        record(into: &changes)
        return try changes.validated(
            from: HierarchyShape(counts),
            to: HierarchyShape(applied(to: counts))
        )
    }
}
