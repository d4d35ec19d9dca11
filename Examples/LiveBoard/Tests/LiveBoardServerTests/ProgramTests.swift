import Foundation
import Testing

/// The program itself.
@Suite(.timeLimit(.minutes(2)))
struct ProgramTests {
    /// Starts the program. One that hangs is killed after half a minute.
    private func start(_ arguments: [String]) throws -> (Process, output: Pipe, errors: Pipe) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("LiveBoard")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let number = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 30) {
            if process.isRunning { kill(number, SIGKILL) }
        }
        return (process, output, errors)
    }

    @Test func theProgramPrintsItsAddressAndEndsBySignal() throws {
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
    func badUsageIsOneLine(arguments: String, status: Int) throws {
        let (process, _, errors) = try start(arguments.split(separator: " ").map(String.init))
        let bytes = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("LiveBoard: ") } == 1, "\(text)")
    }
}
