import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

@Suite struct ViewClosingTests {
    /// A busy view, whose updates a close without draining cancels.
    @Test func aCloseDropsWhatWaits() throws {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(size: Size(width: 10, height: 5))
        let controller = DataController(
            dataSource: ModelList([["a", "b"]]),
            view: view,
            in: simulation
        )
        controller.enqueueBatchUpdates { _, _ in
        } completion: { _ in
        }
        simulation.run()
        controller.lane.enqueue { view.beginBusy() }
        let outcomes = Journal<String>()
        for _ in 0..<3 {
            controller.enqueueBatchUpdates { list, changes in
                list[0].insert("new", at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            } completion: {
                outcomes.append($0.outcome.name)
            }
        }
        simulation.run()
        let waiting = Journal<Int>()
        controller.lane.enqueue { waiting.append(view.numberOfWaitingUpdates) }
        controller.close(draining: false) {}
        simulation.run()
        controller.lane.enqueue {
            waiting.append(view.numberOfWaitingUpdates)
            #expect(view.eventLog.last == .closed(dropped: 3))
            #expect(view.map.numberOfItems == 2)
            view.endBusy()
        }
        simulation.run()
        #expect(waiting.values == [3, 0])
        #expect(outcomes.values == ["cancelled", "cancelled", "cancelled"])
        #expect("\(ViewEvent.closed(dropped: 3))" == "closed, 3 dropped")
    }
}
