import CollectionPipeline

/// What a pipeline under test runs on; behaviour tests take it as an argument.
package enum Substrate: String, CaseIterable, Sendable {
    /// Dispatch as it is.
    case dispatch
    /// Dispatch with a random delay before everything.
    case jittered
    /// One thread, on which a simulation chooses what comes next, and virtual time.
    case simulated

    /// Those on which a worker can be held while others go on.
    package static let threaded: [Substrate] = [.dispatch, .jittered]

    /// Makes a main lane and an environment. Every stage has workers of its own, so that a test
    /// which holds a worker holds back no other test.
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

/// A main lane and an environment.
package struct Stage: Sendable {
    package let lane: any Lane
    package let environment: any PipelineEnvironment

    package init(lane: any Lane, environment: any PipelineEnvironment) {
        self.lane = lane
        self.environment = environment
    }

    /// Where the caller runs.
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
    /// Tells the parts of a stage from each other.
    package convenience init(_ stage: Stage) { self.init { stage.currentPlace } }
}
