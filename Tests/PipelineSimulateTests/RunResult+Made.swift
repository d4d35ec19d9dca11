@testable import PipelineTesting

extension RunResult {
    /// A result that nothing was run for.
    static func made(
        _ plan: RunPlan,
        broken: [GuaranteeViolation] = [],
        steps: Int = 0,
        fingerprint: UInt64 = 0,
        opportunities: Int = 0,
        marks: [String: Int] = [:],
        trace: [SimulatedStep] = []
    ) -> RunResult {
        RunResult(
            plan: plan,
            violations: broken,
            steps: steps,
            fingerprint: fingerprint,
            choices: [],
            opportunities: opportunities,
            marks: marks,
            trace: trace,
            laneLabels: ["main"]
        )
    }
}

extension GuaranteeViolation {
    static func numbered(_ number: Int) -> GuaranteeViolation {
        GuaranteeViolation(guarantee: "G", message: "\(number)")
    }
}
