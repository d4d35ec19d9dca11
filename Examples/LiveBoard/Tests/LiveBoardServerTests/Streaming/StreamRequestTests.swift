import CollectionPublishing
import Testing

@testable import LiveBoardServer

struct StreamRequestTests {
    private func read(
        _ target: String,
        lastEventID: String? = nil,
        acceptEncoding: String? = nil
    ) throws -> StreamRequest? {
        try StreamRequest(
            target: RequestTarget(target),
            lastEventID: lastEventID,
            acceptEncoding: acceptEncoding
        )
    }

    @Test func everythingThatMayBeAskedIsRead() throws {
        let version = PublishedVersion("00c0ffee00c0ffee.12")
        let plain = try #require(try read("/lists/board/updates"))
        #expect(plain.list == "board" && plain.query == nil && plain.window == nil)
        #expect(plain.from == nil && !plain.isCompressed)
        let full = try #require(
            try read(
                "/lists/a%2Fb/updates?query=A+%C3%A9&row=3&rows=9&from=00c0ffee00c0ffee.12",
                acceptEncoding: "br, gzip;q=0.5"
            )
        )
        #expect(full.list == "a/b" && full.query == SearchQuery("a é") && full.isCompressed)
        #expect(full.window == .rows(start: 3, count: 9) && full.from == version)
        let anchored = try read(
            "/lists/a/updates?anchor=5&version=00c0ffee00c0ffee.12&before=1&after=2"
        )
        #expect(
            anchored?.window
                == .anchored(row: 5, version: try #require(version), before: 1, after: 2)
        )
        #expect(try read("/lists/a/other") == nil && read("/") == nil)
    }

    /// Who says that it has something else than a version has nothing.
    @Test(arguments: [
        "", "x", "1.2.3", "00c0ffee00c0ffee.-1", "00c0ffee00c0ffee.01", "00c0ffee00c0ffee",
        "zzzzzzzzzzzzzzzz.1", "00c0ffee00c0ffee.99999999999999999999",
    ])
    func whatIsNoVersionIsNone(text: String) throws {
        let request = try #require(try read("/lists/board/updates", lastEventID: text))
        #expect(request.from == nil)
    }

    @Test(arguments: [
        "?row=1", "?rows=1", "?row=-1&rows=1", "?row=0&rows=0", "?row=0&rows=10001",
        "?row=9223372036854775808&rows=1", "?row=1.5&rows=1", "?row=1&rows=1&anchor=1",
        "?anchor=1&version=x&before=0&after=0", "?anchor=1&before=0&after=0",
        "?anchor=1&version=00c0ffee00c0ffee.1&before=9999&after=9999",
        "?anchor=1&version=00c0ffee00c0ffee.1&before=9223372036854775807&after=1",
        "?unknown=1", "?query=%", "?query=%f", "?query=%ff", "?query=a&query=b",
        "?row=1&row=2&rows=1",
    ])
    func whatCannotBeIsRefused(query: String) {
        #expect(throws: RequestFault.self) { try read("/lists/board/updates\(query)") }
    }

    @Test func aLongQueryIsRefused() {
        let text = String(repeating: "x", count: 101)
        #expect(throws: RequestFault.self) { try read("/lists/board/updates?query=\(text)") }
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("br,gzip", true), ("gzip;q=0", false), ("", false),
        ("gzip; q=0.0", false), ("gzip;q=x", false), ("x-gzip", false), ("identity", false),
        ("deflate, gzip ; q=1", true),
    ])
    func codingsAreRead(text: String, isAccepted: Bool) {
        #expect(StreamRequest.accepts(gzipIn: text) == isAccepted)
    }

    @Test func connectionsHaveNames() {
        for _ in 0..<100 {
            let id = ConnectionID.random()
            #expect(ConnectionID("\(id)") == id && "\(id)".utf8.count == 32)
        }
        for text in [
            "", "x", String(repeating: "+1", count: 16), String(repeating: "g", count: 32),
        ] {
            #expect(ConnectionID(text) == nil)
        }
    }
}
