import Foundation
import Testing

@testable import layout_gallery

/// What the program prints and how it ends, in memory.
@Suite struct RunTests {
    private typealias Result = (code: LayoutGallery.ExitCode, output: [String], errors: [String])

    /// - Parameter failure: why nothing can be written, if so.
    nonisolated(nonsending) private func run(
        _ arguments: [String],
        failure: Int32? = nil
    ) async -> Result {
        var (output, errors): ([String], [String]) = ([], [])
        let code = await LayoutGallery.run(
            arguments: arguments,
            output: { line in
                output.append(line)
                guard let failure else { return true }
                errno = failure
                return false
            },
            errors: {
                errors.append($0)
                return true
            }
        )
        return (code, output, errors)
    }

    /// Runs it on a file.
    nonisolated(nonsending) private func runFrames(
        _ text: String,
        failure: Int32? = nil
    ) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        return await run(["--frames", file.path()], failure: failure)
    }

    @Test(arguments: ["--help", "-h"])
    func helpIsPrinted(option: String) async {
        let result = await run([option])
        #expect(result.code == .success && result.errors.isEmpty)
        #expect(result.output == [GalleryOptions.helpText])
    }

    @Test func badUsageIsNamed() async {
        let result = await run(["--other"])
        #expect(result.code == .badInput && result.output.isEmpty)
        #expect(
            result.errors == ["layout-gallery: unknown option '--other'; --help says more"]
        )
    }

    private let line = #"{"width": 1,"sections":[]}"#
    private let answer = #"{"content":[1,0],"sections":[]}"#

    @Test func blankLinesAreSkippedAndAllOthersAnswered() async throws {
        let text = ["", " ", "\t", "\r", " \t\r", line, "  ", "\(line)\r", "\t\(line)"]
        for ending in ["", "\n", "\n\n \n"] {
            let result = try await runFrames(text.joined(separator: "\n") + ending)
            #expect(result.code == .success && result.errors.isEmpty)
            #expect(result.output == [answer, answer, answer])
        }
    }

    @Test func withoutLinesThereIsNoAnswer() async throws {
        let result = try await runFrames("")
        #expect(result.code == .success && result.errors.isEmpty && result.output.isEmpty)
    }

    @Test(arguments: [
        ("!", "invalid JSON"), ("\u{B}", "invalid JSON"), ("\0", "invalid JSON"),
        (#"{"width":1}"#, "missing field 'sections'"),
        (
            #"{"width":1,"sections":[{"items":[[1,1e308],[1,1.5e308]]}]}"#,
            "the content is too large for numbers"
        ),
    ])
    func theLineAtFaultIsNamedAndTheLast(fault: String, message: String) async throws {
        let result = try await runFrames("\(line)\n\n\(fault)\n\(line)\n")
        #expect(result.code == .badInput && result.output == [answer])
        #expect(result.errors == ["layout-gallery: line 3: \(message)"])
    }

    @Test func aFileThatIsNotThereIsNamed() async {
        let result = await run(["--frames", "/missing/file"])
        #expect(result.code == .badInput && result.output.isEmpty)
        let message = "cannot read '/missing/file': No such file or directory"
        #expect(result.errors == ["layout-gallery: \(message)"])
    }

    @Test func whatCannotBeWrittenIsToldOnce() async throws {
        let message = "layout-gallery: cannot write: No space left on device"
        for result in [
            await run(["--help"], failure: ENOSPC),
            try await runFrames("\(line)\n\(line)\n", failure: ENOSPC),
        ] {
            #expect(result.code == .badInput && result.errors == [message])
            #expect(result.output.count == 1)
        }
    }

    @Test func aReaderThatGoesAwayEndsTheProgramWell() async throws {
        for result in [
            await run(["--help"], failure: EPIPE),
            try await runFrames("\(line)\n\(line)\n", failure: EPIPE),
        ] {
            #expect(result.code == .success && result.errors.isEmpty)
            #expect(result.output.count == 1)
        }
    }
}
