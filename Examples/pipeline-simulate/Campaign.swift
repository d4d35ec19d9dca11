import Foundation
import PipelineSimulation

/// Runs one seed after the other until one fails or all have run.
struct Campaign {
    private(set) var seeds: UInt64 = 0
    private(set) var runs = 0
    private(set) var steps = 0
    private(set) var marks: [String: Int] = [:]
    private(set) var failure: RunResult?
    private(set) var failedSeed: UInt64?
    private let options: SimulateOptions
    private let willRun: (UInt64, Int?) -> Void
    private let start = ContinuousClock.now

    /// Creates a campaign. It calls `willRun` before each run, with the seed and the number of the
    /// only fault in the run.
    init(_ options: SimulateOptions, willRun: @escaping (UInt64, Int?) -> Void = { _, _ in }) {
        self.options = options
        self.willRun = willRun
    }

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// Runs the seeds, and calls `progress` repeatedly with the current counts.
    mutating func run(progress: (Campaign) -> Void) {
        for seed in options.first..<(options.first + options.seedCount) {
            if let minutes = options.minutes, seeds % 64 == 0, seconds > minutes * 60 { return }
            seeds += 1
            let verdict = options.triesEachFault ? tryEachFault(seed) : runOnce(seed)
            if !verdict.violations.isEmpty {
                (failure, failedSeed) = (verdict, seed)
                return
            }
            if options.triesEachFault || seeds % 256 == 0 { progress(self) }
        }
    }

    private mutating func runOnce(_ seed: UInt64) -> RunResult {
        let plan = plan(of: seed)
        willRun(seed, nil)
        let result = count(options.run(plan))
        return seed % 20 == 0 ? runTwice(plan, result) : result
    }

    /// Runs the plan of a seed without faults, and then once for each single fault. Returns the
    /// first failure, or the run without faults.
    private mutating func tryEachFault(_ seed: UInt64) -> RunResult {
        var plan = plan(of: seed)
        plan.faults = []
        willRun(seed, nil)
        let plain = count(options.run(plan))
        guard plain.violations.isEmpty else { return plain }
        for number in 0..<plain.opportunities {
            plan.onlyFault = number
            willRun(seed, number)
            let result = count(options.run(plan))
            if !result.violations.isEmpty { return result }
        }
        return plain
    }

    private mutating func count(_ result: RunResult) -> RunResult {
        runs += 1
        steps += result.steps
        for (name, count) in result.marks { marks[name, default: 0] += count }
        return result
    }

    func plan(of seed: UInt64) -> RunPlan {
        var plan =
            options.isOfClusters
            ? RunPlan(clusterSeed: seed)
            : options.isOfTables ? RunPlan(tablesSeed: seed) : RunPlan(seed: seed)
        if let strategy = options.strategy { plan.strategy = strategy }
        return plan
    }

    /// Runs one seed in twenty a second time: a failure that cannot be repeated cannot be
    /// investigated.
    private mutating func runTwice(_ plan: RunPlan, _ first: RunResult) -> RunResult {
        let second = options.run(plan)
        steps += second.steps
        guard second.fingerprint != first.fingerprint else { return first }
        return first.adding(
            GuaranteeViolation(
                guarantee: "Simulation",
                message:
                    "a second run of the seed differed: \(first.steps) and \(second.steps) steps"
            )
        )
    }

    /// The result of a campaign without a failure, in one sentence.
    var verdict: String {
        var extent = Counted.seeds(seeds)
        if runs != Int(seeds) { extent += ", \(Counted(runs)) runs" }
        extent += ", \(Counted(steps)) steps"
        guard runs > 0 else { return "\(extent): nothing was tried." }
        let missed = missedMarks.count
        let places = missed == 0 ? "" : ", but \(missed) of the expected situations never occurred"
        return "\(extent): every guarantee held\(places)."
    }

    /// The counters as text.
    var counters: String {
        var lines = [
            "\(seeds) seeds from \(options.first), \(runs) runs, \(steps) steps,"
                + " \(Int(Double(steps) / max(seconds, 1e-9))) steps a second"
        ]
        for name in expectedMarks.union(marks.keys).sorted() {
            lines.append("  \(name): \(marks[name] ?? 0)")
        }
        return lines.joined(separator: "\n")
    }

    /// The situations that a long campaign must reach. If one is missing, the simulation does not
    /// cover it.
    var expectedMarks: Set<String> {
        options.isOfClusters
            ? Self.expectedClusterMarks
            : options.isOfTables ? Self.expectedTableMarks : Self.expectedMarks
    }

    /// A rival leader of the same epoch is not expected: it is very rare, because an epoch is
    /// opened only once.
    static let expectedClusterMarks = Set([
        "accepted", "leading", "at rest", "snapshot", "reader notified", "came back",
        "died writing",
        "recovering trimmed", "recovering rolledBack", "recovering missing",
        "resigned fenced", "resigned leaseLost", "resigned overwritten", "resigned requested",
        "passed over stale", "passed over unreadable", "passed over foreign",
        "passed over duplicate",
    ]).union(FaultPoint.ofBrokers.map { "fault \($0.rawValue)" })
        .union(Situation.allCases.filter(\.isOfClusters).map(\.mark))

    static let expectedTableMarks = Set(
        [
            "transaction committed", "transaction without effect", "transaction of both tables",
            "transaction of many rows", "transaction threw", "transaction after the close",
            "transaction submitted by an observer", "parameter filter", "parameter order",
            "parameter group", "parameter after the close", "window moved", "list dropped",
            "list failed", "list failed from the start", "list recovered",
            "list read during a transaction",
            "change hidden by operators", "observer came", "observer left", "reader came",
            "reader left", "reader skipped versions", "list shown", "state deployed", "closed",
            "step paused", "hub window", "hub moved", "hub resumed", "hub reset joined",
            "fault callTakesLong", "fault viewIsBusy",
        ] + TestOperator.allCases.map { "list \($0)" }
    )

    static let expectedMarks = Set([
        "deployed", "deployedByReload", "superseded", "rejected", "cancelled", "callback",
        "event elementFailed", "event layoutFailed", "event viewRefused", "event closed",
        "step paused", "task cancelled", "task ended", "view applied", "view refused",
        "ranges full", "ranges minimum", "view self-sized", "view scrolled",
        "view switched layouts", "view transition",
    ]).union(FaultPoint.all.map { "fault \($0.rawValue)" })
        .union(Situation.allCases.filter { !$0.isOfClusters }.map(\.mark))

    /// The expected situations that were not reached. Empty if the campaign is too short, or uses a
    /// single strategy.
    var missedMarks: [String] {
        guard seeds >= 2_000, options.strategy == nil else { return [] }
        return expectedMarks.filter { marks[$0] == nil }.sorted()
    }
}
