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
    /// Whether the run may need several threads. They end at unpredictable times, so that the same
    /// seed would lead to different inputs later.
    fileprivate var mayPause: Bool {
        onlyFault != nil || faults.contains(where: \.mayPause)
            || clients.joined().contains(where: \.mayPause)
    }

    /// The same plan without actions and faults that pause.
    fileprivate var withoutPauses: RunPlan {
        var plan = self
        plan.onlyFault = nil
        plan.faults.removeAll(where: \.mayPause)
        plan.clients = clients.map { $0.filter { !$0.mayPause } }
        return plan
    }
}

extension RunPlan.Fault {
    fileprivate var mayPause: Bool { point == .callTakesLong }
}

extension RunPlan.Action {
    fileprivate var mayPause: Bool {
        switch self {
        case .wait, .waitOnMain, .waitForNode, .task: true
        default: false
        }
    }
}
