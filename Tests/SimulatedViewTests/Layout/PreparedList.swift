import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// Rows and headers as wide as the view and 20 high, or as high as the number after the equals sign
/// in their text. Workers lay them out for a viewport of 100 × 60.
final class PreparedList: PipelineBench<TextDataSource> {
    let nodes = NodeBook()

    /// - Parameter headers: The height of each section's header; `nil` for none.
    init(
        _ counts: [Int],
        size: Size = Size(width: 100, height: 60),
        headers: [Double?] = [],
        relayouts: Bool = true,
        seed: UInt64? = nil,
        set: (FlowLayout) -> Void = { _ in },
        delegate: (SimulatedCollectionView) -> any LayoutDelegate = { FlowLayoutDelegate($0) }
    ) {
        let simulation = Simulation(seed: seed ?? 1, strategy: seed == nil ? .inOrder : .random)
        let layout = FlowLayout()
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        set(layout)
        let view = SimulatedCollectionView(size: size, layout: layout)
        nodes.onMeasure { text, range in
            if text.hasSuffix("?") { throw TestFailure() }
            let height = text.split(separator: "=").dropFirst().first.flatMap { Double($0) }
            return Size(width: range.maximum.width, height: height ?? 20)
        }
        var number = 0
        let sections = counts.enumerated().map { section, count in
            let header = headers.indices.contains(section) ? headers[section] : nil
            let rows = (0..<count).map { _ in
                number += 1
                return "row \(number)"
            }
            return TextDataSource.Section(rows, headers: header.map { ["header=\($0)"] } ?? [])
        }
        var configuration = PipelineConfiguration.unwatched
        configuration.relayoutsWhenSizeRangeChanges = relayouts
        let controller = DataController(
            dataSource: TextDataSource(sections, nodes: nodes),
            view: view,
            configuration: configuration,
            lane: simulation.makeLane(label: "main"),
            environment: simulation.environment,
            layoutDelegate: delegate(view)
        )
        super.init(simulation, view, controller)
        update { _, changes in changes.reloadData() }
    }

    /// The texts of the created nodes, oldest first.
    var made: [String] { nodes.made.values.map(\.text) }

    var layout: FlowLayout { onMain { $0.collectionViewLayout as? FlowLayout } ?? FlowLayout() }

    func enqueue(_ body: @escaping (SimulatedCollectionView) -> Void) {
        nonisolated(unsafe) let body = body
        controller.lane.enqueue { [view] in body(view) }
    }

    /// Inserts a row at the beginning of the first section, or at the end of the last one.
    func insert(_ text: String, atEnd: Bool = false) {
        update { source, changes in
            let section = atEnd ? source.sections.count - 1 : 0
            let item = atEnd ? source.sections[section].items.count : 0
            source.sections[section].items.insert(text, at: item)
            changes.insertItems(at: [ItemPath(section, item)])
        }
    }

    /// The frames of rows in the first section.
    func frames(_ rows: Range<Int>) -> [Rect?] {
        let layout = layout
        return rows.map { layout.frame(ofItem: ItemPath(0, $0)) }
    }

    /// The elements whose frames differ from a layout from scratch on the main lane.
    var misplaced: [String] {
        onMain { view in
            guard let layout = view.collectionViewLayout as? FlowLayout else { return [] }
            var found: [String] = []
            let reference = FlowLayout()
            reference.minimumLineSpacing = layout.minimumLineSpacing
            reference.minimumInteritemSpacing = layout.minimumInteritemSpacing
            reference.sectionInset = layout.sectionInset
            reference.scrollDirection = layout.scrollDirection
            if layout.itemSize != reference.itemSize { reference.itemSize = layout.itemSize }
            let host = BareHost(view)
            reference.attach(to: host)
            reference.prepare()
            if layout.collectionViewContentSize != reference.collectionViewContentSize {
                found.append("content of \(layout.collectionViewContentSize)")
            }
            let headers = (0..<view.numberOfSections).map { LayoutPlace.header($0) }
            for place in view.map.items.map({ LayoutPlace.cell($0.path) }) + headers {
                let here = layout.layoutAttributes(for: place)?.frame
                let there = reference.layoutAttributes(for: place)?.frame
                if here != there {
                    found.append("\(place): expected \(there as Any), found \(here as Any)")
                }
            }
            return found
        }
    }
}

/// A view without a prepared layout, so that a layout attached to it computes everything. Main
/// lane.
final class BareHost: LayoutHost {
    private let view: SimulatedCollectionView

    init(_ view: SimulatedCollectionView) { self.view = view }

    var bounds: Rect { view.bounds }
    var adjustedContentInset: EdgeInsets { view.adjustedContentInset }
    var safeAreaInsets: EdgeInsets { view.safeAreaInsets }
    var layoutMargins: EdgeInsets { view.layoutMargins }
    var isRightToLeft: Bool { view.isRightToLeft }
    var displayScale: Double { view.displayScale }
    var numberOfSections: Int { view.numberOfSections }

    func numberOfItems(inSection section: Int) -> Int {
        view.numberOfItems(inSection: section)
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        view.context(forSection: section)
    }

    func measuredSize(of place: LayoutPlace) -> Size? { view.measuredSize(of: place) }

    var layoutMetrics: (any LayoutMetrics)? { nil }

    func invalidateLayout(with context: LayoutInvalidationContext) {}
}
