import PipelineTestSupport
import PipelineTrace
import Testing

@Suite("Streams of traces", .endsHangs) struct ChromeTraceStreamTests {
    /// The bytes that a stream has written.
    private final class File: Sendable {
        let chunks = Journal<[UInt8]>()
        var bytes: [UInt8] { chunks.values.flatMap { $0 } }
    }

    @Test func aStreamWritesTheSameBytesAsAWholeTrace() async throws {
        let entries = (1...500).flatMap { wholeLife($0) }
        let file = File()
        let stream = ChromeTraceStream { file.chunks.append($0) }
        for entry in entries { stream.receive(entry) }
        try await stream.finish()
        #expect(file.bytes == ChromeTrace.json(of: entries))
        // The stream writes several chunks, each of whole lines.
        #expect(file.chunks.values.count > 1)
        for chunk in file.chunks.values.dropFirst() { #expect(chunk.first != UInt8(ascii: "{")) }
        // If the process is killed, the written part has whole lines.
        for chunk in file.chunks.values.dropLast() { #expect(chunk.last == UInt8(ascii: "}")) }
    }

    @Test func entriesAfterTheEndAreIgnored() async throws {
        let file = File()
        let stream = ChromeTraceStream { file.chunks.append($0) }
        stream.receive(event(.closed, nil, at: 1))
        try await stream.finish()
        let bytes = file.bytes
        for entry in (1...100).flatMap({ wholeLife($0) }) { stream.receive(entry) }
        try await stream.finish()
        #expect(file.bytes == bytes)
        #expect(try StrictTrace(bytes).instants.map(\.name) == ["closed"])
    }

    @Test(arguments: [0, 1, 1_000, 20_000])
    func beyondTheLimitOnlyOpenSpansEndAndTheRestIsCounted(_ limit: Int) async throws {
        let file = File()
        let stream = ChromeTraceStream(limit: limit) { file.chunks.append($0) }
        // This change set stays open until the end.
        stream.receive(event(.suspended, 1_000, at: 0))
        for entry in (1...100).flatMap({ wholeLife($0) }) { stream.receive(entry) }
        stream.receive(event(.completed, 1_000, at: 500))
        try await stream.finish()
        #expect(file.bytes.count < limit + 10_000)
        let trace = try StrictTrace(file.bytes)
        let sets = trace.spans.compactMap { $0.arguments["set"] }
        // The limit is checked after the first byte is written.
        #expect(sets.count < 100 && sets.isEmpty == (limit <= 1))
        if limit > 1 { #expect(sets.last == "#1000") }
        #expect(trace.instants.last?.name.hasSuffix("later entries are left out") == true)
    }

    @Test func afterAnErrorNothingMoreIsWrittenAndFinishThrows() async throws {
        let calls = Journal<Int>()
        let stream = ChromeTraceStream { bytes in
            calls.append(bytes.count)
            throw TestFailure("full")
        }
        for entry in (1...200).flatMap({ wholeLife($0) }) { stream.receive(entry) }
        for _ in 0..<2 {
            await #expect(throws: TestFailure.self) { try await stream.finish() }
        }
        #expect(calls.values.count == 1)
    }

    @Test func entriesBeyondThePendingLimitAreLeftOut() async throws {
        let (file, gate) = (File(), Gate())
        let stream = ChromeTraceStream(pendingLimit: 1_000) {
            gate.pass()
            file.chunks.append($0)
        }
        for time: Int64 in 0..<256 { stream.receive(event(.closed, nil, at: time)) }
        await gate.reached()
        for time: Int64 in 256..<1_300 { stream.receive(event(.closed, nil, at: time)) }
        gate.open()
        try await stream.finish()
        let trace = try StrictTrace(file.bytes)
        #expect(trace.instants.count { $0.name == "closed" } == 1_256)
        #expect(trace.instants.last?.name == "44 later entries are left out")
    }
}
