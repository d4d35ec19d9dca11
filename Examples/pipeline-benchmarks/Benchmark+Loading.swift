import CollectionPipeline

// What the first load costs the main lane.

extension Benchmark {
    static let loading: [Benchmark] = [
        Benchmark(
            "initial-load",
            "1,000,000 items loaded into an empty controller, main-lane time an item (aim: 150 ns)"
        ) { bench in
            Measurement(
                try bench.samples(.few) {
                    try bench.clear()
                    let collection = try bench.million()
                    return Double(collection.loading.nanoseconds)
                        / Double(collection.outline.numberOfItems)
                }
            )
        }
    ]
}
