import PipelineTestSupport
import SimulatedView
import Testing

/// The measurements that a view requests when its available size changes. `RelayoutTests` covers
/// how the controller performs them.
@Suite("A view whose available size changes", .endsHangs)
struct AvailableSizeTests {
    private let nodes = NodeBook()
    private let list: PipelineBench<TextDataSource>

    init() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(size: Size(width: 10, height: 5))
        let section = TextDataSource.Section((0..<10).map { "item \($0)" })
        let source = TextDataSource([section], nodes: nodes)
        let controller = DataController(dataSource: source, view: view, in: simulation)
        list = PipelineBench(simulation, view, controller)
        list.submit { _, changes in changes.reloadData() }
    }

    /// Changes the view and waits for everything that follows.
    private func change(_ body: @escaping (SimulatedCollectionView) -> Void) {
        list.onMain { view in
            body(view)
            view.layoutIfNeeded()
        }
    }

    private var ranges: Set<SizeRange?> {
        Set(
            list.controller.visibleMap.items.map { item in
                if case .measured(let range) = item.content.state { range } else { nil }
            }
        )
    }

    /// A layout with unchanged size ranges causes no measurement, and the view does not request it
    /// repeatedly; a view without extent waits. Any number of resizes cause one measuring update.
    @Test func onlyChangedSizeRangesCauseMeasurements() {
        list.simulation.run()
        change { $0.resize(to: Size(width: 10, height: 3)) }
        change { $0.contentInset = EdgeInsets(top: 2, bottom: 1) }
        change { $0.scroll(by: 4) }
        change { $0.collectionViewLayout.invalidateLayout() }
        list.submit { $0.append("more", &$1) }
        change { _ in }
        #expect(nodes.measurements.count == 11 && list.controller.visibleMap.generation == 2)
        change { view in
            for left in [3.0, 1, 2] { view.contentInset = EdgeInsets(left: left, right: 1) }
        }
        #expect(ranges == [.width(7)] && nodes.measurements.count == 22)
        change { $0.setCollectionViewLayout(FlowLayout()) }
        let flow = SizeRange(minimum: .zero, maximum: Size(width: 7, height: .infinity))
        #expect(ranges == [flow])
        change { ($0.collectionViewLayout as? FlowLayout)?.scrollDirection = .horizontal }
        let columns = SizeRange(minimum: .zero, maximum: Size(width: .infinity, height: 3))
        #expect(ranges == [columns] && nodes.measurements.count == 44)
        change { $0.resize(to: Size(width: 0, height: 5)) }
        change { $0.resize(to: .zero) }
        #expect(nodes.measurements.count == 44)
        change { $0.resize(to: Size(width: 10, height: 5)) }
        #expect(nodes.measurements.count == 55)
        change { $0.resize(to: Size(width: 10, height: 0)) }
        change { $0.resize(to: Size(width: 10, height: 5)) }
        #expect(nodes.measurements.count == 55)
    }

    /// The pending content is measured for the previous size first.
    @Test func aViewResizedBeforeItsFirstContentMeasuresAgain() {
        change { [list, nodes] view in
            #expect(list.controller.pendingMap.generation == 1 && nodes.measurements.count == 0)
            view.resize(to: Size(width: 4, height: 5))
        }
        let widths = list.controller.visibleMap.items.map { $0.content.size?.width }
        #expect(Set(widths) == [4] && nodes.measurements.count == 20)
    }
}
