import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// How long it is waited at the end of a run until all members come to one state.
@Suite("Patience with clusters", .endsHangs)
struct ClusterPatienceTests {
    private static let calm = ClusterAction.wait(milliseconds: 3000)

    /// What is said where everybody is dead while they are waited for, and how many records there were.
    private static func messageOfDead(
        readRecords: Int,
        deletesLog: Bool = false
    ) -> (text: String, records: Int) {
        let records = Journal<Int>()
        let publishing = (0..<6 as Range<UInt64>).map { ClusterAction.publish($0) }
        let scene = ClusterScene([calm] + publishing + [calm]) {
            $0.readRecords = readRecords
        } prepare: { cluster in
            // The end begins at 6000, and so it is looked for rest from 6500 on.
            if deletesLog {
                cluster.at(6300) { cluster in
                    cluster.crashAll()
                    cluster.broker.restore(nil)
                }
                // Time passes only where there is something to do.
                for time in [6400, 6450, 6520] { cluster.at(time) { _ in } }
            }
            cluster.at(6800) { cluster in
                records.append(cluster.broker.contents?.log.count ?? 0)
                cluster.crashAll()
            }
        }
        #expect(scene.guarantees == ["Converges"])
        return (scene.result.violations.first?.message ?? "", records.values.first ?? 0)
    }

    /// Everything that has a time, several times, and three times each read of the whole log, tried in vain.
    @Test func howLongItMayTakeGrowsWithTheReadsOfTheLog() {
        let plain = 10 * (500 + 500 + 300) + 20 * 10 + 3 * 500 + 10_000
        for readRecords in [1, 2, 3, 500] {
            let (text, records) = Self.messageOfDead(readRecords: readRecords)
            #expect(records > 4)
            let time = plain + 3 * (records / readRecords) * (500 + 10)
            let found = "0 is not there; 1 is not there"
            #expect(text == "after \(time) ms without faults: \(found)")
        }
        let (text, _) = Self.messageOfDead(readRecords: 1, deletesLog: true)
        #expect(text.hasPrefix("after \(plain) ms "), "no log takes no reads")
    }

    /// Kills everybody over and over, in steps without an end.
    private static func disturb(_ cluster: SimulatedCluster, passing time: Duration) {
        cluster.lane.enqueue { [weak cluster] in
            guard let cluster else { return }
            cluster.crashAll()
            if time > .zero { cluster.simulation.advanceClock(by: time) }
            disturb(cluster, passing: time)
        }
    }

    /// Two waits take 20,000 steps each, and it is looked for rest in 100,000.
    @Test func whereTimeStandsStillStepsEndTheWait() {
        let scene = ClusterScene([]) { _ in
        } prepare: { cluster in
            Self.disturb(cluster, passing: .zero)
        }
        #expect(scene.guarantees == ["Converges"])
        #expect(scene.result.steps == 140_000)
    }

    @Test func whereTimePassesItIsLookedForRestInHalfAsManySteps() {
        let scene = ClusterScene([]) { _ in
        } prepare: { cluster in
            Self.disturb(cluster, passing: .seconds(1))
        }
        #expect(scene.guarantees == ["Converges"])
        #expect((50_000...50_100).contains(scene.result.steps))
    }
}
