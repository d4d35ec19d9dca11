import Foundation
import Testing

/// The program itself, with the signals that a machine sends.
@Suite(.timeLimit(.minutes(1)))
struct ProgramTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsItInOrder(_ signal: Int32) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("pipeline-service")
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // One that hangs fails, and does not keep the tests.
        let number = process.processIdentifier
        let watchdog = DispatchWorkItem { kill(number, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: watchdog)
        defer { watchdog.cancel() }

        // It has said so when its services run, and then it traps the signals.
        var said = Data()
        while !String(decoding: said, as: UTF8.self).contains("writing") {
            let more = errors.fileHandleForReading.availableData
            try #require(!more.isEmpty, "\(String(decoding: said, as: UTF8.self))")
            said += more
        }
        kill(number, signal)
        let written = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let line = String(decoding: written, as: UTF8.self)
        let form =
            /(\d+) submitted: (\d+) deployed, 0 rejected, 0 cancelled; \d+ lines are in the list\n/
        let words = try #require(line.wholeMatch(of: form), "\(line)")
        #expect(words.1 == words.2, "\(line)")
    }
}
