import Foundation
import Testing

@testable import Mutations

@Suite struct CommandTests {
    private func shell(_ script: String) -> Command {
        Command(program: "sh", arguments: ["-c", script], processorSeconds: 60)
    }

    @Test func theEndIsThatOfTheProgram() throws {
        #expect(try shell("exit 0").run() == .exited(0))
        #expect(try shell("exit 3").run() == .exited(3))
        #expect(try shell("kill -SEGV $$").run() == .stopped(SIGSEGV))
    }

    @Test func aReaderThatHasSeenEnoughEndsIt() throws {
        var lines: [String] = []
        let ending = try shell("echo one; echo two >&2; sleep 60").run { line in
            lines.append(line)
            return line == "two"
        }
        #expect(ending == .seenEnough)
        #expect(lines == ["one", "two"])
    }

    @Test func whoDoesNothingIsStoppedHoweverLongItMayTake() throws {
        var command = shell("sleep 60")
        command.idleSeconds = 2
        #expect(try command.run() == .tookTooLong)
    }

    /// Also where only a process that it started does.
    @Test func whoDoesSomethingIsStoppedByWhatItCosts() throws {
        var command = shell("(while :; do :; done) & wait")
        command.idleSeconds = 2
        command.seconds = 5
        command.processorSeconds = 60
        let start = Date.now
        #expect(try command.run() == .tookTooLong)
        #expect(Date.now.timeIntervalSince(start) >= 5)
        command = shell("while :; do :; done")
        command.processorSeconds = 1
        #expect(try command.run() == .tookTooLong)
    }
}
