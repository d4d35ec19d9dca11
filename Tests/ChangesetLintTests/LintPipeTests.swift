import Foundation
import TestSupport
import Testing

/// The built program with an output that nobody reads.
@Suite(.enabled("the program is not beside the tests") { builtProgram != nil })
struct LintPipeTests {
    /// In a process of its own, whose children ignore what it ignores.
    @Test func aReaderThatGoesAwayIsACleanEndWhateverIsInherited() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_DFL)
            let process = try #require(builtProgram).runUnread(["--help"])
            let isClean = process.terminationReason == .exit && process.terminationStatus == 0
            exit(isClean ? 7 : 1)
        }
    }
}

private let builtProgram = BuiltProgram("changeset-lint")
