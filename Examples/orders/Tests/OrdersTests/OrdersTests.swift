import Foundation
import Testing

/// The program, started and asked as a user would.
@Suite(.timeLimit(.minutes(2)))
struct OrdersTests {
    @Test func everyReaderSeesEveryChange() throws {
        let server = try Server()
        #expect(try server.ask("GET", "/").body.contains("<live-list src=\"/orders/events\">"))
        let script = try server.ask("GET", "/live-list.js")
        #expect(script.head.contains("text/javascript"))
        let tag = try #require(script.head.firstMatch(of: /etag: (.*)/.ignoresCase())?.1)
        #expect(
            try server.ask("GET", "/live-list.js", field: "If-None-Match: \(tag)").status == 304
        )

        let reader = try server.follow()
        let added = try server.ask("POST", "/orders", #"{"customer": "<b>", "totalCents": 1205}"#)
        #expect(added.status == 200 && added.body.contains(#""id":"1""#))
        try reader.receive("id: \(added.version)\n")
        try reader.receive("<h2>new (1)</h2>")
        try reader.receive("&lt;b&gt;: 12.05 ")
        let paid = try server.ask("PUT", "/orders/1/state", #"{"state": "paid"}"#)
        try reader.receive("id: \(paid.version)\n")
        let deleted = try server.ask("DELETE", "/orders/1")
        try reader.receive("id: \(deleted.version)\n")

        // A reader that was away receives what it missed, and no more.
        let late = try server.follow(from: paid.version)
        try late.receive("id: \(deleted.version)\ndata: {\"update\":{\"from\":\"\(paid.version)\"")
        #expect(try server.ask("GET", "/health").body == "ok")
    }

    @Test func badRequestsAreAnsweredAndChangeNothing() throws {
        let server = try Server()
        let added = try server.ask("POST", "/orders", #"{"customer": "Ada", "totalCents": 1}"#)
        let cases = [
            ("POST /orders", "", 400, "not valid"), ("POST /orders", "[", 400, "not valid"),
            ("POST /orders", #"{"totalCents": 1}"#, 400, "orders.customer"),
            ("POST /orders", #"{"customer": "Ada"}"#, 400, "orders.total_cents"),
            ("POST /orders", #"{"customer": " ", "totalCents": 1}"#, 400, "needs a name"),
            ("POST /orders", #"{"customer": "Ada", "totalCents": -1}"#, 400, "the total is from 0"),
            ("POST /orders", #"{"customer": "Ada", "totalCents": "1"}"#, 400, "totalCents"),
            ("PUT /orders/1/state", #"{"state": "lost"}"#, 400, "new, paid or shipped"),
            ("PUT /orders/1/state", "{}", 400, "orders.state"),
            ("PUT /orders/2/state", #"{"state": "paid"}"#, 404, "no such order"),
            ("PUT /orders/one/state", #"{"state": "paid"}"#, 404, "no such order"),
            ("DELETE /orders/2", "", 404, "no such order"),
            ("DELETE /orders/1%20OR%201=1", "", 404, "no such order"),
            ("GET /orders/1", "", 404, ""),
        ]
        for (line, body, status, sentence) in cases {
            let words = line.split(separator: " ").map(String.init)
            let answer = try server.ask(words[0], words[1], body)
            #expect(answer.status == status, "\(line) \(body)")
            let isSaid = sentence.isEmpty || answer.body.contains(sentence)
            #expect(isSaid, "\(line) \(body): \(answer.body)")
        }
        // A write may be announced a moment after its answer.
        try server.follow().receive("id: \(added.version)\n")
    }

    @Test func twoProcessesShareAFile() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: file) }
        let servers = try (0..<2).map { _ in try Server("--database", file.path) }
        let readers = try servers.map { try $0.follow() }
        for (number, server) in servers.enumerated() {
            let body = #"{"customer": "Customer \#(number)", "totalCents": 1}"#
            #expect(try server.ask("POST", "/orders", body).status == 200)
            for reader in readers { try reader.receive("Customer \(number)") }
        }
        // A file that cannot be read any longer: the list stays, and the program says so.
        try Data(repeating: 0xff, count: 64).write(to: file)
        for _ in 0..<600 where try servers[0].ask("GET", "/health").status == 200 { usleep(50_000) }
        #expect(try servers[0].ask("GET", "/health").status == 503)
        try servers[0].follow().receive("Customer 1")
    }

    @Test(arguments: [
        (["--port", "70000"], "--port"), (["--port"], "--port"), (["--unknown"], "--unknown"),
        (["file"], "file"), (["--database", "/nowhere/at/all"], "unable to open"),
    ])
    func badArgumentsAreExplained(arguments: [String], word: String) throws {
        let (process, output) = try start(arguments)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains(word), "\(text)")
    }

    @Test func helpIsNoFailure() throws {
        let (process, output) = try start(["--help"])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(
            String(decoding: output.readDataToEndOfFile(), as: UTF8.self).contains("--database")
        )
    }

    /// The server waits for streams, so they must end first.
    @Test func aHundredStreamsDoNotDelayTheEnd() throws {
        let server = try Server()
        let readers = try (0..<100).map { _ in try server.follow() }
        for reader in readers { try reader.receive(#""reset""#) }
        kill(server.process.processIdentifier, SIGTERM)
        // A server that takes longer is killed, which is no exit.
        let number = server.process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { kill(number, SIGKILL) }
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
        for reader in readers { try reader.receive(#"data: {"closed""#) }
    }
}
