import CollectionPipeline

// Costs of change sets as values: validation, differences, encoding, and digests.

extension Benchmark {
    static let differences: [Benchmark] = [
        validation(
            "validate.1000",
            "10 sections of 100000 items",
            .million
        ),
        validation(
            "validate.many-sections",
            "10000 sections of 10 items",
            Outline(sections: 10_000, itemsPerSection: 10)
        ),
        Benchmark(
            "validate.allocations",
            "allocations of validating and ordering 10 edits in 10 sections",
            in: .allocations,
            goal: .valueAtMost(12)
        ) { _ in
            let record = Record(edits: 10, .million, seed: 1)
            // Tables that are made once per process must not be counted.
            try record.validate()
            return try Heap.allocations { try record.validate() }.map { Measurement(exactly: $0) }
        },
        Benchmark(
            "encode.bytes",
            "bytes for each of 10 edits in 1,000,000 items, by themselves: over those with the shape",
            in: .bytes,
            goal: .valueAtMost(10)
        ) { _ in
            let updates = try (1...64).map { try Record(edits: 10, .million, seed: $0).validated() }
            return Measurement(
                Samples(updates.map { Double($0.encodedWithoutShape().count) / 10 }),
                over: Samples(updates.map { Double($0.encoded().count) / 10 })
            )
        },
        Benchmark(
            "difference.rand1",
            "the edits between two lists of 100,000 integers, a hundredth of them replaced anywhere: with a"
                + " dictionary of the old ones, in which the new ones are looked up, as reference",
            goal: .ratioAtLeast(10)
        ) { bench in
            let (old, new) = replacingAHundredth(of: 100_000)
            return try bench.samples(.dozens) {
                try Stopwatch.threadNanoseconds {
                    let update = try ValidatedChangeSet(fromIdentifiers: old, to: new)
                    BlackHole.consume(update.edits.count)
                }
            } over: {
                Stopwatch.threadNanoseconds {
                    var places: [Int: Int] = [:]
                    places.reserveCapacity(old.count)
                    for (place, item) in old.enumerated() { places[item] = place }
                    BlackHole.consume(new.count { places[$0] != nil })
                }
            }
        },
        Benchmark(
            "digest",
            "the digest of a snapshot of 1,000,000 items, kept through 10 edits: over the change set, main-lane"
                + " time",
            goal: .ratioAtMost(0.2)
        ) { bench in
            let collection = try bench.million()
            let digested = try EditedSnapshot(itemsPerSection: 100_000, sections: 10)
            return try bench.samples(.hundreds) {
                try digested.nanosecondsOfTenEdits()
            } over: {
                try collection.nanosecondsOfTenEdits()
            }
        },
    ]

    private static func validation(_ name: String, _ place: String, _ outline: Outline) -> Benchmark
    {
        Benchmark(
            name,
            "1000 edits in \(place) validated and ordered: over sorting as many paths",
            goal: .ratioAtMost(3)
        ) { bench in
            // Each record is different, because processors learn the branches of a repeated sort.
            let records = (1...32).map { Record(edits: 1_000, outline, seed: $0) }
            let count = Double(records.count)
            return try bench.samples(.dozens) {
                try Stopwatch.threadNanoseconds { for record in records { try record.validate() } }
                    / count
            } over: {
                Stopwatch.threadNanoseconds { for record in records { record.sort() } } / count
            }
        }
    }

    /// Returns integers in order, and the same with new ones at random places for as many random
    /// others.
    private static func replacingAHundredth(of count: Int) -> (old: [Int], new: [Int]) {
        var random = SplitMix64()
        func distinct() -> Set<Int> {
            var numbers = Set<Int>()
            while numbers.count < count / 100 {
                numbers.insert(Int.random(in: 0..<count, using: &random))
            }
            return numbers
        }
        let (deleted, places) = (distinct(), distinct())
        var next = count
        var new: [Int] = []
        new.reserveCapacity(count)
        for item in 0..<count {
            if places.contains(item) {
                new.append(next)
                next += 1
            }
            if !deleted.contains(item) { new.append(item) }
        }
        return (Array(0..<count), new)
    }
}

/// A record of deletes and inserts, half and half in random order, and the same paths to sort.
struct Record {
    private let changes: HierarchyChangeSet
    private let oldShape: HierarchyShape
    private let newShape: HierarchyShape
    private let paths: [ItemPath]

    init(edits: Int, _ outline: Outline, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let plan = EditPlan(
            in: outline.counts,
            deletions: edits / 2,
            insertions: edits / 2,
            using: &random
        )
        changes = plan.changes
        var counts = outline.counts
        oldShape = HierarchyShape(counts)
        plan.apply(to: &counts)
        newShape = HierarchyShape(counts)
        paths = plan.deletions + plan.insertions
    }

    func validated() throws -> ValidatedChangeSet {
        try changes.validated(from: oldShape, to: newShape)
    }

    func validate() throws { BlackHole.consume(try validated().itemInsertions.count) }

    func sort() { BlackHole.consume(opaque(paths).sorted()[0].item) }
}

/// A snapshot with its digest, to which ten edits are made again and again.
private final class EditedSnapshot {
    private let old: CollectionSnapshot<Int, Int>
    private let digest: StateDigest
    private let itemCount: Int
    private var nextItem: Int
    private var random = SplitMix64()

    init(itemsPerSection size: Int, sections: Int) throws {
        old = try CollectionSnapshot(
            sections: (0..<sections).map { ($0, ($0 * size)..<(($0 + 1) * size)) }
        )
        digest = StateDigest(of: old)
        itemCount = size * sections
        nextItem = itemCount
    }

    /// Returns the time to update the digest for five deletes and five inserts, including all
    /// hashing.
    func nanosecondsOfTenEdits() throws -> Double {
        var items = Set<Int>()
        while items.count < 10 { items.insert(Int.random(in: 0..<itemCount, using: &random)) }
        let chosen = items.sorted()
        var new = old
        try new.deleteItems(chosen.prefix(5))
        for anchor in chosen.dropFirst(5) {
            try new.insertItems([nextItem], beforeItem: anchor)
            nextItem += 1
        }
        let update = try new.changes(from: old)
        return try Stopwatch.threadNanoseconds {
            let updated = try digest.updated(by: update, from: old, to: new)
            BlackHole.consume(updated == digest ? 1 : 0)
        }
    }
}
