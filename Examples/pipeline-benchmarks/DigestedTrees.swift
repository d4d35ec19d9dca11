import CollectionPipeline
import PersistentTrees

/// One tree of elements with a digest and one without, which go through the same edits.
struct DigestedTrees {
    private var digested: PersistentSequence<ElementDigest, DigestSummary>
    private var plain: PersistentSequence<ElementDigest, NoSummary<ElementDigest>>
    private var nextItem: Int
    private var random = SplitMix64()

    init(_ count: Int) {
        digested = PersistentSequence(count: count) { ElementDigest(item: $0) }
        plain = PersistentSequence(count: count) { ElementDigest(item: $0) }
        nextItem = count
    }

    var digest: StateDigest { digested.summary.digest }

    var elements: [ElementDigest] { digested.indices.map { digested[$0] } }

    /// By how much five deletes and five inserts take longer with a digest, the hashing of what is
    /// inserted included.
    mutating func nanosecondsOfTenEdits() -> Double {
        let count = plain.count
        let deleted = (0..<EditPlan.half).map {
            Int.random(in: 0..<(count - $0), using: &random)
        }
        let inserted = (0..<EditPlan.half).map {
            Int.random(in: 0...(count - EditPlan.half + $0), using: &random)
        }
        let firstItem = nextItem
        nextItem += EditPlan.half
        let constant = ElementDigest(item: 0)
        let without = Stopwatch.threadNanoseconds {
            plain = Self.edit(plain, deleted, inserted) { _ in constant }
        }
        let with = Stopwatch.threadNanoseconds {
            digested = Self.edit(digested, deleted, inserted) {
                ElementDigest(item: firstItem + $0)
            }
            BlackHole.consume(UInt(truncatingIfNeeded: digested.count))
        }
        return with - without
    }

    private static func edit<Summary>(
        _ tree: PersistentSequence<ElementDigest, Summary>,
        _ deleted: [Int],
        _ inserted: [Int],
        _ element: (Int) -> ElementDigest
    ) -> PersistentSequence<ElementDigest, Summary> {
        var transaction = tree.transaction()
        for position in deleted { _ = transaction.remove(at: position) }
        for (number, position) in inserted.enumerated() {
            transaction.insert(element(number), at: position)
        }
        return transaction.commit()
    }
}
