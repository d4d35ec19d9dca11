import CollectionElements
import CollectionPipeline
import SimulatedView

/// An environment that takes down who is busy when: each turn of a lane, and each part of a fork with the worker that
/// ran it. It does nothing else than the one that it is wrapped around.
///
/// Events say what becomes of a change set; which worker measured, and what else kept a lane, they do not. Give it to a
/// controller, and with ``mainLane(_:)`` its main lane, or to a hub: each lane is a row of the trace. What is not
/// traced costs nothing, since nothing of this is there.
///
/// Threading: usable from anywhere; an entry is told where the work ran, after it.
///
/// Complexity: two clock reads and one call of the receiver for each turn and part.
public struct TracedEnvironment: PipelineEnvironment {
    /// The pipeline that what is traced belongs to; the name of the controller.
    public let pipeline: String

    let receiver: any TraceReceiver
    private let base: any PipelineEnvironment
    private let workers = WorkerNumbers()

    /// Wraps an environment.
    ///
    /// - Parameters:
    ///   - pipeline: the controller's name, `PipelineConfiguration.name`, by which events and work come together.
    ///   - receiver: who is told.
    ///   - base: the environment that does the work.
    public init(
        _ pipeline: String,
        receiver: any TraceReceiver,
        wrapping base: any PipelineEnvironment = DispatchEnvironment()
    ) {
        self.pipeline = pipeline
        self.receiver = receiver
        self.base = base
    }

    /// A lane that takes down its turns as those of the controller's main lane.
    public func mainLane(_ lane: any Lane) -> any Lane { traced(lane, .mainLane) }

    /// A lane that takes down its turns in a row of its own.
    public func makeLane(label: String) -> any Lane {
        traced(base.makeLane(label: label), .lane(label))
    }

    private func traced(_ lane: any Lane, _ place: TracePlace) -> any Lane {
        TracedLane(lane) { [self] work in during("turn", place, nil, work) }
    }

    /// Runs the parts on the workers of the wrapped environment.
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
                let part = TraceEntry.Work.Part(index, of: parts, for: label)
                during("part", .worker(number), part, { body(index) }) { workers.giveBack(number) }
            },
            join: join
        )
    }

    private func during(
        _ name: String,
        _ place: TracePlace,
        _ part: TraceEntry.Work.Part?,
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

    /// How many parts can run at the same time.
    public var workerCount: Int { base.workerCount }

    /// Whether the caller runs inside a part.
    public var isCurrentWorker: Bool { base.isCurrentWorker }

    /// Runs `work` on `lane` later.
    public func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: lane, work)
    }

    /// The time of the wrapped environment.
    public var now: Duration { base.now }

    /// A signal of the wrapped environment.
    public func makeSignal() -> any PipelineSignal { base.makeSignal() }
}

/// A lane that has each piece of work run by somebody who takes it down.
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

/// The numbers of the workers that are busy, from 1: who begins takes the lowest that is free, so that a trace has as
/// many rows as parts ran at once.
final class WorkerNumbers: Sendable {
    private let busy = Lock<[Bool]>([])

    func take() -> Int {
        busy.withLock { busy in
            if let free = busy.firstIndex(of: false) {
                busy[free] = true
                return free + 1
            }
            busy.append(true)
            return busy.count
        }
    }

    func giveBack(_ number: Int) { busy.withLock { $0[number - 1] = false } }
}

extension TracedEnvironment {
    /// Takes down what something numbers now; from anywhere.
    ///
    /// ```swift
    /// traced.count("readers", [.init("readers", hub.numberOfReaders)])
    /// ```
    ///
    /// - Parameters:
    ///   - name: what is counted: one graph of the trace.
    ///   - values: the numbers, always the same ones in the same order.
    public func count(_ name: String, _ values: [TraceEntry.Count.Value]) {
        receiver.receive(.count(TraceEntry.Count(name, in: pipeline, values, at: now)))
    }

    /// Takes down how many items of a view are visible, and how many more are in its display and its preload range;
    /// nothing where the view has no range controller. On the view's lane.
    ///
    /// Complexity: O(n) in what is in the ranges.
    public func countRanges(of view: SimulatedCollectionView) {
        guard let ranges = view.rangeController else { return }
        func count(_ state: InterfaceState) -> Int {
            ranges.elements(in: state).count { $0.kind == nil }
        }
        let (visible, display, preload) = (count(.visible), count(.display), count(.preload))
        // They are drawn one above the other, and each range contains the one before.
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
