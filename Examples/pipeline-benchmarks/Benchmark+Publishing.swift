import CollectionPublishing

// What many readers cost, and those that are away.

extension Benchmark {
    static let publishing: [Benchmark] = [
        Benchmark(
            "publish.paused",
            "an update of 100,000 rows told to 9,000 readers while 1,000 others are paused: over telling it to"
                + " 9,000 alone",
            goal: .ratioAtMost(1.05)
        ) { bench in
            let missed = try MissedChanges(bench.scale)
            var (rows, alone) = (try PublishedRows(missed), try PublishedRows(missed))
            rows.pause(bench.scale.size(1_000))
            rows.listen(bench.scale.size(9_000))
            alone.listen(bench.scale.size(9_000))
            return bench.samples(.hundreds) {
                Stopwatch.threadNanoseconds { rows.publishAndTell() }
            } over: {
                Stopwatch.threadNanoseconds { alone.publishAndTell() }
            }
        },
        Benchmark(
            "publish.paused.memory",
            "bytes for each of 1,000 readers that were paused for 600,000 updates, with what is kept for them: over"
                + " one by itself",
            in: .bytes,
            goal: .valueAtMost(256)
        ) { bench in
            let count = bench.scale.size(1_000)
            guard let hub = HubReaders(count: 10 * count).bytesOfEach else { return nil }
            var rows = try PublishedRows(MissedChanges(bench.scale))
            // What is kept for those who may come back is full by then, and as full at the end.
            rows.publishMissed(bench.scale.missed / 100)
            guard let mark = Heap.Mark() else { return nil }
            rows.pause(count)
            rows.publishAgain(bench.scale.missed * 3 / 5)
            let growth = Double(mark.growth)
            BlackHole.consume(UInt(rows.paused.count))
            return Measurement(
                Samples(exactly: hub + growth / Double(max(1, count))),
                over: Samples(exactly: hub)
            )
        },
        Benchmark(
            "publish.resume",
            "what 1,000,000 missed updates with 100 net changes come to, when a paused reader goes on: over encoding"
                + " it",
            goal: .valueAtMost(5e6)
        ) { bench in
            let missed = try MissedChanges(bench.scale)
            var rows = try PublishedRows(missed)
            rows.pause(bench.scale.count(.dozens) + 1)
            rows.publishMissed(bench.scale.missed)
            return bench.samples(.dozens) {
                // Another version each time, or the answer is known.
                rows.publishPassing()
                return Stopwatch.threadNanoseconds { rows.resumeOne() }
            } over: {
                Stopwatch.threadNanoseconds { BlackHole.consume(UInt(rows.encodedByteCount)) }
            }
        },
        Benchmark(
            "publish.resume.bytes",
            "bytes of the edits that it is told: over those of the 100 net changes alone",
            in: .bytes,
            goal: .ratioAtMost(1.2)
        ) { bench in
            let missed = try MissedChanges(bench.scale)
            func bytes(_ count: Int) throws -> Samples {
                var rows = try PublishedRows(missed)
                rows.pause(1)
                rows.publishMissed(count)
                rows.resumeOne()
                return Samples(exactly: Double(rows.encodedByteCount))
            }
            return Measurement(try bytes(bench.scale.missed / 10), over: try bytes(0))
        },
        Benchmark(
            "publish.windows",
            "an update before, between and after 10,000 windows over 1,000,000 rows, in which none of them sees"
                + " anything: over the same without windows",
            goal: .valueAtMost(50e3)
        ) { bench in
            let count = bench.scale.rows
            var rows = try WindowedRows(count: count, windows: bench.scale.size(10_000))
            var alone = try WindowedRows(count: count, windows: 0)
            let messages = rows.messages
            let measurement = try bench.samples(.thousand) {
                try Stopwatch.threadNanoseconds { try rows.publishOutside() }
            } over: {
                try Stopwatch.threadNanoseconds { try alone.publishOutside() }
            }
            return rows.messages == messages ? measurement : nil
        },
    ]
}
