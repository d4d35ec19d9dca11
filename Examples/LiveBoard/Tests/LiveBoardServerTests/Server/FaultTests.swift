import Foundation
import NIOCore
import Testing

@testable import LiveBoardServer

/// What comes from those who do not do as they should.
@Suite(.timeLimit(.minutes(3)))
struct FaultTests {
    @Test(arguments: [
        "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET /lists HTTP/1.1\r\nbad header\r\n\r\n",
    ])
    func whatIsNoHTTPIsRefused(text: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.exchange(text)
            #expect(answer.status == 400 && answer.code == "unreadable")
        }
    }

    @Test func largeHeadersAreRefused() async throws {
        try await TestServer.run { server in
            let field = "x: " + String(repeating: "y", count: 20_000)
            for target in ["/lists", "/lists/board/updates"] {
                let answer = try await server.request("GET", target, [field])
                #expect(answer.status == 431 && answer.code == "headersTooLarge")
            }
            let many = (0..<200).map { "x-\($0): y" }
            #expect(try await server.request("GET", "/lists", many).status == 431)
        }
    }

    @Test func largeBodiesAreRefused() async throws {
        try await TestServer.run { server in
            let text = String(repeating: "x", count: Requests.longestBody)
            let answer = try await server.edit(#"{"edit":"rename","id":"c1","text":"\#(text)"}"#)
            #expect(answer.status == 413 && answer.code == "tooLarge")
            // Also where it does not say how long it is.
            let chunk = "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
            let chunked = try await server.exchange(
                "POST /lists/board/edits HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
                    + "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
                    + "\(chunk)\(chunk)0\r\n\r\n"
            )
            #expect(chunked.status == 413)
        }
    }

    @Test func anOldProtocolHasNoStreams() async throws {
        try await TestServer.run { server in
            let answer = try await server.exchange(
                "GET /lists/board/updates HTTP/1.0\r\nhost: localhost\r\n\r\n"
            )
            #expect(answer.status == 505)
        }
    }

    @Test(arguments: [
        "", "GET /li", "GET /lists HTTP/1.1\r\nhost: localhost\r\n",
        "POST /lists/board/edits HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            + "content-length: 100\r\n\r\n{",
    ])
    func whoNeverFinishesARequestIsClosed(text: String) async throws {
        var options = TestServer.options
        options.requestTimeout = .milliseconds(100)
        try await TestServer.run(options) { server in
            try await server.withConnection { inbound, outbound in
                // Where the machine is slow, it is closed before; whichever way, it ends.
                try? await outbound.write(ByteBuffer(string: text))
                while let _ = try? await inbound.first(where: { _ in true }) {}
            }
            while server.board.limits.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func whoNeverReadsIsClosed() async throws {
        var options = TestServer.options
        options.churn = 0
        options.writeTimeout = .milliseconds(200)
        try await TestServer.run(options) { server in
            try await server.withConnection(receiveBuffer: 4096) { inbound, outbound in
                try await outbound.write(
                    ByteBuffer(
                        string: "GET /lists/churn/updates HTTP/1.1\r\nhost: localhost\r\n\r\n"
                    )
                )
                while server.board.connections.count == 0 {
                    try await Task.sleep(for: .milliseconds(1))
                }
                while server.board.connections.count > 0 {
                    try await Task.sleep(for: .milliseconds(5))
                }
                withExtendedLifetime(inbound) {}
            }
        }
    }

    @Test func soManyConnectionsComeFromOneAddress() async throws {
        var options = TestServer.options
        options.connectionsPerAddress = 2
        try await TestServer.run(options) { server in
            try await server.follow("/lists/board/updates") { first in
                try await first.read(to: 1)
                try await server.follow("/lists/board/updates") { second in
                    try await second.read(to: 1)
                    let answer = try await server.exchange("")
                    #expect(answer.status == 429 && answer.code == "tooManyFromAddress")
                }
            }
            // They may come again when others have gone.
            while server.board.limits.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await server.request("GET", "/lists").status == 200)
        }
    }

    @Test func soManyConnectionsThereAreInAll() async throws {
        var options = TestServer.options
        options.connections = 1
        try await TestServer.run(options) { server in
            try await server.follow("/lists/board/updates") { first in
                try await first.read(to: 1)
                let answer = try await server.exchange("")
                #expect(answer.status == 503 && answer.code == "tooManyConnections")
            }
        }
    }

    /// What a reader says is of no interest, and does not break what it reads.
    @Test func whoTalksWhileItReadsIsNotHeard() async throws {
        try await TestServer.run { server in
            try await server.withConnection { inbound, outbound in
                let request = "GET /lists/board/updates HTTP/1.1\r\nhost: localhost\r\n\r\n"
                try await outbound.write(
                    ByteBuffer(string: request + "GET /lists HTTP/1.1\r\n\r\n")
                )
                var follower = Follower(inbound)
                try await follower.read(to: 1)
                try await outbound.write(ByteBuffer(string: request))
                _ = try await server.edit(#"{"edit":"rename","id":"c1","text":"x"}"#)
                try await follower.read(to: 2)
            }
        }
    }

    @Test func countsOfConnectionsReturnToNone() {
        let limits = ConnectionLimits(all: 3, perAddress: 2)
        #expect(limits.admit("a") == nil && limits.admit("a") == nil)
        #expect(limits.admit("a")?.status == 429)
        #expect(limits.admit("b") == nil && limits.admit("c")?.status == 503)
        for address in ["a", "b", "a"] { limits.release(address) }
        #expect(limits.count == 0 && limits.admit("a") == nil)
    }
}
