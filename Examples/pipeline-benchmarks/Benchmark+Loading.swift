import CollectionPipeline

// What the first load costs the main lane.

extension Benchmark {
    static let loading: [Benchmark] = [
        Benchmark(
            "initial-load",
            "1,000,000 items loaded into an empty controller, main-lane time an item (aim: 150 ns)"
        ) { bench in
            let outline = try bench.million().outline
            let count = Double(outline.numberOfItems)
            // The collection that others have used was loaded in this very run.
            var values = [Double(try bench.million().loading.nanoseconds) / count]
            for _ in 1..<bench.scale.pick(5, quick: 2) {
                try bench.clear()
                values.append(Double(try bench.million().loading.nanoseconds) / count)
            }
            return Measurement(Samples(values))
        }
    ]
}
