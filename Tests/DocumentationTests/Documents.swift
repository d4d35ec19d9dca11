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
        let folder = root.appendingPathComponent(folder)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? [])
            .filter { file in suffixes.contains { file.path.hasSuffix($0) } }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }

    /// The fenced blocks of a document that begin with the given word.
    static func blocks(of language: String, in document: String) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = block {
                if line.hasPrefix("```") {
                    blocks.append(lines)
                    block = nil
                } else {
                    block = lines + [line.trimmingCharacters(in: .whitespaces)]
                }
            } else if line == "```\(language)" {
                block = []
            }
        }
        return blocks
    }

    /// Whether the lines stand one after the other in the text, however they are indented.
    static func contains(_ block: [String], in text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard !block.isEmpty, lines.count >= block.count else { return false }
        return (0...(lines.count - block.count)).contains { start in
            Array(lines[start..<(start + block.count)]) == block
        }
    }
}

extension Documents {
    /// The names, without their folders, of all source files.
    static func fileNames() -> [String] {
        ["Sources", "Examples", "Tests"].flatMap { folder in
            let folder = root.appendingPathComponent(folder)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            return (files?.allObjects as? [URL] ?? []).map(\.lastPathComponent)
        }
    }
}
