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
        }
    ]
}
