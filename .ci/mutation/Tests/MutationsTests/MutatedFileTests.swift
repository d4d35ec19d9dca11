import Testing

@testable import Mutations

@Suite struct MutatedFileTests {
    private func mutated(_ text: String) -> String {
        MutatedFile(path: "File.swift", original: text, firstNumber: 10) { _ in true }.text
    }

    @Test func sitesAreNestedAndLinesStayWhereTheyAre() {
        let text = """
            func f() -> Bool {
                return a < b
                    && c.first == 3
            }
            """
        #expect(
            mutated(text) == """
                import MutationSwitch; func f() -> Bool {
                    return _muAnd(10, _muLess(12, a , b)
                        , _muFlip(14, c._muFirst(16) == _muNext(18, 3)))
                }
                """
        )
    }

    @Test func whatIsNotWantedIsNotWrittenAndKeepsItsNumber() {
        let text = "func f() { g(); x = 1 }"
        let file = MutatedFile(path: "File.swift", original: text, firstNumber: 1) {
            $0.kind == .offByOne
        }
        #expect(file.text == "import MutationSwitch; func f() { g(); x = _muNext(5, 1) }")
        #expect(file.mutations.map(\.number) == [5])
        #expect(file.nextNumber == 7)
    }

    /// What compares asks for two numbers, also where the condition around it has its negation already.
    @Test func noTwoSitesShareANumber() {
        let text = "func f() { if a < 1 { x = 2 } }"
        let file = MutatedFile(path: "File.swift", original: text, firstNumber: 1) { _ in true }
        #expect(file.text.contains("if _muForce(1, _muLess(3, a , _muNext(5, 1)))"))
        #expect(file.mutations.map(\.number).prefix(4) == [1, 2, 3, 5])
    }

    @Test func anErrorIsBlamedOnTheInnermostSite() throws {
        let file = MutatedFile(
            path: "File.swift",
            original: "func f() { g(a + b) }",
            firstNumber: 1
        ) {
            _ in true
        }
        #expect(
            file.text
                == "import MutationSwitch; func f() { if _muKeep(1) { g(_muPlus(3, a , b)) } }"
        )
        let column = try #require(file.text.range(of: "_muPlus")).lowerBound
        let suspects = file.suspects(
            line: 1,
            column: file.text.distance(from: file.text.startIndex, to: column) + 1
        )
        #expect(
            suspects
                == file.mutations.filter { $0.mutation.kind == .arithmetic }.map(\.mutation.key)
        )
    }

    @Test func anErrorAtTheEndOfAFunctionIsBlamedOnWhatChangesItsFlow() {
        let text = "func f() -> Int {\n    for x in c { g(x); return 1 }\n    return 2\n}"
        let file = MutatedFile(path: "File.swift", original: text, firstNumber: 1) { _ in true }
        let exits = file.mutations.filter { $0.mutation.kind == .exit }.map(\.mutation.key)
        #expect(!exits.isEmpty)
        #expect(file.suspects(line: 4, column: 1) == exits)
    }
}
