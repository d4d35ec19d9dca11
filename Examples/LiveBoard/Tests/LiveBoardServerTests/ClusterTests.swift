import CollectionPublishing
import CollectionReplication
import Foundation
import Testing

@testable import LiveBoardServer

/// Several servers that show one board, in one process.
@Suite(.timeLimit(.minutes(3)))
struct ClusterTests {
    private typealias Reading = (replica: CollectionReplica, rows: String, counts: [String: Int])

    /// Follows the board at a server, starting with the state of `replica`, until it has a version.
    private func read(
        _ member: TestCluster.Member,
        to version: PublishedVersion?,
        from replica: CollectionReplica = CollectionReplica()
    ) async throws -> Reading {
        let last = replica.version.map { ["last-event-id: \($0)"] } ?? []
        return try await member.server.follow("/lists/board/updates", last, from: replica) {
            follower in
            try await follower.read(to: version)
            return (
                follower.replica, follower.replica.state.rows.joined(separator: "\n"),
                follower.counts
            )
        }
    }

    /// A page that moves between servers receives only the updates that it missed.
    @Test func readersOfAllServersSeeEveryEdit() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true)
            let edges = [try await cluster.start(), try await cluster.start()]
            try await leader.waitUntilLeading()
            let servers = edges + [leader]
            var had = try await read(edges[0], to: try await leader.server.rename("x").version)
            for number in 0..<12 {
                let answer = try await servers[number % 3].server.rename("text \(number)")
                #expect(answer.status == 200, "\(answer.body)")
                had = try await read(
                    servers[(number + 1) % 3],
                    to: answer.version,
                    from: had.replica
                )
                #expect(had.counts["reset"] == nil && had.rows.contains("text \(number)"))
            }
            // The same version is the same list on every server, including the list of processes.
            for server in servers {
                let other = try await read(server, to: had.replica.version)
                #expect(other.replica.state == had.replica.state)
            }
            let handles = try servers.map {
                try $0.server.board.list("processes").streams.hub.snapshot.version.handle
            }
            #expect(Set(handles).count == 1)
            let health = try await edges[0].server.request("GET", "/health")
            #expect(health.status == 200 && health.body.contains(#""role":"following""#))
            #expect(
                try await leader.server.request("GET", "/health").body.contains(
                    #""role":"leading""#
                )
            )
        }
    }

    @Test func editErrorsReachTheEditor() async throws {
        try await TestCluster.run { cluster in
            let edge = try await cluster.start { $0.editTimeout = .milliseconds(300) }
            let early = try await edge.server.rename("x")
            #expect(early.status == 503 && early.code == "noLeader")
            #expect(try await edge.server.request("GET", "/health").status == 503)
            let leader = try await cluster.start(mayLead: true)
            try await leader.waitUntilLeading()
            // A forwarded edit is not forwarded again.
            let edit = #"{"edit":"rename","id":"c1","text":"x"}"#
            let passed = try await edge.server.edit(edit, ["\(EditForwarder.mark): 1"])
            #expect(passed.status == 503 && passed.code == "noLeader")
            var gone = try await edge.server.rename("x", "nothing")
            // The leader may announce itself a moment after it leads.
            while gone.status == 503 { gone = try await edge.server.rename("x", "nothing") }
            #expect(gone.status == 409 && gone.code == "gone")
            #expect(try await edge.server.edit("{}").status == 400)
        }
    }

    /// The next leader continues with the cards that readers have, and reuses none of their names.
    @Test func anotherServerLeadsWhenTheLeaderStops() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("journals-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true) { $0.journal = path }
            try await leader.waitUntilLeading()
            let standby = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            let added = try await leader.server.add(#"before <&> \"it\""#)
            let had = try await read(edge, to: added.version).replica
            try await leader.server.stop()
            let journal = try Data(contentsOf: folder.appendingPathComponent("board.journal"))
            #expect(journal.range(of: Data("before".utf8)) != nil)
            let answer = try await edge.server.add("after")
            #expect(answer.status == 200, "\(answer.body)")
            #expect(answer.id != nil && answer.id != added.id)
            for member in [edge, standby] {
                let moved = try await read(member, to: answer.version, from: had)
                #expect(moved.counts["reset"] == nil && moved.rows.contains("after"))
                #expect(moved.rows.contains("before &lt;&amp;&gt; &quot;it&quot;"))
            }
        }
    }

    /// A leader without a broker loses its lease, and confirms no edit that readers cannot see.
    @Test func anotherServerLeadsWhenTheLeaderIsCutOff() async throws {
        try await TestCluster.run { cluster in
            let leader = try await cluster.start(mayLead: true) {
                $0.editTimeout = .milliseconds(500)
            }
            try await leader.waitUntilLeading()
            let standby = try await cluster.start(mayLead: true)
            let edge = try await cluster.start()
            let had = try await read(edge, to: try await edge.server.rename("before").version)
            leader.logs.cutOff()
            let lost = try await leader.server.rename("lost")
            #expect(lost.status == 504 && lost.code == "unconfirmed")
            try await standby.waitUntilLeading()
            let answer = try await standby.server.rename("after")
            let moved = try await read(edge, to: answer.version, from: had.replica)
            #expect(moved.counts["reset"] == nil && moved.rows.contains("after"))
            leader.logs.reconnect()
            let back = try await read(leader, to: answer.version)
            #expect(back.replica.state == moved.replica.state)
            while try leader.server.cards.source != nil {
                try await Task.sleep(for: .milliseconds(2))
            }
            #expect(try await leader.server.rename("passed on").status == 200)
        }
    }

    /// Confirmed edits are on the board once, and edits reported as not made are not on it.
    @Test func editsDuringTakeoversMatchTheirResponses() async throws {
        try await TestCluster.run { cluster in
            let edge = try await cluster.start()
            var leaders = [try await cluster.start(mayLead: true)]
            try await leaders[0].waitUntilLeading()
            var answers: [(text: String, answer: TestServer.Response)] = []
            let ends = Counter()
            try await withThrowingTaskGroup(of: [(String, TestServer.Response)].self) { group in
                for editor in 0..<4 {
                    group.addTask {
                        var answers: [(String, TestServer.Response)] = []
                        while ends.value == 0 {
                            let text = "e\(editor)n\(answers.count)."
                            answers.append((text, try await edge.server.add(text)))
                        }
                        return answers
                    }
                }
                for turn in 0..<3 {
                    let next = try await cluster.start(mayLead: true)
                    try await Task.sleep(for: .milliseconds(150))
                    if turn == 1 {
                        // The leader's records arrive, but the broker's responses do not.
                        leaders[turn].logs.cutOff(.answers)
                    } else {
                        try await leaders[turn].server.stop()
                    }
                    try await next.waitUntilLeading()
                    leaders.append(next)
                }
                ends.add(1)
                for try await made in group { answers += made }
            }
            leaders[1].logs.reconnect()
            let last = try await edge.server.rename("the end")
            let rows = try await read(edge, to: last.version).rows
            for (text, answer) in answers {
                let count = rows.components(separatedBy: ">\(text)<").count - 1
                switch answer.status {
                case 200: #expect(count == 1, "Expected \(text) once, found it \(count) times")
                case 504:
                    #expect(count <= 1, "Expected \(text) at most once, found it \(count) times")
                default: #expect(count == 0, "Expected no \(text): \(answer.body)")
                }
            }
            #expect(answers.contains { $0.answer.status == 200 })
            #expect(answers.contains { $0.answer.status == 504 })
        }
    }

    @Test func onlyValidServerAddressesAreRead() {
        for text in ["http://10.0.0.1:80", "http://[::1]:8080", "http://some-host.local:1"] {
            #expect(ServerAddress(text)?.description == text)
        }
        let others = [
            "", "http://", "http://a", "http://:80", "https://a:80", "http://a:0", "http://a:65536",
            "http://a:80/x", "http://a b:80", "http://::1:80", "http://a\r\nx:80",
            "http://u@a:80", "http://a:80x", "http://a:80?x",
        ]
        for text in others { #expect(ServerAddress(text) == nil, "\(text)") }
    }
}
