import PipelineTestSupport
import Testing

@testable import PipelineTesting
@testable import SimulatedView

/// Runs whose updates a simulated view shows.
@Suite("Simulated runs with a simulated view", .endsHangs)
struct SimulatedRunViewTests {
    /// The first plans that seeds draw with a simulated view.
    private static func plans(_ count: Int) -> [RunPlan] {
        Array(
            (0..<UInt64.max).lazy.map { RunPlan(seed: $0) }.filter { $0.view != nil }.prefix(count)
        )
    }

    @Test func aViewInUseBreaksNothingAndReachesEverything() {
        var marks: [String: Int] = [:]
        for plan in Self.plans(150) {
            let result = SimulatedRun.run(plan)
            for violation in result.violations.prefix(3) {
                Issue.record("seed \(plan.seed): \(violation)")
            }
            for (name, count) in result.marks { marks[name, default: 0] += count }
        }
        for name in [
            "view applied", "view reloaded", "view refused", "view postponed", "view scrolled",
            "view self-sized", "view switched layouts", "view transition",
        ] {
            #expect(marks[name, default: 0] > 0, "\(name) is among \(marks.keys.sorted())")
        }
    }

    /// Every kind of view, with users who do nothing else.
    @Test(arguments: ViewPlan.Layout.allCases, [false, true])
    func everyKindOfViewBreaksNothing(_ layout: ViewPlan.Layout, _ sizesItself: Bool) {
        for var plan in Self.plans(Effort.number(30, usually: 12)) {
            plan.view?.layout = layout
            plan.view?.sizesItself = sizesItself
            #expect(SimulatedRun.run(plan).violations == [], "seed \(plan.seed)")
        }
    }

    @Test func aRunWithAViewIsTheSameAgain() {
        for plan in Self.plans(40) {
            let (first, second) = (SimulatedRun.run(plan), SimulatedRun.run(plan))
            #expect(first.fingerprint == second.fingerprint, "seed \(plan.seed)")
            #expect(first.marks == second.marks, "seed \(plan.seed)")
        }
    }

    /// Updates, ranges, fetching and scrolling know nothing of how readers see the view.
    @Test func aRunIsTheSameWhereTheViewIsInverted() {
        for var plan in Self.plans(60) {
            plan.view?.isInverted = nil
            let plain = SimulatedRun.run(plan)
            plan.view?.isInverted = true
            let inverted = SimulatedRun.run(plan)
            #expect(plain.fingerprint == inverted.fingerprint, "seed \(plan.seed)")
            #expect(plain.steps == inverted.steps && plain.marks == inverted.marks)
            #expect(plain.violations == [] && inverted.violations == [], "seed \(plan.seed)")
        }
    }

    @Test func seedsDrawEveryKindOfView() {
        let views = Self.plans(200).compactMap(\.view)
        #expect(Set(views.map(\.layout)).count == ViewPlan.Layout.allCases.count)
        #expect(Set(views.map(\.sizesItself)).count == 2)
        #expect(Set(views.map(\.isInverted)).count == 2)
        #expect(views.allSatisfy { $0.problem == nil })
    }

    // MARK: What the checks find

    /// Has a view loaded, and what is done to it then looked at.
    ///
    /// - Returns: what was reported.
    private static func reports(_ tamper: @escaping (WatchedView) -> Void) -> [String] {
        let simulation = Simulation(seed: 1)
        var random = SeededGenerator(seed: 1)
        var plan = ViewPlan(&random)
        (plan.layout, plan.sizesItself, plan.height) = (.list, true, 6)
        var reports: [String] = []
        let view = WatchedView(plan, fates: nil, cells: LifeCount()) { reports.append($0) }
        let lane = simulation.makeLane(label: "main")
        let nodes = WatchedNodes(fates: simulation)
        // The simulation has one thread.
        nonisolated(unsafe) let model = ReferenceModel(nodes: nodes, sections: 2, items: 4)
        let controller = DataController(
            dataSource: model,
            view: view,
            lane: lane,
            environment: simulation.environment
        )
        view.visibleMap = { controller.visibleMap }
        lane.enqueue { _ = try? controller.assumeIsolated().reloadData(completion: nil) }
        simulation.run()
        nonisolated(unsafe) let tamperOnce = tamper
        lane.enqueue {
            tamperOnce(view)
            view.check(isAtRest: true)
            // The view and its controller release each other.
            view.visibleMap = { nil }
        }
        simulation.run()
        return reports
    }

    @Test func aViewThatShowsWhatItShouldIsNotReported() {
        let found = Self.reports { view in #expect(view.shown.visibleCells.count > 1) }
        #expect(found == [])
    }

    static let tampering: [(report: String, tamper: @Sendable (WatchedView) -> Void)] = [
        ("the view is busy", { $0.shown.beginBusy() }),
        ("the offset", { $0.shown.contentOffset = Point(x: 0, y: -50) }),
        ("not shown", { _ = $0.shown.display.shown.remove(.cell(ItemPath(0, 1))) }),
        ("displayed at rest", { _ = $0.shown.display.shown.remove(.cell(ItemPath(0, 1))) }),
        (
            "the view at 0 - 1 shows another element",
            { $0.shown.visibleCells[1].element = $0.shown.visibleCells[0].element }
        ),
        (
            "the view at 0 - 1 shows an older revision",
            { $0.shown.visibleCells[1].content = $0.shown.visibleCells[0].content }
        ),
        (
            "the node at 0 - 1 shows",
            { view in
                let node = view.shown.visibleCells[1].element?.nodeIfAllocated as? WatchedNode
                node?.update(to: ModelItem(id: 99))
            }
        ),
        ("the cell of 0 - 1 looks", { $0.shown.visibleCells[1].isSelected = true }),
        ("the view shows generation", { $0.visibleMap = { .empty(generation: 7) } }),
        ("the view met an error", { $0.shown.resize(to: Size(width: -1, height: 1)) }),
        ("the view refused an update", { $0.didReject(nil) }),
        (
            "nothing is hit in the middle of 0 - 1",
            { $0.shown.display.shown[.cell(ItemPath(0, 1))]?.attributes.alpha = 0 }
        ),
    ]

    /// A check that finds nothing means something only if it finds what is wrong.
    @Test(arguments: tampering.indices)
    func whatIsWrongWithAViewIsReported(_ index: Int) {
        let (report, tamper) = Self.tampering[index]
        let found = Self.reports(tamper)
        #expect(found.contains { $0.hasPrefix(report) }, "\(report) among \(found)")
    }
}
