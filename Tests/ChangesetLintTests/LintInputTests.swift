import CollectionPipeline
import Foundation
import Testing

@testable import changeset_lint

/// What the program does with its input besides answering it.
@Suite struct LintInputTests {
    private static let line = #"{"oldCounts":[],"newCounts":[],"ops":[]}"# + "\n"

    @Test func theAnswersToLinesAtHandAreWrittenTogether() async {
        let output = MemorySink()
        let input = MemorySource(String(repeating: Self.line, count: 4))
        #expect(await LintRun([], input: input, output: output).exitCode == .success)
        #expect(output.lines.count == 4)
        #expect(output.sizes == [output.text.utf8.count])
    }

    @Test func whereNobodyReadsAnyMoreNothingElseIsRead() async {
        let reads = MemorySink()
        let input = MemorySource(
            String(repeating: Self.line, count: 4),
            chunkSize: Self.line.utf8.count
        ) {
            try? reads.write([0])
        }
        let output = MemorySink(fault: FileFault(errorNumber: EPIPE))
        #expect(await LintRun([], input: input, output: output).exitCode == .success)
        #expect(reads.sizes == [1])
    }

    @Test func theFileIsClosedAtTheEnd() async throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("scenarios-\(UUID().uuidString)")
        try Data(Self.line.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(await LintRun(url.path).exitCode == .success)
        let descriptors = "/proc/self/fd"
        let open = try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
        }
        #expect(!open.isEmpty)
        #expect(!open.contains { $0.hasSuffix(url.lastPathComponent) })
    }

    /// Which no scenario leads to, as long as the pipeline has no bug.
    @Test(arguments: [[], ["--explain"]])
    func aBrokenGuaranteeIsReportedBesideTheAnswer(arguments: [String]) async throws {
        let (output, errors) = (MemorySink(), MemorySink())
        var lint = ChangesetLint(try LintOptions(arguments), MemorySource(""), output, errors)
        let scenario = try Scenario(line: Array(Self.line.utf8.dropLast()))
        let error = HierarchyUpdateError(.itemCount, "the message")
        for faults in [["first", "second"], []] {
            lint.answer(
                scenario,
                Examination(profile: .standard, verdict: .refused(error), faults: faults),
                "the title"
            )
        }
        #expect(await lint.run() == .failedCheck)
        #expect(
            errors.lines == [
                "changeset-lint: line 0: the pipeline broke a guarantee: first",
                "changeset-lint: line 0: the pipeline broke a guarantee: second",
            ]
        )
        #expect(output.lines.count { $0.contains("itemCount") } == 2)
    }
}
