import CollectionElements
import CollectionPipeline

/// A process of a simulation, which may stand still and die: its lanes run only while it lives and goes on.
///
/// The lanes of its lives are the same of the simulation, so that these do not become more and more.
final class SimulatedProcess: PipelineEnvironment, @unchecked Sendable {  // one thread
    private let base: any PipelineEnvironment
    private let bases: SharedLanes
    private var lanes: [ProcessLane] = []
    private(set) var isPaused = false
    private(set) var isDead = false

    /// The lanes of the simulation that all lives of a process have.
    final class SharedLanes {
        fileprivate var byLabel: [String: any Lane] = [:]
    }

    init(_ base: any PipelineEnvironment, _ bases: SharedLanes) {
        (self.base, self.bases) = (base, bases)
    }

    func pause() { isPaused = true }

    func goOn() {
        isPaused = false
        for lane in lanes { lane.catchUp() }
    }

    /// Nothing of it ever runs again.
    func die() {
        isDead = true
        for lane in lanes { lane.clear() }
        lanes = []
    }

    // MARK: The environment

    func makeLane(label: String) -> any Lane {
        let base = bases.byLabel[label] ?? self.base.makeLane(label: label)
        bases.byLabel[label] = base
        let lane = ProcessLane(base, of: self)
        if !isDead { lanes.append(lane) }
        return lane
    }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        base.fork(parts: parts, joinOn: lane, body: body, join: join)
    }

    var workerCount: Int { base.workerCount }

    var isCurrentWorker: Bool { base.isCurrentWorker }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: lane, work)
    }

    var now: Duration { base.now }

    func makeSignal() -> any PipelineSignal { base.makeSignal() }
}

/// A lane of a process.
private final class ProcessLane: Lane, @unchecked Sendable {  // one thread
    private let base: any Lane
    private let process: SimulatedProcess
    private var work = FIFO<@Sendable () -> Void>()
    /// How often it had its turn while the process stood still.
    private var missed = 0

    init(_ base: any Lane, of process: SimulatedProcess) {
        (self.base, self.process) = (base, process)
    }

    var label: String { base.label }

    var isCurrent: Bool { base.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        if process.isDead { return }
        self.work.append(work)
        takeTurn()
    }

    private func takeTurn() {
        base.enqueue { [weak self] in
            guard let self else { return }
            if process.isPaused {
                missed += 1
            } else {
                work.popFirst()?()
            }
        }
    }

    func catchUp() {
        for _ in 0..<missed { takeTurn() }
        missed = 0
    }

    func clear() { _ = work.removeAll() }
}
