import CollectionElements

/// A background lane that is made when it is needed first; most controllers never need it.
final class LazyLane: Sendable {
    private let environment: any PipelineEnvironment
    private let label: String
    private let made = Lock<(any Lane)?>(nil)

    init(_ environment: any PipelineEnvironment, label: String) {
        self.environment = environment
        self.label = label
    }

    var lane: any Lane {
        if let lane = made.withLock({ $0 }) { return lane }
        // Made outside the lock; where two threads come at once, one of the lanes is dropped.
        let new = environment.makeLane(label: label)
        return made.withLock { lane in
            if let lane { return lane }
            lane = new
            return new
        }
    }
}
