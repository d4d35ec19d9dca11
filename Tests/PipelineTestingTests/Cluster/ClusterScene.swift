import CollectionPipeline
import PipelineTestSupport

@testable import PipelineTesting

/// A run of a small cluster in which nothing goes wrong by itself, and what was enqueued first is done first.
struct ClusterScene {
    let cluster: SimulatedCluster
    let result: RunResult

    /// Members that show at once what they accept, and all stand.
    static func members(_ count: Int) -> [ClusterPlan.Member] {
        Array(
            repeating: ClusterPlan.Member(visibility: 0, hasJournal: true, stands: true),
            count: count
        )
    }

    /// A plan in which every time and every limit is a plain one.
    static func plan(
        _ actions: [ClusterAction],
        _ change: (inout ClusterPlan) -> Void = { _ in }
    ) -> RunPlan {
        var plan = RunPlan(clusterSeed: 1)
        (plan.faults, plan.strategy, plan.onlyFault) = ([], .inOrder, nil)
        plan.clients = [actions.map { .cluster($0) }]
        guard var cluster = plan.cluster else { return plan }
        cluster.members = members(2)
        cluster.beOrdinary(readMilliseconds: 300)
        change(&cluster)
        plan.cluster = cluster
        return plan
    }

    /// - Parameter prepare: does something before anybody is started, such as asking for something ``at(_:_:)`` a time.
    init(
        _ actions: [ClusterAction],
        _ change: (inout ClusterPlan) -> Void = { _ in },
        prepare: (SimulatedCluster) -> Void = { _ in }
    ) {
        let plan = Self.plan(actions, change)
        cluster = SimulatedCluster(plan, plan.cluster!, keepsTrace: true)
        prepare(cluster)
        result = cluster.result()
    }

    // MARK: What is found

    var guarantees: [String] { result.violations.map(\.guarantee) }

    var notes: [String] { result.trace.flatMap(\.notes) }

    /// What was noted while each action was done: before the first, and then behind each.
    var notesByAction: [[String]] {
        notes.reduce(into: [[]]) { parts, note in
            if note.hasPrefix("then: ") {
                parts.append([])
            } else {
                parts[parts.count - 1].append(note)
            }
        }
    }

    /// The greatest number of a state of the first application that some notes say is shown.
    static func lastShown(_ notes: [String]) -> Int? {
        notes.compactMap { note in
            let words = note.split(separator: " ")
            guard words.count > 2, words[1] == "shows", words[2].hasPrefix("#1.") else {
                return nil
            }
            return Int(words[2].dropFirst(3))
        }.max()
    }
}

extension ClusterPlan {
    /// Gives every time and every limit a plain value.
    mutating func beOrdinary(readMilliseconds: Int) {
        (leaseMilliseconds, answerMilliseconds) = (500, 500)
        (self.readMilliseconds, retryMilliseconds) = (readMilliseconds, 10)
        (patienceMilliseconds, faultMilliseconds) = (500, 100)
        (readRecords, inFlightRecords, pendingRecords) = (500, 500, 4000)
        (recordBytes, chunkBytes) = (1 << 18, 1 << 18)
        (snapshotInterval, rememberedAppends) = (1000, 1000)
    }
}

extension SimulatedCluster {
    /// Does something when so much time has passed, between two steps of anybody.
    func at(_ milliseconds: Int, _ body: @escaping @Sendable (SimulatedCluster) -> Void) {
        simulation.environment.schedule(after: .milliseconds(milliseconds), on: lane) {
            [weak self] in
            if let self { body(self) }
        }
    }

    func crashAll() { for member in members { member.crash() } }

    var leader: SimulatedMember? { members.first(where: \.isLeading) }
    var follower: SimulatedMember? { members.first { !$0.isLeading } }
}
