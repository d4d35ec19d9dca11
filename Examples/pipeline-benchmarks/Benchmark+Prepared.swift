// What it costs to show a few of very many rows with nodes, where workers lay out and measure what is near.

extension Benchmark {
    static let prepared: [Benchmark] = [
        Benchmark(
            "prepared.nodes",
            "viewports of nodes made for the first rows of 1,000,000 that are laid out beforehand",
            in: .viewports,
            goal: .valueAtMost(10)
        ) { bench in
            let rows = try PreparedRows(rowCount: bench.scale.rows)
            return Measurement(Samples(exactly: rows.viewportsOfNodes))
        },
        Benchmark(
            "prepared.main-lane",
            "sections laid out on the main lane while 1,000,000 rows are scrolled and inserted into",
            in: .sections,
            goal: .valueAtMost(0)
        ) { bench in
            let rows = try PreparedRows(rowCount: bench.scale.rows)
            for _ in 0..<20 {
                _ = rows.nanosecondsOfScreenful()
                try rows.insert()
            }
            return Measurement(Samples(exactly: Double(rows.sectionsOnMainLane)))
        },
        Benchmark(
            "prepared.scroll",
            "the main lane's part of an unseen screenful at the end of 1,000,000 rows, over one at the beginning",
            goal: .ratioAtMost(1.5)
        ) { bench in
            let rowCount = bench.scale.rows
            let (late, early) = (
                try PreparedRows(rowCount: rowCount), try PreparedRows(rowCount: rowCount)
            )
            late.go(to: rowCount * 9 / 10)
            return bench.samples(.dozens) {
                late.nanosecondsOfScreenful()
            } over: {
                early.nanosecondsOfScreenful()
            }
        },
        Benchmark(
            "prepared.through.nodes",
            "nodes made while 1,000,000 rows are scrolled through and released behind, over rows",
            in: .nodes,
            goal: .ratioAtMost(1)
        ) { bench in
            let through = try ScrollThrough.of(bench.scale.rows)
            return Measurement(
                Samples(exactly: Double(through.nodesMade)),
                over: Samples(exactly: Double(bench.scale.rows))
            )
        },
        Benchmark(
            "prepared.through.alive",
            "viewports of nodes that are there at most meanwhile",
            in: .viewports,
            goal: .valueAtMost(10)
        ) { bench in
            let through = try ScrollThrough.of(bench.scale.rows)
            return Measurement(Samples(exactly: through.mostViewportsAlive))
        },
        Benchmark(
            "prepared.through.last",
            "the main lane's part of a screenful in the last tenth of that, over the first",
            goal: .ratioAtMost(1.1)
        ) { bench in
            ScrolledList.lastTenth(of: try ScrollThrough.of(bench.scale.rows).steps)
        },
        Benchmark(
            "prepared.fling",
            "frames missed while a fling passes 1,000,000 self-sizing rows and 100 change sets a second arrive",
            in: .frames,
            goal: .valueAtMost(0)
        ) { bench in
            let rows = try FlungRows(rowCount: bench.scale.rows)
            return Measurement(Samples(exactly: Double(try rows.missedFrames())))
        },
        Benchmark(
            "prepared.measured-first",
            "rows measured before the first are shown, and all 1,000,000",
            in: .nodes,
            goal: .ratioAtLeast(1_000)
        ) { bench in
            let rows = try PreparedRows(rowCount: bench.scale.rows)
            return Measurement(
                Samples(exactly: Double(rows.nodesMade)),
                over: Samples(exactly: Double(bench.scale.rows))
            )
        },
        Benchmark(
            "prepared.first-rows",
            "from submission to the first rows of 1,000,000 laid out beforehand, and all measured first"
        ) { bench in
            let rowCount = bench.scale.rows
            return try bench.samples(.few) {
                try PreparedRows(rowCount: rowCount).nanosecondsOfFirstRows
            } over: {
                try PreparedRows(rowCount: rowCount, areAllMeasured: true).nanosecondsOfFirstRows
            }
        },
    ]
}
