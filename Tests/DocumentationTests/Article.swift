import Foundation

/// The articles of the guide, as the tests read them.
struct Article {
    static let folder = "Sources/Guide.docc"

    /// The name of the file without its ending, by which others link to it.
    let name: String
    let text: String

    static func all() throws -> [Article] {
        try Documents.files(below: folder).filter { $0.pathExtension == "md" }
            .map { file in
                Article(
                    name: file.deletingPathExtension().lastPathComponent,
                    text: try String(contentsOf: file, encoding: .utf8)
                )
            }
            .sorted { $0.name < $1.name }
    }

    /// What stands between single quotes of code outside of blocks. Links, which have double ones, are checked where
    /// the documentation is built.
    var namesInCodeVoice: Set<String> {
        var names: Set<String> = []
        var isInside = false
        var prose = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside.toggle()
            } else if !isInside {
                prose += "\(line)\n"
            }
        }
        let parts = prose.components(separatedBy: "``").enumerated().filter { $0.offset % 2 == 0 }
        let plain = parts.map(\.element).joined(separator: " ")
        let words = plain.split(separator: "`", omittingEmptySubsequences: false)
        for (offset, word) in words.enumerated() where offset % 2 == 1 {
            names.insert(String(word))
        }
        return names
    }
}
