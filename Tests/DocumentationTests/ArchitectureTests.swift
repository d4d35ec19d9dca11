import Foundation
import Testing

@Suite struct ArchitectureTests {
    @Test func everyNameExists() throws {
        let document = try Documents.text("ARCHITECTURE.md")
        let words = document.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        // A fenced block has an even number of quotes and lines in between.
        let names = Set(words.filter { !$0.isEmpty && !$0.contains("\n") })
        #expect(names.count > 30)
        let known = try KnownNames()
        for name in names.sorted() where !known.contains(name) {
            Issue.record("ARCHITECTURE.md names `\(name)`, which does not exist")
        }
    }

    @Test func whatOnlyACommentOrAPartOfANameSaysDoesNotExist() throws {
        let known = try KnownNames()
        // Declared or a file, a product, a variable and an option; then what is near to each of them.
        for name in [
            "PipelineCore", "PipelineCore+Latch", ".reload", "wait…", "hello-pipeline",
            "PIPELINE_FUZZ", "--anomalies", ".ci/run", "Examples/pipeline-service",
        ] { #expect(known.contains(name), "\(name)") }
        for name in [
            "PipelineCor", "Core+Latch", ".reloadEverythin", "Texture's", "reluctantly…",
            "hello-pipelin", "PIPELINE", "--anomal", ".ci/walk", "Examples/pipelin", "obviously",
        ] { #expect(!known.contains(name), "\(name)") }
    }
}

/// What a document may name: what the package's code declares, comments aside, and its files and products.
private struct KnownNames {
    private var declared: Set<Substring> = []
    private var options: Set<Substring> = []
    private let files: Set<String>
    private let manifest: String

    private static let keywords: Set<Substring> = [
        "func", "var", "let", "class", "struct", "enum", "protocol", "typealias", "associatedtype",
        "import", "extension",
    ]

    init() throws {
        files = Set(Documents.fileNames())
        manifest = try Documents.text("Package.swift")
        for folder in ["Sources", "Examples", "Tests"] {
            for text in Documents.texts(below: folder, ending: [".swift"]) {
                add(text)
                if folder == "Examples" { addOptions(in: text) }
            }
        }
    }

    private mutating func add(_ text: String) {
        for line in text.split(separator: "\n") {
            var code = line.drop { $0 == " " }
            if code.hasPrefix("//") { continue }
            if let comment = code.range(of: "  // ") { code = code[..<comment.lowerBound] }
            let words = code.utf8.split { !Self.isPartOfName($0) }.map(Substring.init)
            // One `case` may have several names.
            if words.first == "case" { declared.formUnion(words.dropFirst()) }
            for (keyword, name) in zip(words, words.dropFirst())
            where Self.keywords.contains(keyword) {
                declared.insert(name)
            }
        }
    }

    /// The literals that look like one, among which is every option that a program knows.
    private mutating func addOptions(in text: String) {
        options.formUnion(text.split(separator: "\"").filter { $0.hasPrefix("--") })
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: byte >= 0x80
        }
    }

    func contains(_ name: String) -> Bool {
        if name.hasSuffix("…") { return declared.contains { $0.hasPrefix(name.dropLast()) } }
        // `apply(to:fresh:)` is declared as `apply`, and `.reload` without its point.
        let stem = name.prefix { $0 != "(" }
        if declared.contains(stem.hasPrefix(".") ? stem.dropFirst() : stem) { return true }
        // A command is known by its program.
        let program = name.prefix { $0 != " " }
        return files.contains("\(name).swift") || options.contains(program)
            || manifest.contains("\"\(name)\"")
            || (name.hasPrefix(".") || name.contains("/")) && Documents.exists(String(program))
    }
}
