import Foundation
import Testing

/// What those who change or attack the package are told of it.
@Suite struct ContributingTests {
    private func words(_ document: String) throws -> Set<Substring> {
        let text = try Documents.text(document)
        return Set(text.split { $0.isWhitespace || "`=|(),".contains($0) })
    }

    @Test func everyPathInItExists() throws {
        let roots = [".ci/", ".github/", "Sources/", "Tests/", "Examples/"]
        let paths = try words(".github/CONTRIBUTING.md").filter { word in
            roots.contains { word.hasPrefix($0) }
        }
        #expect(paths.count > 8)
        for path in paths {
            let path = path.hasSuffix(".") ? path.dropLast() : path
            #expect(Documents.exists(String(path)), "\(path)")
        }
    }

    @Test func everySwitchInItIsReadSomewhere() throws {
        let code =
            try [Documents.text(".ci/run"), Documents.text("Package.swift")].joined()
            + Documents.texts(below: "Tests", ending: [".swift"]).joined()
        let switches = try words(".github/CONTRIBUTING.md").filter { word in
            word.contains("_") && word.allSatisfy { $0.isUppercase || $0 == "_" }
        }
        #expect(switches.count > 6)
        for name in switches { #expect(code.contains(name), "\(name)") }
    }
}
