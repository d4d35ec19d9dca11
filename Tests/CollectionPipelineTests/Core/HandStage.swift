import CollectionElements
import PipelineTestSupport
import PipelineTesting

@testable import CollectionPipeline

/// A main lane and an environment on the thread of a test: turns and forks come when the test says so. A run takes no
/// longer than the work in it, and comes again from its seed.
final class HandStage: PipelineEnvironment, @unchecked Sendable {  // used by one thread
    final class HandLane: Lane, @unchecked Sendable {  // used by one thread
        let label: String
        private(set) var isCurrent = false
        private var turns = FIFO<@Sendable () -> Void>()
        /// How many turns there have been, and are to come.
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

        /// Runs `body` as a turn.
        func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
            let wasCurrent = isCurrent
            isCurrent = true
            defer { isCurrent = wasCurrent }
            return try body()
        }
    }

    let main = HandLane("test.main")
    private(set) var isCurrentWorker = false
    private(set) var now = Duration.seconds(10)
    private var random: SeededGenerator
    private var lanes: [HandLane] = []
    /// After how long each timer was to come.
    private(set) var delays: [Duration] = []
    private var forks = FIFO<() -> Void>()
    private var timers: [(due: Duration, lane: any Lane, work: @Sendable () -> Void)] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: What the test does

    /// Lets every lane run dry; what is forked waits.
    func rest() {
        // A bound, so that what goes on for ever is a failure and not a test that hangs.
        for _ in 0..<100_000 where !turnOthers() && !main.turn() { return }
    }

    /// Runs a turn of a lane that is not the main lane; returns whether there was one.
    func turnOthers() -> Bool { lanes.contains { $0.turn() } }

    /// Lets the workers do the first of what was forked, its parts in any order; returns whether there was something.
    @discardableResult
    func work() -> Bool {
        guard let fork = forks.popFirst() else { return false }
        fork()
        return true
    }

    /// Does everything that there is to do.
    func finish() {
        rest()
        for _ in 0..<10_000 {
            guard work() else { return }
            rest()
        }
    }

    /// Lets time pass, and every timer come that is due by then.
    func pass(_ duration: Duration) {
        now += duration
        let due = timers.filter { $0.due <= now }
        timers.removeAll { $0.due <= now }
        for timer in due { timer.lane.enqueue(timer.work) }
    }

    // MARK: PipelineEnvironment

    var workerCount: Int { 2 }

    func makeLane(label: String) -> any Lane {
        lanes.append(HandLane(label))
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

    /// Whoever waits on the main lane lets all others go on.
    private final class Signal: PipelineSignal, @unchecked Sendable {  // used by one thread
        private let stage: HandStage
        private var count = 0

        init(stage: HandStage) { self.stage = stage }

        func signal() { count += 1 }

        func wait() {
            while count == 0 {
                guard stage.turnOthers() || stage.work() else {
                    fatalError("nobody will signal")
                }
            }
            count -= 1
        }
    }
}

/// Keeps each update until it is told what to do with it.
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
