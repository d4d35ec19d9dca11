import Testing

@testable import Mutations

@Suite struct CompilerErrorTests {
    private func place(_ line: String) -> String? {
        CompilerError(line, below: "/tree/").map { "\($0.path) \($0.line) \($0.column)" }
    }

    @Test func anErrorHasAPlace() {
        #expect(place("/tree/Sources/A.swift:3:15: error: no: thing") == "Sources/A.swift 3 15")
    }

    @Test func aCrashHasTheFunctionThatItWasAt() {
        #expect(place(" for 'cut()' (at /tree/Sources/A.swift:32:22)") == "Sources/A.swift 32 22")
    }

    @Test func whatElseItSaysHasNone() {
        for line in [
            "", "error: fatalError", "/tree/A.swift:3:15: warning: unused",
            "/other/A.swift:3:15: error: no", "/tree/A.swift:x:15: error: no",
            " for 'cut()' (at <invalid loc>)", "4. While running pass #9 (at /tree/A.swift:1:1)",
        ] {
            #expect(place(line) == nil, "\(line)")
        }
    }
}
