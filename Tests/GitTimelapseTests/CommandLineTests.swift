import Foundation
import Testing

@testable import git_timelapse

extension GitSuite {
    /// The built program as a whole: exit codes, and what goes where when there is no terminal.
    @Suite struct CommandLineTests {
        private struct Outcome {
            var exit: ChildProcess.Exit
            var output: String
            var errors: String
        }

        private func run(_ arguments: [String]) throws -> Outcome {
            // The package manager puts products beside the bundle of the tests.
            let product = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent("git-timelapse")
            let environment = try ScratchRepository.git.get().environment
            let child = try ChildProcess(
                product.path,
                arguments,
                environment: environment.merging(["TERM": "xterm"], uniquingKeysWith: { $1 })
            )
            // Neither fills a pipe, so they can be read one after the other.
            let output = FileHandle(fileDescriptor: child.output).readDataToEndOfFile()
            let errors = FileHandle(fileDescriptor: child.errors).readDataToEndOfFile()
            return Outcome(
                exit: child.wait(),
                output: String(decoding: output, as: UTF8.self),
                errors: String(decoding: errors, as: UTF8.self)
            )
        }

        @Test func replayIsVerifiedAndSummedUp() throws {
            let scratch = try ScratchRepository(HandmadeHistoryTests.stream())
            defer { scratch.remove() }
            let outcome = try run([scratch.path, "--verify", "--json"])
            #expect(outcome.exit == .status(0))
            #expect(outcome.errors.isEmpty)
            let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            let summary = try #require(object as? [String: Any])
            #expect(summary["commits"] as? Int == 14)
            #expect(summary["items"] as? Int == 1)
            #expect(summary["differences"] as? Int == 0)
            #expect(outcome.output.hasSuffix("}\n"))

            let listed = try run([scratch.path, "--diff", "--verify", "--json"])
            #expect(listed.exit == .status(0))
            #expect(listed.errors.isEmpty)
            #expect(listed.output.hasPrefix(#"{"commits":14,"changeSets":14,"#))
            #expect(listed.output.hasSuffix(",\"differences\":0}\n"))

            let text = try run(["--quiet", "--until", "HEAD~2", scratch.path])
            #expect(text.exit == .status(0))
            #expect(text.errors.isEmpty)
            #expect(text.output.contains("commits         12\n"))
            #expect(!text.output.contains("\u{1B}"))
        }

        @Test func everyKindOfBadInputIsOneLineAndExitCodeTwo() throws {
            let scratch = try ScratchRepository()
            defer { scratch.remove() }
            for arguments in [
                ["--width", "0"], ["--nonsense"], ["a", "b"], ["/nonexistent"], ["/dev/null"],
                [scratch.path], ["--until", "x", scratch.path],
            ] {
                let outcome = try run(arguments)
                #expect(outcome.exit == .status(2), "\(arguments)")
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.hasPrefix("git-timelapse: "))
                #expect(outcome.errors.split(separator: "\n").count == 1)
            }
        }

        @Test func helpGoesToStandardOutput() throws {
            let outcome = try run(["--help"])
            #expect(outcome.exit == .status(0))
            #expect(outcome.output == Arguments.help)
            #expect(outcome.errors.isEmpty)
        }
    }
}
