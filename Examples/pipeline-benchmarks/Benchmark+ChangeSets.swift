import CollectionPipeline

// What a change set costs the main lane.

extension Benchmark {
    static let changeSets: [Benchmark] = [
        Benchmark(
            "change-set.growth",
            "5 deletes and 5 inserts at random places, main-lane time: in 1,000,000 items over in 1,000",
            goal: .ratioAtMost(4)
        ) { bench in
            let large = try bench.million()
            let small = try LoadedCollection(Scale.thousand, observer: bench.observer)
            // In runs, so that each is in the processor's caches as far as it fits there.
            func run(_ collection: LoadedCollection) throws -> Double {
                let times = try (0..<25).map { _ in try collection.nanosecondsOfTenEdits() }
                return Samples(times).median
            }
            return try bench.samples(.dozens) {
                try run(large)
            } over: {
                try run(small)
            }
        },
        Benchmark(
            "change-set.copying-map",
            "the same in 1,000,000 items, with the work of a copying map as reference",
            goal: .ratioAtLeast(1_000)
        ) { bench in try measureOverCopying(bench, bench.million()) },
        Benchmark(
            "change-set.single-insert",
            "1 insert at a random place in 1,000,000 items, main-lane time: over 5 deletes and 5 inserts"
        ) { bench in
            let collection = try bench.million()
            return try bench.samples(.hundreds) {
                let plan = collection.plan(deletions: 0, insertions: 1)
                return Double(try collection.deploy(plan).nanoseconds)
            } over: {
                try collection.nanosecondsOfTenEdits()
            }
        },
        Benchmark(
            "change-set.allocations",
            "allocations on the main lane for 5 deletes and 5 inserts in 1,000,000 items",
            in: .allocations,
            goal: .valueAtMost(110)
        ) { bench in
            guard Heap.allocationCount != nil else { return nil }
            let collection = try bench.million()
            return Measurement(
                try bench.samples(.hundreds) {
                    Double(try collection.deploy(collection.planOfTen()).allocations)
                }
            )
        },
        Benchmark(
            "change-set.asks",
            "questions to the data source for 5 deletes and 5 inserts in 10 sections: counts, and models by"
                + " the run",
            in: .asks,
            goal: .valueAtMost(24)
        ) { bench in
            let collection = try LoadedCollection(Scale.thousand, observer: bench.observer)
            return Measurement(
                try bench.samples(.dozens) { Double(try collection.asksOfTenEdits()) }
            )
        },
        Benchmark(
            "change-set.events",
            "events that an observer is told for 5 deletes and 5 inserts",
            in: .events,
            goal: .valueAtMost(10)
        ) { bench in
            let observer = EventTally(next: bench.observer)
            let collection = try LoadedCollection(Scale.thousand, observer: observer)
            return Measurement(
                try bench.samples(.dozens) {
                    let before = observer.events.count
                    _ = try collection.deploy(collection.planOfTen())
                    return Double(observer.events.count - before)
                }
            )
        },
    ]

    static let manySections: [Benchmark] = [
        Benchmark(
            "change-set.copying-map.many-sections",
            "5 deletes and 5 inserts in 10,000 sections of 100 items, with a copying map as reference",
            goal: .ratioAtLeast(100)
        ) { bench in
            try measureOverCopying(bench, bench.collection(bench.scale.manySections))
        },
        Benchmark(
            "change-set.named-sections",
            "the same without a copying map, from a data source that names the sections that changed:"
                + " over one that is asked about all of them"
        ) { bench in
            let collection = try bench.collection(bench.scale.manySections)
            return try bench.samples(.hundreds) {
                try collection.nanosecondsOfTenEdits(namingSections: true)
            } over: {
                try collection.nanosecondsOfTenEdits()
            }
        },
    ]

    private static func measureOverCopying(
        _ bench: Workbench,
        _ collection: LoadedCollection
    ) throws -> Measurement {
        let value = try bench.samples(.hundreds) { try collection.nanosecondsOfTenEdits() }
        let copying = CopyingCollection(of: collection.map)
        let reference = bench.samples(.few) { copying.nanosecondsOfTenEdits() }
        return Measurement(value, over: reference)
    }
}
