import Foundation
import Testing

/// Runs the program and sends requests as a user would.
@Suite(.timeLimit(.minutes(2)))
struct OrdersTests {
    @Test func everyReaderSeesEveryChange() throws {
        let server = try Server()
        #expect(try server.request("GET", "/").body.contains("<live-list src=\"/orders/events\">"))
        let script = try server.request("GET", "/live-list.js")
        #expect(script.head.contains("text/javascript"))
        let tag = try #require(script.head.firstMatch(of: /etag: (.*)/.ignoresCase())?.1)
        #expect(
            try server.request("GET", "/live-list.js", field: "If-None-Match: \(tag)").status == 304
        )

        let reader = try server.follow()
        let added = try server.request(
            "POST",
            "/orders",
            #"{"customer": "<b>", "totalCents": 1205}"#
        )
        #expect(added.status == 200 && added.body.contains(#""id":"1""#))
        try reader.receive("id: \(added.version)\n")
        try reader.receive("<h2>new (1)</h2>")
        try reader.receive("&lt;b&gt;: 12.05 ")
        let paid = try server.request("PUT", "/orders/1/state", #"{"state": "paid"}"#)
        try reader.receive("id: \(paid.version)\n")
        let deleted = try server.request("DELETE", "/orders/1")
        try reader.receive("id: \(deleted.version)\n")

        // A reader that reconnects receives only the updates that it missed.
        let late = try server.follow(from: paid.version)
        try late.receive("id: \(deleted.version)\ndata: {\"update\":{\"from\":\"\(paid.version)\"")
        #expect(try server.request("GET", "/health").body == "ok")
    }

    @Test func everySearchHasItsOwnList() throws {
        let server = try Server()
        for (customer, cents) in [("Ada B.", 100), ("Grace", 900), ("Adam", 300)] {
            let body = #"{"customer": "\#(customer)", "totalCents": \#(cents)}"#
            #expect(try server.request("POST", "/orders", body).status == 200)
        }
        let reader = try server.follow("?search=AD")
        let precise = try server.follow("?search=ada%20b")
        // Row 0 is the title, and orders with larger totals come first.
        let window = try server.follow("?search=ad&first=1&rows=1")
        try reader.receive("<h2>new (2)</h2>")
        try reader.receive("Adam: 3.00 ")
        try reader.receive("Ada B.: 1.00 ")
        let places = ["Adam", "Ada B."].map { reader.text.range(of: $0)!.lowerBound }
        #expect(places[0] < places[1])
        try precise.receive("<h2>new (1)</h2>")
        try window.receive("Adam: 3.00 ")
        for id in [2, 1] {
            let path = "/orders/\(id)/state"
            #expect(try server.request("PUT", path, #"{"state": "paid"}"#).status == 200)
        }
        for reader in [reader, precise] {
            try reader.receive("<h2>paid (1)</h2>")
            #expect(!reader.text.contains("Grace"))
        }
        #expect(!window.text.contains("Ada B."))
        #expect(try server.request("GET", "/orders/events?rows=many").status == 400)
    }

    @Test func searchesAreLimitedAndEndWithTheirReaders() throws {
        let server = try Server()
        var readers = try (0..<100).map { try server.follow("?search=\($0)") }
        for reader in readers { try reader.receive(#""reset""#) }
        #expect(try server.request("GET", "/orders/events?search=100").status == 503)
        // Readers of one search share its list.
        try server.follow("?search=99").receive(#""reset""#)
        try server.follow().receive(#""reset""#)
        readers = []
        var isAccepted = false
        for _ in 0..<300 where !isAccepted {
            usleep(100_000)
            let reader = try server.follow("?search=100")
            while !reader.text.contains("\r\n\r\n") { try #require(reader.receivesMore()) }
            isAccepted = reader.text.contains("200 OK")
        }
        #expect(isAccepted)
    }

    @Test func badRequestsReceiveAnErrorAndChangeNothing() throws {
        let server = try Server()
        let added = try server.request("POST", "/orders", #"{"customer": "Ada", "totalCents": 1}"#)
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
            let response = try server.request(words[0], words[1], body)
            #expect(response.status == status, "\(line) \(body)")
            let isExplained = sentence.isEmpty || response.body.contains(sentence)
            #expect(isExplained, "\(line) \(body): \(response.body)")
        }
        // Readers may receive an update a moment after the response to the write.
        try server.follow().receive("id: \(added.version)\n")
    }

    @Test func twoProcessesShareAFile() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: file) }
        let servers = try (0..<2).map { _ in try Server("--database", file.path) }
        let readers = try servers.map { try $0.follow() }
        for (number, server) in servers.enumerated() {
            let body = #"{"customer": "Customer \#(number)", "totalCents": 1}"#
            #expect(try server.request("POST", "/orders", body).status == 200)
            for reader in readers { try reader.receive("Customer \(number)") }
        }
        // If the file is no longer readable, the list stays and `/health` reports the error.
        try Data(repeating: 0xff, count: 64).write(to: file)
        for _ in 0..<600 where try servers[0].request("GET", "/health").status == 200 {
            usleep(50_000)
        }
        #expect(try servers[0].request("GET", "/health").status == 503)
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

    @Test func helpSucceeds() throws {
        let (process, output) = try start(["--help"])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(
            String(decoding: output.readDataToEndOfFile(), as: UTF8.self).contains("--database")
        )
    }

    /// The server waits for streams, so they must end before it shuts down.
    @Test func openStreamsDoNotDelayTheShutdown() throws {
        let server = try Server()
        let readers = try (0..<100).map { _ in try server.follow() }
        for reader in readers { try reader.receive(#""reset""#) }
        kill(server.process.processIdentifier, SIGTERM)
        // A server that takes longer is killed, so its termination reason is not `exit`.
        let number = server.process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { kill(number, SIGKILL) }
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
        for reader in readers { try reader.receive(#"data: {"closed""#) }
    }
}
