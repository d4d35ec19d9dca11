import CollectionPipeline

// What it costs to judge and order the edits of a change set.

extension Benchmark {
    static let validation: [Benchmark] = [
        over("validate.1000", edits: 1_000, .init(10, 100_000)),
        over("validate.100000", edits: 100_000, .init(10, 100_000)),
        over("validate.many-sections", edits: 1_000, .init(10_000, 10)),
        Benchmark(
            "validate.allocations",
            "allocations of validating and ordering 10 edits in 10 sections",
            in: .allocations,
            goal: .valueAtMost(12)
        ) { _ in
            let work = Validation(edits: 10, .init(10, 100_000), seed: 1)
            // Tables that are made once for the whole process are no cost of this one.
            try work.validate()
            return try Heap.allocations { try work.validate() }
                .map { Measurement(Samples(exactly: Double($0))) }
        },
    ]

    private static func over(
        _ name: String,
        edits: Int,
        _ outline: LoadedCollection.Outline
    ) -> Benchmark {
        Benchmark(
            name,
            "\(edits) edits in \(outline.sections) sections of \(outline.itemsPerSection) items"
                + " validated and ordered: over sorting as many paths",
            goal: .ratioAtMost(3)
        ) { bench in
            // A different set each time: processors learn by heart which way the comparisons of one
            // and the same sort go.
            let sets = (1...max(1, 32_000 / edits)).map {
                Validation(edits: edits, outline, seed: UInt64($0))
            }
            return try bench.samples(bench.scale.pick(25, quick: 7)) {
                try Stopwatch.threadNanoseconds { for set in sets { try set.validate() } }
                    / Double(sets.count)
            } over: {
                Stopwatch.threadNanoseconds { for set in sets { set.sort() } } / Double(sets.count)
            }
        }
    }
}
