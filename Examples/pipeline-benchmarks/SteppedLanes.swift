import BenchmarkInstruments
import CollectionPipeline

/// An environment whose lanes and workers take turns on the calling thread, so that a change set
/// takes the same instructions and allocations in every run.
///
/// Confined to one thread.
final class SteppedLanes: PipelineEnvironment, @unchecked Sendable {
    /// The turns of a change set, by their purpose.
    enum Step: Int32, CaseIterable {
        /// The first turn of the main lane: steps 0 to 2.
        case latching
        /// The editing lane and the workers: step 3.
        case measuring
        /// The other turns of the main lane: steps 4 and 5, the view and the completion.
        case deploying
        /// Other lanes, which publish states and release old ones.
        case publishing
    }

    /// The allocations of each step so far.
    private(set) var allocations = [Int](repeating: 0, count: Step.allCases.count)
    private var turns: [Turn] = []
    private var current: ObjectIdentifier?
    /// Whether the main lane has had a turn since `run()` was called.
    private var hasLatched = false

    private struct Turn {
        /// The lane; `nil` for a worker.
        let lane: ObjectIdentifier?
        /// The step; `nil` for a turn of the main lane.
        let step: Step?
        /// The work, which is released at the end of the turn.
        var work: (@Sendable () -> Void)?
    }

    init() { turns.reserveCapacity(1_000) }

    let workerCount = 2
    let now = Duration.zero
    private(set) var isCurrentWorker = false

    func makeLane(label: String) -> any Lane {
        SteppedLane(label, label.hasSuffix("editing") ? .measuring : .publishing, self)
    }

    func makeMainLane() -> any Lane { SteppedLane("main", nil, self) }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        for part in 0..<parts {
            turns.append(Turn(lane: nil, step: .measuring) { body(part) })
        }
        turns.append(Turn(lane: nil, step: .measuring) { lane.enqueue(join) })
    }

    /// Does nothing, because no time passes.
    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {}

    func makeSignal() -> any PipelineSignal { DispatchEnvironment().makeSignal() }

    /// Takes all turns, including those that they add.
    func run() {
        hasLatched = false
        var index = 0
        while index < turns.count {
            take(index)
            index += 1
        }
        current = nil
        turns.removeAll(keepingCapacity: true)
    }

    private func take(_ index: Int) {
        var turn = turns[index]
        turns[index].work = nil
        let step = turn.step ?? (hasLatched ? .deploying : .latching)
        if turn.step == nil { hasLatched = true }
        (current, isCurrentWorker) = (turn.lane, turn.lane == nil)
        let before = Heap.allocationCount ?? 0
        withUnsafeMutablePointer(to: &turn) { turn in
            instruments_step(
                step.rawValue,
                { turn in
                    let turn = turn?.assumingMemoryBound(to: Turn.self)
                    turn?.pointee.work?()
                    turn?.pointee.work = nil
                },
                turn
            )
        }
        allocations[Int(step.rawValue)] += (Heap.allocationCount ?? 0) - before
    }

    private final class SteppedLane: Lane {
        let label: String
        private let step: Step?
        private unowned let lanes: SteppedLanes

        init(_ label: String, _ step: Step?, _ lanes: SteppedLanes) {
            (self.label, self.step, self.lanes) = (label, step, lanes)
        }

        var isCurrent: Bool { lanes.current == ObjectIdentifier(self) }

        func enqueue(_ work: @escaping @Sendable () -> Void) {
            lanes.turns.append(Turn(lane: ObjectIdentifier(self), step: step, work: work))
        }
    }
}
