import CollectionPublishing
import CollectionReplication
import Foundation
import PipelineTesting
import Synchronization
import Testing

@testable import LiveBoardServer

/// Several servers that show one board, in one process.
@Suite(.timeLimit(.minutes(3)))
struct ClusterTests {
    private func rename(_ text: String, _ id: String = "c1") -> String {
        #"{"edit":"rename","id":"\#(id)","text":"\#(text)"}"#
    }

    private func add(_ text: String) -> String {
        #"{"edit":"add","section":"todo","text":"\#(text)"}"#
    }

    private func version(_ answer: TestServer.Answer) throws -> PublishedVersion {
        let text = try #require(answer.body.firstMatch(of: /"version":"([0-9a-f]+\.[0-9]+)"/)?.1)
        return try #require(PublishedVersion(String(text)))
    }

    private func id(_ answer: TestServer.Answer) throws -> String {
        String(try #require(answer.body.firstMatch(of: /"id":"([^"]+)"/)?.1))
    }

    /// What a server's readers have, once it has a version.
    private func replica(
        of member: TestCluster.Member,
        at version: PublishedVersion,
        from replica: CollectionReplica? = nil,
        _ fields: [String] = []
    ) async throws -> (replica: CollectionReplica, rows: String, counts: [String: Int]) {
        let last = replica?.version.map { ["last-event-id: \($0)"] } ?? []
        return try await member.server.follow("/lists/board/updates", last + fields) { follower in
            if let replica { follower.take(replica) }
            // What it has may be it already.
            func isThere(_ had: PublishedVersion?) -> Bool {
                had.map { $0.handle == version.handle && $0.number >= version.number } ?? false
            }
            repeat { _ = try await follower.step() } while !isThere(follower.replica.version)
            let rows = follower.rows.joined().joined(separator: "\n")
            return (follower.replica, rows, follower.counts)
        }
    }

    @Test func whatTheLeaderIsToldReachesTheReadersOfAll() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            try await leader.leads()
            #expect(try edge.board.source == nil)
            let answer = try await leader.server.edit(rename("seen by all"))
            #expect(answer.status == 200)
            let version = try version(answer)
            let here = try await replica(of: leader, at: version)
            let there = try await replica(of: edge, at: version)
            #expect(there.rows.contains("seen by all"))
            #expect(here.replica.version == version && there.replica.version == version)
            #expect(here.replica.digest == there.replica.digest)
            #expect(here.replica.state == there.replica.state)
            // The processes are those of who leads.
            let names = ["processes", "board"]
            for name in names {
                let hubs = try [leader, edge].map { try $0.server.board.list(name).hub }
                #expect(Set(hubs.map { $0.snapshot.version.handle }).count == 1)
            }
        }
    }

    @Test(arguments: [[], ["accept-encoding: gzip"]])
    func whoMovesToAnotherServerIsToldTheDifference(fields: [String]) async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true)
            let edges = [try await cluster.start(), try await cluster.start()]
            try await leader.leads()
            let first = try version(try await leader.server.edit(rename("first")))
            var had = try await replica(of: edges[0], at: first, fields).replica
            for number in 0..<20 {
                let answer = try await leader.server.edit(rename("text \(number)"))
                let other = [edges[1], leader, edges[0]][number % 3]
                let moved = try await replica(
                    of: other,
                    at: try version(answer),
                    from: had,
                    fields
                )
                #expect(moved.counts["reset"] == nil && moved.rows.contains("text \(number)"))
                had = moved.replica
            }
        }
    }

    @Test func anEditAtAnyServerIsMadeByTheLeader() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            let standby = try await cluster.start(mayLead: true)
            try await leader.leads()
            for (number, member) in [edge, standby, leader, edge].enumerated() {
                let answer = try await member.server.edit(add("card \(number)"))
                #expect(answer.status == 200, "\(answer.body)")
                let there = try await replica(of: edge, at: try version(answer))
                let id = try id(answer)
                #expect(there.rows.contains("data-id=\"\(id)\""))
                #expect(there.rows.contains("card \(number)"))
            }
            // Faults of edits are passed back as they are.
            let gone = try await edge.server.edit(rename("x", "nothing"))
            #expect(gone.status == 409 && gone.code == "gone")
            let unreadable = try await edge.server.edit("{}")
            #expect(unreadable.status == 400)
        }
    }

    /// The page goes on from its version; the cards are those that were there; new names are no old ones.
    @Test func whenTheLeaderClosesAnotherGoesOn() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true)
            try await leader.leads()
            let standby = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            let added = try await leader.server.edit(add("before <&> \\\"it\\\""))
            let had = try await replica(of: edge, at: try version(added)).replica
            try await leader.stop()
            try await standby.leads()
            let answer = try await edge.server.edit(add("after"))
            #expect(answer.status == 200, "\(answer.body)")
            let later = try version(answer)
            for member in [edge, standby] {
                let moved = try await replica(of: member, at: later, from: had)
                #expect(moved.counts["reset"] == nil)
                #expect(moved.rows.contains("before &lt;&amp;&gt; &quot;it&quot;"))
                #expect(moved.rows.contains("after"))
            }
            #expect(try id(answer) != id(added))
        }
    }

    /// Its lease runs out, and what it was told and could not tell anybody is not claimed to be done.
    @Test func whenTheLeaderIsCutOffAnotherGoesOn() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true) {
                $0.cluster?.editTimeout = .milliseconds(500)
            }
            try await leader.leads()
            let standby = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            let before = try await edge.server.edit(rename("before"))
            let had = try await replica(of: edge, at: try version(before)).replica
            leader.logs.cutOff()
            let lost = try await leader.server.edit(rename("lost"))
            #expect(lost.status == 504 && lost.code == "unconfirmed")
            try await standby.leads()
            let answer = try await standby.server.edit(rename("after"))
            let moved = try await replica(of: edge, at: try version(answer), from: had)
            #expect(moved.counts["reset"] == nil && moved.rows.contains("after"))
            // It is told by the log that it does not lead, and follows, and its readers with it.
            leader.logs.mend()
            let back = try await replica(of: leader, at: try version(answer))
            #expect(back.replica.state == moved.replica.state)
            while try leader.board.source != nil { try await Task.sleep(for: .milliseconds(2)) }
            #expect(try await leader.server.edit(rename("passed on")).status == 200)
        }
    }

    @Test func withoutALeaderAnEditIsNotMade() async throws {
        try await TestCluster.run { cluster in
            let edge = try await cluster.start { $0.cluster?.editTimeout = .milliseconds(200) }
            let answer = try await edge.server.edit(rename("x"))
            #expect(answer.status == 503 && answer.code == "noLeader")
            // What another server has passed on is not passed on again.
            let passed = try await edge.server.edit(rename("x"), ["\(EditForwarder.mark): 1"])
            #expect(passed.status == 503 && passed.code == "noLeader")
            let health = try await edge.server.request("GET", "/health")
            #expect(health.status == 503 && health.body.contains(#""role":"following""#))
        }
    }

    /// While leaders come and go, what is answered as done is there once, and what is answered as not done is not there.
    @Test func editsDuringTakeoversAreWhatIsSaidOfThem() async throws {
        try await TestCluster.run { cluster in
            let edge = try await cluster.start()
            var leaders = [try await cluster.start(mayLead: true)]
            try await leaders[0].leads()
            var answers: [(text: String, answer: TestServer.Answer)] = []
            let isOver = Flag()
            try await withThrowingTaskGroup(of: [(String, TestServer.Answer)].self) { group in
                for editor in 0..<4 {
                    group.addTask {
                        var answers: [(String, TestServer.Answer)] = []
                        while !isOver.isSet {
                            let text = "e\(editor)n\(answers.count)."
                            answers.append((text, try await edge.server.edit(add(text))))
                        }
                        return answers
                    }
                }
                for turn in 0..<3 {
                    let next = try await cluster.start(mayLead: true)
                    try await Task.sleep(for: .milliseconds(150))
                    if turn == 1 {
                        // What it appends is there, and nobody tells it so.
                        leaders[turn].logs.cutOff(.answers)
                    } else {
                        try await leaders[turn].stop()
                    }
                    try await next.leads()
                    leaders.append(next)
                }
                isOver.set()
                for try await made in group { answers += made }
            }
            leaders[1].logs.mend()
            let last = try version(try await edge.server.edit(rename("the end")))
            let rows = try await replica(of: edge, at: last).rows
            for (text, answer) in answers {
                let count = rows.components(separatedBy: ">\(text)<").count - 1
                switch answer.status {
                case 200: #expect(count == 1, "\(text) was made, and is there \(count) times")
                case 504: #expect(count <= 1, "\(text) is there \(count) times")
                default: #expect(count == 0, "\(text) was not made: \(answer.body)")
                }
            }
            #expect(answers.contains { $0.answer.status == 200 })
            #expect(answers.contains { $0.answer.status == 504 })
        }
    }

    @Test func aSearchIsMadeByAnyServer() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            try await leader.leads()
            #expect(try await edge.server.edit(rename("find <me>")).status == 200)
            try await edge.server.follow("/lists/board/updates?query=%3CME%3E") { follower in
                try await follower.read { $0.state.numberOfItems == 1 }
                #expect(follower.rows.joined().first?.contains("find &lt;me&gt;") == true)
                #expect(try await edge.server.edit(rename("<me> too", "c2")).status == 200)
                try await follower.read { $0.state.numberOfItems == 2 }
            }
        }
    }

    @Test func healthSaysHowAServerFollows() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            try await leader.leads()
            let answer = try await edge.server.edit(rename("x"))
            _ = try await replica(of: edge, at: try version(answer))
            let led = try await leader.server.request("GET", "/health")
            #expect(led.body.contains(#""role":"leading""#) && led.body.contains(#""epoch":1"#))
            let followed = try await edge.server.request("GET", "/health")
            #expect(followed.body.contains(#""role":"following""#))
            #expect(followed.body.contains(#""phase":"elsewhere""#))
            #expect(followed.body.contains(#""recordsBehind":"#))
            #expect(followed.body.contains(#""millisecondsBehind":"#))
            #expect(followed.body.contains(try edge.board.hub.snapshot.digest.description))
        }
    }

    @Test func aJournalIsWrittenForEachList() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("journals-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true) { $0.cluster?.journal = path }
            try await leader.leads()
            let answer = try await leader.server.edit(add("written down"))
            #expect(answer.status == 200)
            try await leader.stop()
            // Who has none goes on all the same, and so does who comes back with it.
            for name in ["board", "processes"] {
                let bytes = try Data(contentsOf: folder.appendingPathComponent("\(name).journal"))
                #expect(bytes.range(of: Data("row".utf8)) != nil)
            }
            let again = try await cluster.start(mayLead: true) { $0.cluster?.journal = path }
            try await again.leads()
            let rows = try await replica(of: again, at: try version(answer)).rows
            #expect(rows.contains("written down"))
        }
    }
}

/// Set once, and seen by all.
private final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .acquiring) }

    func set() { state.store(true, ordering: .releasing) }
}
