import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// What a view has measured again by itself, when it offers other sizes than before.
@Suite("A view with other room", .endsHangs)
struct OtherRoomTests {
    /// Does something to the view, and waits for all that follows.
    private func change(
        _ list: List,
        _ body: @escaping @Sendable (SimulatedCollectionView) -> Void
    ) async {
        await list.onMain { view, _ in
            body(view)
            view.layoutIfNeeded()
        }
        await settle(list)
    }

    private func settle(_ list: List) async {
        // What the main lane does after the turn that was asked for.
        await list.onMain { _, _ in }
        await list.controller.settle()
    }

    private func ranges(_ list: List) -> Set<SizeRange?> {
        Set(
            list.controller.visibleMap.items.map { item in
                if case .measured(let range) = item.content.state { range } else { nil }
            }
        )
    }

    @Test(arguments: Substrate.allCases)
    func itsElementsAreMeasuredForItByOneUpdateOnWorkers(_ substrate: Substrate) async throws {
        let list = try await List(
            substrate,
            [.init(["five!", "ten chars!", "a"], headers: ["H"])],
            height: 10
        )
        #expect(await list.rows() == ["0: H", "1: five!", "2: ten chars!", "3: a"])
        await list.onMain { view, _ in
            for width in [7.0, 30, 5] { view.resize(to: Size(width: width, height: 10)) }
            view.layoutIfNeeded()
            #expect(view.visibleViews.map(\.frame.size.height) == [1, 1, 1, 1], "as before")
        }
        await settle(list)
        #expect(await list.rows() == ["0: H", "1: five!", "2: ten chars!", "4: a"])
        #expect(ranges(list) == [.width(5)] && list.nodes.measurements.count == 8)
        #expect(list.nodes.measurements.values.allSatisfy { $0.place == .worker })
        #expect(list.controller.visibleMap.generation == 2)
        await list.controller.close()
    }

    /// A layout that asks for nothing else gets nothing else measured, and the view does not ask for ever.
    @Test(arguments: Substrate.allCases)
    func whatOffersTheSameMeasuresNothing(_ substrate: Substrate) async throws {
        let list = try await List(substrate, tenItems)
        await change(list) { $0.resize(to: Size(width: 10, height: 3)) }
        await change(list) { $0.contentInset = EdgeInsets(top: 2, bottom: 1) }
        await change(list) { $0.scroll(by: 4) }
        await change(list) { $0.collectionViewLayout.invalidateLayout() }
        try await list.controller.performBatchUpdates { $0.append("more", &$1) }
        await settle(list)
        #expect(list.nodes.measurements.count == 11)
        #expect(list.controller.visibleMap.generation == 2)
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func insetsAndLayoutsChangeItToo(_ substrate: Substrate) async throws {
        let list = try await List(substrate, tenItems)
        await change(list) { $0.contentInset = EdgeInsets(left: 2, right: 1) }
        #expect(ranges(list) == [.width(7)])
        await change(list) { $0.setCollectionViewLayout(FlowLayout()) }
        let flow = SizeRange(
            minimum: .zero,
            maximum: Size(width: 7, height: .infinity)
        )
        #expect(ranges(list) == [flow])
        await change(list) { view in
            (view.collectionViewLayout as? FlowLayout)?.scrollDirection = .horizontal
        }
        let columns = SizeRange(minimum: .zero, maximum: Size(width: .infinity, height: 5))
        #expect(ranges(list) == [columns] && list.nodes.measurements.count == 40)
        await list.controller.close()
    }

    /// There is nothing to be seen by then.
    @Test(arguments: Substrate.allCases)
    func withoutExtentItWaits(_ substrate: Substrate) async throws {
        let list = try await List(substrate, tenItems)
        await change(list) { $0.resize(to: Size(width: 0, height: 5)) }
        await change(list) { $0.resize(to: .zero) }
        #expect(list.nodes.measurements.count == 10)
        await change(list) { $0.resize(to: Size(width: 6, height: 5)) }
        #expect(ranges(list) == [.width(6)] && list.nodes.measurements.count == 20)
        await change(list) { $0.resize(to: Size(width: 6, height: 0)) }
        await change(list) { $0.resize(to: Size(width: 6, height: 5)) }
        #expect(list.nodes.measurements.count == 20)
        await list.controller.close()
    }

    /// What it is to be filled with is measured for what it offered before.
    @Test func aViewThatIsResizedBeforeItShowsAnythingAsksThen() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(size: Size(width: 10, height: 5))
        let nodes = NodeBook()
        let controller = DataController(
            dataSource: TextDataSource(tenItems, nodes: nodes),
            view: view,
            in: simulation
        )
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        controller.lane.enqueue { [controller] in
            #expect(controller.pendingMap.generation == 1 && nodes.measurements.count == 0)
            view.resize(to: Size(width: 4, height: 5))
            view.layoutIfNeeded()
        }
        simulation.run()
        let widths = controller.visibleMap.items.map { $0.content.size?.width }
        #expect(Set(widths) == [4] && nodes.measurements.count == 20)
    }

    @Test(arguments: Substrate.allCases)
    func onDemandOnlyWhatIsNearIsMeasuredForIt(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let nodes = NodeBook(stage)
        let view = SimulatedCollectionView(size: Size(width: 10, height: 3))
        var configuration = PipelineConfiguration.unwatched
        configuration.measuringPolicy = .onDemand(4)
        let texts = (0..<100).map { "item \($0)" }
        let controller = stage.makeController(
            TextDataSource([.init(texts)], nodes: nodes),
            view: view,
            configuration: configuration
        )
        try await controller.reloadData()
        await onMain(controller) { _ in
            view.layoutIfNeeded()
            view.contentOffset = Point(x: 0, y: 50)
            view.layoutIfNeeded()
        }
        await onMain(controller) { _ in }
        await controller.settle()
        let before = nodes.measurements.count
        await onMain(controller) { _ in
            view.resize(to: Size(width: 5, height: 3))
            view.layoutIfNeeded()
        }
        await onMain(controller) { _ in }
        await controller.settle()
        await onMain(controller) { _ in view.layoutIfNeeded() }
        await onMain(controller) { _ in }
        await controller.settle()
        let again = nodes.measurements.values.dropFirst(before)
        #expect((3...8).contains(again.count) && again.allSatisfy { $0.range == .width(5) })
        let shown = await onMain(controller) { _ in view.visibleCells.compactMap(\.content) }
        #expect(!shown.isEmpty && shown.allSatisfy { $0.size?.height == 2 })
        await controller.close()
    }
}
