import CollectionPipeline

// What a change set costs that changes nothing, and small ones on an ordinary collection.

extension Benchmark {
    static let emptySets: [Benchmark] = [
        Benchmark(
            "empty-change-set",
            "an empty change set from submission to completion, after a rest of 200 µs in which threads"
                + " go to sleep: over the bare hops between its lanes",
            goal: .ratioAtMost(2)
        ) { bench in
            let sets = try EmptySets(Scale.thousand, observer: bench.observer)
            let hops = BareHops()
            return bench.samples(.thousand) {
                sets.nanosecondsOfATripAfterRest()
            } over: {
                hops.nanosecondsOfATripAfterRest()
            }
        },
        // Bare hops that follow on one another stay on one thread, which work between them ends.
        Benchmark(
            "empty-change-set.back-to-back",
            "the same, each submitted by the completion before it"
        ) { bench in
            let trips = bench.scale.count(.hundreds)
            let sets = try EmptySets(Scale.thousand, observer: bench.observer)
            let hops = BareHops()
            return bench.samples(.dozens) {
                sets.nanosecondsATrip(of: trips)
            } over: {
                hops.nanosecondsATrip(of: trips)
            }
        },
        Benchmark(
            "small-change-set",
            "1 insert or delete and 2 reconfigurations in 400 sections of 10, until a thread that waits"
                + " learns of the completion, wall time"
        ) { bench in
            let collection = try LoadedCollection(Scale.ordinary, observer: bench.observer)
            var inserts = false
            return Measurement(
                try bench.samples(.thousand) {
                    inserts.toggle()
                    return try collection.wallNanosecondsOfSmallSet(inserting: inserts)
                }
            )
        },
    ]
}
