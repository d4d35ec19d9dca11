import Foundation

/// Lists of mutations that are known: each as a place, the lines as they are and as it makes them, and a reason.
///
/// ```
/// Sources/Module/File.swift: Type.member(label:)
/// - if count > 16 {
/// + if count >= 16 {
///   Both ways give the same; one is faster where there are few.
/// ```
///
/// One reason may stand below several; where nothing is left, the `+` stands alone. An entry stands for all mutations of the declaration that read the same.
package struct KnownMutations: Sendable {
    package struct Entry: Sendable, Hashable {
        package let file: String
        package let declaration: String
        package let original: [String]
        package let mutated: [String]
    }

    package private(set) var reasons: [Entry: String] = [:]

    package init(parsing text: String, name: String) throws {
        var place: (file: String, declaration: String)?
        var open: [Entry] = []
        var (original, mutated): ([String], [String]) = ([], [])
        var isMutatedKnown = false
        var reason: [String] = []
        func fail(_ line: Int, _ message: String) -> MutationError {
            MutationError("\(name):\(line): \(message)")
        }
        func close() {
            if let place, !original.isEmpty {
                open.append(
                    Entry(
                        file: place.file,
                        declaration: place.declaration,
                        original: original,
                        mutated: mutated
                    )
                )
            }
            (original, mutated, isMutatedKnown) = ([], [], false)
        }
        func finish(_ line: Int) throws {
            close()
            guard !open.isEmpty || !reason.isEmpty else { return }
            guard !reason.isEmpty else { throw fail(line, "an entry has no reason") }
            for entry in open { reasons[entry] = reason.joined(separator: " ") }
            (open, reason) = ([], [])
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
            let content = line.dropFirst(2).trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("- ") {
                if !reason.isEmpty { try finish(index + 1) }
                if isMutatedKnown { close() }
                guard place != nil else { throw fail(index + 1, "no file above it") }
                original.append(content)
            } else if line.hasPrefix("+") {
                isMutatedKnown = true
                if !content.isEmpty { mutated.append(content) }
            } else if line.hasPrefix("  ") {
                close()
                reason.append(content)
            } else if line.isEmpty {
                try finish(index + 1)
            } else {
                try finish(index + 1)
                guard let colon = line.range(of: ": ") else {
                    throw fail(index + 1, "expected 'file: declaration', found '\(line)'")
                }
                place = (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
            }
        }
        try finish(lines.count)
    }

    /// Reads every list of a folder; one that is not there has none.
    package init(_ folder: URL) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names.sorted() where name.hasSuffix(".txt") {
            let file = folder.appendingPathComponent(name)
            let text = try String(contentsOf: file, encoding: .utf8)
            reasons.merge(try Self(parsing: text, name: name).reasons) { $1 }
        }
    }

    package func contains(_ mutation: Mutation) -> Bool { reasons[mutation.entry] != nil }
}

extension Mutation {
    /// How it is listed.
    package var entry: KnownMutations.Entry {
        KnownMutations.Entry(
            file: file,
            declaration: declaration,
            original: original,
            mutated: mutated
        )
    }

    /// An entry's lines without a reason.
    package var listed: String {
        (["\(file): \(declaration)"] + original.map { "- \($0)" }
            + (mutated.isEmpty ? ["+"] : mutated.map { "+ \($0)" }))
            .joined(separator: "\n")
    }
}
