import CollectionPublishing
import Foundation
import Testing

@testable import LiveBoardServer

@Suite(.timeLimit(.minutes(3)))
struct ShutdownTests {
    /// Readers are let go, what was accepted is deployed, and the lists are closed.
    @Test func aGracefulShutdownEndsEverything() async throws {
        let board = try await withThrowingTaskGroup(of: Board.self) { group in
            let (boards, continuation) = AsyncStream.makeStream(of: Board.self)
            group.addTask {
                try await TestServer.run { server in
                    try await server.follow("/lists/board/updates") { follower in
                        try await follower.read(to: 1)
                        continuation.yield(server.board)
                    }
                }
                return try #require(await boards.first { _ in true })
            }
            return try #require(try await group.next())
        }
        #expect(board.connections.count == 0)
        for list in board.lists {
            let error = await #expect(throws: UpdateError.self) {
                try await list.source?.controller.reloadData()
            }
            #expect(error?.code == .closed)
        }
    }

    /// Who follows while the server goes is let go, and does not hold it up.
    @Test(arguments: [[], ["accept-encoding: gzip"]])
    func streamsEndWithTheServer(fields: [String]) async throws {
        let (reached, continuation) = AsyncStream.makeStream(of: CollectionReplica.self)
        let following = try await withThrowingTaskGroup(of: Task<Void, any Error>.self) { group in
            group.addTask {
                let tasks = AsyncStream.makeStream(of: Task<Void, any Error>.self)
                try await TestServer.run { server in
                    let task = Task {
                        try await server.follow("/lists/processes/updates", fields) { follower in
                            try await follower.read { $0.version != nil }
                            continuation.yield(follower.replica)
                            while try await follower.step() {}
                        }
                    }
                    tasks.continuation.yield(task)
                    _ = await reached.first { _ in true }
                }
                return try #require(await tasks.stream.first { _ in true })
            }
            return try #require(try await group.next())
        }
        // Its connection has ended, which is no fault of a stream that is not compressed.
        _ = await following.result
    }

    /// The program itself.
    @Test func theProgramSaysWhereItIsAndEndsBySignal() throws {
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("LiveBoard")
        let process = Process()
        process.executableURL = program
        process.arguments = ["--port", "0"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // One that hangs fails, and does not keep the tests.
        let number = process.processIdentifier
        let watchdog = DispatchWorkItem { kill(number, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: watchdog)
        defer { watchdog.cancel() }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(
            line.wholeMatch(of: /LiveBoard is at http:\/\/127\.0\.0\.1:\d+\/\n/) != nil,
            "\(line)"
        )
        kill(number, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }

    @Test(arguments: [
        (["--port", "x"], 2), (["--port", "70000"], 2), (["--unknown"], 2),
        (["--interval", "0"], 2),
        (["--group", "x"], 2), (["--files", "/nowhere/at/all", "--port", "0"], 2),
        (["--host", "256.0.0.1", "--port", "0"], 1),
        (["--follow", "nats://127.0.0.1:4222", "--lead", "nats://127.0.0.1:4222"], 2),
        (["--follow", "nats://127.0.0.1:4222", "--files", "."], 2),
        (["--journal", "."], 2), (["--advertise", "http://127.0.0.1:80"], 2),
        (["--lists", "files"], 2), (["--follow", "nowhere"], 2),
        (["--follow", "nats://127.0.0.1:4222", "--lists", "nothing"], 2),
        (["--lead", "nats://127.0.0.1:4222", "--lease", "0"], 2),
        (["--lead", "nats://127.0.0.1:4222", "--host", "0.0.0.0"], 2),
        (["--lead", "nats://127.0.0.1:4222", "--advertise", "127.0.0.1:80"], 2),
        (["--lead", "nats://127.0.0.1:4222", "--journal", "/nowhere/at/all"], 2),
    ])
    func badUsageIsOneLine(arguments: [String], status: Int) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("LiveBoard")
        process.arguments = arguments
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("LiveBoard: ") }
        #expect(lines.count == 1, "\(text)")
    }
}
