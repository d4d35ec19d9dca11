import CollectionPublishing
import Foundation
import InMemoryTracing
import Testing
import Tracing

@testable import LiveBoardServer

/// Requests and responses.
@Suite(.timeLimit(.minutes(3)))
struct ServerTests {
    @Test func listsFilesAndSnapshotsAreServed() async throws {
        try await TestServer.run { server in
            let lists = try await server.request("GET", "/lists")
            #expect(lists.fields["content-type"]?.hasPrefix("application/json") == true)
            #expect(
                lists.body
                    == #"[{"editable":false,"name":"processes","title":"Processes"},"#
                    + #"{"editable":true,"name":"board","title":"Board"}]"#
            )
            let policy = try #require(lists.fields["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
            #expect(!policy.contains("unsafe"))
            let page = try await server.request("GET", "/")
            #expect(page.status == 200 && page.body.contains("<title>LiveBoard"))
            for name in ["index.html", "live-board.js", "replica.js", "live-list.js"] {
                let file = try await server.request("GET", "/assets/\(name)")
                let type = name == "index.html" ? "text/html" : "text/javascript"
                #expect(file.fields["content-type"]?.hasPrefix(type) == true)
                #expect(file.fields["cache-control"] == "no-cache")
                let known = ["if-none-match: \(try #require(file.fields["etag"]))"]
                let again = try await server.request("GET", "/assets/\(name)", known)
                #expect(again.status == 304 && again.body.isEmpty)
            }
            let snapshot = try await server.request("GET", "/lists/%62oard/snapshot")
            #expect(try snapshot.version == server.cards.streams.hub.snapshot.version)
            let object = try JSONSerialization.jsonObject(with: Data(snapshot.body.utf8))
            let state = (object as? [String: Any])?["reset"] as? [String: Any]
            let sections = state?["sections"] as? [Any]
            #expect(sections?.count == 3 && snapshot.body.contains("Kill the server"))
            let health = try await server.request("GET", "/health")
            #expect(health.status == 200 && health.body.contains(#""name":"board","role":"only""#))
        }
    }

    /// The server rejects an invalid request with the right status, and changes nothing.
    @Test func badRequestsAreRejected() async throws {
        let long = String(repeating: "x", count: 20_000)
        let version = "version=00c0ffee00c0ffee.1"
        let requests: [(String, Int)] = [
            ("/nothing", 404), ("/lists/none/updates", 404), ("/lists/board", 404),
            ("/lists/none/snapshot", 404), ("/lists/%3Cscript%3E/updates", 404),
            ("/assets/none.js", 404), ("/assets/..%2FPackage.swift", 400),
            ("/lists/board/updates?row=1", 400), ("/lists/board/updates?rows=1", 400),
            ("/lists/board/updates?row=-1&rows=1", 400),
            ("/lists/board/updates?row=0&rows=0", 400),
            ("/lists/board/updates?row=0&rows=2001", 400),
            ("/lists/board/updates?row=9223372036854775808&rows=1", 400),
            ("/lists/board/updates?row=1&rows=1&anchor=1", 400),
            ("/lists/board/updates?anchor=1&version=x&before=0&after=0", 400),
            ("/lists/board/updates?anchor=1&before=0&after=0", 400),
            ("/lists/board/updates?anchor=1&\(version)&before=1001&after=1", 400),
            ("/lists/board/updates?anchor=1&\(version)&before=9223372036854775807&after=1", 400),
        ]
        let bodies = [
            "", "{", "[]", "null", "{}", #"{"edit":"explode"}"#,
            #"{"edit":"add","section":"todo"}"#,
            #"{"edit":"add","section":"todo","text":" "}"#, #"{"edit":"remove","id":null}"#,
            #"{"edit":"rename","id":7,"text":"x"}"#, "\u{0}",
            #"{"edit":"move","id":"c1","section":["x"]}"#,
            #"{"edit":"rename","id":"c1","text":"\#(long.prefix(501))"}"#,
            #"{"edit":"rename","id":"c1","text":"a\#(String(repeating: "\u{301}", count: 1000))"}"#,
        ]
        try await TestServer.run { server in
            for (target, status) in requests {
                let answer = try await server.request("GET", target)
                #expect(answer.status == status, "\(target)")
                #expect(!answer.body.contains("<script>"))
                if status == 400, target.contains("?") { #expect(answer.code == "badValue") }
            }
            for body in bodies {
                let answer = try await server.edit(body)
                #expect(answer.status == 400, "\(body): \(answer.body)")
            }
            let large = #"{"edit":"rename","id":"c1","text":"\#(long)"}"#
            #expect(try await server.edit(large).status == 413)
            let chunk = "\(String(long.utf8.count, radix: 16))\r\n\(long)\r\n0\r\n\r\n"
            let chunked = ["transfer-encoding: chunked", "connection: close", "host: localhost"]
                .joined(separator: "\r\n")
            let answer = try await server.exchange(
                "POST /lists/board/edits HTTP/1.1\r\n\(chunked)\r\n\r\n\(chunk)"
            )
            #expect(answer.status == 413)
            for target in ["/lists", "/lists/board/updates"] {
                #expect(try await server.request("GET", target, ["x: \(long)"]).status == 400)
            }
            let end = "connection: close\r\n\r\n"
            for hosts in ["", "host: localhost\r\nhost: localhost\r\n", "host:\r\n"] {
                let answer = try await server.exchange("GET /lists HTTP/1.1\r\n\(hosts)\(end)")
                #expect(answer.status == (hosts == "host:\r\n" ? 421 : 400), "\(hosts)")
            }
            for (length, status) in [
                ("16385", 413), ("9223372036854775807", 413), ("9223372036854775808", 413),
                ("18446744073709551616", 400), ("-1", 400), ("1, 2", 400),
            ] {
                let fields = ["content-length: \(length)"]
                let answer = try await server.request("POST", "/lists/board/edits", fields)
                #expect(answer.status == status, "\(length)")
            }
            for text in ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\r\n\r\n"] {
                #expect(try await server.exchange(text).status == 400)
            }
            let edit = #"{"edit":"remove","id":"1"}"#
            let other = try await server.request("POST", "/lists/processes/edits", body: edit)
            #expect(other.status == 403 && other.code == "notEditable")
            let window = #"{"row":0,"rows":5}"#
            for (target, body, status) in [
                ("board/window?connection=x", window, 404), ("board/window", window, 400),
                ("board/window?connection=x", #"{"row":0}"#, 400),
                ("board/window?connection=x", #"{"row":-1,"rows":5}"#, 400),
                ("board/window?connection=x", #"{"row":1e30,"rows":5}"#, 400),
                ("none/edits", edit, 404), ("none/window?connection=x", window, 404),
            ] {
                let answer = try await server.request("POST", "/lists/\(target)", body: body)
                #expect(answer.status == status, "\(target) \(body)")
            }
            #expect(try server.cards.streams.hub.snapshot.version.number == 1)
        }
    }

    /// A list that cannot be refreshed keeps its rows, and is healthy again when its folder is back.
    @Test func aVanishedFolderIsReported() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("vanishing-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func make(_ name: String) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: folder.appendingPathComponent(name))
        }
        try make("one")
        var options = TestServer.options
        (options.files, options.filesInterval) = (folder.path, .milliseconds(10))
        try await TestServer.run(options) { server in
            func rows() throws -> [String] {
                try server.board.list("files").streams.hub.snapshot.state.rows
            }
            #expect(try await server.request("GET", "/health").status == 200)
            try FileManager.default.removeItem(at: folder)
            var health = try await server.request("GET", "/health")
            while health.status == 200 { health = try await server.request("GET", "/health") }
            #expect(
                health.status == 503 && health.body.contains(#""isCurrent":false,"name":"files""#)
            )
            #expect(try rows().count == 1)
            try make("two")
            while try await server.request("GET", "/health").status != 200 {}
            #expect(try rows()[0].contains(">two<"))
        }
    }

    /// Only the server's page and programs may edit, and only local host names are served.
    @Test func crossSiteRequestsAreRejected() async throws {
        try await TestServer.run { server in
            let edit = #"{"edit":"rename","id":"c1","text":"x"}"#
            for (field, status) in [
                ("sec-fetch-site: cross-site", 403), ("sec-fetch-site: same-site", 403),
                ("origin: http://evil.example", 403), ("origin: null", 403),
                ("host: evil.example", 421), ("host: localhost.evil.example:80", 421),
                ("sec-fetch-site: same-origin", 200), ("sec-fetch-site: none", 200),
                ("origin: http://localhost", 200), ("host: 127.0.0.1:1", 200),
                ("host: [::1]:80", 200),
            ] {
                let answer = try await server.edit(edit, [field])
                #expect(answer.status == status, "\(field)")
            }
            #expect(try await server.request("GET", "/lists", ["host: evil.example"]).status == 421)
        }
        var options = TestServer.options
        options.host = "0.0.0.0"
        try await TestServer.run(options) { server in
            let answer = try await server.request("GET", "/lists", ["host: name.example"])
            #expect(answer.status == 200)
        }
    }

    @Test func editsCompleteWhenReadersCanSeeThem() async throws {
        try await TestServer.run { server in
            try await server.follow { follower in
                let added = try await server.edit(
                    #"{"edit":"add","section":"todo","text":"<b>&","before":"c2"}"#
                )
                let id = try #require(added.id)
                try await follower.read(to: added.version)
                #expect(follower.replica.state.rows[1].contains("data-id=\"\(id)\""))
                #expect(follower.replica.state.rows[1].contains("&lt;b&gt;&amp;"))
                for (edit, shape) in [
                    (#"{"edit":"move","id":"\#(id)","section":"done","before":null}"#, [3, 2, 2]),
                    (#"{"edit":"remove","id":"\#(id)"}"#, [3, 2, 1]),
                ] {
                    try await follower.read(to: try await server.edit(edit).version)
                    #expect(follower.replica.state.shape == HierarchyShape(shape))
                }
                // A text that changes its direction, or has many accents, stays in its element.
                for text in ["a\u{202e}b</span>", "e" + String(repeating: "\u{301}", count: 999)] {
                    let answer = try await server.rename(text)
                    try await follower.read(to: answer.version)
                    let row = "<span class=\"text\">\(text.escapedHTML)</span></div>"
                    #expect(follower.replica.state.rows[0].hasSuffix(row))
                }
                let gone = try await server.edit(#"{"edit":"remove","id":"\#(id)"}"#)
                #expect(gone.status == 409 && gone.code == "gone")
            }
            #expect(try server.cards.source?.controller.divergence == nil)
        }
    }

    /// The server responds to each of many concurrent edits, and the board has all accepted ones.
    @Test func concurrentEditsAreMadeOrRejected() async throws {
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
            // A card can be added before `c1` only in the column of `c1`.
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 409 })
            let added = statuses.count { $0 == 200 } - 30
            let state = try server.cards.streams.hub.snapshot.state
            #expect(added > 0 && state.numberOfItems == 6 + added)
        }
    }

    /// The span of an edit is a child of the request's span, and has the steps of the pipeline.
    @Test func spansReachFromTheRequestToTheDeployment() async throws {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        try await TestServer.run { server in
            let answer = try await server.rename("traced")
            #expect(answer.status == 200)
        }
        // Other tests edit too, and the span of a request may end a moment after its response.
        var found: (span: FinishedInMemorySpan, parent: FinishedInMemorySpan)?
        while found == nil {
            let spans = tracer.finishedSpans
            // Rejected edits have no deployment.
            for span in spans where span.events.contains(where: { $0.name == "deployed" }) {
                let parent = spans.first { $0.spanID == span.parentSpanID }
                if let parent { found = (span, parent) }
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        let (span, parent) = try #require(found)
        #expect(parent.kind == .server && parent.traceID == span.traceID)
        let steps = ["accepted", "measuringFinished", "deployed"]
        #expect(span.events.map(\.name).filter { steps.contains($0) } == steps)
    }
}
