import CollectionElements

/// Frees large maps on a background lane of its own, so that neither the main lane nor the next change
/// set's measuring waits for it.
final class Reclaimer: MapReclaimer {
    private let environment: any PipelineEnvironment
    private let label: String
    /// Made when the first large map goes; most controllers never need it.
    private let lane = Lock<(any Lane)?>(nil)

    init(_ environment: any PipelineEnvironment, label: String) {
        self.environment = environment
        self.label = label
    }

    func reclaim(_ release: @escaping @Sendable () -> Void) { madeLane().enqueue(release) }

    private func madeLane() -> any Lane {
        if let lane = lane.withLock({ $0 }) { return lane }
        // Made outside the lock; where two threads come at once, one of the lanes is dropped.
        let made = environment.makeLane(label: label)
        return lane.withLock { lane in
            if let lane { return lane }
            lane = made
            return made
        }
    }
}
