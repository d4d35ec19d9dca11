import Foundation

/// The names that a document may use: declarations in the package's code, files and products.
struct KnownNames {
    private var declared: Set<Substring>
    private var options: Set<Substring> = []
    private let files: Set<String>
    private let manifest: String

    private static let keywords: Set<Substring> = [
        "func", "var", "let", "class", "struct", "enum", "protocol", "typealias", "associatedtype",
        "import", "extension",
    ]

    init() throws {
        let folders = ["Sources", "Examples", "Tests"]
        files = Set(folders.flatMap { Documents.files(below: $0).map(\.lastPathComponent) })
        manifest = try Documents.text("Package.swift")
        // Deliberate bugs are the headings of a list.
        let bugs = try Documents.text("Examples/pipeline-simulate/DeliberateBugs.txt")
        declared = Set(
            bugs.split(separator: "\n").filter { $0.hasPrefix("## ") }
                .compactMap { $0.split(separator: " ").dropFirst().first }
        )
        for folder in folders {
            for (_, text) in Documents.texts(below: folder, ending: ".swift") {
                add(text)
                // The literals with two hyphens, which include every option of the programs.
                if folder == "Examples" {
                    options.formUnion(text.split(separator: "\"").filter { $0.hasPrefix("--") })
                }
            }
        }
    }

    private mutating func add(_ text: String) {
        for line in text.split(separator: "\n") {
            var code = line.drop { $0 == " " }
            if code.hasPrefix("//") { continue }
            if let comment = code.range(of: "  // ") { code = code[..<comment.lowerBound] }
            let words = code.utf8.split { !Self.isPartOfName($0) }.map(Substring.init)
            // One `case` may declare several names.
            if words.first == "case" { declared.formUnion(words.dropFirst()) }
            for (keyword, name) in zip(words, words.dropFirst())
            where Self.keywords.contains(keyword) {
                declared.insert(name)
            }
        }
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
        // Members and values are looked up one by one; `apply(to:makeItem:)` is declared as
        // `apply`.
        let stem = name.prefix { $0 != "(" }
        let parts = stem.utf8.split { !Self.isPartOfName($0) }.map(Substring.init)
        if !parts.isEmpty, parts.allSatisfy({ declared.contains($0) || $0 == "true" }) {
            return true
        }
        // A command is known if its program and its options are.
        let words = name.split(separator: " ")
        guard let program = words.first else { return false }
        let further = words.dropFirst().filter { $0.hasPrefix("--") }
        return files.contains("\(name).swift") || files.contains(name) || options.contains(program)
            || manifest.contains("\"\(program)\"") && further.allSatisfy(options.contains)
            || (name.hasPrefix(".") || name.contains("/") || name.hasSuffix(".md"))
                && Documents.exists(String(program))
    }
}
