import CollectionPipeline

// What it costs to find elements and places in a map.

extension Benchmark {
    static let lookUps: [Benchmark] = [
        Benchmark(
            "element-at-path",
            "an element at a random path of 1,000,000: over a random read of an array of the same",
            goal: .ratioAtMost(20)
        ) { bench in
            let look = try LookUps(bench.million().map)
            let read = opaque { [elements = look.elements] (index: Int) in elements[index] }
            return look.eachTime(bench) {
                for path in look.paths {
                    if let element = look.map.element(at: path) { BlackHole.consume(element) }
                }
            } over: {
                for index in look.indexes { BlackHole.consume(read(index)) }
            }
        },
        Benchmark(
            "element-at-path.allocations",
            "allocations of \(LookUps.count) such look-ups",
            in: .allocations,
            goal: .valueAtMost(0)
        ) { bench in
            let look = try LookUps(bench.million().map)
            return Heap.allocations {
                for path in look.paths {
                    if let element = look.map.element(at: path) { BlackHole.consume(element) }
                }
            }
            .map { Measurement(Samples(exactly: Double($0))) }
        },
        Benchmark(
            "path-of-element",
            "the path of a random element of 1,000,000: over a hit in a dictionary from element to path",
            goal: .ratioAtMost(60)
        ) { bench in
            let look = try LookUps(bench.million().map)
            let paths = look.pathsByElement
            return look.eachTime(bench) {
                for element in look.randomElements { look.consumePath(look.map.path(of: element)) }
            } over: {
                for element in look.randomElements {
                    look.consumePath(paths[ObjectIdentifier(element)])
                }
            }
        },
        Benchmark(
            "path-of-element.allocations",
            "allocations of \(LookUps.count) such look-ups",
            in: .allocations,
            goal: .valueAtMost(0)
        ) { bench in
            let look = try LookUps(bench.million().map)
            look.consumePath(look.map.path(of: look.randomElements[0]))
            return Heap.allocations {
                for element in look.randomElements { look.consumePath(look.map.path(of: element)) }
            }
            .map { Measurement(Samples(exactly: Double($0))) }
        },
        Benchmark(
            "path-of-element.first",
            "the first path of an element that a map of 1,000,000 items is asked for after a change set"
        ) { bench in
            let collection = try bench.million()
            return Measurement(
                try bench.samples(bench.scale.pick(7, quick: 3)) {
                    let plan = collection.plan(deletions: 5, insertions: 5)
                    _ = try collection.deploy(plan)
                    let map = collection.map
                    guard let element = map.element(at: plan.newPaths[0]) else {
                        throw Failure("there is nothing at \(plan.newPaths[0]) of \(map.shape)")
                    }
                    return Stopwatch.threadNanoseconds {
                        BlackHole.consume(UInt(map.path(of: element)?.item ?? 0))
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
            return bench.samples(bench.scale.pick(15, quick: 5)) {
                Stopwatch.threadNanoseconds { for item in map.items { visit(item.element) } }
                    / count
            } over: {
                Stopwatch.threadNanoseconds { for element in elements { visit(element) } } / count
            }
        },
    ]
}
