import CollectionPipeline

// What many producers do to the main lane.

extension Benchmark {
    static let contention: [Benchmark] = [
        Benchmark(
            "longest-block",
            "the longest block on the main lane while 8 threads submit 10,000 change sets of 10 edits"
                + " against 1,000,000 items (a third with --quick; aim: 2 ms): over the mean block"
        ) { bench in
            let collection = try bench.million()
            _ = collection.lane.takeTimes()
            let producers = Producers(threads: 8, changeSetsEach: bench.scale.count(.thousand))
            try producers.submit(to: collection.controller)
            let times = collection.lane.takeTimes()
            return Measurement(
                Samples(exactly: Double(times.longestNanoseconds)),
                over: Samples(exactly: times.meanNanoseconds)
            )
        }
    ]
}
