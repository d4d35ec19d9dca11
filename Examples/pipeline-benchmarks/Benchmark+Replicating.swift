// What a log costs who follows it, and who leads.

extension Benchmark {
    static let replicating: [Benchmark] = [
        Benchmark(
            "replicate.take",
            "taking in a record of ten edits in 100,000 rows, from its bytes to the digest: over the edits and the"
                + " digest alone",
            goal: .ratioAtMost(3)
        ) { bench in
            var rows = try ReplicatedRows(count: bench.scale.size(100_000))
            return try bench.samples(.thousand) {
                rows.forget()
                try rows.seal()
                return try Stopwatch.threadNanoseconds { try rows.take() }
            } over: {
                Stopwatch.threadNanoseconds { rows.go() }
            }
        },
        Benchmark(
            "replicate.seal",
            "sealing it: over taking it in",
            goal: .ratioAtMost(2)
        ) { bench in
            var rows = try ReplicatedRows(count: bench.scale.size(100_000))
            return try bench.samples(.thousand) {
                rows.forget()
                return try Stopwatch.threadNanoseconds { try rows.seal() }
            } over: {
                try Stopwatch.threadNanoseconds { try rows.take() }
            }
        },
    ]
}
