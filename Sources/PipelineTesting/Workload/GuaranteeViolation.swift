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
