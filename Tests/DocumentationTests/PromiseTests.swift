import Foundation
import Testing

@Suite struct PromiseTests {
    @Test func everyPromiseStandsInItsFileAndHasTestsThatExist() throws {
        let sources = try PromiseSources()
        let folder = Documents.root.appendingPathComponent("Tests/DocumentationTests/Promises")
        let tables = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(tables.contains("core.md"))
        for table in tables {
            let text = try Documents.text("Tests/DocumentationTests/Promises/\(table)")
            let (promises, faults) = PromiseTable.rows(of: text)
            #expect(!promises.isEmpty, "\(table) has no rows")
            for fault in faults + promises.flatMap(sources.faults) {
                Issue.record("\(table): \(fault)")
            }
        }
    }

    /// A module with documentation promises something.
    @Test func everyModuleHasPromisesInSomeTable() throws {
        let rows = Documents.texts(below: "Tests/DocumentationTests/Promises", ending: [".md"])
            .flatMap { PromiseTable.rows(of: $0).promises }
        let modules = Documents.files(below: "Sources").map(\.lastPathComponent)
            .filter { $0.hasSuffix(".docc") && $0 != "Guide.docc" }.map { $0.dropLast(5) }
        #expect(modules.count >= 10)
        for module in modules {
            #expect(rows.contains { $0.file.hasPrefix("Sources/\(module)/") }, "\(module)")
        }
    }

    @Test func noTableHasAPromiseTwice() throws {
        let texts = Documents.texts(below: "Tests/DocumentationTests/Promises", ending: [".md"])
        for text in texts {
            let places = PromiseTable.rows(of: text).promises.map { "\($0.file): \($0.sentence)" }
            let counts = Dictionary(grouping: places) { $0 }.filter { $0.value.count > 1 }
            #expect(counts.keys.sorted() == [])
        }
    }

    @Test func aRowIsReadWithItsBarsQuotesAndSeveralTests() {
        let text = """
            | promise | stands in | test |
            |---|---|---|
            | …one of `a` \\| `b`… | `README.md` | `A.swift/b`, `C/D.swift/e` |
            """
        let rows = PromiseTable.rows(of: text)
        #expect(rows.faults == [])
        let promise = Promise(
            sentence: "…one of `a` | `b`…",
            file: "README.md",
            tests: ["A.swift/b", "C/D.swift/e"]
        )
        #expect(rows.promises == [promise])
    }

    @Test(
        arguments: [
            "| only a sentence |",
            "| no test to be seen | `README.md` | |",
            "| no quotes around it | README.md | `A.swift/b` |",
            "| a bar | too many | `README.md` | `A.swift/b` |",
            "| short | `README.md` | `A.swift/b` |",
        ]
    )
    func aRowThatCannotBeReadIsAFault(_ row: String) {
        let rows = PromiseTable.rows(of: row)
        #expect(rows.promises == [])
        #expect(rows.faults == [.unreadableRow(row)])
    }

    @Test func aSentenceStandsAcrossLinesOfACommentAndCutAtItsEndsOnly() {
        let text = PromiseTable.folded(
            "    /// One two\n    /// three `four`.\n    func five()\n// Six"
        )
        for sentence in ["One two three", "…two three…", "three `four`. func five() Six"] {
            #expect(PromiseTable.stands(sentence, in: text), "\(sentence)")
        }
        for sentence in ["One … three", "two four", "one two", "Six seven"] {
            #expect(!PromiseTable.stands(sentence, in: text), "\(sentence)")
        }
    }

    @Test func whatARowNamesAndIsNotThereIsFound() throws {
        let sources = try PromiseSources()
        let kept = Promise(
            sentence: "Asynchronous change sets for sectioned collections",
            file: "README.md",
            tests: ["PromiseTests.swift/whatARowNamesAndIsNotThereIsFound", "Mutant.losesWakeUp"]
        )
        #expect(sources.faults(of: kept) == [])
        var broken = kept
        broken.sentence = "Synchronous change sets"
        broken.tests = [
            // Not there; not a test; in two files; no file at all; no bug and no benchmark.
            "PromiseTests.swift/nothing", "PromiseTable.swift/folded",
            "SpoiledLineTests.swift/nothing", "Nothing.swift/nothing", "nothing", "Mutant.none",
            "Benchmark.none",
        ]
        #expect(
            sources.faults(of: broken) == [
                .missingSentence("Synchronous change sets", in: "README.md"),
                .missingTest("PromiseTests.swift/nothing"),
                .missingTest("PromiseTable.swift/folded"),
                .missingTest("SpoiledLineTests.swift/nothing"),
                .missingTest("Nothing.swift/nothing"), .missingTest("nothing"),
                .missingMutant("Mutant.none"), .missingBenchmark("Benchmark.none"),
            ]
        )
        let lost = Promise(sentence: "whatever", file: "Nothing.md", tests: [kept.tests[0]])
        #expect(sources.faults(of: lost) == [.missingFile("Nothing.md")])
    }
}
