import Foundation

/// The files of the package, as the tests find them.
enum Documents {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// The text of every file below `folder` whose name ends so.
    static func texts(below folder: String, ending suffixes: [String]) -> [String] {
        files(below: folder)
            .filter { file in suffixes.contains { file.path.hasSuffix($0) } }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }

    /// The fenced blocks of a document, with the words that they begin with; lines without their indentation.
    static func blocks(in document: String) -> [(language: String, lines: [String])] {
        var blocks: [(language: String, lines: [String])] = []
        var isInside = false
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("```") {
                if !isInside { blocks.append((String(line.dropFirst(3)), [])) }
                isInside.toggle()
            } else if isInside {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        return blocks
    }

    /// The blocks that begin with the given word.
    static func blocks(of language: String, in document: String) -> [[String]] {
        blocks(in: document).filter { $0.language == language }.map(\.lines)
    }

    /// Where the lines stand one after the other in the text, however they are indented.
    static func firstLine(of block: [String], in text: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard !block.isEmpty, lines.count >= block.count else { return nil }
        return (0...(lines.count - block.count)).first { start in
            Array(lines[start..<(start + block.count)]) == block
        }
    }
}

extension Documents {
    /// Everything below a folder but what is hidden, such as what a nested package was built into.
    static func files(below folder: String) -> [URL] {
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder),
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        return files?.allObjects as? [URL] ?? []
    }

    /// The names, without their folders, of all source files.
    static func fileNames() -> [String] {
        ["Sources", "Examples", "Tests"].flatMap { files(below: $0).map(\.lastPathComponent) }
    }
}
