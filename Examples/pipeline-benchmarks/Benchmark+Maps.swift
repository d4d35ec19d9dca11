import CollectionPipeline

// What maps cost to make, without a controller around them.

extension Benchmark {
    private static let outline = LoadedCollection.Outline(10, 100_000)

    static let maps: [Benchmark] = [
        Benchmark(
            "map.build",
            "a map of 1,000,000 new elements without nodes: over the same elements in an array",
            goal: .ratioAtMost(2.5)
        ) { bench in
            try bench.samples(bench.scale.pick(7, quick: 3)) {
                var map: ElementMap?
                let time = try Stopwatch.threadNanoseconds { map = try MapFactory.makeMap(outline) }
                BlackHole.consume(UInt(map?.count ?? 0))
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
        ) { _ in
            guard let start = Heap.bytesInUse else { return nil }
            let map = try MapFactory.makeMap(outline)
            let mapBytes = (Heap.bytesInUse ?? 0) - start
            let arrayStart = Heap.bytesInUse ?? 0
            let elements = MapFactory.makeElements(outline.numberOfItems)
            let arrayBytes = (Heap.bytesInUse ?? 0) - arrayStart
            BlackHole.consume(UInt(map.count + elements.count))
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
            var map = try MapFactory.makeMap(outline)
            var random = SplitMix64(seed: 9)
            return Measurement(
                try bench.samples(bench.scale.pick(1_000, quick: 300)) {
                    let path = ItemPath(
                        section: Int.random(in: 0..<outline.sections, using: &random),
                        item: Int.random(in: 0..<outline.itemsPerSection, using: &random)
                    )
                    let insert = try MapFactory.insertion(at: path, into: map)
                    return Stopwatch.threadNanoseconds { map = insert() }
                }
            )
        },
    ]
}
