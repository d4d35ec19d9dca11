import Foundation
import FoundationNetworking
import InMemoryLogging
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import LiveBoardServer

/// The limits of connections, responses to `HEAD`, and logs.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
    // MARK: Progress

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
        var options = ServerOptions()
        (options.idleTimeout, options.writeTimeout) = (.seconds(10), .seconds(100))
        var progress = ConnectionProgress(options, at: start)
        for (index, event) in events.enumerated() {
            progress.note(event, at: start + .seconds(Int64(index + 1)))
        }
        #expect(progress.deadline == seconds.map { start + .seconds(Int64($0)) })
    }

    /// A slow reader that makes progress receives everything, however long it takes.
    @Test(arguments: largeAnswers) func aSlowReaderReceivesALargeList(request: String) async throws
    {
        var options = TestServer.options
        // Much shorter than the whole transfer, and much longer than one piece of it.
        options.idleTimeout = .seconds(2)
        options.writeTimeout = .seconds(10)
        try await TestServer.run(options) { server in
            try await server.fill(cards: 3000)
            var next = 0
            try await server.readCards(request, receiveBuffer: 4096) { count in
                guard count > next else { return }
                next += 100_000
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    // MARK: Large answers

    @Test(arguments: 1...3) func theLimitOfRenderedPartsIsKept(limit: Int) async {
        let rendering = RenderingLimit(limit)
        let (rendered, total, atLimit) = (Counter(), Counter(), Counter())
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    for _ in 0..<5 {
                        await rendering.turn {
                            let current = rendered.add(1)
                            #expect(current <= limit)
                            if current == limit { atLimit.add(1) }
                            for _ in 0..<3 { await Task.yield() }
                            rendered.add(-1)
                            total.add(1)
                        }
                    }
                }
            }
        }
        #expect(total.value == 100 && atLimit.value > 0)
    }

    /// Edits, and readers that read, do not wait for readers that stopped or that read fast.
    @Test func anEditPassesLargeAnswers() async throws {
        var options = TestServer.options
        options.renderingLimit = 1
        try await TestServer.run(options) { server in
            try await server.fill(cards: 3000)
            let stopped = try (0..<6).map { number in
                try RawConnection(to: server.port, largeAnswers[number % 2])
            }
            while try server.cards.streams.count < 3 { try await Task.sleep(for: .milliseconds(1)) }
            let (begun, ended) = (Counter(), Counter())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        var isFirst = true
                        try await server.readCards(largeAnswers[number % 2]) { _ in
                            if isFirst { begun.add(1) }
                            isFirst = false
                        }
                        ended.add(1)
                    }
                }
                while begun.value < 8 { await Task.yield() }
                let answer = try await server.add("passes")
                #expect(answer.status == 200 && ended.value == 0)
                try await group.waitForAll()
            }
            for connection in stopped { connection.close() }
        }
    }

    /// The connections that have made no progress for the longest time are closed first.
    @Test func unsentBytesAreCountedAndLimited() throws {
        let lines = InMemoryLogHandler()
        let unsent = UnsentBytes(limit: 100, logger: Logger(label: "test") { _ in lines })
        let channels = try (0..<3).map { _ in
            let handler = ConnectionDeadlines(ServerOptions(), unsent: unsent)
            let channel = EmbeddedChannel(handler: handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }
        // Each step has the bytes, the channel, and the total and the aborted channels after it.
        for (second, (bytes, channel, total, ends)) in [
            (60, 0, 60, [false, false, false]), (30, 1, 90, [false, false, false]),
            (0, 0, 90, [false, false, false]), (-10, 0, 80, [false, false, false]),
            // The second channel made its last progress earlier than the first.
            (40, 2, 90, [false, true, false]), (-30, 1, 90, [false, true, false]),
            (20, 2, 60, [true, true, false]), (-50, 0, 60, [true, true, false]),
            (-60, 2, 0, [true, true, false]), (101, 2, 0, [true, true, true]),
        ].enumerated() {
            let now = NIODeadline.uptimeNanoseconds(0) + .seconds(Int64(second))
            unsent.add(bytes, of: channels[channel], at: now)
            #expect(
                unsent.total == total && channels.map { !$0.isActive } == ends,
                "step \(second)"
            )
        }
        #expect(lines.entries.map(\.level) == [.warning])
    }

    @Test func readersThatStopAreDisconnectedAtTheLimit() async throws {
        var options = TestServer.options
        options.unsentByteLimit = 1 << 20
        try await TestServer.run(options) { server in
            try await server.fill(cards: 3000)
            let stopped = try (0..<40).map { number in
                try RawConnection(to: server.port, largeAnswers[number % 2])
            }
            var (highest, mostStreams) = (0, 0)
            while highest < 900_000 || mostStreams < 16 {
                highest = max(highest, server.board.unsent.total)
                mostStreams = try max(mostStreams, server.cards.streams.count)
                try await Task.sleep(for: .milliseconds(1))
            }
            // Others are served, and the server forgets the readers that it disconnected.
            #expect(try await server.request("GET", "/lists/board/snapshot").body.count > 1_000_000)
            #expect(try await server.add("passes").status == 200)
            while try server.cards.streams.count > 16 {
                #expect(server.board.unsent.total <= options.unsentByteLimit)
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(server.board.unsent.total <= options.unsentByteLimit)
            for connection in stopped { connection.close() }
            while server.board.unsent.total > 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    // MARK: HEAD

    /// The next response follows the head, which is the same as that of a `GET` response.
    @Test func headResponsesHaveNoBody() async throws {
        var options = TestServer.options
        // The response of `/health` contains the versions.
        options.interval = .seconds(3600)
        try await TestServer.run(options) { server in
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
        let (lines, start) = (InMemoryLogHandler(), ContinuousClock.now)
        let log = FaultLog(Logger(label: "test") { _ in lines }, interval: .seconds(60))
        for second in [0, 1, 59, 60, 61, 200, 259, 260] {
            log.log(.error, at: start + .seconds(second), "\(second)")
        }
        let omitted =
            ["", " (and 2 more since the last such line)"]
            + Array(repeating: " (and 1 more since the last such line)", count: 2)
        let expected = zip([0, 60, 200, 260], omitted).map { "\($0)\($1)" }
        #expect(lines.entries.map(\.message.description) == expected)
    }

    /// Clients that end or reset their connection during a request are not logged.
    @Test func abortedRequestsAreNotLogged() async throws {
        let lines = InMemoryLogHandler()
        try await TestServer.run(log: lines) { server in
            try await server.fill(cards: 300)
            for number in 0..<200 {
                let request = [
                    "POST /lists/board/edits\(local)content-length: 100\r\n\r\n{",
                    "POST /lists/board/edits\(local)transfer-encoding: chunked\r\n\r\n9\r\n{",
                    "POST /lists/board/wind", largeAnswers[0],
                    largeAnswers[1],
                ][number % 5]
                let connection = try RawConnection(to: server.port, request)
                // The server has read some of the requests by then.
                if number % 3 == 0 { try await Task.sleep(for: .milliseconds(2)) }
                connection.close(resets: number % 4 > 0)
            }
            #expect(try await server.rename("after").status == 200)
            while try server.cards.streams.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(lines.entries.allSatisfy { $0.level < .warning })
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
        let port = try #require(line.firstMatch(of: /:(\d+)\//).flatMap { Int($0.1) })
        let silent = try (0..<300).map { _ in try RawConnection(to: port) }
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
        for connection in silent { connection.close() }
        let health = try #require(URL(string: "http://127.0.0.1:\(port)/health"))
        let (_, response) = try await URLSession.shared.data(from: health)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
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
