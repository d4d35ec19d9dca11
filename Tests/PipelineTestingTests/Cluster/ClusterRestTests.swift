import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// How runs of clusters end: faults do, everybody lives, and all come to one state within some time, or that is noted.
@Suite("Ends of runs of clusters", .endsHangs)
struct ClusterRestTests {
    /// By then the members have come to rest.
    private static let calm = ClusterAction.wait(milliseconds: 3000)

    /// Behind that the end begins: so long leases last, and then so long it takes that anybody looks for rest.
    private static let (inEnd, beforeRest, nearRest) = (3200, 3700, 4000)

    @Test func everybodyPublishesOnceMoreInTheEnd() {
        for actions in [[], [Self.calm]] as [[ClusterAction]] {
            let scene = ClusterScene(actions)
            #expect(scene.guarantees.isEmpty)
            #expect(scene.result.marks["at rest"] == 1)
            #expect(ClusterScene.lastShown(scene.notes) == 2)
        }
    }

    /// So that whoever took over meanwhile has begun.
    @Test func whoIsDeadStaysSoForALease() {
        let found = Journal<[Int]>()
        let scene = ClusterScene([.wait(milliseconds: 1000), .crash(0)]) {
            $0.leaseMilliseconds = 2000
        } prepare: { cluster in
            cluster.at(2500) { found.append($0.members.map { $0.isAlive ? 1 : 0 }) }
            cluster.at(3500) { found.append($0.members.map { $0.isAlive ? 1 : 0 }) }
        }
        #expect(found.values == [[0, 1], [1, 1]])
        #expect(scene.guarantees.isEmpty)
    }

    @Test func whereNobodyStandsTheFirstDoes() {
        for (stands, expected) in [
            ([false, false], [true, false]), ([false, true], [false, true]), ([false], [true]),
        ] {
            let scene = ClusterScene([.wait(milliseconds: 100)]) { plan in
                plan.members = stands.map {
                    ClusterPlan.Member(visibility: 0, hasJournal: true, stands: $0)
                }
            }
            #expect(scene.guarantees.isEmpty)
            #expect(scene.result.marks["at rest"] == 1)
            #expect(scene.cluster.members.map(\.wantsToLead) == expected)
        }
    }

    // MARK: What is wrong

    @Test func afterAViolationNothingIsDone() {
        let scene = ClusterScene([.wait(milliseconds: 1000), .crash(0)]) { _ in
        } prepare: { cluster in
            cluster.note("Test", "said before")
        }
        #expect(scene.result.violations.map(\.description) == ["Test: said before"])
        #expect(scene.result.steps == 0)
        #expect(scene.cluster.members.map(\.life) == [1, 1])
        #expect(scene.cluster.members.allSatisfy { !$0.isAlive })
    }

    @Test func aViolationEndsTheWaitForRest() {
        for time in [Self.inEnd, Self.nearRest] {
            let scene = ClusterScene([Self.calm]) { _ in
            } prepare: { cluster in
                cluster.at(time) { $0.note("Test", "said in the end") }
            }
            #expect(scene.result.violations.map(\.description) == ["Test: said in the end"])
            #expect(scene.result.marks["at rest"] == nil)
        }
    }

    @Test func whatWasWrongWithTheSimulationIsAViolation() {
        let scene = ClusterScene([]) { _ in
        } prepare: { cluster in
            cluster.simulation.note(.livelock(steps: 9, report: "all of it"))
        }
        #expect(scene.guarantees == ["Simulation"])
        #expect(scene.result.violations[0].message.hasPrefix("livelock: not done after 9 steps"))
    }

    // MARK: Rest

    @Test func timeAloneDoesNotEndTheWait() {
        let scene = ClusterScene([Self.calm]) { _ in
        } prepare: { cluster in
            cluster.at(Self.beforeRest) { $0.members[1].crash() }
            cluster.at(Self.nearRest) { cluster in
                cluster.simulation.advanceClock(by: .seconds(1_000_000))
                cluster.at(1000) { $0.members[1].start() }
            }
        }
        #expect(scene.guarantees.isEmpty)
        #expect(scene.result.marks["at rest"] == 1)
    }

    /// It was at rest before, and does not see what is published last.
    @Test func whoLagsBehindIsNotAtRest() {
        let scene = ClusterScene([Self.calm]) { _ in
        } prepare: { cluster in
            cluster.at(Self.beforeRest) { $0.follower?.process?.pause() }
            // Without steps of anybody the wait is shorter.
            cluster.at(5000) { $0.leader?.process?.pause() }
        }
        #expect(scene.guarantees == ["Converges"])
        let message = scene.result.violations.first?.message ?? ""
        #expect(message.hasPrefix("after "))
        #expect(message.contains(", stands still, shows #1.1"))
        #expect(message.contains(", leads, stands still, shows #1.2"))
        #expect(scene.result.marks["at rest"] == nil)
    }

    /// A state that was shown as the broker's, and that nothing in the log leads to.
    private static func showConfirmed(_ cluster: SimulatedCluster) {
        let mark = SourceMark(source: 77, number: 5)
        let section = PublishedContents.FreshSection(
            section: PublishedSection(number: 2, payload: nil),
            items: [PublishedItem(number: 1, payload: mark.payload)]
        )
        let state = PublishedState([section], shape: HierarchyShape([1]))
        let version = PublishedVersion(handle: HistoryHandle(rawValue: 9), number: 1_000_000)
        var replica = CollectionReplica()
        let snapshot = PublishedSnapshot(version: version, state: state, digest: state.digest)
        #expect(throws: Never.self) { try replica.apply(.reset(snapshot, .joined)) }
        cluster.oracle.published(mark, state)
        cluster.oracle.shown(replica, at: version, to: "test")
        cluster.oracle.shown(replica, by: cluster.members[0], isReset: true)
    }

    @Test func whatWasShownAsTheBrokersIsLookedForUnlessTheBrokerLost() {
        for hasLost in [false, true] {
            let scene = ClusterScene([Self.calm, .publish(3)]) { plan in
                for index in plan.members.indices { plan.members[index].visibility = 2 }
            } prepare: { cluster in
                cluster.at(1000, Self.showConfirmed)
                if hasLost { cluster.at(1100) { Self.lose(.chunkIsLost, $0) } }
            }
            #expect(scene.guarantees == (hasLost ? [] : ["Durable As Promised"]))
            #expect(scene.result.marks["at rest"] == 1)
        }
    }

    /// Lets a fault happen that does nothing.
    private static func lose(_ point: FaultPoint, _ cluster: SimulatedCluster) {
        cluster.simulation.state.withLock { $0.faults[point, default: 0] += 1 }
    }

    @Test func aBrokerHasLostWhatSomeFaultsTakeFromIt() {
        let losing: Set<FaultPoint> = [
            .storeIsRolledBack, .logIsDeleted, .recordsArePurged, .chunkIsLost,
        ]
        for point in FaultPoint.brokerFaults {
            let plan = ClusterScene.plan([])
            let cluster = SimulatedCluster(plan, plan.cluster!, keepsTrace: false)
            #expect(!cluster.brokerHasLost)
            Self.lose(point, cluster)
            #expect(cluster.brokerHasLost == losing.contains(point), "\(point.rawValue)")
        }
    }
}
