import Foundation
import PipelineTestSupport
import Testing

/// `changeset-lint` with differences, inverses, compositions and rebased scenarios.
@Suite(.endsHangs) struct ChangesetLintCalculationTests {
    private static func scenario(_ text: String) -> String { "{\(text)}" }

    private static let insert = scenario(
        #""id":7,"oldCounts":[1],"newCounts":[2],"ops":[{"op":"insertItems","at":[[0,1]],"anim":2}]"#
    )
    private static let delete = scenario(
        #""id":"x","oldCounts":[2],"newCounts":[1],"ops":[{"op":"deleteItems","at":[[0,1]],"anim":2}]"#
    )
    private static let deleteFirst = scenario(
        #""oldCounts":[2],"newCounts":[1],"ops":[{"op":"deleteItems","at":[[0,0]],"anim":1}]"#
    )
    private static let invalid = scenario(#""oldCounts":[1],"newCounts":[2],"ops":[]"#)

    private static let results:
        [(option: String, lines: [String], output: [String], warnings: [String])] = [
            ("--invert", [], [], []),
            (
                "--invert", [insert, "", delete],
                [
                    delete.replacing(#""x""#, with: "7"),
                    insert.replacing(#""id":7"#, with: #""id":"x""#),
                ], []
            ),
            // A name is written as it was read, with equivalent characters and numbers.
            (
                "--invert",
                [
                    #" { "id" : ["\u00e9\"\\\/\n\ud83d\ude00", -0, 1.0, 1e400, true, null, {"b":[ ]}],"#
                        + #""oldCounts":[],"newCounts":[],"ops":[]}"#
                ],
                [
                    #"{"id":["é\"\\/\n😀",0,1.0,1e400,true,null,{"b":[]}],"#
                        + #""oldCounts":[],"newCounts":[],"ops":[]}"#
                ], []
            ),
            ("--compose", [insert, delete], [#"{"oldCounts":[1],"newCounts":[1],"ops":[]}"#], []),
            (
                "--compose", [insert, deleteFirst],
                [
                    #"{"oldCounts":[1],"newCounts":[1],"ops":["#
                        + #"{"op":"deleteItems","at":[[0,0]],"anim":1},"#
                        + #"{"op":"insertItems","at":[[0,0]],"anim":2}]}"#
                ], []
            ),
            (
                "--rebase",
                [
                    deleteFirst,
                    #"{"id":1,"oldCounts":[2],"newCounts":[3],"ops":[{"op":"insertItems","at":[[0,2]]}]}"#,
                ],
                [
                    #"{"id":1,"oldCounts":[1],"newCounts":[2],"#
                        + #""ops":[{"op":"insertItems","at":[[0,1]],"anim":0}]}"#
                ], []
            ),
            (
                "--rebase", [delete, delete],
                [#"{"id":"x","oldCounts":[1],"newCounts":[1],"ops":[]}"#],
                ["dropped: remove item 0 - 1 (delete): removedAlready"]
            ),
            // Texture counts an item that is deleted twice only once.
            (
                "--invert --profile texture", [delete.replacing("[[0,1]]", with: "[[0,1],[0,1]]")],
                [insert.replacing(#""id":7"#, with: #""id":"x""#)], []
            ),
        ]

    @Test func scenariosAreInvertedComposedAndRebased() throws {
        var faults = Faults()
        for row in Self.results {
            let result = try run(
                "changeset-lint",
                row.option.components(separatedBy: " "),
                input: row.lines.joined(separator: "\n")
            )
            faults.check(
                result.code == 0 && result.output.lines == row.output
                    && result.errors.lines == row.warnings.map { "changeset-lint: \($0)" },
                "\(row.option) \(row.lines)\n\(result)"
            )
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    @Test func filesAndStandardInputAreReadInOrder() throws {
        try inFolder { folder in
            let files = [
                try folder.write(Self.insert, to: "a"), try folder.write("\n", to: "b"), "-",
            ]
            let whole = try run(
                "changeset-lint",
                ["--compose"],
                input: Self.insert + "\n" + Self.deleteFirst
            )
            let result = try run("changeset-lint", ["--compose"] + files, input: Self.deleteFirst)
            #expect(result.code == 0 && result.output == whole.output && !result.output.isEmpty)
        }
    }

    private static let rejections: [(option: String, lines: [String], message: String)] = [
        ("--compose", [], "--compose needs at least one scenario, found none"),
        ("--rebase", [insert], "--rebase needs two scenarios, found 1"),
        (
            "--rebase", [insert, insert, insert],
            "--rebase needs two scenarios, but line 3 has a third"
        ),
        (
            "--compose", [insert, insert],
            "line 2 does not start where the scenario before it ends: the update starts from"
                + " 1 items in section 0, but 2 were given"
        ),
        (
            "--rebase", [insert, delete],
            "line 2 does not start where line 1 does: the update starts from 1 items in"
                + " section 0, but 2 were given"
        ),
        ("--invert", ["{"], "line 1: invalid JSON in column 2: expected a key in quotes"),
        (
            "--compose", [#"{"oldCounts":[1],"newCounts":[1],"ops":[{"op":"complete"}]}"#],
            "line 1: 'complete' is not available: recording and result are values of two"
                + " types, so this misuse does not compile"
        ),
    ]

    @Test func impossibleCalculationsAreReportedInOneLine() throws {
        var faults = Faults()
        for row in Self.rejections {
            let result = try run(
                "changeset-lint",
                [row.option],
                input: row.lines.joined(separator: "\n")
            )
            faults.checkRefusal(result, by: "changeset-lint", row.message)
        }
        #expect(faults.isEmpty, "\(faults.text)")
        try inFolder { folder in
            let file = try folder.write(Self.invalid, to: "bad")
            for option in ["--invert", "--compose", "--rebase"] {
                let result = try run("changeset-lint", [option, file, file])
                #expect(result.code == 2 && result.output.isEmpty)
                let start = "changeset-lint: '\(file)' line 1: invalid in standard, itemCount: "
                #expect(result.errors.hasPrefix(start) && result.errors.lines.count == 1)
            }
        }
    }

    @Test func inversesOfVectorsAreValidAndInvertible() throws {
        let sample = package.appending(
            path: "Tests/ProgramTests/Vectors/changeset-vectors-sample.jsonl"
        )
        let lines = try String(contentsOf: sample, encoding: .utf8).lines
        try inFolder { folder in
            // Scenarios that standard accepts, without `reloadData`, whose inverse is itself.
            let some = stride(from: 0, to: lines.count, by: Effort.number(1, usually: 9))
                .map { lines[$0] }.filter { !$0.contains(#""op":"reloadData""#) }
            let answers = try run(
                "changeset-lint",
                [folder.write(some.joined(separator: "\n"), to: "some")]
            ).output.lines
            let valid = zip(some, answers).filter { $1.hasPrefix(#"{"valid":true"#) }.map { $0.0 }
            try #require(valid.count > 30)
            func invert(_ lines: [String]) throws -> [String] {
                let file = try folder.write(lines.joined(separator: "\n"), to: "lines")
                let result = try run("changeset-lint", ["--invert", file])
                #expect(result.code == 0 && result.errors.isEmpty)
                return result.output.lines
            }
            let inverses = try invert(valid)
            #expect(inverses.count == valid.count)
            #expect(try invert(invert(inverses)) == inverses)
            let file = try folder.write(inverses.joined(separator: "\n"), to: "inverses")
            let verdicts = try run("changeset-lint", [file]).output.lines
            #expect(verdicts.allSatisfy { $0.hasPrefix(#"{"valid":true"#) })
            for (line, inverse) in zip(valid, inverses).prefix(12) {
                let sum = try run("changeset-lint", ["--compose"], input: line + "\n" + inverse)
                let counts = try line.object()["oldCounts"] as? [Int]
                let composed = try sum.output.object()
                #expect(composed["oldCounts"] as? [Int] == counts)
                #expect(composed["newCounts"] as? [Int] == counts)
            }
        }
    }

    // MARK: Differences of files

    private func difference(
        _ old: some Sequence<UInt8>,
        _ new: some Sequence<UInt8>,
        _ options: [String] = []
    ) throws -> BuiltProgram.Result {
        try inFolder { folder in
            try run(
                "changeset-lint",
                ["--diff"] + options
                    + [folder.write(old, to: "old"), folder.write(new, to: "new")]
            )
        }
    }

    /// The edits between two files, in any order.
    private static let differences:
        [(old: String, new: String, options: [String], edits: [String])] = [
            ("a\n", "a", [], ["no edits"]),
            (
                "a\nb\nc\n", "c\na\nx\t\u{1B}[m\u{202E}\n", [],
                [
                    "move item 0 - 0 to 0 - 1: a", "delete item 0 - 1: b",
                    #"insert item 0 - 2: x\t\u{1b}[m\u{202e}"#,
                ]
            ),
            // Lines are compared as bytes, even if they look the same.
            (
                "e\u{301}\nx\n", "é\nx\n", [],
                ["delete item 0 - 0: e\u{301}", "insert item 0 - 0: é"]
            ),
            (
                "0\n# gone\n1\n# kept\n2\n", "# kept\n# new\n0\n3\n# one\n4\n", ["--sections"],
                [
                    "move item 0 - 0 to 1 - 0: 0", "delete item 2 - 0: 2", "delete section 1: gone",
                    "delete section 0: the lines before the first section",
                    "insert section 1 with 1 new item: new",
                    "insert section 2 with 1 new item: one",
                ]
            ),
            ("# a\n# b\n1\n", "# b\n1\n# a\n", ["--sections"], ["move section 0 to 1: a"]),
        ]

    @Test func anExplainedDifferenceHasOneLinePerEdit() throws {
        var faults = Faults()
        for row in Self.differences {
            let result = try difference(row.old.utf8, row.new.utf8, row.options + ["--explain"])
            let lines = Set(result.output.lines.map { Array($0.utf8) })
            faults.check(
                result.code == 0 && lines == Set(row.edits.map { Array($0.utf8) })
                    && result.output.lines.count == row.edits.count,
                "\(row.edits)\n\(result)"
            )
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    @Test func invalidUTF8IsReportedWithItsLine() throws {
        let result = try difference("a\n".utf8, [0x61, 0x0A, 0xC3, 0x28, 0x0A])
        #expect(result.code == 2 && result.output.isEmpty)
        #expect(result.errors.hasSuffix("/new' is not UTF-8 in line 2\n"))
        let many = try difference(Array(repeating: 0x0A, count: 1 << 20 + 1), [])
        #expect(many.code == 2 && many.errors.hasPrefix("changeset-lint: too many lines: "))
    }

    /// The sections of a file, as the help describes them.
    private static func sections(_ text: String) -> [[String]] {
        var sections: [[String]] = []
        for line in text.lines {
            if line.hasPrefix("# ") {
                sections.append([])
            } else {
                if sections.isEmpty { sections.append([]) }
                sections[sections.count - 1].append(line)
            }
        }
        return sections
    }

    @Test(arguments: ["standard", "strict", "texture"])
    func aPrintedDifferenceTurnsTheOldFileIntoTheNew(profile: String) throws {
        let options = ["--sections", "--profile", profile]
        var random = SeededNumbers(seed: 1)
        func text() -> String {
            (0..<random.next(below: 13)).map { _ in
                (random.isTrue(oneIn: 4) ? "# " : "")
                    + "abcdef".map(String.init)[random.next(below: 6)]
                    + "\n"
            }.joined()
        }
        let files = (0..<Effort.number(60, usually: 12)).map { _ in (old: text(), new: text()) }
        let scenarios = try files.map { old, new in
            try difference(old.utf8, new.utf8, options).output
        }
        let answers = try run("changeset-lint", ["--profile", profile], input: scenarios.joined())
        try #require(answers.output.lines.count == files.count, "\(answers)")
        var faults = Faults()
        for ((old, new), line) in zip(files, answers.output.lines) {
            let (before, after) = (Self.sections(old), Self.sections(new))
            let map = try line.object()["map"] as? [[String]]
            // An old item must equal its current text; a new item can be anything.
            let texts = map?.enumerated().map { section, names in
                names.enumerated().map { item, name in
                    guard name.hasPrefix("o") else { return after[section][item] }
                    let place = name.dropFirst().split(separator: ".").compactMap { Int($0) }
                    return before[place[0]][place[1]]
                }
            }
            faults.check(texts == after, "\(old)->\n\(new)\(line)")
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }
}
