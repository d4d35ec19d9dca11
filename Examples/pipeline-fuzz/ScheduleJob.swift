import PipelineSimulation

/// Tests runs of whole pipelines and clusters. The bytes determine the next steps and the faults.
enum ScheduleJob {
    /// Checks that every guarantee holds, whatever the choices are.
    static func run(_ bytes: inout Bytes) {
        let isOfCluster = bytes.next() % 2 == 1
        let seed = UInt64(bytes.next()) << 8 | UInt64(bytes.next())
        var plan =
            isOfCluster ? RunPlan(clusterSeed: seed) : RunPlan(seed: seed).withoutPauses
        // There are rarely more than four candidates.
        plan.strategy = .choices(bytes.rest().map { Int($0 & 3) })
        let violations = SimulatedRun.run(plan).violations
        check(violations.isEmpty, "\(plan) breaks \(violations)")
    }
}

extension RunPlan {
    /// The same plan without actions and faults that pause. These may need several threads, which
    /// end at unpredictable times, so that the same seed would lead to different inputs later.
    fileprivate var withoutPauses: RunPlan {
        var plan = self
        plan.onlyFault = nil
        plan.faults.removeAll { $0.point == .callTakesLong }
        plan.clients = clients.map { $0.filter { !$0.mayPause } }
        return plan
    }
}

extension RunPlan.Action {
    fileprivate var mayPause: Bool {
        switch self {
        case .wait, .waitOnMain, .waitForNode, .task: true
        default: false
        }
    }
}
