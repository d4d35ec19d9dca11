import CollectionPipeline

/// A change set of deletes and inserts, half and half in random order, and the same paths to sort.
struct Validation {
    private let changes: HierarchyChangeSet
    private let oldShape: HierarchyShape
    private let newShape: HierarchyShape
    private let paths: [ItemPath]

    init(edits: Int, _ outline: LoadedCollection.Outline, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let plan = EditPlan.random(
            in: outline.counts,
            deletions: edits / 2,
            insertions: edits - edits / 2,
            using: &random
        )
        var changes = HierarchyChangeSet()
        plan.record(into: &changes)
        self.changes = changes
        oldShape = HierarchyShape(outline.counts)
        newShape = HierarchyShape(plan.applied(to: outline.counts))
        paths = plan.oldPaths + plan.newPaths
    }

    var pathCount: Int { paths.count }

    func validate() throws {
        let update = try changes.validated(from: oldShape, to: newShape)
        BlackHole.consume(UInt(bitPattern: update.itemInsertions.count))
    }

    func sort() {
        let sorted = opaque(paths).sorted()
        BlackHole.consume(UInt(bitPattern: sorted[0].item))
    }
}
