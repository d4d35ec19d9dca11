import PipelineTestSupport
import SimulatedView
import Testing

/// What a view has measured again by itself, when it offers other sizes than before. How that is measured is tested
/// with the controller, in `RelayoutTests`.
@Suite("A view with other room", .endsHangs)
struct OtherRoomTests {
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

    /// Does something to the view, and waits for all that follows.
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

    /// A layout that asks for nothing else gets nothing else measured, and the view does not ask for ever; without extent
    /// it waits. However often it is resized, one update measures.
    @Test func whatOffersTheSameMeasuresNothingAndWhatOffersOthersDoes() {
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

    /// What it is to be filled with is measured for what it offered before.
    @Test func aViewThatIsResizedBeforeItShowsAnythingAsksThen() {
        change { [list, nodes] view in
            #expect(list.controller.pendingMap.generation == 1 && nodes.measurements.count == 0)
            view.resize(to: Size(width: 4, height: 5))
        }
        let widths = list.controller.visibleMap.items.map { $0.content.size?.width }
        #expect(Set(widths) == [4] && nodes.measurements.count == 20)
    }
}
