import Testing

@testable import Mutations

@Suite struct DeliberateBugTests {
    private static let list = """
        # A comment
        #
        # of several lines.

        ## wrongReturn
        It returns the wrong one.
        Sources/A.swift
          if x {
        - return a
        + return bug ? b : a

        ## alsoPrints (cluster)
        It prints.
        Sources/A.swift
        + if bug { print() }
          return c
        """

    private func bugs(_ text: String) throws -> [(number: Int, bug: DeliberateBug)] {
        try DeliberateBug.parse(text, path: "List").enumerated().map { ($0 + 1, $1) }
    }

    @Test func bothBugsAreAppliedBehindTheirOwnSwitches() throws {
        let bugs = try bugs(Self.list)
        #expect(bugs.map(\.bug.mode) == [.pipelines, .clusters])
        let text =
            "func f() {\n    return a\n    if x {\n        return a\n    }\n    return c\n}\n"
        let expected = """
            import MutationSwitch; func f() {
                return a
                if x {
            return _muBug(1) ? b : a
                }
            if _muBug(2) { print() }
                return c
            }

            """
        #expect(try DeliberateBug.applied(bugs, toFile: "Sources/A.swift", text) == expected)
    }

    @Test(
        arguments: [
            "func f() { g() }", "if x {\nreturn a\nif x {\nreturn a\nreturn c",
            "if x {\n\nreturn a\nreturn c",
        ]
    )
    func anEntryThatDoesNotApplyExactlyOnceIsAnError(_ text: String) throws {
        let bugs = try bugs(Self.list)
        #expect(throws: MutationError.self) {
            try DeliberateBug.applied(bugs, toFile: "Sources/A.swift", text)
        }
    }

    @Test(
        arguments: [
            "- a line without a name", "## name", "## name\nA sentence.\n- no file",
            "## name\nA sentence.\nSources/A.swift\n+ only added",
            "## name\nA sentence.\nSources/A.swift\nno mark",
        ]
    )
    func aMalformedListIsAnError(_ text: String) {
        #expect(throws: MutationError.self) { try DeliberateBug.parse(text, path: "List") }
    }
}
