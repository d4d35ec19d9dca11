@testable import changeset_lint

extension DecoderJob {
    static func readScenarios(_ bytes: inout Bytes, _ text: (inout Bytes) -> [UInt8]) {
        let limit = bytes.pick([LineReader.lineLimit, LineReader.lineLimit, 64, 8, 0])
        let sizes = (1 + Int(bytes.next()), 1 + Int(bytes.next() % 16))
        let text = text(&bytes)
        let lines = lines(of: text, pieces: Pieces(text, sizes), limit: limit)
        for case .bytes(let line) in lines { readScenario(line) }
    }

    /// What the reader makes of it, which is what splitting all of it makes of it.
    private static func lines(
        of text: [UInt8],
        pieces: Pieces,
        limit: Int
    ) -> [LineReader.Line] {
        var reader = LineReader(PieceSource(pieces), limit: limit)
        var lines: [LineReader.Line] = []
        do throws(FileFault) {
            while let line = try reader.next() { lines.append(line) }
        } catch {
            check(false, "a source that never fails failed: \(error)")
        }
        var expected = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        if expected.last?.isEmpty == true { expected.removeLast() }
        check(
            lines == expected.map { $0.count > limit ? .tooLong : .bytes(Array($0)) },
            "lines of at most \(limit) of \(text) are \(lines)"
        )
        check(reader.lineNumber == lines.count, "the reader miscounts the lines of \(text)")
        check(reader.bytesRead == text.count, "the reader miscounts \(text)")
        return lines
    }

    private static func readScenario(_ line: [UInt8]) {
        let scenario = try? Scenario(line: line)
        guard let value = try? JSONParser.parse(line) else {
            return check(scenario == nil, "no JSON, but a scenario: \(line)")
        }
        let written = Array(value.text.utf8)
        guard let again = try? JSONParser.parse(written) else {
            return check(false, "written as \(value.text), which cannot be read")
        }
        check(again == value && Array(again.text.utf8) == written, "\(value) became \(again)")
        check((try? Scenario(line: written)) == scenario, "\(value.text) is another scenario")
    }
}

/// Pieces as a source.
private final class PieceSource: ByteSource, @unchecked Sendable {  // one thread
    private var pieces: DecoderJob.Pieces

    init(_ pieces: DecoderJob.Pieces) { self.pieces = pieces }

    func read() -> [UInt8] { pieces.next() ?? [] }
}
