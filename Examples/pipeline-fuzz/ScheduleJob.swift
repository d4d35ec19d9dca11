import PipelineSimulation

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

extension RunPlan {
    /// Whether it may take several threads, whose ends come at no fixed time: afterwards the same seed would
    /// make other inputs.
    fileprivate var mayPause: Bool {
        onlyFault != nil || faults.contains(where: \.mayPause)
            || clients.joined().contains(where: \.mayPause)
    }

    /// The same without that.
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
