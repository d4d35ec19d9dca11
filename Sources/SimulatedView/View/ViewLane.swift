import CollectionPipeline

/// The lane that a view lives on; until it has one, what is to run there waits.
enum ViewLane {
    case none(waiting: [() -> Void])
    case attached(any Lane)

    var attached: (any Lane)? {
        if case .attached(let lane) = self { lane } else { nil }
    }

    /// - Returns: what waited for the lane; nil where there was one already, which stays.
    mutating func attach(to lane: any Lane) -> [() -> Void]? {
        guard case .none(let waiting) = self else { return nil }
        self = .attached(lane)
        return waiting
    }
}
