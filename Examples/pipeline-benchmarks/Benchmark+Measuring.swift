import CollectionPipeline

// How well measuring spreads over workers.

extension Benchmark {
    static let measuring: [Benchmark] = [
        Benchmark(
            "measuring.two-workers",
            "10,000 nodes of 20 µs measured by two workers, with one worker as reference, wall time",
            goal: .ratioAtLeast(1.85)
        ) { bench in
            let load = SpinLoad(nanoseconds: 20_000)
            return try bench.samples(bench.scale.pick(9, quick: 5)) {
                try MeasuringRun(nodes: 10_000, load, workers: 2).nanoseconds
            } over: {
                try MeasuringRun(nodes: 10_000, load, workers: 1).nanoseconds
            }
        },
        Benchmark(
            "measuring.two-threads",
            "two bare threads sharing such work, wall time: over one doing all of it, so what the"
                + " machine has to give just now"
        ) { bench in
            let load = SpinLoad(nanoseconds: 20_000)
            return bench.samples(bench.scale.pick(9, quick: 5)) {
                BareThreads.nanoseconds(threads: 2, runsEach: 5_000, load)
            } over: {
                BareThreads.nanoseconds(threads: 1, runsEach: 10_000, load)
            }
        },
    ]
}
