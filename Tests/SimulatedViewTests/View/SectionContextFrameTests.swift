import PipelineTestSupport
import SimulatedView
import Testing

/// Sections whose contexts say how high their rows and headers are.
private final class Shelves: CollectionDataSource {
    struct Shelf {
        let name: Int
        var count: Int
        var rowHeight: Double
    }

    final class Context: SectionMetricsProviding {
        let name: Int
        let sectionMetrics: SectionMetrics

        init(_ shelf: Shelf) {
            name = shelf.name
            sectionMetrics = SectionMetrics(
                itemSize: Size(width: 40, height: shelf.rowHeight),
                lineSpacing: 0,
                headerExtent: Double(shelf.name)
            )
        }

        /// How far the section reaches.
        func extent(of count: Int) -> Double {
            Double(name) + Double(count) * (sectionMetrics.itemSize?.height ?? 0)
        }
    }

    var shelves: [Shelf]
    private let nodes: NodeBook

    init(_ shelves: [Shelf], _ nodes: NodeBook) {
        self.shelves = shelves
        self.nodes = nodes
    }

    func numberOfSections() -> Int { shelves.count }

    func numberOfItems(inSection section: Int) -> Int { shelves[section].count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [nodes] in try nodes.makeNode("row") }
    }

    func context(forSection section: Int) -> (any SectionContext)? { Context(shelves[section]) }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider
    { { [nodes] in try nodes.makeNode("header") } }
}

/// The way of a context from a data source's section to a frame: asked for where the section is in the data
/// source, read by the layout where it is on the view.
@Suite("From a section's context to a frame", .endsHangs)
struct SectionContextFrameTests {
    private static let layouts: [@Sendable () -> CollectionLayout] = [
        { FlowLayout() }, { ListLayout() }, { ComposedLayout() },
        { ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 1)) },
    ]

    private static func frame(_ layout: CollectionLayout, _ section: Int) -> Rect? {
        switch layout {
        case let flow as FlowLayout: flow.frame(ofSection: section)
        case let list as ListLayout: list.frame(ofSection: section)
        case let composed as ComposedLayout: composed.frame(ofSection: section)
        default: nil
        }
    }

    /// What is wrong with what the view shows, which may be some updates behind the data source.
    private static func mistakes(
        _ view: SimulatedCollectionView,
        _ controller: DataController<Shelves>
    ) -> [String] {
        view.layoutIfNeeded()
        var found = view.errors.map(\.message) + view.collectionViewLayout.errors.map(\.message)
        var (y, names) = (0.0, [Int]())
        for section in 0..<view.numberOfSections {
            guard let context = view.context(forSection: section) as? Shelves.Context else {
                return ["no context in \(section)"]
            }
            let count = view.numberOfItems(inSection: section)
            let extent = context.extent(of: count)
            let expected = Rect(x: 0, y: y, width: 40, height: extent)
            if frame(view.collectionViewLayout, section) != expected {
                found.append("frame of \(section)")
            }
            let path = ItemPath(section, 0)
            let header = view.collectionViewLayout.layoutAttributesForSupplementaryView(
                ofKind: .header,
                at: path
            )
            if header?.size.height != Double(context.name) { found.append("header \(section)") }
            let rows = (0..<count).map {
                view.collectionViewLayout.layoutAttributesForItem(at: ItemPath(section, $0))?.size
                    .height
            }
            if rows.contains(where: { $0 != context.sectionMetrics.itemSize?.height }) {
                found.append("rows of \(section)")
            }
            names.append(context.name)
            y += extent
        }
        for (index, shelf) in controller.assumeIsolated().dataSource.shelves.enumerated() {
            guard let section = controller.viewSection(for: index) else {
                if names.contains(shelf.name) { found.append("\(shelf.name) is shown") }
                continue
            }
            if names[section] != shelf.name { found.append("\(shelf.name) is at \(section)") }
            if controller.dataSourceSection(for: section) != index { found.append("not back") }
        }
        return found
    }

    /// Updates of sections, each as the model changes with its record.
    private static let steps: [@Sendable (DataController<Shelves>) throws -> Void] = [
        { controller in
            controller.assumeIsolated().dataSource.shelves.insert(
                .init(name: 11, count: 3, rowHeight: 9),
                at: 1
            )
            try controller.assumeIsolated().insertSections([1])
        },
        { controller in
            let shelf = controller.assumeIsolated().dataSource.shelves.removeFirst()
            controller.assumeIsolated().dataSource.shelves.append(shelf)
            try controller.assumeIsolated().moveSection(
                0,
                toSection: controller.assumeIsolated().dataSource.shelves.count - 1
            )
        },
        { controller in
            controller.assumeIsolated().dataSource.shelves.remove(at: 1)
            try controller.assumeIsolated().deleteSections([1])
        },
        { controller in
            controller.assumeIsolated().dataSource.shelves[1] = .init(
                name: 12,
                count: 2,
                rowHeight: 4
            )
            try controller.assumeIsolated().reloadSections([1])
        },
        { controller in
            controller.assumeIsolated().dataSource.shelves[0].count += 2
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 0), ItemPath(0, 4)])
        },
    ]

    @Test(arguments: Substrate.allCases, 0..<4)
    func aContextReachesTheFramesOfItsSectionWhereverThatIsByThen(
        _ substrate: Substrate,
        _ number: Int
    ) async throws {
        let stage = substrate.makeStage()
        let view = SimulatedCollectionView(
            size: Size(width: 40, height: 30),
            layout: Self.layouts[number]()
        )
        let shelves = [(5, 1, 3.0), (6, 2, 4), (7, 0, 5), (8, 3, 6)].map {
            Shelves.Shelf(name: $0.0, count: $0.1, rowHeight: $0.2)
        }
        let source = Shelves(shelves, NodeBook(stage))
        let controller = stage.makeController(source, view: view)
        try await controller.reloadData()
        func mistakes() async -> [String] {
            await onMain(controller) { Self.mistakes(view, $0) }
        }
        #expect(await mistakes() == [])
        await onMain(controller) { _ in view.beginBusy() }
        try await onMain(controller) { controller in
            for step in Self.steps { try step(controller) }
        }
        // All on their way, and none shown.
        #expect(await mistakes() == [])
        await controller.reached(.handedOver)
        #expect(await onMain(controller) { _ in view.numberOfWaitingUpdates } == Self.steps.count)
        #expect(await mistakes() == [])
        await onMain(controller) { _ in view.endBusy() }
        // One turn of the view after the other.
        var isSettled = false
        while !isSettled {
            #expect(await mistakes() == [])
            isSettled = await onMain(controller) { $0.assumeIsolated().isSynchronized }
        }
        #expect(await mistakes() == [])
        #expect(
            await onMain(controller) { controller in
                (0..<view.numberOfSections).map {
                    (view.context(forSection: $0) as? Shelves.Context)?.name
                } == controller.assumeIsolated().dataSource.shelves.map(\.name)
            }
        )
        await controller.close()
    }
}
