import CollectionPipeline

// What it costs to find elements and places in a map.

extension Benchmark {
    static let lookUps: [Benchmark] = [
        Benchmark(
            "element-at-path",
            "an element at a random path of 1,000,000: over a random read of an array of the same",
            goal: .ratioAtMost(20)
        ) { bench in
            let look = try LookUps(bench.million().map, count: bench.scale.lookUps)
            let read = opaque { [elements = look.elements] (index: Int) in elements[index] }
            return look.eachTime(bench) {
                look.findElements()
            } over: {
                for index in look.indexes { BlackHole.consume(read(index)) }
            }
        },
        Benchmark(
            "element-at-path.allocations",
            "allocations of \(Scale.full.lookUps) such look-ups",
            in: .allocations,
            goal: .valueAtMost(0)
        ) { bench in
            let look = try LookUps(bench.million().map, count: bench.scale.lookUps)
            return Heap.allocations { look.findElements() }
                .map { Measurement(Samples(exactly: Double($0))) }
        },
        Benchmark(
            "path-of-element",
            "the path of a random element of 1,000,000: over a hit in a dictionary from element to path",
            goal: .ratioAtMost(60)
        ) { bench in
            let look = try LookUps(bench.million().map, count: bench.scale.lookUps)
            let paths = look.pathsByElement
            return look.eachTime(bench) {
                look.findPaths()
            } over: {
                for element in look.randomElements {
                    BlackHole.consume(paths[ObjectIdentifier(element)])
                }
            }
        },
        Benchmark(
            "path-of-element.allocations",
            "allocations of \(Scale.full.lookUps) such look-ups",
            in: .allocations,
            goal: .valueAtMost(0)
        ) { bench in
            let look = try LookUps(bench.million().map, count: bench.scale.lookUps)
            BlackHole.consume(look.map.path(of: look.randomElements[0]))
            return Heap.allocations { look.findPaths() }
                .map { Measurement(Samples(exactly: Double($0))) }
        },
        Benchmark(
            "path-of-element.first",
            "the first path of an element that a map of 1,000,000 items is asked for after a change set"
        ) { bench in
            let collection = try bench.million()
            return Measurement(
                try bench.samples(.few) {
                    let plan = collection.planOfTen()
                    _ = try collection.deploy(plan)
                    let (map, path) = (collection.map, plan.newPaths[0])
                    guard let element = map.element(at: path) else {
                        throw Failure("there is nothing at \(path) of \(map.shape)")
                    }
                    return Stopwatch.threadNanoseconds {
                        BlackHole.consume(map.path(of: element))
                    }
                }
            )
        },
        Benchmark(
            "iterate",
            "1,000,000 elements of a map in order: over an array of the same, an element",
            goal: .ratioAtMost(3)
        ) { bench in
            let map = try bench.million().map
            let elements = map.items.map(\.element)
            let visit = opaque { (element: CollectionElement) in BlackHole.consume(element) }
            let count = Double(elements.count)
            return bench.samples(.dozens) {
                Stopwatch.threadNanoseconds { for item in map.items { visit(item.element) } }
                    / count
            } over: {
                Stopwatch.threadNanoseconds { for element in elements { visit(element) } } / count
            }
        },
    ]
}
