import Foundation
import PipelineTestSupport
import Testing

@testable import git_timelapse

/// A git that is stopped before its end.
@Suite(.serialized, .endsHangs) struct StoppedGitTests {
    /// Whether a process is there, also one that has ended and was not waited for.
    private func isThere(_ number: pid_t) -> Bool { kill(number, 0) == 0 }

    @Test(arguments: [false, true])
    func gitHasEndedOnceItIsStoppedHoweverLongTheCommandIsKept(asHistory: Bool) throws {
        let played = try PlayedGit("echo $$; exec /bin/sleep 100")
        defer { played.remove() }
        let command = try GitCommand([], in: "/", git: played.executable())
        let line = try #require(try command.readChunk())
        let number = try #require(pid_t(String(decoding: line.dropLast(), as: UTF8.self)))
        #expect(isThere(number))
        if asHistory { GitHistory(command).stop() } else { command.stop() }
        #expect(!isThere(number))
        withExtendedLifetime(command) {}
    }
}
