import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// Each thing that may happen to a cluster, by what is seen of it.
@Suite("What happens to clusters", .endsHangs)
struct ClusterActionTests {
    @Test func aRunReachesWhatItIsFor() {
        let scene = ClusterScene([
            .wait(milliseconds: 1000), .readers(1), .publish(3), .wait(milliseconds: 500),
        ])
        #expect(scene.result.violations.isEmpty)
        let marks = scene.result.marks
        #expect(marks["leading"] == 1)
        #expect(marks["at rest"] == 1)
        #expect(marks["accepted"] ?? 0 > 4, "more than a record each")
        #expect(marks["reader told"] ?? 0 > 2)
        #expect(scene.result.steps == scene.cluster.simulation.steps)
    }

    @Test func marksAreCounted() {
        let scene = ClusterScene([]) { _ in
        } prepare: { cluster in
            for _ in 0..<3 { cluster.mark("seen") }
        }
        #expect(scene.result.marks["seen"] == 3)
    }

    @Test func membersLiveFromTheBeginning() {
        let scene = ClusterScene([.wait(milliseconds: 1000), .crash(0), .wait(milliseconds: 1)])
        #expect(ClusterScene.lastShown(scene.notesByAction[0]) == 1)
    }

    /// And is started again in the end, without being told to.
    @Test func aMemberThatCrashesBeginsAnotherLife() {
        let scene = ClusterScene([.wait(milliseconds: 1000), .crash(1), .crash(1)])
        #expect(scene.cluster.members.map(\.life) == [1, 2])
        let restarted = ClusterScene([.crash(1), .restart(1), .crash(1), .restart(0)])
        #expect(restarted.cluster.members.map(\.life) == [1, 3])
        #expect((scene.guarantees + restarted.guarantees).isEmpty)
    }

    @Test func aMemberDiesWritingToItsJournal() {
        let scene = ClusterScene([
            .wait(milliseconds: 1000), .crashWriting(0, calls: 0), .publish(3),
            .wait(milliseconds: 400),
        ])
        #expect(scene.result.marks["died writing"] == 1)
        #expect(scene.cluster.members.map(\.life) == [2, 1])
        #expect(scene.guarantees.isEmpty)
    }

    @Test func whoStandsStillDoesNothingUntilItGoesOn() {
        let scene = ClusterScene([
            .wait(milliseconds: 1000), .publish(3), .pause(0), .pause(1),
            .wait(milliseconds: 100), .goOn(0), .goOn(1), .wait(milliseconds: 100), .run(0),
        ])
        #expect(scene.guarantees.isEmpty)
        let notes = scene.notes
        let begin = notes.firstIndex(of: "then: pause(1)") ?? 0
        let end = notes.firstIndex(of: "then: goOn(0)") ?? 0
        #expect(begin < end)
        #expect(notes[begin..<end].allSatisfy { $0.hasPrefix("then: ") }, "nobody does anything")
        let before = ClusterScene.lastShown(Array(notes[..<end]))
        #expect(before == 1)
        let later = ClusterScene.lastShown(scene.notesByAction.dropLast().flatMap { $0 })
        #expect(later ?? 0 > 1, "it shows then what was published")
    }

    /// So that leaving members out leaves a plan that runs.
    @Test func membersAreCountedAround() {
        let numbers = [(0, 0), (2, 2), (3, 0), (5, 2), (-4, 1)]
        for (number, index) in numbers {
            let scene = ClusterScene([.resign(number)]) { $0.members = ClusterScene.members(3) }
            let wanted = scene.cluster.members.map(\.wantsToLead)
            #expect(wanted == (0..<3).map { $0 != index }, "\(number)")
        }
        let scene = ClusterScene([.resign(.max), .resign(.min)])
        #expect(scene.guarantees.isEmpty)
    }

    @Test func readersCome() {
        let calm = ClusterScene([.wait(milliseconds: 1000)])
        #expect(!calm.result.marks.keys.contains { $0.hasPrefix("reader reset") })
        let moves = (0..<8 as Range<UInt64>).flatMap { seed in
            [.readers(seed), .publish(seed), .wait(milliseconds: 100)] as [ClusterAction]
        }
        let scene = ClusterScene([.wait(milliseconds: 1000)] + moves)
        #expect(scene.guarantees.isEmpty)
        #expect(scene.result.marks.keys.contains { $0.hasPrefix("reader reset") })
    }

    @Test func noStepsAreNone() {
        let none = Array(repeating: [.run(0), .run(-3)] as [ClusterAction], count: 20).joined()
        let (scene, other) = (ClusterScene(none + [.crash(0)]), ClusterScene([.crash(0)]))
        #expect(scene.result.steps == other.result.steps)
        #expect(scene.result.fingerprint == other.result.fingerprint)
        let some = ClusterScene([.run(30), .crash(0)])
        #expect(some.result.fingerprint != other.result.fingerprint)
    }

    /// One to three changes, and now and then so many that they are merged.
    @Test func publishingChangesAFewTimes() {
        let actions = (0..<40 as Range<UInt64>).flatMap { seed in
            [.publish(seed), .wait(milliseconds: 200)] as [ClusterAction]
        }
        // So that what is published in the end is apart.
        let scene = ClusterScene([.wait(milliseconds: 1000)] + actions + [.run(0)])
        #expect(scene.guarantees.isEmpty)
        var last = 1
        var counts: [Int: Int] = [:]
        for notes in scene.notesByAction {
            guard let shown = ClusterScene.lastShown(notes), shown > last else { continue }
            counts[shown - last, default: 0] += 1
            last = shown
        }
        #expect(Set(counts.keys) == [1, 2, 3, 12])
        #expect(counts.values.reduce(0, +) == 41)
        #expect(counts[12] ?? 0 < 15)
    }

    // MARK: Strangers

    /// Whole ones: an opening, the list that an application begins with, and four changes.
    @Test func strangersHaveRecordsOfAnotherCollection() {
        let plan = ClusterScene.plan([])
        let cluster = SimulatedCluster(plan, plan.cluster!, keepsTrace: false)
        let records = (cluster.broker.faults?.foreignRecords ?? []).map { bytes in
            RecordSummary(of: bytes, key: ReplicationConfiguration().key)
        }
        #expect(records.map { $0?.position.sequence } == [1, 2, 3, 4, 5, 6])
        #expect(records.map { $0?.isOpening } == [true] + Array(repeating: false, count: 5))
    }
}
