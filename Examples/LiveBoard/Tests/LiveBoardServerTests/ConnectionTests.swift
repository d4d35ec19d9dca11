import CollectionPublishing
import Foundation
import Logging
import NIOCore
import Synchronization
import Testing

@testable import LiveBoardServer

/// The bounds of connections, and the text that travels over them.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
    // MARK: Progress

    private static let timeouts = ConnectionTimeouts(
        idle: .seconds(10),
        write: .seconds(100),
        shutdown: .seconds(1)
    )

    /// The seconds after which a connection is closed, for events at the seconds 1, 2, 3 and so on.
    @Test(
        arguments: [
            ([], 10),
            // A request that does not arrive, whose body takes too long, and that the server works on.
            ([.requestBegan], 11), ([.requestBegan, .requestEnded], nil),
            // An answer that is not accepted, one that is accepted in part, and one that is accepted.
            ([.requestBegan, .requestEnded, .writeBegan], 103),
            ([.requestBegan, .requestEnded, .writeBegan, .writeBegan], 103),
            ([.requestBegan, .requestEnded, .writeBegan, .writeBegan, .writeEnded], 105),
            ([.requestBegan, .requestEnded, .writeBegan, .writeEnded], nil),
            ([.requestBegan, .requestEnded, .writeBegan, .answerEnded], 103),
            ([.requestBegan, .requestEnded, .writeBegan, .answerEnded, .writeEnded], 15),
            // Requests that come while nothing is read are no progress.
            ([.requestBegan, .requestEnded, .writeBegan, .requestBegan, .requestEnded], 103),
            // An answer that ends before its request, and an answer to no request.
            ([.requestBegan, .writeBegan, .answerEnded, .writeEnded], 14),
            ([.writeBegan, .answerEnded, .writeEnded, .requestBegan, .requestEnded], nil),
            // The next request of a pipeline.
            ([.requestBegan, .requestEnded, .requestBegan, .requestEnded, .answerEnded], nil),
        ] as [([ConnectionProgress.Event], Int?)]
    )
    func aConnectionHasTimeForWhatItDoes(events: [ConnectionProgress.Event], seconds: Int?) {
        let start = NIODeadline.uptimeNanoseconds(0)
        var progress = ConnectionProgress(Self.timeouts, at: start)
        for (index, event) in events.enumerated() {
            progress.note(event, at: start + .seconds(Int64(index + 1)))
        }
        #expect(progress.deadline == seconds.map { start + .seconds(Int64($0)) })
    }

    /// A slow reader that makes progress receives everything, however long that takes.
    @Test(arguments: ["snapshot", "updates"])
    func aSlowReaderReceivesALargeList(target: String) async throws {
        var options = TestServer.options
        // Much less than the whole takes, and much more than one piece takes.
        options.idleTimeout = .seconds(2)
        options.writeTimeout = .seconds(10)
        try await TestServer.run(options) { server in
            try await server.fill(cards: 3000)
            try await server.withConnection(receiveBuffer: 4096) { inbound, outbound in
                let head = "GET /lists/board/\(target) HTTP/1.1\r\nhost: localhost\r\n\r\n"
                try await outbound.write(ByteBuffer(string: head))
                var (tail, count, next) = ([UInt8](), 0, 0)
                for try await buffer in inbound {
                    tail = tail.suffix(100) + buffer.readableBytesView
                    count += buffer.readableBytes
                    if String(decoding: tail, as: UTF8.self).contains("card number 2999.") {
                        return
                    }
                    if count > next {
                        next += 100_000
                        try await Task.sleep(for: .milliseconds(200))
                    }
                }
                Issue.record("the connection was closed after \(count) bytes")
            }
        }
    }

    // MARK: HEAD

    /// `HEAD` is answered as `GET` is, without a body, and the next answer begins behind its head.
    @Test func headIsAnsweredWithoutABody() async throws {
        try await TestServer.run { server in
            for target in [
                "/lists", "/", "/assets/replica.js", "/lists/board/snapshot", "/health",
                "/lists/board/updates", "/lists/none/updates", "/nothing", "/lists/board/edits",
                "/lists/board/updates?row=1",
            ] {
                let fields = "\(target) HTTP/1.1\r\nhost: localhost\r\n"
                let requests =
                    "HEAD \(fields)\r\nGET /lists HTTP/1.1\r\nhost: localhost\r\n"
                    + "connection: close\r\n\r\n"
                let text = try await server.text(requests)
                let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
                #expect(parts.count == 2 && parts[1].hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text)")
                if target == "/lists/board/updates" { continue }
                let get = try await server.text("GET \(fields)connection: close\r\n\r\n")
                func head(_ text: some StringProtocol) -> [Substring] {
                    Substring(text).split(separator: "\r\n\r\n")[0].split(separator: "\r\n")
                        .filter { !$0.lowercased().hasPrefix("date:") }
                }
                #expect(head(parts[0]) == head(get), "\(target)")
            }
        }
    }

    // MARK: Logs

    @Test func aFaultThatRepeatsIsLoggedOnceAnInterval() {
        var throttle = LogThrottle(interval: .seconds(60))
        let start = ContinuousClock.now
        let admitted = [0, 1, 59, 60, 61, 200, 259, 260].map {
            throttle.admit(at: start + .seconds($0))
        }
        #expect(admitted == [0, nil, nil, 2, nil, 1, nil, 1])
    }

    /// Clients that go away in the middle of a request are not logged.
    @Test func uploadsThatAreResetAreNotLogged() async throws {
        let lines = LineLog()
        try await TestServer.run(log: lines) { server in
            for _ in 0..<20 {
                try await server.withConnection { inbound, outbound in
                    let head = "POST /lists/board/edits HTTP/1.1\r\nhost: localhost\r\n"
                    try await outbound.write(
                        ByteBuffer(string: "\(head)content-length: 100\r\n\r\n{")
                    )
                    withExtendedLifetime(inbound) {}
                }
            }
            #expect(try await server.rename("after").status == 200)
        }
        #expect(lines.levels.withLock { $0 }.allSatisfy { $0 < .warning })
    }
}
