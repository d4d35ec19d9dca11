import SimulatedView

/// What a replay needs of a controller, whichever data source it has.
protocol ReplayedController: Sendable {
    var lane: any Lane { get }

    var visibleMap: ElementMap { get }

    /// Blocks until it is reached; not on the main lane.
    func waitUntilReached(_ milestone: Milestone)

    /// Has every node measured again; returns when that is shown.
    func measureAgain() async throws

    /// Closes after all that was submitted.
    func end(_ completion: @escaping @Sendable () -> Void)
}

extension DataController: ReplayedController {
    func measureAgain() async throws { try await relayoutAllNodes() }

    func end(_ completion: @escaping @Sendable () -> Void) { close { completion() } }
}
