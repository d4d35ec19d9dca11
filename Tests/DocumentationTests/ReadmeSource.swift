import Foundation

/// A source that has blocks of the README and of the articles, and the tests that run it.
struct ReadmeSource {
    let text: String
    let tests: String
    /// The program that the source is, where it is one; then its blocks belong to no declaration.
    var program: String?

    static func all() throws -> [ReadmeSource] {
        let board = "Examples/LiveBoard"
        let service = "Embedding/ControllerService"
        return try [
            ReadmeSource(
                text: Documents.text("Examples/hello-pipeline/main.swift"),
                tests: Documents.text("Tests/DocumentationTests/HelloPipelineTests.swift"),
                program: "hello-pipeline"
            ),
            ReadmeSource(
                text: Documents.text("Tests/DocumentationTests/ReadmeSnippets.swift"),
                tests: Documents.text("Tests/DocumentationTests/ReadmeTests.swift")
                    + Documents.text("Tests/DocumentationTests/ArticleTests.swift")
            ),
            ReadmeSource(
                text: Documents.text("Tests/DocumentationTests/ArticleSnippets.swift"),
                tests: Documents.text("Tests/DocumentationTests/ArticleTests.swift")
            ),
            ReadmeSource(
                text: Documents.text("Tests/DocumentationTests/ReadmeTestSample.swift"),
                tests: Documents.text("Tests/DocumentationTests/ReadmeTests.swift")
            ),
            ReadmeSource(
                text: Documents.text("\(board)/Sources/LiveBoardServer/\(service).swift"),
                tests: Documents.text("\(board)/Tests/LiveBoardServerTests/\(service)Tests.swift")
            ),
        ]
    }

    /// Whether the whole block stands here, and a test runs the program or calls the declaration that it stands in.
    func runs(_ block: [String]) -> Bool {
        guard let line = Documents.firstLine(of: block, in: text) else { return false }
        if let program { return tests.contains("(\"\(program)\")") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The block may begin with the comment of its own declaration, or stand inside of one.
        var names = lines[line..<(line + block.count)].compactMap(Self.declaredName)
        if names.isEmpty {
            names =
                lines[..<line].lazy.reversed().compactMap(Self.declaredName).first.map { [$0] }
                ?? []
        }
        // Whoever runs what is declared last uses what stands before it.
        return names.last.map { tests.contains("\($0)(") } ?? false
    }

    /// What is declared by a line that is not indented.
    private static func declaredName(_ line: Substring) -> Substring? {
        let keywords: Set<Substring> = ["func", "class", "struct", "enum", "actor"]
        guard line.first?.isLetter == true else { return nil }
        let words = line.split { !$0.isLetter && !$0.isNumber }
        guard let keyword = words.firstIndex(where: keywords.contains) else { return nil }
        return words.dropFirst(keyword + 1).first
    }
}
