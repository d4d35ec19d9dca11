import CollectionLayouts

// What layouts cost: whatever changes, and wherever the view is.

extension Benchmark {
    static let layouts: [Benchmark] = [
        Benchmark(
            "layout.one-height",
            "1 height changed among 1,000,000 rows, content size and visible rows: over among 1,000",
            goal: .ratioAtMost(4)
        ) { bench in growth(bench) { rows in rows.changeHeight() } },
        Benchmark(
            "layout.one-height.allocations",
            "allocations of the same among 1,000,000 rows",
            in: .allocations,
            goal: .valueAtMost(36)
        ) { bench in
            guard Heap.allocationCount != nil else { return nil }
            let rows = LaidOutRows(count: bench.scale.rows)
            return Measurement(
                bench.samples(.hundreds) {
                    Double(Heap.allocations { _ = rows.changeHeight() } ?? 0)
                }
            )
        },
        Benchmark(
            "layout.ten-rows",
            "10 rows put into 1,000,000, content size and visible rows: over into 1,000",
            goal: .ratioAtMost(4)
        ) { bench in try growth(bench) { rows in try rows.insertTen() } },
        Benchmark(
            "layout.prefix-sums",
            "1 height changed among 1,000,000 rows, with asking for all heights and summing them up as"
                + " reference",
            goal: .ratioAtLeast(1_000)
        ) { bench in
            let rows = LaidOutRows(count: bench.scale.rows)
            // Not in turns: each in the processor's caches as far as it fits there.
            let value = bench.samples(.thousand) { rows.changeHeight() }
            let reference = bench.samples(.few) {
                let source = opaque(rows.host as any LayoutHost)
                var sums: [Double] = []
                return Stopwatch.threadNanoseconds {
                    sums.reserveCapacity(rows.host.rowCount)
                    RowsHost.sumHeights(of: source) { sums.append($0) }
                    BlackHole.consume(UInt(sums.last ?? 0))
                }
            }
            return Measurement(value, over: reference)
        },
        Benchmark(
            "layout.visible",
            "the 50 rows of a viewport anywhere among 1,000,000: over among 1,000",
            goal: .ratioAtMost(4)
        ) { bench in growth(bench) { rows in rows.lookAnywhere() } },
        Benchmark(
            "layout.flow.prepare",
            "1,000,000 items of different sizes prepared in a flow layout: over summing their sizes",
            goal: .ratioAtMost(4)
        ) { bench in
            let host = RowsHost(rowCount: bench.scale.rows)
            return bench.samples(.few) {
                let layout = FlowLayout()
                layout.attach(to: host)
                let time = Stopwatch.threadNanoseconds { layout.prepare() }
                BlackHole.consume(UInt(layout.collectionViewContentSize.height))
                return time
            } over: {
                let source = opaque(host as any LayoutHost)
                return Stopwatch.threadNanoseconds {
                    var sum = 0.0
                    RowsHost.sumHeights(of: source) { sum = $0 }
                    BlackHole.consume(UInt(sum))
                }
            }
        },
    ]

    /// A change and a look at what is visible: among a million rows, over the same among a thousand.
    private static func growth(
        _ bench: Workbench,
        _ change: (LaidOutRows) throws -> Double
    ) rethrows -> Measurement {
        let large = LaidOutRows(count: bench.scale.rows)
        let small = LaidOutRows(count: Scale.thousand.numberOfItems)
        return try bench.samples(.thousand) {
            try change(large)
        } over: {
            try change(small)
        }
    }
}
