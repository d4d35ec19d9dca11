import CollectionElements

/// A pipeline's lanes, workers, timers and clock, one thread at a time, where every interleaving is a choice: the
/// same seed and strategy give the same run, and the list of choices replays it.
///
/// Make lanes and an ``environment`` of it, give them to a controller, and ``run(atMost:)`` it. A step is one
/// piece of work on one lane, or one part of a fork; what is ready at the same time may run in any
/// order that the lanes allow. A step that calls ``yield()``, or that waits for a signal of the environment,
/// pauses: others run before it goes on. Time passes only where nothing else is ready, or where a timer is chosen
/// to come early.
///
/// ```swift
/// let simulation = Simulation(seed: 7, strategy: .random)
/// let controller = DataController(
///     dataSource: Feed(),
///     lane: simulation.makeLane(label: "main"),
///     environment: simulation.environment
/// )
/// controller.enqueueBatchUpdates { feed, changes in … } completion: { print($0.outcome) }
/// simulation.run()
/// print(simulation.choices)
/// ```
///
/// Threading: stepping belongs to one thread at a time; enqueuing is possible from any, but only what comes
/// from within the run comes again in a replay.
///
/// Complexity: a step is O(lanes + open forks), and its work.
///
/// Source: the simulators of FoundationDB and TigerBeetle, on the scale of a library.
public final class Simulation: @unchecked Sendable {  // `state` is locked; see there
    let state: Lock<State>
    /// Which faults may happen in this run.
    private let faultRates: [(fault: FaultPoint, rate: Double)]
    /// The one place where a fault happens, whatever the rates.
    private let onlyFault: Int?

    /// Everything that changes; the lock is for those who enqueue from other threads.
    struct State {
        let workerCount: Int
        var queues: [FIFO<Work>] = []
        var labels: [String] = []
        var forks: [Fork] = []
        var timers: [Timer] = []
        var choices: ChoiceSource
        var now = Duration.zero
        var steps = 0
        var numbers = 0
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        /// What runs now, and on which thread; the innermost last, where a step calls ``step()`` itself.
        var running: [Running] = []
        var thread: UInt = 0
        var paused: [PausedStep] = []
        /// The threads that have let a paused step go on, and go on when that ends or pauses again.
        var parked: [HeldThread] = []
        /// By signal: how often it was signalled, and nobody took it.
        var signals: [ObjectIdentifier: Int] = [:]
        /// Whether everything that is paused is to come to its end, after a deadlock or a livelock.
        var isRushing = false
        var stepLimit = Int.max
        /// Whether the step that was paused last only lets others run, and none has run yet.
        var hasJustPaused = false
        var hopelessWaits = 0
        var fault: SimulationFault?
        var opportunities = 0
        var isFaultless = false
        var faults: [FaultPoint: Int] = [:]
        var pauses = 0
        var trace: [SimulatedStep] = []
        var tracesFrom = Int.max
    }

    struct Work {
        let number: Int
        let run: @Sendable () -> Void
    }

    struct Fork {
        let number: Int
        var unstarted: [Int]
        var unfinished: Int
        let lane: any Lane
        let body: @Sendable (Int) -> Void
        let join: @Sendable () -> Void
    }

    struct Timer {
        let deadline: Duration
        let number: Int
        let lane: any Lane
        let run: @Sendable () -> Void
    }

    /// Where a step runs.
    enum Place: Hashable {
        case lane(Int)
        case worker
        case timer
    }

    /// A step that has begun.
    struct Running {
        let place: Place
        let number: Int
    }

    /// The seed of everything that is random; with the same strategy it gives the same run.
    public let seed: UInt64

    /// Makes a simulation in which nothing has happened.
    ///
    /// - Parameters:
    ///   - seed: of everything that is random: choices, and whether faults happen.
    ///   - strategy: how choices are made.
    ///   - workerCount: how many parts of a fork there can be at once, at least 1.
    ///   - faultRates: how likely each fault is where it could happen; none by default.
    ///   - onlyFault: in place of chances the one question, from 0, that ``happens(_:)`` says yes to: with
    ///     a run for each of a first run's ``opportunities`` every single fault is tried.
    public init(
        seed: UInt64,
        strategy: SchedulingStrategy = .random,
        workerCount: Int = 2,
        faultRates: [FaultPoint: Double] = [:],
        onlyFault: Int? = nil
    ) {
        self.seed = seed
        state = Lock(
            State(workerCount: max(1, workerCount), choices: ChoiceSource(strategy, seed: seed))
        )
        // There are few, and it is asked all the time: quicker to go through than to hash names.
        self.faultRates = faultRates.map { (fault: $0.key, rate: $0.value) }
        self.onlyFault = onlyFault
    }

    // MARK: Choices

    /// Whether a fault happens now; never where its rate is 0. What is drawn is part of the run's choices.
    public func happens(_ fault: FaultPoint) -> Bool {
        let rate = faultRates.first { $0.fault == fault }?.rate ?? 0
        return state.withLock { state in
            if state.isFaultless { return false }
            defer { state.opportunities += 1 }
            let happens =
                onlyFault.map { state.opportunities == $0 } ?? state.choices.happens(rate)
            if happens { state.faults[fault, default: 0] += 1 }
            return happens
        }
    }

    /// Lets no fault happen from now on: what was disturbed must come to its end.
    public func endFaults() { state.withLock { $0.isFaultless = true } }

    /// How often each fault happened.
    public var faultCounts: [FaultPoint: Int] { state.withLock { $0.faults } }

    /// How often a step paused.
    public var pauses: Int { state.withLock { $0.pauses } }

    /// How often it was asked whether a fault happens, before faults ended.
    public var opportunities: Int { state.withLock { $0.opportunities } }

    /// The choices so far, of all that had alternatives: a list that replays the run, given to
    /// ``SchedulingStrategy/choices(_:)``.
    public var choices: [Int] { state.withLock { $0.choices.made.map(\.value) } }

    /// The choices of the next run of an exhaustive search that began with no choices; nil where this was the
    /// last.
    public var nextChoices: [Int]? { state.withLock { $0.choices.successor } }

    // MARK: Observing

    /// How many steps there were.
    public var steps: Int { state.withLock { $0.steps } }

    /// A number that tells runs apart: equal for equal runs.
    public var fingerprint: UInt64 { state.withLock { $0.hash } }

    /// The time that has passed.
    public var now: Duration { state.withLock { $0.now } }

    /// Moves the clock on, without running timers that fall due by that.
    ///
    /// - Parameter delay: any length; a negative one is as none, and the clock stops at the longest duration
    ///   that there is.
    public func advanceClock(by delay: Duration) {
        state.withLock { $0.now = $0.now.later(by: delay) }
    }

    /// What was wrong with the run itself, if something was.
    public var fault: SimulationFault? { state.withLock { $0.fault } }

    /// Begins to keep the steps, for a ``Timeline``.
    public func keepTrace() { state.withLock { $0.tracesFrom = $0.steps } }

    /// Notes something about the step that runs, for its line in the ``Timeline``; nothing where steps are not
    /// kept.
    public func annotate(_ note: @autoclosure () -> String) {
        guard state.withLock({ !$0.trace.isEmpty }) else { return }
        let note = note()
        state.withLock { $0.trace[$0.trace.count - 1].notes.append(note) }
    }

    /// The steps that were kept.
    public var trace: [SimulatedStep] { state.withLock { $0.trace } }

    /// The names of the lanes, in the order in which they were made.
    public var laneLabels: [String] { state.withLock { $0.labels } }

    /// What waits where, a line for each lane, fork and timer that is not done, and for each call that waits.
    public var report: String { state.withLock { $0.report } }

    // MARK: Stepping

    /// Runs until nothing is left to do.
    ///
    /// - Parameter limit: after how many steps to give up.
    /// - Returns: whether everything was done; else ``fault`` is a `livelock`.
    @discardableResult
    public func run(atMost limit: Int = 1_000_000) -> Bool {
        state.withLock { state in
            let (sum, overflows) = state.steps.addingReportingOverflow(max(0, limit))
            state.stepLimit = overflows ? .max : sum
        }
        while step() {}
        let isDone = state.withLock { state in
            state.stepLimit = .max
            return state.ready.isEmpty && state.timers.isEmpty
        }
        if !isDone { note(.livelock(steps: limit, report: report)) }
        return isDone
    }

    /// Runs one step, and what it lets in where it pauses; false where there is none.
    @discardableResult
    public func step() -> Bool {
        switch state.withLock({ $0.takeNext() }) {
        case .begin(let step): begin(step)
        case .resume(let step): resume(step)
        case nil: return false
        }
        return true
    }

    func begin(_ step: BeginningStep) {
        let thread = Self.currentThread
        state.withLock { state in
            state.running.append(Running(place: step.place, number: step.number))
            state.thread = thread
        }
        step.run()
        let join = state.withLock { state -> Fork? in
            state.running.removeLast()
            return step.isPart ? state.finishPart(ofFork: step.number) : nil
        }
        if let join { join.lane.enqueue(join.join) }
    }

    func note(_ fault: SimulationFault) { state.withLock { $0.note(fault) } }
}

/// One step of a simulation, as its trace has it.
public struct SimulatedStep: Hashable, Sendable {
    /// Its number in the run, from 1.
    public let step: Int

    /// The number of what ran, in the order of enqueuing; the parts of a fork share one.
    public let number: Int

    /// The label of the lane, or `workers` or `timers`.
    public let place: String

    /// When it began or went on, by ``Simulation/now``.
    public let timestamp: Duration

    /// Whether it goes on there, after others that it let in.
    public let isResumed: Bool

    /// What was noted while it ran; see ``Simulation/annotate(_:)``.
    public internal(set) var notes: [String] = []

    static let worker = "workers"
    static let timer = "timers"
}

/// What was wrong with a run as such.
@nonexhaustive
public enum SimulationFault: Error, Hashable, Sendable {
    /// Something waits for a signal, and nothing is left that could give it; with what waits where.
    case deadlock(report: String)
    /// There was still something to do after so many steps; with what waits where.
    case livelock(steps: Int, report: String)
}

extension SimulationFault: CustomStringConvertible {
    /// The fault, with what waits where.
    public var description: String {
        switch self {
        case .deadlock(let report): "deadlock: a call waits, and nothing is left to run\n\(report)"
        case .livelock(let steps, let report): "livelock: not done after \(steps) steps\n\(report)"
        }
    }
}
