import CollectionElements
import CollectionPipeline
import SimulatedView

/// An environment that records the work of each lane and worker: every turn of a lane, and every
/// part of a fork with the worker that ran it. Otherwise it behaves like the environment that it
/// wraps.
///
/// Events describe the progress of a change set. They do not show which worker measured, or which
/// other work kept a lane busy. Pass this environment to a controller or to a hub, and wrap the
/// controller's main lane with ``mainLane(_:)``. Each lane is then a row of the trace. Lanes and
/// environments that are not wrapped cost nothing.
///
/// Threading: usable from anywhere. An entry is sent after the work, on the thread that ran it.
///
/// Complexity: two clock reads and one call to the receiver for each turn and each part.
public struct TracedEnvironment: PipelineEnvironment {
    /// The name of the pipeline that the recorded work belongs to; use the name of the controller.
    public let pipeline: String

    let receiver: any TraceReceiver
    private let base: any PipelineEnvironment
    private let workers = WorkerNumbers()

    /// Wraps an environment.
    ///
    /// - Parameters:
    ///   - pipeline: The controller's name, `PipelineConfiguration.name`. It connects events and
    ///     work in the trace.
    ///   - receiver: The destination of the entries.
    ///   - base: The environment that does the work.
    public init(
        _ pipeline: String,
        receiver: any TraceReceiver,
        wrapping base: any PipelineEnvironment = DispatchEnvironment()
    ) {
        self.pipeline = pipeline
        self.receiver = receiver
        self.base = base
    }

    /// Returns a lane that records its turns as turns of the controller's main lane.
    public func mainLane(_ lane: any Lane) -> any Lane { traced(lane, .mainLane) }

    /// Returns a lane that records its turns in its own row.
    public func makeLane(label: String) -> any Lane {
        traced(base.makeLane(label: label), .lane(label))
    }

    private func traced(_ lane: any Lane, _ place: TracePlace) -> any Lane {
        TracedLane(lane) { [self] work in during("turn", place, nil, work) }
    }

    /// Runs the parts on the workers of the wrapped environment, and records each.
    public func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        let label = lane.label
        base.fork(
            parts: parts,
            joinOn: lane,
            body: { [self] index in
                let number = workers.take()
                let part = TraceEntry.Work.ForkPart(index, of: parts, for: label)
                during("part", .worker(number), part, { body(index) }) { workers.giveBack(number) }
            },
            join: join
        )
    }

    private func during(
        _ name: String,
        _ place: TracePlace,
        _ part: TraceEntry.Work.ForkPart?,
        _ work: () -> Void,
        ended: () -> Void = {}
    ) {
        let start = base.now
        work()
        let end = base.now
        ended()
        let entry = TraceEntry.Work(
            name,
            in: pipeline,
            on: place,
            from: start,
            to: end,
            part: part
        )
        receiver.receive(.work(entry))
    }

    /// The number of parts that can run at the same time.
    public var workerCount: Int { base.workerCount }

    /// Whether the caller runs inside a part of a fork.
    public var isCurrentWorker: Bool { base.isCurrentWorker }

    /// Runs `work` on `lane` after a delay, with the wrapped environment.
    public func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: lane, work)
    }

    /// The current time of the wrapped environment.
    public var now: Duration { base.now }

    /// Returns a new signal of the wrapped environment.
    public func makeSignal() -> any PipelineSignal { base.makeSignal() }
}

/// A lane that passes each piece of work to a closure that runs and records it.
final class TracedLane: Lane {
    private let base: any Lane
    private let run: @Sendable (() -> Void) -> Void

    init(_ base: any Lane, _ run: @escaping @Sendable (() -> Void) -> Void) {
        self.base = base
        self.run = run
    }

    var label: String { base.label }

    var isCurrent: Bool { base.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) { base.enqueue { [run] in run(work) } }

    var taskExecutor: (any TaskExecutor)? { base.taskExecutor }
}

/// Assigns numbers to busy workers, from 1. A worker that begins takes the lowest free number, so
/// that a trace has as many rows as parts ran at the same time.
final class WorkerNumbers: Sendable {
    private let busy = Lock<[Bool]>([])

    func take() -> Int {
        busy.withLock { busy in
            let free = busy.firstIndex(of: false) ?? busy.count
            if free == busy.count { busy.append(true) } else { busy[free] = true }
            return free + 1
        }
    }

    func giveBack(_ number: Int) { busy.withLock { $0[number - 1] = false } }
}

extension TracedEnvironment {
    /// Records numbers that are counted now. Usable from any thread.
    ///
    /// ```swift
    /// traced.count("readers", [.init("readers", hub.numberOfReaders)])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the counter; each name is one graph of the trace.
    ///   - values: The numbers. Pass the same names in the same order every time.
    public func count(_ name: String, _ values: [TraceEntry.Count.Value]) {
        receiver.receive(.count(TraceEntry.Count(name, in: pipeline, values, at: now)))
    }

    /// Records how many items of a view are visible, how many more are in its display range, and
    /// how many more in its preload range. Does nothing if the view has no range controller. Call
    /// it on the view's main lane.
    ///
    /// Complexity: O(n) for n elements in the ranges.
    public func countRanges(of view: SimulatedCollectionView) {
        guard let ranges = view.rangeController else { return }
        func count(_ state: InterfaceState) -> Int {
            ranges.elements(in: state).count { $0.kind == nil }
        }
        let (visible, display, preload) = (count(.visible), count(.display), count(.preload))
        // The viewer stacks the numbers, and each range contains the previous one.
        self.count(
            "items in ranges",
            [
                TraceEntry.Count.Value("visible", visible),
                TraceEntry.Count.Value("display", max(0, display - visible)),
                TraceEntry.Count.Value("preload", max(0, preload - display)),
            ]
        )
    }
}
