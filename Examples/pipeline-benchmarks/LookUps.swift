import CollectionPipeline

/// Random questions to a map, made before anything is measured.
struct LookUps {
    /// Enough to miss the processor's caches, few enough to be quick.
    static let count = 100_000

    let map: ElementMap
    /// Every element in order.
    let elements: [CollectionElement]
    /// Random positions among them, and what is there.
    let indexes: [Int]
    let paths: [ItemPath]
    let randomElements: [CollectionElement]

    init(_ map: ElementMap) {
        self.map = map
        let items = Array(map.items)
        elements = items.map(\.element)
        var random = SplitMix64(seed: 5)
        indexes = (0..<Self.count).map { _ in Int.random(in: items.indices, using: &random) }
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

    func consumePath(_ path: ItemPath?) { BlackHole.consume(UInt(bitPattern: path?.item ?? -1)) }

    /// Samples of the time of a single look-up; both sides do ``count``.
    func eachTime(
        _ bench: Workbench,
        _ value: () -> Void,
        over reference: () -> Void
    ) -> Measurement {
        let count = Double(Self.count)
        return bench.samples(bench.scale.pick(25, quick: 9)) {
            Stopwatch.threadNanoseconds(value) / count
        } over: {
            Stopwatch.threadNanoseconds(reference) / count
        }
    }
}
