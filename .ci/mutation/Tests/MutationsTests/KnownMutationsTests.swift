import Testing

@testable import Mutations

@Suite struct KnownMutationsTests {
    @Test func oneReasonStandsBelowSeveralEntries() throws {
        let known = try KnownMutations(
            parsing: """
                # What this list is.

                A.swift: B.c()
                - g()
                +
                - a < b
                + a <= b
                  Both are the same,
                  for a reason.

                A.swift: B.d()
                - 1
                + 2
                  Another.
                """,
            name: "list"
        )
        #expect(known.reasons.count == 3)
        #expect(Set(known.reasons.values) == ["Both are the same, for a reason.", "Another."])
    }

    @Test func whatIsListedIsReadBack() throws {
        let text = "func f() {\n    g(\n        a\n    )\n    x = y < z\n}"
        for mutation in MutatedFile.mutations(in: text, path: "F.swift") {
            let known = try KnownMutations(parsing: mutation.listed + "\n  Why.\n", name: "list")
            #expect(known.contains(mutation))
        }
    }

    @Test(arguments: ["- a\n+ b\n  Why.", "A.swift: f()\n- a\n+ b\n", "nothing\n"])
    func whatIsNoListIsRejected(text: String) {
        #expect(throws: MutationError.self) { try KnownMutations(parsing: text, name: "list") }
    }
}
