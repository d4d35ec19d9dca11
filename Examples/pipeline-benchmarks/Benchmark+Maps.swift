import CollectionPipeline

// What maps cost to make, without a controller around them.

extension Benchmark {
    static let maps: [Benchmark] = [
        Benchmark(
            "map.build",
            "a map of 1,000,000 new elements without nodes: over the same elements in an array",
            goal: .ratioAtMost(2.5)
        ) { bench in
            let outline = bench.scale.million
            return try bench.samples(.few) {
                var map: ElementMap?
                let time = try Stopwatch.threadNanoseconds { map = try MapFactory.makeMap(outline) }
                BlackHole.consume(UInt(bitPattern: map?.numberOfElements ?? -1))
                return time
            } over: {
                var elements: [CollectionElement] = []
                let time = Stopwatch.threadNanoseconds {
                    elements = MapFactory.makeElements(outline.numberOfItems)
                }
                BlackHole.consume(UInt(elements.count))
                return time
            }
        },
        Benchmark(
            "map.memory",
            "bytes an item of such a map, elements included: over those of the elements in an array",
            in: .bytes,
            goal: .valueAtMost(160)
        ) { bench in
            let outline = bench.scale.million
            guard let before = Heap.Mark() else { return nil }
            let map = try MapFactory.makeMap(outline)
            let mapBytes = before.growth
            guard let between = Heap.Mark() else { return nil }
            let elements = MapFactory.makeElements(outline.numberOfItems)
            let arrayBytes = between.growth
            BlackHole.consume(UInt(map.numberOfElements + elements.count))
            let count = Double(outline.numberOfItems)
            return Measurement(
                Samples(exactly: Double(mapBytes) / count),
                over: Samples(exactly: Double(arrayBytes) / count)
            )
        },
        Benchmark(
            "map.insert",
            "1 element at a random place of a map of 1,000,000, the map alone"
        ) { bench in
            Measurement(
                try insertions(bench, .thousand) { insert in
                    Stopwatch.threadNanoseconds { insert() }
                }
            )
        },
        Benchmark(
            "map.insert.allocations",
            "allocations of the same, above all of nodes of the map that are copied",
            in: .allocations,
            goal: .valueAtMost(10)
        ) { bench in
            guard Heap.allocationCount != nil else { return nil }
            return Measurement(
                try insertions(bench, .hundreds) { insert in
                    Double(Heap.allocations { insert() } ?? 0)
                }
            )
        },
    ]

    /// What single insertions into a map of 1,000,000 come to, the elements made before.
    private static func insertions(
        _ bench: Workbench,
        _ repetitions: Repetitions,
        _ measure: (() -> Void) -> Double
    ) throws -> Samples {
        var map = try MapFactory.makeMap(bench.scale.million)
        var random = SplitMix64()
        return try bench.samples(repetitions) {
            let plan = EditPlan.random(
                in: map.shape.itemCounts,
                deletions: 0,
                insertions: 1,
                using: &random
            )
            let insert = try MapFactory.insertion(at: plan.newPaths[0], into: map)
            let value = measure { map = insert() }
            BlackHole.consume(UInt(map.numberOfElements))
            return value
        }
    }
}
