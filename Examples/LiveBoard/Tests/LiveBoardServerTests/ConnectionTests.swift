import CollectionPublishing
import Foundation
import Logging
import NIOCore
import Synchronization
import Testing

@testable import LiveBoardServer

/// The limits of connections, responses to `HEAD`, and logs.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
    // MARK: Progress

    private static let timeouts = ConnectionTimeouts(
        idle: .seconds(10),
        write: .seconds(100),
        shutdown: .seconds(1)
    )

    /// Each case has events at the seconds 1, 2, 3 and so on, and the second of the deadline.
    @Test(
        arguments: [
            ([], 10),
            // An incomplete request, and a request that the server works on.
            ([.requestBegan], 11), ([.requestBegan, .requestEnded], nil),
            // Responses that the kernel does not accept, accepts in part, and accepts.
            ([.requestBegan, .requestEnded, .writeBegan], 103),
            ([.requestBegan, .requestEnded, .writeBegan, .writeBegan], 103),
            ([.requestBegan, .requestEnded, .writeBegan, .writeBegan, .writeEnded], 105),
            ([.requestBegan, .requestEnded, .writeBegan, .writeEnded], nil),
            ([.requestBegan, .requestEnded, .writeBegan, .answerEnded], 103),
            ([.requestBegan, .requestEnded, .writeBegan, .answerEnded, .writeEnded], 15),
            // Requests are not progress while the client reads nothing.
            ([.requestBegan, .requestEnded, .writeBegan, .requestBegan, .requestEnded], 103),
            // A response that ends before its request, and a response to no request.
            ([.requestBegan, .writeBegan, .answerEnded, .writeEnded], 14),
            ([.writeBegan, .answerEnded, .writeEnded, .requestBegan, .requestEnded], nil),
            // A pipelined request.
            ([.requestBegan, .requestEnded, .requestBegan, .requestEnded, .answerEnded], nil),
        ] as [([ConnectionProgress.Event], Int?)]
    )
    func theDeadlineDependsOnTheActivity(events: [ConnectionProgress.Event], seconds: Int?) {
        let start = NIODeadline.uptimeNanoseconds(0)
        var progress = ConnectionProgress(Self.timeouts, at: start)
        for (index, event) in events.enumerated() {
            progress.note(event, at: start + .seconds(Int64(index + 1)))
        }
        #expect(progress.deadline == seconds.map { start + .seconds(Int64($0)) })
    }

    /// A slow reader that makes progress receives everything, however long it takes.
    @Test(arguments: ["snapshot", "updates"])
    func aSlowReaderReceivesALargeList(target: String) async throws {
        var options = TestServer.options
        // Much shorter than the whole transfer, and much longer than one piece of it.
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

    /// The next response follows the head, which is the same as that of a `GET` response.
    @Test func headResponsesHaveNoBody() async throws {
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

    @Test func aRepeatedFaultIsLoggedOncePerInterval() {
        var throttle = LogThrottle(interval: .seconds(60))
        let start = ContinuousClock.now
        let admitted = [0, 1, 59, 60, 61, 200, 259, 260].map {
            throttle.admit(at: start + .seconds($0))
        }
        #expect(admitted == [0, nil, nil, 2, nil, 1, nil, 1])
    }

    /// Clients that disconnect during a request are not logged.
    @Test func abortedUploadsAreNotLogged() async throws {
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

/// The program as a process.
@Suite(.timeLimit(.minutes(2)))
struct ProgramTests {
    /// Starts the program, and kills it after 30 seconds if it hangs.
    private func start(
        _ arguments: [String],
        descriptors: Int = 1000
    ) throws -> (Process, output: Pipe, errors: Pipe) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("LiveBoard").path
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let command = "ulimit -n \(descriptors); exec \"$0\" \"$@\""
        process.arguments = ["-c", command, program] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let number = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 30) {
            if process.isRunning { kill(number, SIGKILL) }
        }
        return (process, output, errors)
    }

    @Test func theProgramPrintsItsAddressAndEndsOnASignal() throws {
        let (process, output, _) = try start(["--port", "0"])
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(
            line.wholeMatch(of: /LiveBoard is at http:\/\/127\.0\.0\.1:\d+\/\n/) != nil,
            "\(line)"
        )
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }

    /// Connections never use the descriptors that the lists need.
    @Test func aProcessWithFewDescriptorsKeepsServing() async throws {
        let (process, output, _) = try start(["--port", "0"], descriptors: 200)
        defer { kill(process.processIdentifier, SIGKILL) }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(line.firstMatch(of: /:(\d+)\//).flatMap { UInt16($0.1) })
        let silent = (0..<300).map { _ in connection(to: port) }
        let folder = "/proc/\(process.processIdentifier)/fd"
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder).count
        }
        while try descriptors() < 100 { try await Task.sleep(for: .milliseconds(10)) }
        // Meanwhile the program samples the processes, with descriptors to spare.
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(100))
            #expect(try process.isRunning && descriptors() < 180)
        }
        for socket in silent { close(socket) }
        let client = connection(to: port)
        defer { close(client) }
        let request = Array("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
        var answer = [UInt8](repeating: 0, count: 15)
        #expect(write(client, request, request.count) == request.count)
        #expect(recv(client, &answer, answer.count, Int32(MSG_WAITALL)) == answer.count)
        #expect(answer == Array("HTTP/1.1 200 OK".utf8))
    }

    private func connection(to port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return connection
    }

    @Test(arguments: [
        ("--port x", 2), ("--port 70000", 2), ("--unknown", 2), ("--interval 0", 2),
        ("--files /nowhere/at/all --port 0", 2), ("--host 256.0.0.1 --port 0", 1),
        ("--follow nats://127.0.0.1:4222 --lead nats://127.0.0.1:4222", 2),
        ("--follow nats://127.0.0.1:4222 --files .", 2), ("--follow nowhere", 2),
        ("--journal .", 2), ("--advertise http://127.0.0.1:80", 2), ("--follow-files", 2),
        ("--lead nats://127.0.0.1:4222 --lease 0", 2),
        ("--lead nats://127.0.0.1:4222 --host 0.0.0.0", 2),
        ("--lead nats://127.0.0.1:4222 --advertise 127.0.0.1:80", 2),
        ("--lead nats://127.0.0.1:4222 --journal /nowhere/at/all", 2),
    ])
    func badUsagePrintsOneLine(arguments: String, status: Int) throws {
        let (process, _, errors) = try start(arguments.split(separator: " ").map(String.init))
        let bytes = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("LiveBoard: ") } == 1, "\(text)")
    }
}
