import Foundation
import PipelineTestSupport
import Testing

@testable import pipeline_simulate

/// What the program does whatever it is started with: in processes of their own, which environments and signals
/// are one thing of.
@Suite struct SurroundingProcessTests {
    @Test func aProcessGetsTheEnvironmentButPrintsNoBacktrace() async {
        await #expect(processExitsWith: .exitCode(7)) {
            setenv("SWIFT_BACKTRACE", "enable=yes", 1)
            setenv("KEPT", "kept", 1)
            let shell = Supervision(executable: "/bin/sh")
            let (end, lines) = try shell.runKeepingLines(["-c", "echo $SWIFT_BACKTRACE $KEPT"])
            exit(end == .exit(0) && lines == ["enable=no kept"] ? 7 : 1)
        }
    }

    @Test(.enabled("the program is not beside the tests") { builtProgram != nil })
    func aReaderThatGoesAwayIsACleanEndWhateverIsInherited() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // What this ignores its children ignore too.
            signal(SIGPIPE, SIG_DFL)
            let process = try #require(builtProgram).runUnread(["--help"])
            let isClean = process.terminationReason == .exit && process.terminationStatus == 0
            exit(isClean ? 7 : 1)
        }
    }

    @Test(.enabled("the program is not beside the tests") { builtProgram != nil })
    func aFolderForTemporaryFilesThatIsMissingIsMade() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("simulate-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try #require(builtProgram).makeProcess(["--seeds", "1"])
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": folder.path + "/in/it"]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/in/it"))
    }
}

private let builtProgram = BuiltProgram("pipeline-simulate")
