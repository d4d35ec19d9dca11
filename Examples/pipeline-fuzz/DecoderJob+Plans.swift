import Foundation
import PipelineTesting

@testable import pipeline_simulate

extension DecoderJob {
    /// What can be run breaks nothing.
    static func readPlan(_ text: [UInt8]) {
        let plan: RunPlan
        do {
            plan = try FailureReport.plan(from: Data(text))
        } catch {
            return check(error is DecodingError, "refused by \(error)")
        }
        let problem = plan.problem
        guard isChosen(text) else { return }
        let written = try? JSONEncoder().encode(plan)
        let again = written.flatMap { try? FailureReport.plan(from: $0) }
        check(again == plan, "\(plan) became \(again.map { "\($0)" } ?? "nothing")")
        guard problem == nil, isSmall(plan), !plan.mayPause else { return }
        let violations = SimulatedRun.run(plan).violations
        check(violations.isEmpty, "\(plan) breaks \(violations)")
    }

    /// Running takes a hundred times as long as reading, and pipeline-simulate does little else: one text in
    /// 64 is enough. Any other byte chooses again, so that it is not the same few for ever.
    private static func isChosen(_ text: [UInt8]) -> Bool { text.reduce(0, &+) & 63 == 0 }

    private static func isSmall(_ plan: RunPlan) -> Bool {
        plan.actionCount <= 8 && plan.sections * plan.items <= 32 && plan.clients.count <= 4
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
    var withoutPauses: RunPlan {
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
