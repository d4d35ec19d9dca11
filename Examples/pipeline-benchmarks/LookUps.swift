import CollectionPipeline

/// Random questions to a map, made before anything is measured.
struct LookUps {
    let map: ElementMap
    /// Every element in order.
    let elements: [CollectionElement]
    /// Random positions among them, and what is there.
    let indexes: [Int]
    let paths: [ItemPath]
    let randomElements: [CollectionElement]

    init(_ map: ElementMap, count: Int) {
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
        var paths: [ObjectIdentifier: ItemPath] = [:]
        paths.reserveCapacity(elements.count)
        for item in map.items { paths[ObjectIdentifier(item.element)] = item.path }
        return paths
    }

    func findElements() {
        for path in paths {
            if let element = map.element(at: path) { BlackHole.consume(element) }
        }
    }

    func findPaths() {
        for element in randomElements { BlackHole.consume(map.path(of: element)) }
    }

    /// Samples of the time of a single look-up; both sides do as many as there are questions.
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
