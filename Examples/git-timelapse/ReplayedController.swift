import SimulatedView

/// What a replay needs of a controller, whichever data source it has.
protocol ReplayedController: Sendable {
    var lane: any Lane { get }

    var visibleMap: ElementMap { get }

    /// Blocks until it is reached; not on the main lane.
    func waitUntilReached(_ milestone: Milestone)

    /// Closes after all that was submitted.
    func end(_ completion: @escaping @Sendable () -> Void)
}

extension DataController: ReplayedController {
    func end(_ completion: @escaping @Sendable () -> Void) { close { completion() } }
}
