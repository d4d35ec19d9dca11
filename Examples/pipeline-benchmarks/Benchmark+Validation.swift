import CollectionPipeline

// What it costs to judge and order the edits of a change set.

extension Benchmark {
    static let validation: [Benchmark] = [
        over("validate.1000", edits: 1_000, "10 sections of 100000 items", \.million),
        over("validate.100000", edits: 100_000, "10 sections of 100000 items", \.million),
        over(
            "validate.many-sections",
            edits: 1_000,
            "10000 sections of 10 items",
            \.manySmallSections
        ),
        Benchmark(
            "validate.allocations",
            "allocations of validating and ordering 10 edits in 10 sections",
            in: .allocations,
            goal: .valueAtMost(12)
        ) { bench in
            let work = Validation(edits: 10, bench.scale.million, seed: 1)
            // Tables that are made once for the whole process are no cost of this one.
            try work.validate()
            return try Heap.allocations { try work.validate() }
                .map { Measurement(Samples(exactly: Double($0))) }
        },
    ]

    private static func over(
        _ name: String,
        edits: Int,
        _ place: String,
        _ outline: @escaping @Sendable (Scale) -> LoadedCollection.Outline
    ) -> Benchmark {
        Benchmark(
            name,
            "\(edits) edits in \(place) validated and ordered: over sorting as many paths",
            goal: .ratioAtMost(3)
        ) { bench in
            let outline = outline(bench.scale)
            // A different set each time: processors learn by heart which way the comparisons of one
            // and the same sort go.
            let sets = (1...max(1, 32_000 / edits)).map {
                Validation(edits: bench.scale.size(edits), outline, seed: UInt64($0))
            }
            let count = Double(sets.count)
            return try bench.samples(.dozens) {
                try Stopwatch.threadNanoseconds { for set in sets { try set.validate() } } / count
            } over: {
                Stopwatch.threadNanoseconds { for set in sets { set.sort() } } / count
            }
        }
    }
}
