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
            let small = try LoadedCollection(.init(10, 100))
            return try measureInTurns(bench, large, over: small)
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
            return try bench.samples(bench.scale.pick(300, quick: 100)) {
                let plan = collection.plan(deletions: 0, insertions: 1)
                return Double(try collection.deploy(plan).nanoseconds)
            } over: {
                let plan = collection.plan(deletions: 5, insertions: 5)
                return Double(try collection.deploy(plan).nanoseconds)
            }
        },
        Benchmark(
            "change-set.allocations",
            "allocations on the main lane for 5 deletes and 5 inserts in 1,000,000 items",
            in: .allocations
        ) { bench in
            guard Heap.allocationCount != nil else { return nil }
            let collection = try bench.million()
            return Measurement(
                try bench.samples(bench.scale.pick(100, quick: 20)) {
                    let plan = collection.plan(deletions: 5, insertions: 5)
                    return Double(try collection.deploy(plan).allocations)
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
            try measureOverCopying(bench, manySectioned(bench))
        },
        Benchmark(
            "change-set.named-sections",
            "the same without a copying map, from a data source that names the sections that changed:"
                + " over one that is asked about all of them"
        ) { bench in
            let collection = try manySectioned(bench)
            func time(naming: Bool) throws -> Double {
                let plan = collection.plan(deletions: 5, insertions: 5)
                let times = try collection.deploy { source, changes in
                    source.namesChangedSections = naming
                    source.apply(plan, &changes)
                }
                return Double(times.nanoseconds)
            }
            return try bench.samples(bench.scale.pick(300, quick: 100)) {
                try time(naming: true)
            } over: {
                try time(naming: false)
            }
        },
    ]

    private static func manySectioned(_ bench: Workbench) throws -> LoadedCollection {
        try bench.collection(sections: 10_000, itemsPerSection: 100)
    }

    /// In runs, so that each collection is in the processor's caches as far as it fits there.
    private static func measureInTurns(
        _ bench: Workbench,
        _ large: LoadedCollection,
        over small: LoadedCollection
    ) throws -> Measurement {
        func run(_ collection: LoadedCollection) throws -> [Double] {
            try (0..<25).map { _ in
                let plan = collection.plan(deletions: 5, insertions: 5)
                return Double(try collection.deploy(plan).nanoseconds)
            }
        }
        _ = try (run(large), run(small))
        var (values, references): ([Double], [Double]) = ([], [])
        for _ in 0..<bench.scale.pick(20, quick: 8) {
            values += try run(large)
            references += try run(small)
        }
        return Measurement(Samples(values), over: Samples(references))
    }

    private static func measureOverCopying(
        _ bench: Workbench,
        _ collection: LoadedCollection
    ) throws -> Measurement {
        var random = SplitMix64(seed: 3)
        let value = try bench.samples(bench.scale.pick(300, quick: 100)) {
            let plan = collection.plan(deletions: 5, insertions: 5)
            return Double(try collection.deploy(plan).nanoseconds)
        }
        var map = CopyingMap(copying: sectionedElements(of: collection.map))
        let elements = MapFactory.makeElements(5)
        let reference = bench.samples(bench.scale.pick(7, quick: 3)) {
            let plan = EditPlan.random(
                in: map.sections.map(\.count),
                deletions: 5,
                insertions: 5,
                using: &random
            )
            let removed = plan.oldPaths.sorted(by: >)
            let filled = plan.newPaths.sorted()
            let old = map
            let time = Stopwatch.threadNanoseconds {
                map = map.applying(removing: removed, inserting: elements, at: filled)
            }
            // Only now may the map before be freed.
            BlackHole.consume(UInt(old.sections.count))
            return time
        }
        return Measurement(value, over: reference)
    }

    private static func sectionedElements(of map: ElementMap) -> [[CollectionElement]] {
        var sections: [[CollectionElement]] = Array(repeating: [], count: map.numberOfSections)
        for item in map.items { sections[item.path.section].append(item.element) }
        return sections
    }
}
