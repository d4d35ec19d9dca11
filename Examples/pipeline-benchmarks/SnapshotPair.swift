import CollectionPipeline

/// A snapshot, and others that ten edits each make of it.
final class SnapshotPair {
    let old: CollectionSnapshot<Int, Int>
    private let itemCount: Int
    private var nextItem: Int
    private var random = SplitMix64()

    init(_ outline: LoadedCollection.Outline) throws {
        let size = outline.itemsPerSection
        old = try CollectionSnapshot(
            sections: (0..<outline.sections).map { ($0, ($0 * size)..<(($0 + 1) * size)) }
        )
        itemCount = outline.numberOfItems
        nextItem = itemCount
    }

    /// How long it takes to find ten edits that were made to a copy.
    func nanosecondsOfDifference() throws -> Double {
        let new = try edited()
        return try Stopwatch.threadNanoseconds {
            let update = try new.changes(from: old)
            BlackHole.consume(UInt(update.edits.count))
        }
    }

    /// With five items deleted, and five others inserted, anywhere.
    func edited() throws -> CollectionSnapshot<Int, Int> {
        var items = Set<Int>()
        while items.count < 2 * EditPlan.half {
            items.insert(Int.random(in: 0..<itemCount, using: &random))
        }
        let chosen = items.sorted()
        var new = old
        try new.deleteItems(chosen.prefix(EditPlan.half))
        for anchor in chosen.dropFirst(EditPlan.half) {
            try new.insertItems([nextItem], beforeItem: anchor)
            nextItem += 1
        }
        return new
    }
}
