import Foundation
import Testing

@Suite struct ArchitectureTests {
    @Test func everyNameExists() throws {
        let document = try Documents.text("ARCHITECTURE.md")
        let code = ["Sources", "Examples", "Tests"]
            .flatMap { Documents.texts(below: $0, ending: [".swift"]) }
            .joined(separator: "\n")
        let files =
            try Documents.text("Package.swift") + Documents.fileNames().joined(separator: " ")
        let words = document.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        // A fenced block has an even number of quotes and lines in between.
        let names = Set(words.filter { !$0.isEmpty && !$0.contains("\n") })
        #expect(names.count > 30)
        for name in names.sorted() {
            // `apply(to:fresh:)` is declared as `apply`; `wait…` stands for all that begin so.
            let stem = name.prefix { $0 != "(" && $0 != "…" }
            // A command is known by its program.
            let program = name.prefix { $0 != " " }
            let isKnown =
                code.contains(stem) || files.contains(stem)
                || name.hasPrefix(".") && Documents.exists(String(program))
            #expect(isKnown, "ARCHITECTURE.md names `\(name)`, which does not exist")
        }
    }
}
