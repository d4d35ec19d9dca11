import Foundation
import Testing

@testable import PipelineTesting
@testable import pipeline_simulate

/// Failures as texts.
@Suite struct FailureTextTests {
    private func step(_ number: Int) -> SimulatedStep {
        SimulatedStep(
            step: number,
            number: number,
            place: "main",
            timestamp: .zero,
            isResumed: false
        )
    }

    private func lines(_ result: RunResult) -> [String] {
        FailureReport.text(result).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [0, 1, 8, 9, 20])
    func eightOfTheBrokenGuaranteesComeFirst(count: Int) {
        let plan = RunPlan(seed: 1)
        let result = RunResult.made(plan, broken: (0..<count).map { .numbered($0) })
        var expected = (0..<min(8, count)).map { "broken: G: \($0)" }
        if count > 8 { expected.append("… \(count - 8) more") }
        expected += FailureReport.text(plan).split(separator: "\n").map(String.init)
        #expect(lines(result) == expected + ["step"])
    }

    @Test(arguments: [1, 199, 200, 201, 350])
    func twoHundredStepsAreShown(count: Int) {
        let steps = (1...count).map(step)
        let lines = lines(.made(RunPlan(seed: 1), trace: steps))
        let first = lines.firstIndex { $0.hasPrefix("step") } ?? 0
        let shown = lines[(first + 1)...]
        #expect(shown.count { $0.hasSuffix("more steps") } == (count > 200 ? 1 : 0))
        #expect(shown.count == min(count, 200) + (count > 200 ? 1 : 0))
        for (line, number) in zip(shown, 1...min(count, 200)) {
            #expect(line.split(separator: " ") == ["\(number)", "#\(number)"])
        }
        if count > 200 { #expect(shown.last == "… \(count - 200) more steps") }
    }

    @Test func aPlanIsSaidInFull() {
        var plan = RunPlan(seed: 1)
        plan.strategy = .inOrder
        (plan.workerCount, plan.backlogLimit, plan.sections, plan.items) = (3, 7, 2, 5)
        (plan.loadsFirst, plan.hasLayout, plan.givesRanges) = (true, true, true)
        (plan.rejectsWhenFull, plan.reloadsOnRejection, plan.decomposesMoves) = (true, true, true)
        (plan.mergesWhenFull, plan.preparesLayout) = (true, true)
        plan.measuring = RunPlan.Measuring(first: 2, isOnDemand: false)
        plan.view = nil
        plan.clients = [[.reload, .wait], [], [.clear]]
        plan.faults = [
            .init(point: .viewRefuses, rate: 0.5), .init(point: .clockJumps, rate: 0.25),
        ]
        plan.onlyFault = 4
        let head =
            "strategy \(SchedulingStrategy.inOrder), 3 workers, backlog 7, 2 × 5 items"
        let clients = [
            "client 0: \(RunPlan.Action.reload), \(RunPlan.Action.wait)",
            "client 2: \(RunPlan.Action.clear)",
        ]
        let traits =
            ", loads first, a layout measures, for the view beforehand, items by the range,"
            + " rejects when full,"
            + " merges when full, reloads on rejection, decomposes moves,"
            + " measures far away things later"
        var expected = [head + traits] + clients
        expected += ["faults: viewRefuses 0.5, clockJumps 0.25", "fault: the one at place 4"]
        #expect(FailureReport.text(plan) == expected.joined(separator: "\n"))

        (plan.loadsFirst, plan.hasLayout, plan.givesRanges) = (false, false, false)
        (plan.rejectsWhenFull, plan.reloadsOnRejection) = (false, false)
        plan.mergesWhenFull = false
        plan.measuring = RunPlan.Measuring(first: 2, isOnDemand: true)
        (plan.faults, plan.onlyFault) = ([], nil)
        var random = SeededGenerator(seed: 5)
        let view = ViewPlan(&random)
        plan.view = view
        let shorter = [head + ", decomposes moves, measures on demand", "\(view)"] + clients
        #expect(FailureReport.text(plan) == shorter.joined(separator: "\n"))
    }

    @Test func casesAreFilesOfSortedJSON() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("case-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let plan = RunPlan(seed: 12)
        try FailureReport.write(plan, to: file)
        #expect(try FailureReport.read(file) == plan)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let keys = text.split(separator: "\n").filter { $0.hasPrefix("  \"") }
        #expect(keys.count > 10 && keys == keys.sorted())
    }
}
