import Foundation
import Testing

@testable import changeset_lint

/// The program where somebody watches.
@Suite struct LintTerminalTests {
    private static let good =
        #"{"oldCounts":[],"newCounts":[],"ops":[],"result":{"valid":true}}"# + "\n"
    private static let wrong =
        #"{"oldCounts":[],"newCounts":[],"ops":[],"result":{"valid":false}}"# + "\n"
    private static let clearing = "\r\u{1B}[K"

    private func run(
        _ arguments: [String],
        _ input: String,
        _ output: MemorySink,
        _ errors: MemorySink
    ) async throws -> ChangesetLint.ExitCode {
        // With every look at the clock it is time for another drawing.
        var lint = ChangesetLint(
            try LintOptions(arguments),
            MemorySource(input, byteCount: input.utf8.count),
            output,
            errors,
            now: TestClock(step: .seconds(1)).now
        )
        return await lint.run()
    }

    private func bar(_ scenarios: Int, _ bytes: Int, of total: Int) -> String {
        Self.clearing + ProgressBar.text(scenarios: scenarios, bytes: bytes, of: total)
    }

    @Test func theBarIsBesideResultsOnlyWhereTheyAreFew() async throws {
        for option in ["--check", "--explain", nil] {
            for isWatched in [false, true] {
                for isTerminal in [false, true] {
                    let errors = MemorySink(isTerminal: isTerminal)
                    let code = try await run(
                        option.map { [$0] } ?? [],
                        Self.good,
                        MemorySink(isTerminal: isWatched),
                        errors
                    )
                    #expect(code == .success)
                    let hasBar = isTerminal && (option == "--check" || !isWatched)
                    #expect(errors.text.isEmpty == !hasBar)
                }
            }
        }
    }

    @Test func theBarCountsScenariosAndMakesRoomForComplaints() async throws {
        let input = Self.good + "{\n" + Self.good + "\n" + Self.good
        let size = Self.good.utf8.count
        let total = input.utf8.count
        let (output, errors) = (MemorySink(), MemorySink(isTerminal: true))
        #expect(try await run([], input, output, errors) == .badInput)
        #expect(output.lines.count == 3)
        #expect(
            errors.text == bar(1, size, of: total) + Self.clearing
                + "changeset-lint: line 2: invalid JSON in column 2: expected a key in quotes\n"
                + bar(1, size + 2, of: total) + bar(2, 2 * size + 2, of: total)
                + bar(3, 3 * size + 3, of: total) + Self.clearing
        )
    }

    @Test func theBarMakesRoomForACheckOnTheSameTerminal() async throws {
        let input = Self.good + Self.wrong + Self.good
        let (size, total) = (Self.good.utf8.count, input.utf8.count)
        let terminal = MemorySink(isTerminal: true)
        #expect(try await run(["--check"], input, terminal, terminal) == .failedCheck)
        #expect(
            terminal.text == bar(1, size, of: total) + Self.clearing
                + "line 2: valid: expected false, found true\n"
                + bar(2, total - size, of: total) + bar(3, total, of: total) + Self.clearing
                + "3 checked, 2 agree\n0 differ for a reason\n1 failure\n"
        )
    }

    @Test func aCheckThatNobodyWatchesIsNotWrittenLineByLine() async throws {
        let output = MemorySink()
        #expect(try await run(["--check"], Self.wrong, output, MemorySink()) == .failedCheck)
        #expect(output.lines.count == 4)
        // The fault before more is read, the report at the end.
        #expect(output.sizes.count == 2)
    }
}
