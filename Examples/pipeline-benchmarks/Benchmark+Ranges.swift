// What it costs to know what is near the viewport: what lies there, whatever else there is.

extension Benchmark {
    static let ranges: [Benchmark] = [
        Benchmark(
            "ranges.update",
            "ranges brought up to date after a change set of one item among 1,000,000, over 1,000",
            goal: .ratioAtMost(2)
        ) { bench in
            let (many, few) = try rangedRows(bench)
            return try bench.samples(.hundreds) {
                try many.nanosecondsOfUpdate()
            } over: {
                try few.nanosecondsOfUpdate()
            }
        },
        Benchmark(
            "ranges.scroll",
            "a step of one row with ranges among 1,000,000 rows, the view's pass included, over 1,000",
            goal: .ratioAtMost(2)
        ) { bench in
            let (many, few) = try rangedRows(bench)
            var (step, other) = (0, 0)
            return bench.samples(.hundreds) {
                step += 1
                return many.nanosecondsOfStep(step)
            } over: {
                other += 1
                return few.nanosecondsOfStep(other)
            }
        },
    ]

    private static func rangedRows(_ bench: Workbench) throws -> (many: RangedRows, few: RangedRows)
    {
        (try RangedRows(rowCount: bench.scale.rows), try RangedRows(rowCount: 1_000))
    }
}
