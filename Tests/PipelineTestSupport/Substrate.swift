import CollectionPipeline

/// The execution environment of a pipeline under test; behaviour tests take it as an argument.
package enum Substrate: String, CaseIterable, Sendable {
    case dispatch
    /// Dispatch with a random delay before each piece of work.
    case jittered
    /// One thread, on which a simulation chooses the next step, with virtual time.
    case simulated

    /// The substrates on which other workers continue while one is held.
    package static let threaded: [Substrate] = [.dispatch, .jittered]

    /// Makes a main lane and an environment. Every stage has its own workers, so a test that holds
    /// a worker delays no other test.
    package func makeStage(seed: UInt64 = 1, workerCount: Int = 4) -> Stage {
        if self == .simulated {
            return PumpedSimulation.makeStage(seed: seed, workerCount: workerCount)
        }
        let environment = DispatchEnvironment(workerCount: workerCount)
        let lane = EmulatedMainLane(label: "test.main")
        guard self == .jittered else { return Stage(lane: lane, environment: environment) }
        let jitter = Jitter(seed: seed)
        return Stage(
            lane: JitteredLane(lane, jitter),
            environment: JitteredEnvironment(environment, jitter)
        )
    }
}

package struct Stage: Sendable {
    package let lane: any Lane
    package let environment: any PipelineEnvironment

    package init(lane: any Lane, environment: any PipelineEnvironment) {
        self.lane = lane
        self.environment = environment
    }

    /// The part of the pipeline that the caller runs on.
    package var currentPlace: CallPlace {
        if lane.isCurrent { return .mainLane }
        return environment.isCurrentWorker ? .worker : .elsewhere
    }

    package func makeController<Source: CollectionDataSource>(
        _ dataSource: sending Source,
        view: (any CollectionView)? = nil,
        configuration: PipelineConfiguration = .unwatched,
        layoutDelegate: (any LayoutDelegate)? = nil,
        facilitators: [any UpdateFacilitator] = [],
        observer: (any PipelineObserver)? = nil
    ) -> DataController<Source> {
        DataController(
            dataSource: dataSource,
            view: view,
            configuration: configuration,
            lane: lane,
            environment: environment,
            layoutDelegate: layoutDelegate,
            facilitators: facilitators,
            observer: observer
        )
    }
}

extension NodeBook {
    /// Makes a book that records the part of the stage each call ran on.
    package convenience init(_ stage: Stage) { self.init { stage.currentPlace } }
}
