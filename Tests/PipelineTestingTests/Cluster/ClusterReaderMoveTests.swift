import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// Readers of a run that join, leave and come back. By whom a wrong state is found it is seen who is there: all readers
/// of a hub are told in one step, and a run stops behind it.
@Suite("Readers that move between members", .endsHangs)
struct ClusterReaderMoveTests {
    /// A member that leads, and some who follow.
    private static func members(_ count: Int) -> [ClusterPlan.Member] {
        (0..<count).map { ClusterPlan.Member(visibility: 0, hasJournal: true, stands: $0 == 0) }
    }

    /// Some moves, of which the last one differs.
    private static func moves(_ count: UInt64, last: UInt64) -> [ClusterAction] {
        (Array(0..<count) + [1000 + last]).flatMap { seed in
            [.readers(seed), .wait(milliseconds: 10)] as [ClusterAction]
        }
    }

    /// Who is shown what the leader publishes behind some actions, in the order in which they are told.
    private static func told(
        members count: Int,
        _ moves: [ClusterAction],
        thenAtOnce action: ClusterAction = .run(0)
    ) -> [String] {
        let actions = [.wait(milliseconds: 1000)] + moves + [.wait(milliseconds: 4000)]
        let scene = ClusterScene(actions + [action, .publish(3), .wait(milliseconds: 200)]) {
            $0.members = members(count)
        } prepare: { cluster in
            // Nothing at all is said to be shown at the version that comes next.
            cluster.at(4000) { cluster in
                guard let newest = cluster.leader?.hub?.snapshot.version else { return }
                let next = PublishedVersion(handle: newest.handle, number: newest.number + 1)
                cluster.oracle.shown(CollectionReplica(), at: next, to: "test")
            }
        }
        return scene.result.violations.map { violation in
            let parts = violation.message.split(separator: " is shown another state at ")
            #expect(violation.guarantee == "Prefix" && parts.count == 2)
            return String(parts[0])
        }
    }

    @Test func thereAreFourReadersAtMostAndEachHasANumber() {
        var labels: Set<String> = []
        for last in 0..<8 as Range<UInt64> {
            let told = Self.told(members: 1, Self.moves(7, last: last))
            #expect(told.first == "watcher of 0")
            #expect(Set(told).count == told.count)
            labels.formUnion(told)
        }
        #expect(labels == ["watcher of 0", "reader 1", "reader 2", "reader 3", "reader 4"])
    }

    @Test func eachMoveBringsOneMore() {
        for count in 1...2 {
            var labels: Set<String> = []
            for last in 0..<7 as Range<UInt64> {
                let moves = (0..<UInt64(count)).map { ClusterAction.readers(1000 * last + $0) }
                labels.formUnion(Self.told(members: 1, moves))
            }
            let readers = (1...count).map { "reader \($0)" }
            #expect(labels == Set(["watcher of 0"] + readers))
        }
    }

    @Test func onlyReadersOfWhoDiesAreDisconnected() {
        var readers = 0
        for last in 0..<6 as Range<UInt64> {
            let moves = Self.moves(5, last: last)
            let told = Self.told(members: 2, moves)
            #expect(Self.told(members: 2, moves, thenAtOnce: .crash(1)) == told)
            readers += told.count - 1
        }
        #expect(readers > 4)
    }

    /// Nobody tells them that they are, and so they need not have anything.
    @Test func whoWasDisconnectedNeedNotBeTold() {
        for last in 0..<6 as Range<UInt64> {
            let actions = [.wait(milliseconds: 1000)] + Self.moves(5, last: last) + [.crash(1)]
            let scene = ClusterScene(actions) { $0.members = Self.members(2) }
            #expect(scene.guarantees.isEmpty)
            #expect(scene.result.marks["at rest"] == 1)
        }
    }
}
