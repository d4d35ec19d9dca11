import Foundation
import Testing

@testable import Mutations

/// Tests that mutations are complete and in the right places, and that the ends of commands are
/// recognized.
@Suite struct MutationTests {
    /// Returns the mutations of a function body.
    private func mutations(of body: String, returning type: String = "Void") -> [String] {
        let text = "func f(a: Int, b: Int, c: [Int]) -> \(type) {\n\(body)\n}\n"
        return MutatedFile.mutations(in: text, path: "File.swift").map { mutation in
            "\(mutation.kind.rawValue): \(mutation.mutated.joined(separator: " / "))"
        }
    }

    @Test func eachLineHasExactlyItsMutations() {
        let table: [(line: String, expected: [String])] = [
            ("let x = a + b", ["arithmetic: let x = a - b"]),
            ("let x = -a", ["arithmetic: let x = a"]),
            ("let x = min(a, b)", ["minimum and maximum swapped: let x = max(a, b)"]),
            ("let x = c.first", ["first and last swapped: let x = c.last"]),
            ("let x = c.sorted()", ["order of elements: let x = c"]),
            ("let x = a..<b", ["range half-open or closed: let x = a...b"]),
            ("let x = h && i", ["logical operator swapped: let x = h || i"]),
            ("let x = 7", ["number off by one: let x = 8"]),
            ("let x = true", ["truth value flipped: let x = false"]),
            ("let x = a == b", ["comparison or condition negated: let x = a != b"]),
            ("g(a)\nh(b)", ["statement removed: ", "statement removed: "]),
            (
                "while a < b { g() }",
                [
                    "condition forced false: while false { g() }",
                    "comparison boundary: while a <= b { g() }",
                    "comparison or condition negated: while a >= b { g() }",
                    "statement removed: while a < b {  }",
                ]
            ),
            (
                "guard let x = c.min() else { return }",
                [
                    "condition forced false: guard false else { return }",
                    "minimum and maximum swapped: guard let x = c.max() else { return }",
                ]
            ),
            // Changes that no test could notice.
            ("assert(a < b)", []), ("let x = \"a\" + \"b\"", []), ("let x = a...a", []),
            ("c.reserveCapacity(a + b)", []), ("fatalError()", []),
        ]
        for (line, expected) in table {
            let found = mutations(of: line)
            #expect(found == expected, "\(line): \(found)")
        }
    }

    @Test func nestedSitesKeepTheirLinesAndHaveUniqueNumbers() {
        let text = "func f() -> Bool {\n    return a < b\n        && c.first == 3\n}\n"
        let file = MutatedFile(path: "File.swift", original: text, firstNumber: 10) { _ in true }
        let expected = """
            import MutationSwitch; func f() -> Bool {
                return _muAnd(10, _muLess(12, a , b)
                    , _muFlip(14, c._muFirst(16) == _muNext(18, 3)))
            }

            """
        #expect(file.text == expected)
        let numbers = file.mutations.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        let keys = file.mutations.map(\.mutation.key)
        #expect(Set(keys).count == keys.count)
    }

    @Test func aCompilerErrorIsAttributedToTheInnermostSite() throws {
        let text = "func f() { g(a + b) }"
        let file = MutatedFile(path: "A.swift", original: text, firstNumber: 1) { _ in true }
        let place = try #require(file.text.range(of: "_muPlus")).lowerBound
        let column = file.text.distance(from: file.text.startIndex, to: place) + 1
        let line = "/tree/A.swift:1:\(column): error: no"
        let error = try #require(CompilerError(line, below: "/tree/"))
        let sums = file.mutations.filter { $0.mutation.kind == .arithmetic }
        #expect(file.suspects(line: error.line, column: error.column) == sums.map(\.mutation.key))
        for line in ["", "error: fatalError", "/tree/A.swift:3:15: warning: unused"] {
            #expect(CompilerError(line, below: "/tree/") == nil, "\(line)")
        }
    }

    @Test func aCommandReportsTheExitOfItsProgramOrTheExceededLimit() throws {
        func end(_ script: String, isEnough: (String) -> Bool = { _ in false }) throws
            -> Command.Ending
        {
            var command = Command(program: "sh", arguments: ["-c", script])
            (command.processorSeconds, command.seconds) = (1, 3)
            return try command.run(isEnough: isEnough)
        }
        #expect(try end("exit 3") == .exited(3))
        #expect(try end("kill -SEGV $$") == .stopped(SIGSEGV))
        #expect(try end("echo one; sleep 60") { $0 == "one" } == .seenEnough)
        #expect(try end("sleep 60") == .tookTooLong)
        #expect(try end("while :; do :; done") == .tookTooLong)
    }
}
