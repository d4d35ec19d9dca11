import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// Rows as wide as the view and 20 high, or as high as their name says after a colon, laid out by workers in a viewport
/// of 100 × 60; all in the test's thread.
final class PreparedList {
    final class Node: ReconfigurableNode {
        private let name: Lock<String>
        private let journal: Journal<(name: String, range: SizeRange)>

        init(_ name: String, _ journal: Journal<(name: String, range: SizeRange)>) {
            self.name = Lock(name)
            self.journal = journal
        }

        func measure(in range: SizeRange) throws -> Size {
            try measure(name.withLock { $0 }, in: range)
        }

        func measure(_ model: String, in range: SizeRange) throws -> Size {
            journal.append((model, range))
            if model.hasSuffix("?") { throw TestFailure() }
            let height = model.split(separator: ":").dropFirst().first.flatMap { Double($0) }
            return Size(width: range.maximum.width, height: height ?? 20)
        }

        func update(to model: String) { name.withLock { $0 = model } }
    }

    let simulation = Simulation(seed: 1, strategy: .inOrder)
    let view: SimulatedCollectionView
    let controller: DataController<RangedRows>
    let measured = Journal<(name: String, range: SizeRange)>()
    let made = Journal<String>()

    init(
        _ count: Int,
        size: Size = Size(width: 100, height: 60),
        relayouts: Bool = true,
        set: (FlowLayout) -> Void = { _ in },
        delegate: (SimulatedCollectionView) -> any LayoutDelegate = { FlowLayoutDelegate($0) }
    ) {
        let layout = FlowLayout()
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        set(layout)
        view = SimulatedCollectionView(size: size, layout: layout)
        let rows = RangedRows((0..<count).map { "row \($0)" }) { [made, measured] name in
            made.append(name)
            return Node(name, measured)
        }
        var configuration = PipelineConfiguration()
        configuration.relayoutsWhenSizeRangeChanges = relayouts
        controller = DataController(
            dataSource: rows,
            view: view,
            configuration: configuration,
            lane: simulation.makeLane(label: "main"),
            environment: simulation.environment,
            layoutDelegate: delegate(view)
        )
        update { _, changes in changes.reloadData() }
    }

    var layout: FlowLayout {
        nonisolated(unsafe) var found: FlowLayout?
        onMain { found = $0.collectionViewLayout as? FlowLayout }
        return found ?? FlowLayout()
    }

    /// Does something on the main lane, and all that follows.
    func onMain(_ body: @escaping (SimulatedCollectionView) -> Void) {
        nonisolated(unsafe) let body = body
        controller.lane.enqueue { [view] in body(view) }
        simulation.run()
    }

    func update(_ body: @escaping @Sendable (RangedRows, inout BatchRecorder) -> Void) {
        controller.enqueueBatchUpdates { list, changes in
            body(list, &changes)
        } completion: { _ in
        }
        simulation.run()
    }

    /// Where rows are.
    func frames(_ rows: Range<Int>) -> [Rect?] {
        let layout = layout
        return rows.map { layout.frame(ofItem: ItemPath(0, $0)) }
    }

    /// The same laid out on the main lane, from scratch.
    func fresh() -> FlowLayout {
        nonisolated(unsafe) let fresh = FlowLayout()
        onMain { view in
            guard let layout = view.collectionViewLayout as? FlowLayout else { return }
            fresh.minimumLineSpacing = layout.minimumLineSpacing
            fresh.minimumInteritemSpacing = layout.minimumInteritemSpacing
            fresh.sectionInset = layout.sectionInset
            fresh.scrollDirection = layout.scrollDirection
            if layout.itemSize != fresh.itemSize { fresh.itemSize = layout.itemSize }
            let host = BareHost(view)
            fresh.attach(to: host)
            fresh.prepare()
        }
        return fresh
    }
}
