import Foundation
import Testing

@testable import changeset_lint

@Suite struct LineWriterTests {
    @Test func linesAreHandedOverTogetherWhereTheyFillTheBuffer() {
        let sink = MemorySink()
        var writer = LineWriter(sink)
        // With its end a line is 1 KiB.
        let line = String(repeating: "a", count: 1023)
        for _ in 0..<63 { writer.write(line) }
        #expect(sink.sizes == [])
        writer.write(line)
        #expect(sink.sizes == [65536])
        for _ in 0..<65 { writer.write(.string(String(line.dropFirst(2)))) }
        #expect(sink.sizes == [65536, 65536])
        writer.flush()
        #expect(sink.sizes == [65536, 65536, 1024])
        #expect(sink.lines.count == 129)
    }

    @Test func whereThereIsNothingNothingIsHandedOver() {
        let sink = MemorySink()
        var writer = LineWriter(sink)
        writer.flush()
        writer.write("a")
        writer.flush()
        writer.flush()
        #expect(sink.sizes == [2])
        #expect(sink.text == "a\n")
    }

    @Test func afterAFaultNothingIsTriedAgain() {
        let fault = FileFault(errorNumber: ENOSPC)
        let sink = MemorySink(fault: fault)
        var writer = LineWriter(sink)
        writer.write("a")
        #expect(writer.fault == nil)
        writer.flush()
        #expect(writer.fault == fault)
        writer.write("b")
        writer.flush()
        #expect(sink.sizes == [2])
        #expect(writer.fault == fault)
    }
}
