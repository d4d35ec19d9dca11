import Foundation

// The tables in `Promises`: which sentence of the documentation promises something that can be observed,
// in which file it stands, and what breaks when it is not kept any more. A row is
//
//     | sentence | `path/from/the/root.swift` | `SuiteFile.swift/aTest`, `Mutant.aDeliberateBug` |
//
// The sentence is verbatim, cut at its ends only (…), with `\|` for a bar. Where two suites have files
// of one name, the folder goes before it. A deliberate bug stands for the simulator's checks that find it;
// what costs nothing or little may have a benchmark with a goal, `Benchmark.its-name`.

/// One row of a table.
struct Promise: Equatable {
    var sentence: String
    var file: String
    var tests: [String]
}

/// What is wrong with a row.
enum PromiseFault: Equatable {
    case unreadableRow(String)
    case missingFile(String)
    case missingSentence(String, in: String)
    case missingTest(String)
    case missingMutant(String)
    case missingBenchmark(String)
}

enum PromiseTable {
    /// The rows of every table in a text; what begins like a row and cannot be one is a fault.
    static func rows(of document: String) -> (promises: [Promise], faults: [PromiseFault]) {
        var promises: [Promise] = []
        var faults: [PromiseFault] = []
        for line in document.split(separator: "\n") where line.hasPrefix("|") {
            if line.hasPrefix("| promise |") || line.hasPrefix("|---") { continue }
            if let promise = promise(line) {
                promises.append(promise)
            } else {
                faults.append(.unreadableRow(String(line)))
            }
        }
        return (promises, faults)
    }

    private static func promise(_ line: Substring) -> Promise? {
        // A character that no document has stands for the bars inside a cell.
        let cells = line.replacingOccurrences(of: "\\|", with: "\u{0}")
            .split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.replacingOccurrences(of: "\u{0}", with: "|") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 5, cells[0].isEmpty, cells[4].isEmpty else { return nil }
        guard let file = unquoted(cells[2]) else { return nil }
        let tests = cells[3].split(separator: ",").map {
            unquoted($0.trimmingCharacters(in: .whitespaces))
        }
        guard !tests.isEmpty, !tests.contains(nil) else { return nil }
        // Less would stand anywhere.
        guard cells[1].count >= 8 else { return nil }
        return Promise(sentence: cells[1], file: file, tests: tests.compactMap { $0 })
    }

    /// What stands between two back quotes.
    private static func unquoted(_ text: String) -> String? {
        guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return nil }
        let inner = text.dropFirst().dropLast()
        return inner.contains("`") ? nil : String(inner)
    }

    /// A text in one line: without the marks of comments, and with single spaces.
    static func folded(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline)
            .map { line in
                let line = line.drop { $0 == " " }
                let marker = ["///", "//"].first { line.hasPrefix($0) } ?? ""
                return line.dropFirst(marker.count)
            }
            .joined(separator: " ")
            .split(separator: " ").joined(separator: " ")
    }

    /// Whether the sentence, which may be cut at its ends, stands in the text.
    static func stands(_ sentence: String, in foldedText: String) -> Bool {
        var sentence = Substring(sentence)
        if sentence.hasPrefix("…") { sentence = sentence.dropFirst() }
        if sentence.hasSuffix("…") { sentence = sentence.dropLast() }
        return foldedText.contains(folded(String(sentence)))
    }
}

/// The files that rows speak of, each read once.
final class PromiseSources {
    private var sentences: [String: String] = [:]
    private let suites: [(path: String, tests: Set<String>)]
    private let mutants: String
    private let benchmarks: String

    init() throws {
        mutants = try Documents.text("Sources/CollectionChanges/Mutant.swift")
        benchmarks = Documents.texts(below: "Examples/pipeline-benchmarks", ending: [".swift"])
            .joined()
        let folder = Documents.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        suites = try (files?.allObjects as? [URL] ?? [])
            .filter { $0.pathExtension == "swift" }
            .map { ($0.path, Self.tests(in: try String(contentsOf: $0, encoding: .utf8))) }
    }

    func faults(of promise: Promise) -> [PromiseFault] {
        var faults: [PromiseFault] = []
        if let text = foldedText(promise.file) {
            if !PromiseTable.stands(promise.sentence, in: text) {
                faults.append(.missingSentence(promise.sentence, in: promise.file))
            }
        } else {
            faults.append(.missingFile(promise.file))
        }
        return faults + promise.tests.compactMap(fault)
    }

    private func fault(ofTest name: String) -> PromiseFault? {
        if name.hasPrefix("Mutant.") {
            let mutant = name.dropFirst("Mutant.".count)
            return mutants.contains("case \(mutant)\n") ? nil : .missingMutant(name)
        }
        if name.hasPrefix("Benchmark.") {
            let benchmark = name.dropFirst("Benchmark.".count)
            let isThere = benchmarks.contains("Benchmark(\n            \"\(benchmark)\",\n")
            return isThere ? nil : .missingBenchmark(name)
        }
        guard let slash = name.lastIndex(of: "/") else { return .missingTest(name) }
        let (file, function) = (name[..<slash], String(name[name.index(after: slash)...]))
        let found = suites.filter { $0.path.hasSuffix("/\(file)") }
        return found.count == 1 && found[0].tests.contains(function) ? nil : .missingTest(name)
    }

    private func foldedText(_ path: String) -> String? {
        if let text = sentences[path] { return text }
        guard let text = try? Documents.text(path) else { return nil }
        sentences[path] = PromiseTable.folded(text)
        return sentences[path]
    }

    /// The names of the test functions: of those that follow on an attribute with no other between.
    static func tests(in source: String) -> Set<String> {
        var names: Set<String> = []
        for chunk in source.components(separatedBy: "@Test").dropFirst() {
            guard let keyword = chunk.range(of: "func ") else { continue }
            names.insert(String(chunk[keyword.upperBound...].prefix { $0 != "(" && $0 != "<" }))
        }
        return names
    }
}
