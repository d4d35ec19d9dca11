import CollectionElements
import CollectionPipeline

/// A lane of a simulation.
final class SimulatedLane: Lane {
    private let simulation: Simulation
    private let index: Int
    let label: String

    init(_ simulation: Simulation, _ index: Int, _ label: String) {
        self.simulation = simulation
        self.index = index
        self.label = label
    }

    var isCurrent: Bool { simulation.isCurrent(.lane(index)) }

    func enqueue(_ work: @escaping @Sendable () -> Void) { simulation.enqueue(work, on: index) }
}

/// The lanes, workers, timers and clock of a simulation.
struct SimulatedEnvironment: PipelineEnvironment {
    let simulation: Simulation

    func makeLane(label: String) -> any Lane { simulation.makeLane(label: label) }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        simulation.fork(parts: parts, joinOn: lane, body: body, join: join)
    }

    var workerCount: Int { simulation.workerCount }

    var isCurrentWorker: Bool { simulation.isCurrent(.worker) }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        simulation.schedule(after: delay, on: lane, work)
    }

    var now: Duration { simulation.now }

    func makeSignal() -> any PipelineSignal { SimulatedSignal(simulation) }
}

/// A counter that a step can wait on: it pauses meanwhile.
final class SimulatedSignal: PipelineSignal {
    private let simulation: Simulation

    init(_ simulation: Simulation) { self.simulation = simulation }

    deinit { simulation.forget(ObjectIdentifier(self)) }

    func signal() { simulation.signal(ObjectIdentifier(self)) }

    func wait() { simulation.wait(for: ObjectIdentifier(self)) }
}
