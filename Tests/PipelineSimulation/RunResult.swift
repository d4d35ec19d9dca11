import PipelineTesting

/// A guarantee that a run broke.
package struct GuaranteeViolation: Hashable, Sendable, CustomStringConvertible {
    /// The guarantee's name in the documentation; `Simulation` for deadlocks and similar faults.
    package let guarantee: String

    /// The description of the violation.
    package let message: String

    package init(guarantee: String, message: String) {
        self.guarantee = guarantee
        self.message = message
    }

    /// The guarantee's name and the description.
    package var description: String { "\(guarantee): \(message)" }
}

/// A rare situation that runs must reach repeatedly: each once hid a bug that nothing else reveals.
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

    /// The name of the counter of its occurrences.
    package var mark: String { "met \(rawValue)" }

    /// Whether the situation occurs in runs of clusters.
    package var isOfClusters: Bool { self == .waitingCallers }
}

/// The result of a simulated run.
package struct RunResult: Sendable {
    package let plan: RunPlan
    package private(set) var violations: [GuaranteeViolation]
    package let steps: Int
    package let fingerprint: UInt64
    package let choices: [Int]
    /// The number of places where a fault could have happened.
    package let opportunities: Int
    /// The number of occurrences of each outcome, event and fault, by name.
    package let marks: [String: Int]
    package let trace: [SimulatedStep]
    package let laneLabels: [String]
}

extension RunResult {
    /// Creates the result of a simulation that has ended.
    ///
    /// - Parameter digest: A digest of what the run observed, in addition to its steps.
    init(
        of simulation: Simulation,
        _ plan: RunPlan,
        _ violations: [GuaranteeViolation],
        marks: [String: Int],
        digest: UInt64 = 0
    ) {
        let faults = simulation.faultCounts.map { ("fault \($0.rawValue)", $1) }
        (self.plan, self.violations) = (plan, violations)
        self.marks = marks.merging(faults) { $1 }
        steps = simulation.steps
        fingerprint = simulation.fingerprint ^ digest
        choices = simulation.choices
        opportunities = simulation.opportunities
        trace = simulation.trace
        laneLabels = simulation.laneLabels
    }

    /// The name that replaces a guarantee if a run stopped its process.
    package static let trap = "Trap"

    /// Returns the result of a run in its own process if nothing else is known of it.
    ///
    /// - Parameter message: The message that stopped the process; `nil` if the run ended normally.
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

    /// Returns the same result with one more violation.
    package func adding(_ violation: GuaranteeViolation) -> RunResult {
        var result = self
        result.violations.append(violation)
        return result
    }
}
