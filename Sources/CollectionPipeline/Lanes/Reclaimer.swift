import CollectionElements

/// Frees large maps and states on a background lane of its own, so that neither the main lane nor the next change
/// set's measuring waits for it.
final class Reclaimer: MapReclaimer {
    private let lane: LazyLane
    private let surroundings: ElementSurroundings?

    /// - Parameter surroundings: what the elements of the maps have in common, where they are somebody's.
    init(
        _ environment: any PipelineEnvironment,
        label: String,
        surroundings: ElementSurroundings? = nil
    ) {
        lane = LazyLane(environment, label: label)
        self.surroundings = surroundings
    }

    var owner: (any ElementOwner)? { surroundings?.owner }

    func reclaim(_ release: @escaping @Sendable () -> Void) { lane.lane.enqueue(release) }
}
