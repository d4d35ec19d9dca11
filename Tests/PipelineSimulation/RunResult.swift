import PipelineTesting

/// A guarantee that a run broke.
package struct GuaranteeViolation: Hashable, Sendable, CustomStringConvertible {
    /// Its name, as the documentation has it; `Simulation` for deadlocks and the like.
    package let guarantee: String

    /// What happened instead.
    package let message: String

    package init(guarantee: String, message: String) {
        self.guarantee = guarantee
        self.message = message
    }

    /// The name and what happened.
    package var description: String { "\(guarantee): \(message)" }
}

/// A rare situation that runs must meet again and again: in each of them a bug once hid that nothing else shows.
package enum Situation: String, CaseIterable, Sendable {
    case lateReader = "a reader that paused and fell behind what can be resumed"
    case forgottenReader = "a reader that came back behind what can be resumed"
    case resumedReader = "a reader that came back and was told the difference"
    case pausedReaders = "several readers that paused at once"
    case refusedMerge = "a set that may be merged and that the view refused"
    case keptNode = "a node that could not be released when it left"
    case changedFetch = "content that changed during a failing fetch"
    case group = "a group of edits taken back as one"
    case rebasedOption = "an edit with an option of its own rebased"
    case waitingCallers = "several callers of a member that wait to be shown"

    /// By this its occurrences are counted.
    package var mark: String { "met \(rawValue)" }

    /// Whether it is one of clusters.
    package var isOfClusters: Bool { self == .waitingCallers }
}

/// What a simulated run came to.
package struct RunResult: Sendable {
    package let plan: RunPlan
    package private(set) var violations: [GuaranteeViolation]
    package let steps: Int
    package let fingerprint: UInt64
    package let choices: [Int]
    /// In how many places a fault could have happened.
    package let opportunities: Int
    /// What was reached: outcomes, events and faults, by name.
    package let marks: [String: Int]
    package let trace: [SimulatedStep]
    package let laneLabels: [String]
}

extension RunResult {
    /// What a simulation that has ended came to.
    init(
        of simulation: Simulation,
        _ plan: RunPlan,
        _ violations: [GuaranteeViolation],
        marks: [String: Int]
    ) {
        let faults = simulation.faultCounts.map { ("fault \($0.rawValue)", $1) }
        (self.plan, self.violations) = (plan, violations)
        self.marks = marks.merging(faults) { $1 }
        steps = simulation.steps
        fingerprint = simulation.fingerprint
        choices = simulation.choices
        opportunities = simulation.opportunities
        trace = simulation.trace
        laneLabels = simulation.laneLabels
    }

    /// What stands in place of a guarantee where a run stopped its process.
    package static let trap = "Trap"

    /// The result of a run that was made in a process of its own, of which nothing else is known.
    ///
    /// - Parameter message: how that was stopped; nil where it was not.
    package static func stopped(_ plan: RunPlan, _ message: String?) -> RunResult {
        RunResult(
            plan: plan,
            violations: message.map { [GuaranteeViolation(guarantee: trap, message: $0)] } ?? [],
            steps: 0,
            fingerprint: 0,
            choices: [],
            opportunities: 0,
            marks: [:],
            trace: [],
            laneLabels: []
        )
    }

    /// The same with one more violation.
    package func adding(_ violation: GuaranteeViolation) -> RunResult {
        var result = self
        result.violations.append(violation)
        return result
    }
}
