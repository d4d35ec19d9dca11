import CollectionPublishing
import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What is looked at when a cluster is at rest, what must not disturb it until then, and what is left behind it.
@Suite("Clusters at rest, and what came before", .endsHangs)
struct ClusterEndTests {
    /// The first leads, the other follows.
    private static let members = [true, false].map {
        ClusterPlan.Member(visibility: 0, hasJournal: true, stands: $0)
    }

    /// By then the members have come to rest; the end begins behind that.
    private static let calm = ClusterAction.wait(milliseconds: 3000)

    /// What was published last is everywhere by then, and nobody has looked yet.
    private static let afterLastUpdate = 5000

    // MARK: At rest

    /// It has the number of the newest version, and so is taken for current.
    @Test(arguments: [false, true])
    func whoShowsAnotherHistoryOrStateThanTheLeaderIsFound(hasSameState: Bool) {
        let scene = ClusterScene([Self.calm]) {
            $0.members = Self.members
        } prepare: { cluster in
            cluster.at(Self.afterLastUpdate) { cluster in
                guard let hub = cluster.members[1].hub else { return }
                let snapshot = hub.snapshot
                let version = PublishedVersion(
                    handle: HistoryHandle(rawValue: 99),
                    number: snapshot.version.number
                )
                hub.jump(to: hasSameState ? KeptState(snapshot.state) : KeptState(), at: version)
            }
        }
        let expected = "Converges: member 1 shows another state than the leader"
        #expect(scene.result.violations.map(\.description) == [expected])
        #expect(scene.result.marks["at rest"] == 1)
    }

    // MARK: Before

    @Test func nobodyDiesWritingAfterTheEndHasBegun() {
        for index in 0...1 {
            let scene = ClusterScene([Self.calm, .crashWriting(index, calls: 0)])
            #expect(scene.guarantees.isEmpty)
            #expect(scene.result.marks["died writing"] == nil)
            #expect(scene.cluster.members.map(\.life) == [1, 1])
        }
    }

    @Test func whoIsClosedIsGoneUntilTheEnd() {
        let alive = Journal<[Bool]>()
        let scene = ClusterScene([.wait(milliseconds: 1000), .close(1), Self.calm]) {
            $0.members = Self.members
        } prepare: { cluster in
            for time in [900, 2900] { cluster.at(time) { alive.append($0.members.map(\.isAlive)) } }
        }
        #expect(alive.values == [[true, true], [true, false]])
        #expect(scene.cluster.members.map(\.life) == [1, 2])
        #expect(scene.guarantees.isEmpty)
    }

    /// Whether the broker has what a member publishes behind some actions, and whether that knows it.
    private static func found(_ actions: [ClusterAction]) -> [Bool] {
        let (counts, areKnown) = (Journal<Int>(), Journal<Bool>())
        let scene = ClusterScene(
            [.wait(milliseconds: 1000)] + actions + [.publish(3), .wait(milliseconds: 1000)]
        ) {
            $0.members = [members[0]]
        } prepare: { cluster in
            for time in [900, 1900] {
                cluster.at(time) { cluster in
                    counts.append(cluster.broker.contents?.log.count ?? 0)
                    areKnown.append(cluster.members[0].replica?.status.pendingRecords == 0)
                }
            }
        }
        #expect(scene.guarantees.isEmpty)
        #expect(areKnown.values.first == true)
        return [counts.values[1] > counts.values[0], areKnown.values[1]]
    }

    /// Where only answers are, the broker has what the member does not know that it has.
    @Test func requestsOrAnswersOrBothAreCutOff() {
        #expect(Self.found([]) == [true, true])
        for (directions, expected) in [
            (0, [true, true]), (1, [false, false]), (2, [true, false]), (3, [false, false]),
            // Other bits say nothing.
            (4, [true, true]), (6, [true, false]),
        ] {
            #expect(Self.found([.cutOff(0, directions)]) == expected, "\(directions)")
        }
        #expect(Self.found([.cutOff(0, 3), .mend(0)]) == [true, true])
    }

    // MARK: Behind it

    @Test func aRunThatIsOverKeepsNothing() {
        weak var cluster: SimulatedCluster?
        weak var simulation: Simulation?
        do {
            let scene = ClusterScene([.wait(milliseconds: 1000), .publish(3), .readers(1)])
            (cluster, simulation) = (scene.cluster, scene.cluster.simulation)
            #expect(scene.guarantees.isEmpty)
            #expect(cluster != nil && simulation != nil)
        }
        #expect(cluster == nil)
        #expect(simulation == nil)
    }

    // MARK: Strangers

    /// Applications of a run count from one.
    @Test func whatStrangersAppendIsOfNoApplicationOfTheRun() {
        let plan = ClusterScene.plan([])
        let cluster = SimulatedCluster(plan, plan.cluster!, keepsTrace: false)
        let records = (cluster.broker.faults?.foreignRecords ?? []).map { record in
            String(decoding: record.map { $0 < 128 ? $0 : 32 }, as: UTF8.self)
        }
        #expect(records.contains { $0.contains("#0.1") })
        #expect(!records.contains { $0.contains("#1.") })
    }
}
