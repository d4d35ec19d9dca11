import CollectionPipeline

// What it costs to compose, rebase and encode.

extension Benchmark {
    static let algebra: [Benchmark] = [
        Benchmark(
            "compose",
            "two change sets of 1000 edits in 10 sections of 100000 items composed: over sorting 2000 paths",
            goal: .ratioAtMost(4)
        ) { bench in
            let pairs = try (1...16).map {
                try ChangeSetPair(edits: bench.scale.size(1_000), bench.scale.million, seed: $0)
            }
            let count = Double(pairs.count)
            return try bench.samples(.dozens) {
                try Stopwatch.threadNanoseconds { for pair in pairs { try pair.compose() } } / count
            } over: {
                Stopwatch.threadNanoseconds { for pair in pairs { pair.sort() } } / count
            }
        },
        Benchmark(
            "compose.missed",
            "each of 1,000,000 missed change sets with 100 net changes among 100,000 items, composed",
            goal: .valueAtMost(500)
        ) { bench in
            let missed = try MissedChanges(bench.scale)
            let count = missed.composedCount(bench.scale.missed)
            return Measurement(
                try bench.samples(.few) {
                    var composition: ChangeSetComposition?
                    let time = try Stopwatch.threadNanoseconds {
                        composition = try missed.composed(bench.scale.missed)
                        BlackHole.consume(UInt(composition?.update.edits.count ?? 0))
                    }
                    return time / Double(count)
                }
            )
        },
        Benchmark(
            "compose.missed.memory",
            "bytes of that composition at the end: over those of the net changes alone",
            in: .bytes,
            goal: .ratioAtMost(3)
        ) { bench in
            let missed = try MissedChanges(bench.scale)
            func bytes(_ count: Int) throws -> Samples? {
                guard let mark = Heap.Mark() else { return nil }
                let composition = try missed.composed(count)
                let growth = mark.growth
                BlackHole.consume(UInt(composition.newShape.numberOfSections))
                return Samples(exactly: Double(growth))
            }
            // What is made once for the process is in neither.
            _ = try bytes(0)
            guard let all = try bytes(bench.scale.missed) else { return nil }
            return Measurement(all, over: try bytes(0))
        },
        Benchmark(
            "rebase",
            "1,000 edits rebased over 100,000 others in 10 sections of 100000 items: over sorting all their"
                + " paths",
            goal: .valueAtMost(50e6)
        ) { bench in
            let pair = try ChangeSetPair(
                edits: bench.scale.size(1_000),
                over: bench.scale.size(100_000),
                bench.scale.million
            )
            return try bench.samples(.dozens) {
                try Stopwatch.threadNanoseconds { try pair.rebase() }
            } over: {
                Stopwatch.threadNanoseconds { pair.sort() }
            }
        },
    ]

    static let encoding: [Benchmark] = [
        Benchmark(
            "encode",
            "1000 edits in 10 sections of 100000 items encoded, decoded and validated: over validating them",
            goal: .ratioAtMost(5)
        ) { bench in
            let sets = try (1...16).map {
                try EncodedChanges(edits: bench.scale.size(1_000), bench.scale.million, seed: $0)
            }
            let count = Double(sets.count)
            return try bench.samples(.dozens) {
                try Stopwatch.threadNanoseconds { for set in sets { try set.encodeAndDecode() } }
                    / count
            } over: {
                try Stopwatch.threadNanoseconds { for set in sets { try set.validate() } } / count
            }
        },
        Benchmark(
            "encode.bytes",
            "bytes for each of 10 edits in 1,000,000 items, by themselves: over those with the shape",
            in: .bytes,
            goal: .valueAtMost(10)
        ) { bench in
            let sets = try (1...64).map {
                try EncodedChanges(edits: 10, bench.scale.million, seed: $0)
            }
            return Measurement(
                Samples(sets.map { Double($0.update.encodedAlone().count) / 10 }),
                over: Samples(sets.map { Double($0.update.encoded().count) / 10 })
            )
        },
    ]
}

extension MissedChanges {
    /// As figures speak of them.
    init(_ scale: Scale) throws {
        try self.init(items: scale.identifiers, lasting: 100, passing: 1_000)
    }
}
