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
    package let violations: [GuaranteeViolation]
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
    /// The same with one more violation.
    package func adding(_ violation: GuaranteeViolation) -> RunResult {
        RunResult(
            plan: plan,
            violations: violations + [violation],
            steps: steps,
            fingerprint: fingerprint,
            choices: choices,
            opportunities: opportunities,
            marks: marks,
            trace: trace,
            laneLabels: laneLabels
        )
    }
}
