import CollectionPipeline

/// One section of nodes that take their time to measure.
final class SpinningSource: CollectionDataSource {
    private let count: Int
    private let load: SpinLoad

    init(count: Int, _ load: SpinLoad) {
        self.count = count
        self.load = load
    }

    func numberOfItems(inSection section: Int) -> Int { count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [load] in SpinningNode(load) }
    }
}

/// A node that takes its time to measure.
private final class SpinningNode: CollectionNode {
    private let load: SpinLoad

    init(_ load: SpinLoad) { self.load = load }

    func measure(in range: SizeRange) -> Size {
        load.run()
        return range.clamp(Size(width: 80, height: 1))
    }
}
