import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// A view at the end of a pipeline, all in the test's thread.
class PipelineBench<Source: CollectionDataSource> {
    let simulation: Simulation
    let view: SimulatedCollectionView
    let controller: DataController<Source>

    init(
        _ simulation: Simulation,
        _ view: SimulatedCollectionView,
        _ controller: DataController<Source>
    ) {
        (self.simulation, self.view, self.controller) = (simulation, view, controller)
    }

    /// Does something on the main lane, and all that follows.
    @discardableResult
    func onMain<Result>(_ body: @escaping (SimulatedCollectionView) -> Result) -> Result {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result?
        controller.lane.enqueue { [view] in result = body(view) }
        simulation.run()
        guard let result else { preconditionFailure("the main lane did not come to it") }
        return result
    }

    /// Only submits.
    func submit(
        isAnimated: Bool = true,
        _ body: @escaping @Sendable (Source, inout BatchRecorder) -> Void
    ) {
        controller.enqueueBatchUpdates(animated: isAnimated) { source, changes in
            body(source, &changes)
        } completion: { _ in
        }
    }

    func update(_ body: @escaping @Sendable (Source, inout BatchRecorder) -> Void) {
        submit(body)
        simulation.run()
    }
}
