import CollectionPublishing
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import LiveBoardServer

@Suite(.timeLimit(.minutes(3)))
struct RouteTests {
    @Test func listsAreNamed() async throws {
        try await TestServer.run { server in
            let answer = try await server.request("GET", "/lists")
            #expect(answer.status == 200 && answer.fields["content-type"] == "application/json")
            #expect(
                answer.body
                    == #"[{"editable":false,"name":"processes","title":"Processes"},"#
                    + #"{"editable":true,"name":"board","title":"Board"}]"#
            )
            let policy = try #require(answer.fields["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
            #expect(!policy.contains("unsafe"))
        }
    }

    @Test func filesHaveTags() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("live-board-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("<p>page".utf8).write(to: folder.appendingPathComponent("index.html"))
        try Data("secret".utf8).write(to: folder.appendingPathComponent("notes.md"))
        var options = TestServer.options
        options.page = folder.path
        try await TestServer.run(options) { server in
            let page = try await server.request("GET", "/")
            #expect(
                page.body == "<p>page"
                    && page.fields["content-type"]?.hasPrefix("text/html") == true
            )
            let tag = try #require(page.fields["etag"])
            let again = try await server.request("GET", "/", ["if-none-match: \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty)
            let script = try await server.request("GET", "/assets/replica.js")
            #expect(script.fields["content-type"]?.hasPrefix("text/javascript") == true)
            for name in ["notes.md", "..%2FPackage.swift", "%2e%2e", "vectors.mjs", "x.js"] {
                #expect(try await server.request("GET", "/assets/\(name)").status == 404)
            }
        }
    }

    @Test func healthSaysWhatWaitsAndWhoFollows() async throws {
        try await TestServer.run { server in
            try await server.follow("/lists/board/updates") { follower in
                try await follower.read(to: 1)
                let answer = try await server.request("GET", "/health")
                let health = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
                let object = try #require(health as? [String: Any])
                #expect(object["status"] as? String == "ok" && object["streams"] as? Int == 1)
                let lists = try #require(object["lists"] as? [[String: Any]])
                #expect(lists.map { $0["name"] as? String } == ["processes", "board"])
                #expect(lists[1]["backlog"] as? Int == 0 && lists[1]["backlogLimit"] as? Int == 64)
                #expect(lists[1]["phase"] as? String == "open" && lists[1]["items"] as? Int == 6)
                #expect(lists[1]["diverged"] == nil && lists[1]["version"] is String)
            }
        }
    }

    @Test(arguments: [
        ("GET", "/nothing", 404), ("GET", "/lists/none/updates", 404), ("GET", "/lists/board", 404),
        ("POST", "/lists", 405), ("DELETE", "/", 405), ("PUT", "/lists/board/edits", 405),
        ("GET", "/lists/board/edits", 405), ("POST", "/lists/board/updates", 405),
        ("HEAD", "/lists/board/updates", 405), ("GET", "/assets/none.js", 404),
        ("GET", "/lists/board/updates?row=1", 400), ("GET", "/lists/board/updates?x=1", 400),
        ("GET", "/lists/board/updates?query=%zz", 400), ("GET", "/%zz", 400),
        ("GET", "/lists/%3Cscript%3E/updates", 404), ("FOO", "/lists", 400),
    ])
    func whatCannotBeAskedIsAnsweredInJSON(
        method: String,
        target: String,
        status: Int
    ) async throws {
        try await TestServer.run { server in
            let answer = try await server.request(method, target)
            #expect(answer.status == status)
            guard method != "HEAD" else { return }
            #expect(answer.code != nil && answer.fields["content-type"] == "application/json")
            #expect(!answer.body.contains("<script>"))
            if status == 405 { #expect(answer.fields["allow"] != nil) }
        }
    }

    @Test func routesAreHummingbirds() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await LiveBoardApplication(
            TestServer.options,
            metrics: nil,
            logger: logger
        )
        try await server.application.test(.router) { client in
            try await client.execute(uri: "/lists/board/snapshot", method: .get) { response in
                #expect(response.status == .ok)
                let text = String(buffer: response.body)
                #expect(text.contains(#""map":"equal""#) && text.contains("Kill the server"))
            }
            try await client.execute(uri: "/nothing", method: .get) { response in
                #expect(response.status == .notFound)
            }
        }
    }

    // MARK: Edits

    @Test func editsAreAnsweredWhenTheyAreDeployed() async throws {
        try await TestServer.run { server in
            try await server.follow("/lists/board/updates") { follower in
                try await follower.read(to: 1)
                let added = try await server.edit(
                    #"{"edit":"add","section":"todo","text":"<b>&","before":"c2"}"#
                )
                #expect(added.status == 200)
                let form = /\{"id":"(c\d+)","version":"[0-9a-f]{16}\.(\d+)"\}/
                let words = try #require(added.body.wholeMatch(of: form), "\(added.body)")
                let number = try #require(Int(words.2))
                try await follower.read(to: number)
                // Every state from that version on has it.
                #expect(follower.rows[0][1].contains("&lt;b&gt;&amp;"))
                #expect(follower.rows[0][1].contains("data-id=\"\(words.1)\""))
                let moved = #"{"edit":"move","id":"\#(words.1)","section":"done","before":null}"#
                #expect(try await server.edit(moved).status == 200)
                try await follower.read { $0.state.shape == HierarchyShape([3, 2, 2]) }
                let removed = #"{"edit":"remove","id":"\#(words.1)"}"#
                #expect(try await server.edit(removed).status == 200)
                try await follower.read { $0.state.shape == HierarchyShape([3, 2, 1]) }
                let gone = try await server.edit(removed)
                #expect(gone.status == 409 && gone.code == "gone")
                #expect(follower.replica.digest == server.cards.hub.snapshot.digest)
            }
            // Nothing diverged by it.
            #expect(server.cards.controller.divergence == nil)
        }
    }

    /// However many edit at once, each is answered, and all that were accepted are there.
    @Test func manyEditAtOnce() async throws {
        try await TestServer.run { server in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let section = ["todo", "doing", "done"][number % 3]
                        let edit =
                            number % 2 == 0
                            ? #"{"edit":"add","section":"\#(section)","text":"n","before":"c1"}"#
                            : #"{"edit":"move","id":"c\#(number % 6 + 1)","section":"\#(section)"}"#
                        return try await server.edit(edit).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 409 })
            let state = server.cards.state
            let added = statuses.count { $0 == 200 } - 30
            #expect(Set(state.rows.rows.joined().map(\.id)).count == 6 + added)
            #expect(try await server.cards.snapshotText().contains(#""map":"equal""#))
        }
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", #"{"edit":"explode"}"#, #"{"edit":"add","section":"todo"}"#,
        #"{"edit":"add","section":"todo","text":" "}"#, #"{"edit":"rename","id":7,"text":"x"}"#,
        #"{"edit":"remove","id":null}"#, "\u{0}", #"{"edit":"move","id":"c1","section":["x"]}"#,
    ])
    func whatIsNoEditIsRefused(body: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.edit(body)
            #expect(answer.status == 400 && answer.code != nil, "\(answer.body)")
            #expect(server.cards.hub.snapshot.version.number == 1)
        }
    }

    @Test func editsOfOtherListsAreRefused() async throws {
        try await TestServer.run { server in
            let edit = #"{"edit":"remove","id":"1"}"#
            let other = try await server.request("POST", "/lists/processes/edits", body: edit)
            #expect(other.status == 403)
            #expect(try await server.request("POST", "/lists/x/edits", body: edit).status == 404)
        }
    }

    @Test(arguments: [
        (["sec-fetch-site: cross-site"], 403), (["sec-fetch-site: same-site"], 403),
        (["origin: http://evil.example"], 403), (["origin: null"], 403),
        (["sec-fetch-site: same-origin"], 200), (["sec-fetch-site: none"], 200),
        (["content-type: text/plain"], 415),
        (["content-type: application/x-www-form-urlencoded"], 415),
        (["content-type: application/json; charset=utf-8"], 200), (["host: evil.example"], 421),
        (["host: localhost:1"], 200), (["host: [::1]:80"], 200),
    ])
    func onlyThisSiteMayEdit(fields: [String], status: Int) async throws {
        try await TestServer.run { server in
            let answer = try await server.edit(#"{"edit":"rename","id":"c1","text":"x"}"#, fields)
            #expect(answer.status == status)
            let isChanged = server.cards.hub.snapshot.version.number > 1
            #expect(isChanged == (status == 200))
        }
    }

    @Test func theOwnOriginMayEdit() async throws {
        try await TestServer.run { server in
            let edit = #"{"edit":"rename","id":"c1","text":"x"}"#
            let own = "origin: http://127.0.0.1:\(server.port)"
            let answer = try await server.edit(edit, [own])
            #expect(answer.status == 200)
        }
    }

    @Test func aServerForAllAnswersForAnyHost() throws {
        var options = ServerOptions()
        for host in ["127.0.0.1", "::1", "localhost"] {
            options.host = host
            #expect(throws: RequestFault.otherHost) {
                try Requests.checkHost("name.example:80", options)
            }
        }
        options.host = "0.0.0.0"
        try Requests.checkHost("name.example:80", options)
    }
}
