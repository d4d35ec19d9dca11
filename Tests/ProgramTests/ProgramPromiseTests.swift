import Foundation
import PipelineTestSupport
import Testing

/// The promises of all programs.
@Suite(.endsHangs) struct ProgramPromiseTests {
    @Test(arguments: programs)
    func helpIsPlainTextThatFitsATerminal(program: String) throws {
        var faults = Faults()
        for arguments in [["--help"], ["-h"]] {
            let result = try run(program, arguments)
            faults.check(result.code == 0 && result.errors.isEmpty, "\(arguments): \(result)")
            faults.check(result.output.hasPrefix("Usage: \(program) "), result.output)
            faults.check(!result.output.contains("\u{1B}"), "an escape sequence")
            for line in result.output.lines where line.count > 80 { faults.check(false, line) }
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    @Test(arguments: programs)
    func anUnknownOptionIsReportedInOneLineWithCodeTwo(program: String) throws {
        for option in ["--no-such-option", "-q"] {
            let result = try run(program, [option])
            #expect(result.code == 2 && result.output.isEmpty, "\(result)")
            #expect(result.errors.hasPrefix("\(program): ") && result.errors.contains(option))
            #expect(result.errors.lines.count == 1, "\(result.errors)")
        }
    }

    /// Runs in its own process, since children inherit the ignored signals.
    @Test func aReaderThatClosesThePipeEndsAProgramNormally() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_DFL)
            for name in programs {
                let process = try program(name).runUnread(["--help"])
                guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                    fatalError("\(name) ended with \(process.terminationStatus)")
                }
            }
            exit(7)
        }
    }

    private static let scenario = #"{"oldCounts":[1],"newCounts":[1],"ops":[]}"#
    private static let collection = #"{"width":1,"sections":[]}"#

    @Test func outputThatCannotBeWrittenIsAnErrorInOneLine() throws {
        try inFolder { folder in
            let scenario = try folder.write(Self.scenario, to: "scenario")
            let collection = try folder.write(Self.collection, to: "collection")
            for (name, arguments, message) in [
                ("changeset-lint", [scenario], "cannot write the output: "),
                ("changeset-lint", ["--invert", scenario], "cannot write the output: "),
                ("layout-gallery", ["--frames", collection], "cannot write: "),
                ("layout-gallery", ["--help"], "cannot write: "),
                ("pipeline-benchmarks", ["--list"], "cannot write the output: "),
                ("git-timelapse", ["--help"], "cannot write: "),
            ] {
                let process = try program(name).makeProcess(arguments)
                let errors = Pipe()
                process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
                process.standardError = errors
                try process.run()
                let text = errors.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                #expect(process.terminationStatus == 2, "\(name) \(arguments)")
                #expect(
                    String(decoding: text, as: UTF8.self)
                        == "\(name): \(message)No space left on device\n"
                )
            }
        }
    }

    @Test(arguments: [
        ("changeset-lint", [], scenario), ("changeset-lint", ["--explain"], scenario),
        ("changeset-lint", ["--invert", "-"], scenario),
        ("layout-gallery", ["--frames", "-"], collection),
    ])
    func eachResultIsWrittenBeforeTheNextLineIsRead(
        name: String,
        arguments: [String],
        line: String
    ) throws {
        let process = try program(name).makeProcess(arguments)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        for _ in 0..<3 {
            input.fileHandleForWriting.write(Data("\(line)\n".utf8))
            let descriptor = output.fileHandleForReading.fileDescriptor
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&request, 1, 20_000) == 1)
            guard request.revents & Int16(POLLIN) != 0 else { break }
            _ = output.fileHandleForReading.availableData
        }
        try input.fileHandleForWriting.close()
        _ = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
