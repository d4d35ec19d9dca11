import CollectionElements

/// Simulates the lanes, workers, timers and clock of a pipeline, on one thread at a time. Every
/// interleaving is the result of choices: the same seed and strategy give the same run, and the
/// list of choices replays it.
///
/// Create lanes and an ``environment``, pass them to a controller, and call ``run(atMost:)``. A
/// step is one piece of work on one lane, or one part of a fork. Steps that are ready at the same
/// time run in any order that the lanes allow. A step that calls ``yield()`` or waits for a signal
/// of the environment pauses, and other steps run before it continues. Time passes only if nothing
/// else is ready, or if the strategy runs a timer early.
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
/// Threading: only one thread at a time may run steps. Any thread may enqueue work, but a replay
/// repeats only the work that was enqueued from within the run.
///
/// Complexity: O(lanes + open forks) for a step, plus its work.
///
/// Source: the simulators of FoundationDB and TigerBeetle, on the scale of a library.
public final class Simulation: @unchecked Sendable {  // `state` is locked; see there
    let state: Lock<State>
    /// The probability of each fault in this run.
    private let faultRates: [(fault: FaultPoint, rate: Double)]
    /// The only opportunity at which a fault happens; it replaces the rates.
    private let onlyFault: Int?

    /// The mutable state. The lock protects it from threads that enqueue work.
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
        /// The steps that are running on `thread`. If a step itself calls ``step()``, there are
        /// several, the innermost last.
        var running: [Running] = []
        var thread: UInt = 0
        var paused: [PausedStep] = []
        /// The threads that resumed a paused step. Each continues when that step ends or pauses
        /// again.
        var parked: [HeldThread] = []
        /// For each signal, the number of times that it was signalled without a waiter consuming
        /// it.
        var signals: [ObjectIdentifier: Int] = [:]
        /// Whether all paused steps must run to their end, after a deadlock or a livelock.
        var isRushing = false
        var stepLimit = Int.max
        /// Whether the step that paused last only yielded, and no other step has run since.
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

    /// The place where a step runs.
    enum Executor: Hashable {
        case lane(Int)
        case worker
        case timer
    }

    /// A step that has begun.
    struct Running {
        let place: Executor
        let number: Int
    }

    /// The seed of all random decisions. The same seed and strategy give the same run.
    public let seed: UInt64

    /// Creates a simulation without any work.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random decisions: choices, and whether faults happen.
    ///   - strategy: The way in which choices are made.
    ///   - workerCount: The maximum number of parts of forks that run at the same time, at least 1.
    ///   - faultRates: The probability of each fault at each opportunity. By default no fault
    ///     happens.
    ///   - onlyFault: The number, from 0, of the only opportunity at which ``happens(_:)`` returns
    ///     `true`; it replaces the probabilities. To try every single fault, run once for each of a
    ///     first run's ``opportunities``.
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
        // There are few rates, and this is called often: a linear search is faster than hashing
        // names.
        self.faultRates = faultRates.map { (fault: $0.key, rate: $0.value) }
        self.onlyFault = onlyFault
    }

    // MARK: Choices

    /// Returns whether a fault happens now. Returns `false` if the rate of the fault is 0. The
    /// decision is one of the run's choices.
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

    /// Disables all further faults, so that pending work can finish.
    public func endFaults() { state.withLock { $0.isFaultless = true } }

    /// The number of times that each fault happened.
    public var faultCounts: [FaultPoint: Int] { state.withLock { $0.faults } }

    /// The number of times that a step paused.
    public var pauses: Int { state.withLock { $0.pauses } }

    /// The number of calls to ``happens(_:)`` before faults were disabled.
    public var opportunities: Int { state.withLock { $0.opportunities } }

    /// The choices made so far, excluding those with only one alternative. To replay the run, pass
    /// them to ``SchedulingStrategy/choices(_:)``.
    public var choices: [Int] { state.withLock { $0.choices.made.map(\.value) } }

    /// The choices for the next run of an exhaustive search that began with no choices; `nil` if
    /// this was the last run.
    public var nextChoices: [Int]? { state.withLock { $0.choices.successor } }

    // MARK: Observing

    /// The number of steps that have run.
    public var steps: Int { state.withLock { $0.steps } }

    /// A hash of the run. Equal runs have equal fingerprints.
    public var fingerprint: UInt64 { state.withLock { $0.hash } }

    /// The simulated time.
    public var now: Duration { state.withLock { $0.now } }

    /// Advances the clock without running the timers that become due.
    ///
    /// - Parameter delay: Any duration. A negative delay counts as zero, and the clock stops at the
    ///   longest representable duration.
    public func advanceClock(by delay: Duration) {
        state.withLock { $0.now = $0.now.later(by: delay) }
    }

    /// The fault of the run itself; `nil` if there is none.
    public var fault: SimulationFault? { state.withLock { $0.fault } }

    /// Starts recording the steps, for a ``Timeline``.
    public func keepTrace() { state.withLock { $0.tracesFrom = $0.steps } }

    /// Adds a note to the current step, for its line in the ``Timeline``. Does nothing if steps are
    /// not recorded.
    public func annotate(_ note: @autoclosure () -> String) {
        guard state.withLock({ !$0.trace.isEmpty }) else { return }
        let note = note()
        state.withLock { $0.trace[$0.trace.count - 1].notes.append(note) }
    }

    /// The recorded steps.
    public var trace: [SimulatedStep] { state.withLock { $0.trace } }

    /// The labels of the lanes, in the order in which they were made.
    public var laneLabels: [String] { state.withLock { $0.labels } }

    /// A description of all waiting work: one line for each lane, fork and timer that is not
    /// finished, and for each paused step.
    public var report: String { state.withLock { $0.report } }

    // MARK: Stepping

    /// Runs steps until no work is left.
    ///
    /// - Parameter limit: The maximum number of steps.
    /// - Returns: Whether all work finished. If not, ``fault`` is a `livelock`.
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

    /// Runs one step, including the steps that run while it is paused. Returns `false` if no step
    /// is ready.
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

/// One step of a simulation, as recorded in its trace.
public struct SimulatedStep: Hashable, Sendable {
    /// The number of the step in the run, from 1.
    public let step: Int

    /// The number of the work, in the order of enqueuing. The parts of a fork share one number.
    public let number: Int

    /// The label of the lane, or `workers` or `timers`.
    public let place: String

    /// The time at which the step began or continued, by ``Simulation/now``.
    public let timestamp: Duration

    /// Whether the step continues here after a pause.
    public let isResumed: Bool

    /// The notes that were added during the step; see ``Simulation/annotate(_:)``.
    public internal(set) var notes: [String] = []

    static let worker = "workers"
    static let timer = "timers"
}

/// A fault of a run itself.
@nonexhaustive
public enum SimulationFault: Error, Hashable, Sendable {
    /// A step waits for a signal, and no work is left that could send it. The report lists all
    /// waiting work.
    case deadlock(report: String)
    /// Work was left after this number of steps. The report lists all waiting work.
    case livelock(steps: Int, report: String)
}

extension SimulationFault: CustomStringConvertible {
    /// The fault, with the report of all waiting work.
    public var description: String {
        switch self {
        case .deadlock(let report): "deadlock: a call waits, but no work is left to run\n\(report)"
        case .livelock(let steps, let report):
            "livelock: not finished after \(steps) steps\n\(report)"
        }
    }
}

/// A text with one line per step and one column per lane, which shows the interleaving of a run.
public struct Timeline: Hashable, Sendable, CustomStringConvertible {
    private let steps: [SimulatedStep]
    private let places: [String]

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - steps: The ``Simulation/trace`` of a simulation.
    ///   - laneLabels: The ``Simulation/laneLabels`` of the simulation. Lanes without a step are
    ///     left out.
    public init(_ steps: [SimulatedStep], laneLabels: [String]) {
        self.steps = steps
        let used = Set(steps.map(\.place))
        places = (laneLabels + [SimulatedStep.worker, SimulatedStep.timer])
            .filter(used.contains)
    }

    /// The text. Each line has the number of the work in the column of its lane: `#7` if the work
    /// began, `…7` if it continued. Notes follow on the same line if they fit into 80 columns,
    /// otherwise on the next lines.
    public var description: String {
        let widths = places.map { max($0.count, 5) + 2 }
        func cell(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        var lines = [cell("step", 7) + zip(places, widths).map { cell($0, $1) }.joined()]
        for step in steps {
            let cells = zip(places, widths).map { place, width in
                cell(
                    place == step.place ? "\(step.isResumed ? "…" : "#")\(step.number)" : "·",
                    width
                )
            }
            let start = cell("\(step.step)", 7) + cells.joined()
            lines += Self.fit(start, step.notes.joined(separator: "; "))
        }
        return lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// The usual minimum width of a terminal.
    private static let width = 80

    /// Returns a line with a note after it or, if the note does not fit, indented below it.
    private static func fit(_ start: String, _ note: String) -> [String] {
        if note.isEmpty { return [start] }
        if start.count + note.count <= width, !note.contains("\n") { return [start + note] }
        let indent = String(repeating: " ", count: 9)
        var lines = [start]
        var line = ""
        for word in note.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, indent.count + line.count + 1 + word.count > width {
                lines.append(indent + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [indent + line]
    }
}
