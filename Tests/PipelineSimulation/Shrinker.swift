import PipelineTesting

/// Makes a failing plan smaller while it breaks the same guarantee.
///
/// It first removes actions and faults, in halves and then one by one; then it lowers sizes; then
/// it simplifies the schedule by replacing single choices with the first option.
package struct Shrinker {
    /// Runs a plan; tests can replace it.
    package typealias Run = (RunPlan) -> RunResult

    private let guarantee: String
    private let run: Run
    private var runsLeft: Int
    private(set) var plan: RunPlan

    /// - Parameter runs: The maximum number of runs.
    package static func shrink(
        _ plan: RunPlan,
        breaking guarantee: String,
        runs: Int = 10_000,
        by run: @escaping Run = { SimulatedRun.run($0) }
    ) -> RunPlan {
        var shrinker = Shrinker(guarantee: guarantee, run: run, runsLeft: runs, plan: plan)
        shrinker.leaveOut()
        shrinker.lower()
        shrinker.leaveOut()
        shrinker.fixChoices()
        shrinker.leaveOut()
        shrinker.plainChoices()
        return shrinker.plan
    }

    /// The number of other seeds to try for each smaller plan, since after a removal chances fall
    /// differently.
    private static let seedsEach = 12

    /// Accepts a smaller plan if it fails in the same way.
    private mutating func accepts(_ candidate: RunPlan) -> Bool {
        guard candidate != plan else { return false }
        var candidate = candidate
        var seeds = SeededGenerator(seed: plan.seed)
        for _ in 0...Self.seedsEach where runsLeft > 0 {
            runsLeft -= 1
            if run(candidate).violations.contains(where: { $0.guarantee == guarantee }) {
                plan = candidate
                return true
            }
            // A list of choices leaves nothing to chance.
            if case .choices = candidate.strategy { return false }
            candidate.seed = seeds.next()
        }
        return false
    }

    private mutating func leaveOut() {
        for index in plan.clients.indices.reversed() where index < plan.clients.count {
            var smaller = plan
            smaller.clients.remove(at: index)
            if accepts(smaller) { continue }
            leaveOutActions(ofClient: index)
        }
        for index in plan.faults.indices.reversed() {
            var (smaller, surer) = (plan, plan)
            smaller.faults.remove(at: index)
            if accepts(smaller) { continue }
            let point = plan.faults[index].point
            surer.faults[index] = RunPlan.Fault(point: point, rate: point.highestRate)
            _ = accepts(surer)
        }
    }

    private mutating func leaveOutActions(ofClient client: Int) {
        var size = max(1, plan.clients[client].count / 2)
        while true {
            var start = plan.clients[client].count - size
            while start >= 0 {
                var smaller = plan
                smaller.clients[client].removeSubrange(start..<(start + size))
                _ = accepts(smaller)
                start -= size
            }
            if size == 1 { return }
            size /= 2
        }
    }

    private mutating func lower() {
        for change: (inout RunPlan) -> Void in [
            { $0.workerCount = 1 }, { $0.sections = min(1, $0.sections) }, { $0.sections = 0 },
            { $0.items = min(1, $0.items) }, { $0.items = 0 },
            { $0.decomposesMoves = false }, { $0.hasLayout = false },
            { $0.preparesLayout = nil }, { $0.releasesNodes = nil }, { $0.givesRanges = false },
            { $0.measuring = nil },
            { $0.view = nil }, { $0.cluster?.leaveOutMember() }, { $0.cluster?.leaveOutMember() },
            { $0.view?.layout = .list },
            { $0.view?.sizesItself = false }, { $0.view?.isPrefetching = false },
            { $0.view?.hasRanges = false }, { $0.view?.hasFetcher = false },
            { $0.view?.isInverted = nil }, { $0.view?.failsFetches = nil },
            { $0.rejectsWhenFull = false }, { $0.mergesWhenFull = false },
            { $0.reloadsOnRejection = false }, { $0.backlogLimit = 64 }, { $0.strategy = .inOrder },
        ] {
            var smaller = plan
            change(&smaller)
            _ = accepts(smaller)
        }
    }

    /// Replaces the strategy with the list of choices that the run made.
    private mutating func fixChoices() {
        var fixed = plan
        fixed.strategy = .choices(run(plan).choices)
        _ = accepts(fixed)
    }

    private mutating func plainChoices() {
        guard case .choices(var list) = plan.strategy else { return }
        func with(_ list: [Int]) -> RunPlan {
            var smaller = plan
            smaller.strategy = .choices(list)
            return smaller
        }
        var size = max(1, list.count / 2)
        while size >= 1, !list.isEmpty {
            while list.count >= size, accepts(with(Array(list.dropLast(size)))) {
                list.removeLast(size)
            }
            size /= 2
        }
        for index in list.indices.reversed() where list[index] != 0 {
            var plainer = list
            plainer[index] = 0
            if accepts(with(plainer)) { list = plainer }
        }
    }
}
