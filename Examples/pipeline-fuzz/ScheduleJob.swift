import PipelineTesting

@testable import pipeline_simulate

/// Runs of whole pipelines and of clusters in which bytes choose what comes next and what fails.
enum ScheduleJob {
    /// However the choices are, every guarantee holds.
    static func run(_ bytes: inout Bytes) {
        let isOfCluster = bytes.next() % 2 == 1
        let seed = UInt64(bytes.next()) << 8 | UInt64(bytes.next())
        var plan =
            isOfCluster ? RunPlan(clusterSeed: seed) : RunPlan(seed: seed).withoutPauses
        // Seldom are there more than four to choose from.
        plan.strategy = .choices(bytes.rest().map { Int($0 & 3) })
        let violations = SimulatedRun.run(plan).violations
        check(violations.isEmpty, "\(plan) breaks \(violations)")
    }
}
