import Foundation

/// The text of a file, addressed by line and by UTF-8 offset.
struct SourceText {
    private let bytes: [UInt8]
    /// The offset of each line.
    private let lineStarts: [Int]

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.bytes = bytes
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// Returns the line that contains an offset, from 1.
    func line(at offset: Int) -> Int {
        (lineStarts.lastIndex { $0 <= offset } ?? 0) + 1
    }

    /// Returns the offset of a line and column, both from 1.
    func offset(line: Int, column: Int) -> Int {
        guard lineStarts.indices.contains(line - 1) else { return bytes.count }
        return min(bytes.count, lineStarts[line - 1] + column - 1)
    }

    /// Returns the lines that a range touches, before and after it is replaced by a text.
    func lines(
        of range: Range<Int>,
        replacedBy text: String
    ) -> (original: [String], mutated: [String]) {
        let first = lineStarts[line(at: range.lowerBound) - 1]
        let last = line(at: max(range.lowerBound, range.upperBound - 1))
        let end = last < lineStarts.count ? lineStarts[last] - 1 : bytes.count
        let before = String(decoding: bytes[first..<range.lowerBound], as: UTF8.self)
        let after = String(
            decoding: bytes[range.upperBound..<max(end, range.upperBound)],
            as: UTF8.self
        )
        let whole = String(decoding: bytes[first..<max(end, range.upperBound)], as: UTF8.self)
        return (Self.trimmed(whole), Self.trimmed(before + text + after))
    }

    private static func trimmed(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
