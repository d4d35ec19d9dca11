import CollectionElements

/// Frees large maps and states on a background lane of its own, so that neither the main lane nor the next change
/// set's measuring waits for it.
final class Reclaimer: MapReclaimer {
    private let lane: LazyLane

    init(_ environment: any PipelineEnvironment, label: String) {
        lane = LazyLane(environment, label: label)
    }

    func reclaim(_ release: @escaping @Sendable () -> Void) { lane.lane.enqueue(release) }
}
