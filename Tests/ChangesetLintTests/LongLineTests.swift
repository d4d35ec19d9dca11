import Testing

@testable import changeset_lint

@Suite struct LongLineTests {
    /// However long a line is, of which nothing can be used.
    @Test func ofALineThatIsTooLongNoMoreThanAChunkAndTheLimitIsHeld() throws {
        let text = String(repeating: "a", count: 1000) + "\nb\n"
        var reader = LineReader(MemorySource(text, chunkSize: 8), limit: 16)
        #expect(try reader.next() == .tooLong)
        #expect(reader.buffer.count <= 16 + 2 * 8)
        #expect(try reader.next() == .bytes(Array("b".utf8)))
        #expect(try reader.next() == nil)
    }

    @Test func aLineThatIsTooLongIsReportedWithTheLimit() async throws {
        let line = #"{"oldCounts":[],"newCounts":[],"ops":[]}"# + "\n"
        let (output, errors) = (MemorySink(), MemorySink())
        var lint = ChangesetLint(
            try LintOptions([]),
            MemorySource(
                line + String(repeating: " ", count: 1 << 20) + line + line,
                chunkSize: 1 << 16
            ),
            output,
            errors,
            lineLimit: 1 << 20
        )
        #expect(await lint.run() == .badInput)
        #expect(output.lines.count == 2)
        #expect(errors.lines == ["changeset-lint: line 2: longer than 1 MiB"])
        #expect(LineReader.lineLimit >> 20 == 64)
    }
}
