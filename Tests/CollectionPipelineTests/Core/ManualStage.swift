import CollectionElements
import PipelineTestSupport
import PipelineTesting

@testable import CollectionPipeline

/// A main lane and an environment on a test's thread: turns and forks run when the test says so. A
/// run contains no waiting and can be repeated from its seed.
final class ManualStage: PipelineEnvironment, @unchecked Sendable {  // used by one thread
    final class ManualLane: Lane, @unchecked Sendable {  // used by one thread
        let label: String
        private(set) var isCurrent = false
        private var turns = FIFO<@Sendable () -> Void>()
        /// The number of turns so far, including pending ones.
        private(set) var enqueued = 0

        init(_ label: String) { self.label = label }

        func enqueue(_ work: @escaping @Sendable () -> Void) {
            turns.append(work)
            enqueued += 1
        }

        /// Runs the first turn; returns whether there was one.
        @discardableResult
        func turn() -> Bool {
            guard let work = turns.popFirst() else { return false }
            perform(work)
            return true
        }

        func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
            let wasCurrent = isCurrent
            isCurrent = true
            defer { isCurrent = wasCurrent }
            return try body()
        }
    }

    let main = ManualLane("test.main")
    private(set) var isCurrentWorker = false
    private(set) var now = Duration.seconds(10)
    private var random: SeededGenerator
    private var lanes: [ManualLane] = []
    private(set) var delays: [Duration] = []
    private var forks = FIFO<() -> Void>()
    private var timers: [(due: Duration, lane: any Lane, work: @Sendable () -> Void)] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: Control

    /// Runs all lanes until they are empty; forked work stays pending.
    func rest() {
        // The bound turns an endless loop into a failure instead of a hang.
        for _ in 0..<100_000 where !turnOthers() && !main.turn() { return }
    }

    /// Runs a turn of a lane that is not the main lane; returns whether there was one.
    func turnOthers() -> Bool { lanes.contains { $0.turn() } }

    /// Runs the oldest fork, its parts in random order; returns whether there was one.
    @discardableResult
    func work() -> Bool {
        guard let fork = forks.popFirst() else { return false }
        fork()
        return true
    }

    func finish() {
        rest()
        for _ in 0..<10_000 {
            guard work() else { return }
            rest()
        }
    }

    /// Advances the clock and runs the timers that are due.
    func pass(_ duration: Duration) {
        now += duration
        let due = timers.filter { $0.due <= now }
        timers.removeAll { $0.due <= now }
        for timer in due { timer.lane.enqueue(timer.work) }
    }

    // MARK: PipelineEnvironment

    var workerCount: Int { 2 }

    func makeLane(label: String) -> any Lane {
        lanes.append(ManualLane(label))
        return lanes[lanes.count - 1]
    }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        forks.append { [self] in
            isCurrentWorker = true
            for part in (0..<parts).shuffled(using: &random) { body(part) }
            isCurrentWorker = false
            lane.enqueue(join)
        }
    }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        timers.append((now + delay, lane, work))
        delays.append(delay)
    }

    func makeSignal() -> any PipelineSignal { Signal(stage: self) }

    /// A wait on the main lane runs all other work.
    private final class Signal: PipelineSignal, @unchecked Sendable {  // used by one thread
        private let stage: ManualStage
        private var count = 0

        init(stage: ManualStage) { self.stage = stage }

        func signal() { count += 1 }

        func wait() {
            while count == 0 {
                guard stage.turnOthers() || stage.work() else {
                    fatalError("nothing is left that could signal")
                }
            }
            count -= 1
        }
    }
}

/// Keeps each update until the test deploys or drops it.
final class KeepingView: CollectionView, @unchecked Sendable {  // main-lane confined
    var (waiting, showing): ([ViewUpdate], [ViewUpdate]) = ([], [])
    var onPerform: (ViewUpdate) -> Void = { _ in }
    var elementSizeRange = SizeRange.width(10)
    var firstVisiblePath: ItemPath?

    func attach(to lane: any Lane) {}

    func perform(_ update: ViewUpdate) {
        onPerform(update)
        waiting.append(update)
    }
}

/// An environment whose clock advances with every read, and whose timers fire when a test lets time
/// pass.
final class SteppedEnvironment: ForwardingEnvironment {
    let base: any PipelineEnvironment
    private let step: Duration
    private let state = Lock(State())

    private struct State {
        var now = Duration.seconds(10)
        var timers: [(lane: any Lane, work: @Sendable () -> Void)] = []
    }

    init(_ base: any PipelineEnvironment, step: Duration = .zero) {
        self.base = base
        self.step = step
    }

    var now: Duration {
        state.withLock { state in
            state.now += step
            return state.now
        }
    }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) { state.withLock { $0.timers.append((lane, work)) } }

    /// Advances the clock and fires all pending timers; returns when they have run.
    func pass(_ duration: Duration) async {
        let timers = state.withLock { state in
            defer { state.timers = [] }
            state.now += duration
            return state.timers
        }
        for timer in timers { await timer.lane.run { timer.work() } }
    }
}
