import CollectionPipeline

// What whole states cost, in place of edits.

extension Benchmark {
    static let states: [Benchmark] = [
        Benchmark(
            "apply",
            "a snapshot of 1,000,000 items applied, which 10 edits made of the one before: over the change set,"
                + " main-lane time",
            goal: .ratioAtMost(3)
        ) { bench in
            let collection = try bench.million()
            let states = try AppliedStates(bench.scale.million, observer: bench.observer)
            return try bench.samples(.hundreds) {
                try states.nanosecondsOfTenEdits()
            } over: {
                try collection.nanosecondsOfTenEdits()
            }
        },
        Benchmark(
            "digest",
            "the digest of a snapshot of 1,000,000 items, kept through 10 edits: over the change set, main-lane"
                + " time",
            goal: .ratioAtMost(0.1)
        ) { bench in
            let collection = try bench.million()
            let kept = try KeptDigest(bench.scale.million)
            return try bench.samples(.hundreds) {
                try kept.nanosecondsOfTenEdits()
            } over: {
                try collection.nanosecondsOfTenEdits()
            }
        },
    ]
}
