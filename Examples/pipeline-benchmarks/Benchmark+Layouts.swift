import CollectionLayouts

// What layouts cost: whatever changes, and wherever the view is.

extension Benchmark {
    static let layouts: [Benchmark] = [
        Benchmark(
            "layout.one-height",
            "1 height changed among 1,000,000 rows, content size and visible rows: over among 1,000",
            goal: .ratioAtMost(4)
        ) { bench in growth(bench) { rows, random in rows.changeHeight(&random) } },
        Benchmark(
            "layout.ten-rows",
            "10 rows put into 1,000,000, content size and visible rows: over into 1,000",
            goal: .ratioAtMost(4)
        ) { bench in try growth(bench) { rows, random in try rows.insertTen(&random) } },
        Benchmark(
            "layout.prefix-sums",
            "1 height changed among 1,000,000 rows, with asking for all heights and summing them up as"
                + " reference",
            goal: .ratioAtLeast(1_000)
        ) { bench in
            let rows = Rows(count: 1_000_000)
            var random = SplitMix64(seed: 5)
            // Not in turns: each in the processor's caches as far as it fits there.
            let value = bench.samples(bench.scale.pick(1_000, quick: 200)) {
                rows.changeHeight(&random)
            }
            let reference = bench.samples(bench.scale.pick(7, quick: 3)) {
                let source = opaque(rows.host as any LayoutHost)
                var sums: [Double] = []
                return Stopwatch.threadNanoseconds {
                    sums.reserveCapacity(rows.host.rowCount)
                    sumHeights(of: source) { sums.append($0) }
                    BlackHole.consume(UInt(sums[sums.count / 2]))
                }
            }
            return Measurement(value, over: reference)
        },
        Benchmark(
            "layout.visible",
            "the 50 rows of a viewport anywhere among 1,000,000: over among 1,000",
            goal: .ratioAtMost(4)
        ) { bench in
            growth(bench) { rows, random in rows.lookAnywhere(&random) }
        },
        Benchmark(
            "layout.flow.prepare",
            "1,000,000 items of different sizes prepared in a flow layout: over summing their sizes",
            goal: .ratioAtMost(4)
        ) { bench in
            let host = RowsHost(rowCount: 1_000_000)
            return bench.samples(bench.scale.pick(7, quick: 3)) {
                let layout = FlowLayout()
                layout.attach(to: host)
                return Stopwatch.threadNanoseconds { layout.prepare() }
            } over: {
                let source = opaque(host as any LayoutHost)
                var sum = 0.0
                let time = Stopwatch.threadNanoseconds { sumHeights(of: source) { sum = $0 } }
                BlackHole.consume(UInt(sum))
                return time
            }
        },
    ]

    private static func sumHeights(
        of source: any LayoutHost,
        _ note: (_ sumBefore: Double) -> Void
    ) {
        var sum = 0.0
        for item in 0..<source.numberOfItems(inSection: 0) {
            note(sum)
            let place = LayoutPlace.cell(ItemPath(section: 0, item: item))
            sum += source.measuredSize(of: place)?.height ?? 0
        }
    }

    /// A list that is laid out. Its calls return how long the layout took for them.
    private final class Rows {
        let host: RowsHost
        let layout = ListLayout()

        init(count: Int) {
            host = RowsHost(rowCount: count)
            layout.attach(to: host)
            layout.prepare()
        }

        private func time(_ change: () -> Void = {}) -> Double {
            Stopwatch.threadNanoseconds {
                change()
                BlackHole.consume(host.look(at: layout))
            }
        }

        func changeHeight(_ random: inout SplitMix64) -> Double {
            let item = Int.random(in: 0..<host.rowCount, using: &random)
            let height = Double(random.next() % 50)
            return time { host.changeHeight(of: item, to: height, in: layout) }
        }

        func insertTen(_ random: inout SplitMix64) throws -> Double {
            let count = host.rowCount
            var items: Set<Int> = []
            while items.count < 10 { items.insert(Int.random(in: 0..<count, using: &random)) }
            let paths = items.map { ItemPath(section: 0, item: $0) }
            let update = try HierarchyChangeSet([.insertItems(paths, .automatic)])
                .validated(from: [count], to: [count + 10])
            host.insertRows(update)
            return time { host.layOut(layout, applying: update) }
        }

        func lookAnywhere(_ random: inout SplitMix64) -> Double {
            host.bounds.origin.y = Double.random(
                in: 0..<layout.contentSize.height - host.bounds.size.height,
                using: &random
            )
            return time()
        }
    }

    /// A change and a look at what is visible: among a million rows, over the same among a thousand.
    private static func growth(
        _ bench: Workbench,
        _ change: (Rows, inout SplitMix64) throws -> Double
    ) rethrows -> Measurement {
        let (large, small) = (Rows(count: 1_000_000), Rows(count: 1_000))
        var random = SplitMix64(seed: 4)
        return try bench.samples(bench.scale.pick(1_000, quick: 200)) {
            try change(large, &random)
        } over: {
            try change(small, &random)
        }
    }
}
