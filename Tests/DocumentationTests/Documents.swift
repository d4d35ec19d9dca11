import Foundation

enum Documents {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let guide = "Sources/Guide.docc"

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// Returns all files below a folder except hidden ones, such as the build folder of a nested
    /// package.
    static func files(below folder: String) -> [URL] {
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder),
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        return files?.allObjects as? [URL] ?? []
    }

    /// Returns the name and text of every file below `folder` whose path has the given ending.
    static func texts(below folder: String, ending: String) -> [(name: String, text: String)] {
        files(below: folder).filter { $0.path.hasSuffix(ending) }.compactMap { file in
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            return (file.lastPathComponent, text)
        }
    }

    /// The articles of the guide, by the names that links use.
    static func articles() -> [(name: String, text: String)] {
        texts(below: guide, ending: ".md").map { (String($0.name.dropLast(3)), $0.text) }
            .sorted { $0.0 < $1.0 }
    }

    /// The names of the guarantees in the README.
    static func guarantees() throws -> [String] {
        let section = try text("README.md").components(separatedBy: "## What it guarantees")[1]
        return section.components(separatedBy: "\n## ")[0].components(separatedBy: "**")
            .enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    // MARK: Inside a document

    /// Returns the fenced blocks of a document with their languages; the lines have no indentation.
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

    static func blocks(of language: String, in document: String) -> [[String]] {
        blocks(in: document).filter { $0.language == language }.map(\.lines)
    }

    /// Returns the words in single backticks outside code blocks. Links, in double backticks, are
    /// checked when the documentation is built.
    static func namesInCodeVoice(of document: String) -> Set<String> {
        var isInside = false
        var prose = ""
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside.toggle()
            } else if !isInside {
                prose += "\(line)\n"
            }
        }
        let parts = prose.components(separatedBy: "``").enumerated().filter { $0.offset % 2 == 0 }
        let plain = parts.map(\.element).joined(separator: " ")
        let words = plain.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        return Set(words.filter { $0.offset % 2 == 1 }.map { String($0.element) })
    }
}

extension Documents {
    /// The sources that contain samples: a program, the snippets that `SampleTests` runs, and a
    /// service with its own tests.
    static func sampleSources() throws -> [String] {
        try [
            "Examples/hello-pipeline/main.swift", "Tests/DocumentationTests/ReadmeSnippets.swift",
            "Tests/DocumentationTests/ArticleSnippets.swift",
            "Tests/DocumentationTests/TableSnippets.swift",
            "Examples/LiveBoard/Sources/LiveBoardServer/Embedding/ControllerService.swift",
        ].map(text)
    }

    /// Returns whether the lines are consecutive in the text, ignoring indentation.
    static func contains(_ block: [String], in text: String) -> Bool {
        let lines = text.components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard !block.isEmpty, lines.count >= block.count else { return false }
        return (0...(lines.count - block.count)).contains { start in
            lines[start..<(start + block.count)].elementsEqual(block)
        }
    }
}
