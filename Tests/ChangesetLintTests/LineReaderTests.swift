import Testing

@testable import changeset_lint

@Suite struct LineReaderTests {
    private func lines(_ text: String, chunkSize: Int, limit: Int = 100) throws -> [String] {
        var reader = LineReader(MemorySource(text, chunkSize: chunkSize), limit: limit)
        var lines: [String] = []
        while let line = try reader.next() {
            switch line {
            case .bytes(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
            case .tooLong: lines.append("…")
            }
            #expect(reader.lineNumber == lines.count)
        }
        #expect(reader.bytesRead == text.utf8.count)
        return lines
    }

    @Test(arguments: 1...9)
    func linesAreTheSameWhateverTheChunks(chunkSize: Int) throws {
        #expect(try lines("", chunkSize: chunkSize) == [])
        #expect(try lines("\n", chunkSize: chunkSize) == [""])
        #expect(try lines("ab\n\ncd\r\nef", chunkSize: chunkSize) == ["ab", "", "cd\r", "ef"])
        #expect(try lines("ab\ncd\n", chunkSize: chunkSize) == ["ab", "cd"])
    }

    @Test(arguments: 1...9)
    func aLongLineIsLeftOutAndTheRestGoesOn(chunkSize: Int) throws {
        #expect(try lines("abcde\nf\n", chunkSize: chunkSize, limit: 4) == ["…", "f"])
        #expect(try lines("abcd\nf\n", chunkSize: chunkSize, limit: 4) == ["abcd", "f"])
        #expect(try lines("f\nabcdefghijk", chunkSize: chunkSize, limit: 4) == ["f", "…"])
        #expect(try lines("abcdefghijk\n", chunkSize: chunkSize, limit: 4) == ["…"])
    }

    @Test func aLineAtHandIsKnownWithoutReading() throws {
        var reader = LineReader(MemorySource("a\nb\nc", chunkSize: 4))
        // Each question is asked before the line is taken.
        var isAtHand: [Bool] = []
        var lines: [String] = []
        while true {
            isAtHand.append(reader.hasLine())
            guard case .bytes(let bytes) = try reader.next() else { break }
            lines.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(lines == ["a", "b", "c"])
        #expect(isAtHand == [false, true, false, false])
    }
}
