import CollectionPipeline

// Costs of maps: making one, changing it, and finding elements and paths in it.

extension Benchmark {
    static let lookUps: [Benchmark] = [
        Benchmark(
            "element-at-path",
            "an element at a random path of 1,000,000: over a random read of an array of the same",
            goal: .ratioAtMost(20)
        ) { bench in
            let look = LookUps(try bench.million().map)
            let read = opaque { [elements = look.elements] (index: Int) in elements[index] }
            return look.eachTime(bench) {
                look.findElements()
            } over: {
                for index in look.indexes { BlackHole.consume(read(index)) }
            }
        },
        Benchmark(
            "path-of-element",
            "the path of a random element of 1,000,000: over a hit in a dictionary from element to path",
            goal: .ratioAtMost(60)
        ) { bench in
            let look = LookUps(try bench.million().map)
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

    static let maps: [Benchmark] = [
        Benchmark(
            "map.build",
            "a map of 1,000,000 new elements without nodes: over the same elements in an array",
            goal: .ratioAtMost(2.5)
        ) { bench in
            try bench.samples(.few) {
                var map: ElementMap?
                let time = try Stopwatch.threadNanoseconds {
                    map = try MapFactory.makeMap(.million)
                }
                BlackHole.consume(map?.numberOfElements ?? -1)
                return time
            } over: {
                var elements: [CollectionElement] = []
                let time = Stopwatch.threadNanoseconds {
                    elements = MapFactory.makeElements(Outline.million.numberOfItems)
                }
                BlackHole.consume(elements.count)
                return time
            }
        },
        Benchmark(
            "map.memory",
            "bytes per item of such a map, elements included: over those of the elements in an array",
            in: .bytes,
            goal: .valueAtMost(160)
        ) { _ in
            let count = Outline.million.numberOfItems
            guard let before = Heap.Mark() else { return nil }
            let map = try MapFactory.makeMap(.million)
            let mapBytes = before.growth
            guard let between = Heap.Mark() else { return nil }
            let elements = MapFactory.makeElements(count)
            let arrayBytes = between.growth
            BlackHole.consume(map.numberOfElements + elements.count)
            return Measurement(exactly: mapBytes / Double(count), over: arrayBytes / Double(count))
        },
        Benchmark(
            "map.insert.allocations",
            "allocations of 1 element inserted at a random place of a map of 1,000,000, above all of nodes of"
                + " the map that are copied",
            in: .allocations,
            goal: .valueAtMost(10)
        ) { bench in
            guard Heap.allocationCount != nil else { return nil }
            var map = try MapFactory.makeMap(.million)
            var random = SplitMix64()
            return Measurement(
                try bench.samples(.hundreds) {
                    let insert = try MapFactory.insertion(into: map, using: &random)
                    return Heap.allocations { map = insert() } ?? 0
                }
            )
        },
    ]
}

/// Random look-ups in a map, prepared before anything is measured.
struct LookUps {
    let map: ElementMap
    /// All elements in order.
    let elements: [CollectionElement]
    /// Random positions among them.
    let indexes: [Int]
    /// The paths and the elements at these positions.
    let paths: [ItemPath]
    let randomElements: [CollectionElement]

    /// - Parameter count: enough to miss the processor's caches, and few enough to be quick.
    init(_ map: ElementMap, count: Int = 100_000) {
        self.map = map
        let items = Array(map.items)
        elements = items.map(\.element)
        var random = SplitMix64()
        indexes = (0..<count).map { _ in Int.random(in: items.indices, using: &random) }
        paths = indexes.map { items[$0].path }
        randomElements = indexes.map { items[$0].element }
    }

    /// The table that a copying map would have.
    var pathsByElement: [ObjectIdentifier: ItemPath] {
        Dictionary(
            uniqueKeysWithValues: map.items.map { (ObjectIdentifier($0.element), $0.path) }
        )
    }

    func findElements() {
        for path in paths {
            if let element = map.element(at: path) { BlackHole.consume(element) }
        }
    }

    func findPaths() {
        for element in randomElements { BlackHole.consume(map.path(of: element)) }
    }

    /// Measures a single look-up. Both closures do one for each path.
    func eachTime(
        _ bench: Workbench,
        _ value: () -> Void,
        over reference: () -> Void
    ) -> Measurement {
        let count = Double(paths.count)
        return bench.samples(.dozens) {
            Stopwatch.threadNanoseconds(value) / count
        } over: {
            Stopwatch.threadNanoseconds(reference) / count
        }
    }
}

/// Makes elements that have a model and no node, and maps of them, with internal functions of the
/// library.
enum MapFactory {
    private static let configuration = ModelElementConfiguration<Int>(
        sizeRange: .width(80),
        elementEnvironment: ElementEnvironment(Traits()),
        makeNode: { PlainNode($0) }
    )

    static func makeElements(_ count: Int) -> [CollectionElement] {
        (0..<count).map { ModelElement($0, configuration: configuration) }
    }

    static func makeMap(_ outline: Outline) throws -> ElementMap {
        let update = try HierarchyChangeSet([.reloadData()])
            .validated(from: .empty, to: HierarchyShape(outline.counts))
        var change = ElementMapChange()
        for section in 0..<outline.sections {
            let elements = makeElements(outline.itemsPerSection)
            let identity = CollectionSection(id: section, sectionContext: nil)
            change.insertedSections.append(.init(section: identity, elements: elements))
        }
        return ElementMap.empty(generation: 0).applying(update, change, generation: 1)
    }

    /// Returns a closure that inserts a new element at a random place. Everything except the new
    /// map is made beforehand.
    static func insertion(
        into map: ElementMap,
        using random: inout SplitMix64
    ) throws -> () -> ElementMap {
        let counts = map.shape.itemCounts
        let plan = EditPlan(in: counts, deletions: 0, insertions: 1, using: &random)
        let update = try plan.validated(from: counts)
        var change = ElementMapChange()
        change.insertedItems = makeElements(1)
        return { map.applying(update, change, generation: map.generation + 1) }
    }
}
