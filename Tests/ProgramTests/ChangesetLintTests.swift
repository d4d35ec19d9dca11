import Foundation
import PipelineTestSupport
import Testing

/// `changeset-lint` with results and explanations.
@Suite(.endsHangs) struct ChangesetLintTests {
    /// A scenario of one line and its output.
    private struct Row {
        let counts: String
        let operations: [String]
        let answer: String
        var arguments: [String] = []

        init(_ counts: String, _ operations: [String], _ answer: String, _ arguments: String...) {
            (self.counts, self.operations, self.answer) = (counts, operations, answer)
            self.arguments = arguments
        }

        var line: String { ChangesetLintTests.line(counts, operations) }
    }

    private static func line(_ counts: String, _ operations: [String]) -> String {
        let halves = counts.components(separatedBy: " ")
        let ops = operations.joined(separator: ",")
        return #"{"oldCounts":\#(halves[0]),"newCounts":\#(halves[1]),"ops":[\#(ops)]}"#
    }

    private static let answers: [Row] = [
        Row(
            "[1] [1]",
            [],
            #"{"valid":true,"error":null,"empty":true,"deleteSections":[],"deleteItems":[],"#
                + #""insertSections":[],"insertItems":[],"sectionMapping":[0],"#
                + #""reverseSectionMapping":[0],"itemMapping":[[0]],"reverseItemMapping":[[0]],"#
                + #""asks":[],"sections":["s0"],"map":[["o0.0"]]}"#
        ),
        // All kinds of edits at once, with different old and new places of every section.
        Row(
            "[1,3,2] [2,2,1,3]",
            [
                #"{"op":"moveSection","from":2,"to":0,"anim":1}"#,
                #"{"op":"moveItem","from":[1,2],"to":[3,0],"anim":2}"#,
                #"{"op":"deleteItems","at":[[1,0]],"anim":3}"#,
                #"{"op":"insertSections","at":[2]}"#,
                #"{"op":"insertItems","at":[[1,1],[3,2]]}"#,
                #"{"op":"reconfigureItems","at":[[2,1]],"anim":1}"#,
                #"{"op":"reloadSupplementaries","kind":"header","at":[1],"anim":2}"#,
            ],
            #"{"valid":true,"error":null,"empty":false,"deleteSections":[{"indexes":[2],"anim":1}],"#
                + #""deleteItems":[{"paths":[[1,2]],"anim":2},{"paths":[[1,0]],"anim":3}],"#
                + #""insertSections":[{"indexes":[0],"anim":1},{"indexes":[2],"anim":0}],"#
                + #""insertItems":[{"paths":[[1,1]],"anim":0},{"paths":[[3,0]],"anim":2},"#
                + #"{"paths":[[3,2]],"anim":0}],"moveSections":[{"from":2,"to":0,"anim":1}],"#
                + #""moveItems":[{"from":[1,2],"to":[3,0],"anim":2}],"#
                + #""sectionMapping":[1,3,0],"reverseSectionMapping":[2,0,-1,1],"#
                + #""itemMapping":[[0],[-1,1,0],[0,1]],"#
                + #""reverseItemMapping":[[0,1],[0,-1],[-1],[2,1,-1]],"#
                + #""asks":["c2","b2.0","b1.1","b3.2"],"sections":["s2","s0","t0","s1"],"#
                + #""map":[["o2.0","o2.1"],["o0.0","n1"],["n0"],["o1.2","o1.1","n2"]],"#
                + #""reconfigureItems":[{"from":[2,1],"to":[0,1],"anim":1}],"#
                + #""reloadSupplementaries":[{"kind":"header","section":1,"anim":2}]}"#
        ),
        Row(
            "[1] [1]",
            [#"{"op":"deleteItems","at":[[0,3]]}"#],
            #"{"valid":false,"code":"deleteItemRange","error":"attempt to delete item 3 from"#
                + #" section 0 which only contains 1 items before the update","opIndex":0,"#
                + #""path":[0,3],"section":0}"#
        ),
        Row(
            "[] []",
            [#"{"op":"deleteItems","at":[[-9223372036854775808,9223372036854775807]]}"#],
            #"{"valid":false,"code":"deleteItem"#
        ),
        Row(
            "[] []",
            [#"{"op":"reloadData"}"#, #"{"op":"complete"}"#],
            #"{"unsupported":"complete"}"#
        ),
        // With the texture profile, a repeated path counts once, and an error has its stage.
        Row(
            "[2] [1]",
            [#"{"op":"deleteItems","at":[[0,0],[0,0]]}"#],
            #"{"valid":true"#,
            "--profile",
            "texture"
        ),
        Row(
            "[1] [1]",
            [#"{"op":"deleteItems","at":[]}"#],
            #"{"valid":false,"code":"emptyItemOp""#,
            "--profile=texture"
        ),
        // A move out of a deleted section, which some versions of UIKit rejected.
        Row(
            "[1,1] [2]",
            [#"{"op":"deleteSections","at":[0]}"#, #"{"op":"moveItem","from":[0,0],"to":[0,1]}"#],
            #"{"valid":true"#
        ),
        Row(
            "[1,1] [2]",
            [#"{"op":"deleteSections","at":[0]}"#, #"{"op":"moveItem","from":[0,0],"to":[0,1]}"#],
            #"{"valid":false"#,
            "--profile",
            "strict"
        ),
    ]

    @Test func everyScenarioHasAResultInOneLine() throws {
        var faults = Faults()
        for row in Self.answers {
            let result = try run("changeset-lint", row.arguments, input: row.line)
            let isWhole = row.answer.hasSuffix("}")
            let isRight =
                isWhole ? result.output == row.answer + "\n" : result.output.hasPrefix(row.answer)
            faults.check(
                result.code == 0 && result.errors.isEmpty && isRight
                    && result.output.lines.count == 1,
                "\(row.line)\n\(result)"
            )
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    // MARK: Bad input

    private static func operations(_ text: String) -> String {
        #"{"oldCounts":[1],"newCounts":[2],"ops":\#(text)}"#
    }

    private static let path = "must be a path [section,item] of two 64-bit integers"
    private static let integer = "must be a 64-bit integer"

    /// Lines that are no scenario, and the message for each.
    private static let hostile: [(line: String, message: String)] =
        [
            ("[]", "a scenario must be an object, found an array"),
            ("7", "a scenario must be an object, found an integer"),
            ("{}", "missing field 'oldCounts'"),
            (#"{"oldCounts":[]}"#, "missing field 'newCounts'"),
            (#"{"oldCounts":[],"newCounts":[]}"#, "missing field 'ops'"),
            (#"{"oldCounts":3}"#, "oldCounts must be an array of integers, found an integer"),
            (#"{"oldCounts":[1,null]}"#, "oldCounts[1] \(integer), found null"),
            (#"{"oldCounts":[1.0]}"#, "oldCounts[0] \(integer), found the number 1.0"),
            (#"{"oldCounts":[1e400]}"#, "oldCounts[0] \(integer), found the number 1e400"),
            (
                #"{"oldCounts":[9223372036854775808]}"#,
                "oldCounts[0] \(integer), found the number 9223372036854775808"
            ),
            (operations("{}"), "ops must be an array, found an object"),
            (operations("[1]"), "ops[0] must be an object, found an integer"),
            (operations("[{}]"), "missing field 'ops[0].op'"),
            (operations(#"[{"op":1}]"#), "ops[0].op must be a string, found an integer"),
            (operations(#"[{"op":"jump"}]"#), #"ops[0].op is unknown: "jump""#),
            (
                operations(#"[{"op":"reloadData"},{"op":"deleteItems"}]"#),
                "missing field 'ops[1].at'"
            ),
            (
                operations(#"[{"op":"deleteItems","at":7}]"#),
                "ops[0].at must be an array of paths, found an integer"
            ),
            (operations(#"[{"op":"insertItems","at":[[0,0],[1]]}]"#), "ops[0].at[1] \(path)"),
            (operations(#"[{"op":"reloadItems","at":[[0,0.5]]}]"#), "ops[0].at[0] \(path)"),
            (operations(#"[{"op":"moveItem","from":[0,0]}]"#), "missing field 'ops[0].to'"),
            (operations(#"[{"op":"moveItem","from":0,"to":[0,0]}]"#), "ops[0].from \(path)"),
            (
                operations(#"[{"op":"deleteSections","at":[[0]]}]"#),
                "ops[0].at[0] \(integer), found an array"
            ),
            (
                operations(#"[{"op":"moveSection","from":"0","to":1}]"#),
                "ops[0].from \(integer), found a string"
            ),
            (
                operations(#"[{"op":"deleteItems","at":[],"anim":true}]"#),
                "ops[0].anim \(integer), found a Boolean"
            ),
            (
                operations(#"[{"op":"reloadSupplementaries","at":[0]}]"#),
                "missing field 'ops[0].kind'"
            ),
        ]
        + faultyJSON.map { ($0.line, "invalid JSON in column \($0.column): \($0.message)") }
        + ["-1", "1048577", "9223372036854775807,1"].map {
            (
                #"{"oldCounts":[\#($0)],"newCounts":[],"ops":[],"result":{"valid":true}}"#,
                "oldCounts cannot be loaded: "
            )
        }

    private static let faultyJSON: [(line: String, column: Int, message: String)] =
        [
            ("nul", 1, "expected a value"), ("NaN", 1, "expected a value"),
            ("\u{B}1", 1, "expected a value"), ("[", 2, "expected a value, but the line ends"),
            ("[1,]", 4, "expected a value"), ("[1 2]", 4, "expected ',' or ']'"),
            ("{", 2, "expected a key in quotes"), ("{1:2}", 2, "expected a key in quotes"),
            (#"{"a" 1}"#, 6, "expected ':'"), (#"{"a":1"#, 7, "expected ',' or '}'"),
            (#"{"a":1,}"#, 8, "expected a key in quotes"),
            (#"{"a":1,"a":2}"#, 8, #"the key "a" occurs twice"#),
            ("1 1", 3, "expected the end of the line"), ("01", 1, "a number must not begin with 0"),
            ("-", 2, "expected a digit"), ("1.", 3, "expected a digit"),
            ("1e+-3", 4, "expected a digit"), ("\"a", 1, "unterminated string"),
            ("[\"a\\", 2, "unterminated string"),
            ("\"a\tb\"", 3, "a control character in a string"),
        ]
        + ["x", "0", "u12", "u12g4", "u+123", "udc00", "ud800", "ud800\\n", "ud83d\\ud83d"].map {
            ("\"<\\\($0)\"", 1, "a string with an invalid escape sequence")
        }
        + [100, 100_000].map {
            (String(repeating: "[", count: $0), 65, "nested deeper than 64 levels")
        }

    @Test(arguments: [[], ["--explain"], ["--check"]])
    func everyHostileLineIsReportedAndTheRestIsProcessed(arguments: [String]) throws {
        try inFolder { folder in
            // A good line follows each bad one; blank lines precede them.
            let good = #"{"oldCounts":[],"newCounts":[],"ops":[],"result":{"valid":true}}"#
            let lines = Self.hostile.map(\.line)
            let text = "\n \t\r\n" + lines.joined(separator: "\n\(good)\n") + "\n\(good)"
            let result = try run("changeset-lint", arguments + [folder.write(text, to: "in")])
            #expect(result.code == 2)
            let messages = result.errors.lines
            try #require(messages.count == lines.count, "\(result.errors)")
            var faults = Faults()
            for (index, (row, message)) in zip(Self.hostile, messages).enumerated() {
                let start = "changeset-lint: line \(3 + 2 * index): \(row.message)"
                faults.check(message.hasPrefix(start), "\(message), expected \(start)")
            }
            #expect(faults.isEmpty, "\(faults.text)")
            let answer =
                arguments.isEmpty
                ? #"{"valid":true"# : arguments == ["--check"] ? "agree" : "valid in standard"
            let count = result.output.components(separatedBy: answer).count - 1
            #expect(count == (answer == "agree" ? 1 : lines.count))
        }
    }

    /// Each line is answered or reported in one line; the table above covers the messages.
    @Test(arguments: 0..<Effort.number(8, usually: 2) as Range<UInt64>)
    func aMutatedLineIsProcessedOrReported(seed: UInt64) throws {
        try inFolder { folder in
            let line = Self.operations(
                #"[{"op":"reloadSections","at":[1],"anim":0},"#
                    + #"{"op":"moveItem","from":[0,3],"to":[1,0]}],"id":"é\u00e9\ud83d\ude00""#
            )
            var mutilation = Mutilation(seed: seed)
            let newline = UInt8(ascii: "\n")
            var bytes: [UInt8] = []
            for _ in 0..<400 {
                bytes += mutilation.spoil(Array(line.utf8)).filter { $0 != newline } + [newline]
            }
            let result = try run("changeset-lint", [folder.write(bytes, to: "in")])
            #expect(result.code == 2)
            let (answers, messages) = (result.output.lines, result.errors.lines)
            #expect(answers.count + messages.count == 400)
            #expect(answers.allSatisfy { $0.hasPrefix("{") } && !answers.isEmpty)
            #expect(messages.allSatisfy { $0.hasPrefix("changeset-lint: line ") })
            #expect(messages.count > 100)
        }
    }

    @Test func badUsageAndUnreadableFilesAreReportedInOneLine() throws {
        let hint = "; see --help"
        var faults = Faults()
        for (arguments, message) in [
            (["--profile"], "--profile needs a value: standard, strict, texture\(hint)"),
            (
                ["--profile="], "unknown profile '', expected standard, strict, texture\(hint)"
            ),
            (["--profile=strict", "--profile", "texture"], "--profile was given twice\(hint)"),
            (["--check", "--explain"], "--check and --explain exclude each other\(hint)"),
            (["--explain", "--check"], "--explain and --check exclude each other\(hint)"),
            (["--explain", "--invert"], "--explain and --invert exclude each other\(hint)"),
            (["a", "--", "-b"], "expected one file, found 2\(hint)"),
            (["--diff", "a"], "--diff needs two files, found 1\(hint)"),
            (["--diff", "-", "-"], "standard input cannot be read twice\(hint)"),
            (["--compose", "-", "a", "-"], "standard input cannot be read twice\(hint)"),
            (["--sections", "--compose"], "--sections needs --diff\(hint)"),
            (["/no/such/file"], "cannot read '/no/such/file': No such file or directory"),
            (["--explain", "/"], "cannot read '/': Is a directory"),
            (["--invert", "/no/such"], "cannot read '/no/such': No such file or directory"),
            (["--diff", "/dev/null", "/"], "cannot read '/': Is a directory"),
        ] {
            let result = try run("changeset-lint", arguments)
            faults.checkRefusal(result, by: "changeset-lint", message)
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    // MARK: Explanations

    private static let explanations: [(line: String, text: [String])] = [
        (
            line(
                "[2,3,1] [3,2,2]",
                [
                    #"{"op":"moveItem","from":[1,0],"to":[0,2],"anim":2}"#,
                    #"{"op":"deleteSections","at":[2]}"#, #"{"op":"insertSections","at":[1]}"#,
                    #"{"op":"reconfigureItems","at":[[0,0]]}"#,
                    #"{"op":"reloadItems","at":[[0,1]],"anim":1}"#,
                    #"{"op":"reloadSupplementaries","kind":"header","at":[2]}"#,
                ]
            ),
            [
                "line 1: valid in standard",
                "  before: { 3 sections with item counts: [2, 3, 1] }",
                "  after:  { 3 sections with item counts: [3, 2, 2] }",
                "  sections: 3 before + 1 inserted - 1 deleted = 3",
                "  items of section 0: 2 before + 0 inserted - 0 deleted + 1 moved in"
                    + " - 0 moved out = 3",
                "  items of section 2, before 1: 3 before + 0 inserted - 0 deleted + 0 moved in"
                    + " - 1 moved out = 2",
                "  edits:",
                "    1. remove item 1 - 0: move to 0 - 2, animation 2",
                "    2. remove item 0 - 1: reload to 0 - 1, animation 1",
                "    3. remove section 2: delete, animation 0",
                "    4. insert section 1: insert with 2 new items, animation 0",
                "    5. insert item 0 - 1: reload from 0 - 1, animation 1",
                "    6. insert item 0 - 2: move from 1 - 0, animation 2",
                "    then reconfigure item 0 - 0, now at 0 - 0",
                "    then reload header in section 2",
                "  requests: c1 b1.0 b1.1 b0.1",
                "  section 0, s0: o0.0 n2 o1.0",
                "  section 1, t0: n0 n1",
                "  section 2, s1: o1.1 o1.2",
            ]
        ),
        (
            line("[2] [4]", [#"{"op":"insertItems","at":[[0,0]]}"#]),
            [
                "line 1: invalid in standard, itemCount",
                "  Invalid update: invalid number of items in section 0. The number of items"
                    + " contained in an existing section after the update (4) must be equal to the"
                    + " number of items contained in that section before the update (2), plus or"
                    + " minus the number of items inserted or deleted from that section (1"
                    + " inserted, 0 deleted) and plus or minus the number of items moved into or"
                    + " out of that section (0 moved in, 0 moved out)",
                "  before: { 1 section with item counts: [2] }",
                "  after:  { 1 section with item counts: [4] }",
                "  at fault: section 0",
                "  sum: 2 before + 1 inserted - 0 deleted = 3, but there are 4",
                "  hint: The counts show 2 added, but 1 was recorded. Record every change of the"
                    + " model once, in the batch that makes it",
            ]
        ),
        (
            line(
                "[2] [2]",
                [#"{"op":"insertItems","at":[]}"#, #"{"op":"deleteItems","at":[[0,7]]}"#]
            ),
            [
                "line 1: invalid in standard, deleteItemRange",
                "  attempt to delete item 7 from section 0 which only contains 2 items before the"
                    + " update",
                "  before: { 1 section with item counts: [2] }",
                "  after:  { 1 section with item counts: [2] }",
                "  at fault: operation 1, deleteItems at (0 - 7)",
                "  at fault: item 0 - 7",
                "  hint: The edit was recorded but did not happen in the data source; the counts add"
                    + " up without it. Deletes and reloads use the paths before the update",
            ]
        ),
        (
            line("[] [50]", [#"{"op":"reloadData"}"#]),
            [
                "line 1: valid in standard",
                "  before: { 0 sections with item counts: [] }",
                "  after:  { 1 section with item counts: [50] }",
                "  sums: none, because everything is reloaded",
                "  edits:",
                "    1. insert section 0: insert with 50 new items, animation 0",
                "  requests: c0 " + (0..<39).map { "b0.\($0)" }.joined(separator: " ")
                    + " … 11 more",
                "  section 0, t0: " + (0..<40).map { "n\($0)" }.joined(separator: " ")
                    + " … 10 more",
            ]
        ),
        (
            line("[] []", [#"{"op":"readMapping"}"#]),
            [
                "line 1: 'readMapping' is not available: recording and result are values of"
                    + " two types, so this misuse does not compile"
            ]
        ),
    ]

    @Test func anExplanationHasSumsEditsAndFaults() throws {
        var faults = Faults()
        for row in Self.explanations {
            let result = try run("changeset-lint", ["--explain"], input: row.line)
            faults.check(
                result.code == 0 && result.errors.isEmpty && result.output.lines == row.text,
                "\(row.line)\n\(result.output)\(result.errors)"
            )
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    @Test func anExplanationFitsTheTerminal() throws {
        try inFolder { folder in
            let text = Self.explanations.dropLast().map(\.line).joined(separator: "\n")
            let file = try folder.write(text, to: "scenarios")
            let whole = try run("changeset-lint", ["--explain", file]).output
            for columns in [40, 80] as [UInt16] {
                let (code, shown, _) = try PseudoTerminal.run(
                    "changeset-lint",
                    ["--explain", file],
                    .output,
                    columns: columns
                )
                #expect(code == 0)
                #expect(shown.lines.allSatisfy { $0.count <= columns }, "\(shown)")
                #expect(
                    shown.split(whereSeparator: \.isWhitespace)
                        == whole.split(whereSeparator: \.isWhitespace)
                )
            }
        }
    }
}
