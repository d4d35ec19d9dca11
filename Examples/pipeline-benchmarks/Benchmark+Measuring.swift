import CollectionPipeline

// How well measuring spreads over workers.

extension Benchmark {
    static let measuring: [Benchmark] = [
        Benchmark(
            "measuring.two-workers",
            "10,000 nodes of 20 µs measured by two workers, with one worker as reference, wall time",
            goal: .ratioAtLeast(1.85)
        ) { bench in
            let (nodes, load) = (bench.scale.nodes, SpinLoad.ofNode)
            return try bench.samples(.few) {
                try MeasuringRun(nodes: nodes, load, workers: 2).nanoseconds
            } over: {
                try MeasuringRun(nodes: nodes, load, workers: 1).nanoseconds
            }
        },
        Benchmark(
            "measuring.two-threads",
            "two bare threads sharing such work, wall time: over one doing all of it, so what the"
                + " machine has to give just now"
        ) { bench in
            let (nodes, load) = (bench.scale.nodes, SpinLoad.ofNode)
            return bench.samples(.few) {
                BareThreads.nanoseconds(threads: 2, runs: nodes) { load.run() }
            } over: {
                BareThreads.nanoseconds(threads: 1, runs: nodes) { load.run() }
            }
        },
    ]
}
