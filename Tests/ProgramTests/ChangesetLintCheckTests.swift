import Foundation
import PipelineTestSupport
import Testing

/// `changeset-lint --check` compares Texture's recorded results with those of a real pipeline.
@Suite(.serialized, .endsHangs) struct ChangesetLintCheckTests {
    private static let sample = package.appending(
        path: "Tests/ProgramTests/Vectors/changeset-vectors-sample.jsonl"
    )

    /// Returns every nth line of the sample; 7, 11 and 41 share no divisor with the sample's
    /// groups.
    private func vectors(every stride: Int) throws -> [String] {
        let lines = try String(contentsOf: Self.sample, encoding: .utf8).lines
        return Swift.stride(from: 0, to: lines.count, by: stride).map { lines[$0] }
    }

    private func lint(_ arguments: [String], _ lines: [String]) throws -> BuiltProgram.Result {
        try inFolder { folder in
            let file = try folder.write(lines.joined(separator: "\n"), to: "lines")
            return try run("changeset-lint", arguments + [file])
        }
    }

    /// Returns a report without the reasons.
    private func tally(_ output: String) -> [String] {
        output.lines.map { String($0.prefix { $0 != ":" }.drop { $0 == " " }) }
    }

    /// The differences that every profile has.
    private static let misuses = [
        "15 modifyCompleted", "14 readIncomplete", "14 mappingBeforeComplete", "14 completeTwice",
        "1 completedByProbe",
    ]

    private static func report(_ profile: String) -> [String] {
        guard profile != "texture" else {
            return ["1511 checked, 1219 agree", "292 differ for a reason (some for several)"]
                + misuses
                + [
                    "40 duplicatesAppliedOnce", "170 reloadedRows", "28 reloadDataEdits",
                    "0 failures",
                ]
        }
        let isStrict = profile == "strict"
        return ["1511 checked, 429 agree", "1082 differ for a reason (some for several)"] + misuses
            + [
                "8 duplicatesAppliedOnce", "97 reloadedRows", "28 reloadDataEdits",
                "485 ownFaults", "50 emptyOperations", "14 repeatedReloadData",
                "86 duplicatesRejected", "18 reloadConflicts",
                "\(isStrict ? 169 : 168) boundsChecked", "\(isStrict ? 39 : 52) realMoves",
                "\(isStrict ? 18 : 19) movedCounts",
            ] + (isStrict ? ["13 earlyFaults"] : []) + ["0 failures"]
    }

    @Test(arguments: ["texture", "standard", "strict"])
    func everyVectorIsReproducedOrDiffersForANamedReason(profile: String) throws {
        let isWhole = Effort.isFull || profile == "texture"
        let lines = try vectors(every: isWhole ? 1 : 7)
        let result = try lint(["--profile", profile, "--check"], lines)
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.output)")
        if isWhole {
            #expect(tally(result.output) == Self.report(profile))
        } else {
            #expect(result.output.hasPrefix("\(lines.count) checked, "))
            #expect(result.output.hasSuffix("\n0 failures\n"))
        }
    }

    /// Results that agree are also equal byte for byte.
    @Test func resultsOfTheTextureProfileAreTheRecordedTexts() throws {
        let lines = try vectors(every: Effort.number(1, usually: 11))
        let answers = try lint(["--profile", "texture"], lines).output.lines
        try #require(answers.count == lines.count)
        let equal = zip(lines, answers).count { $0.hasSuffix(#","result":\#($1)}"#) }
        let check = try lint(["--profile", "texture", "--check"], lines)
        #expect(check.output.hasPrefix("\(lines.count) checked, \(equal) agree\n") && equal > 0)
    }

    /// No reason may cover a changed value in a recorded result.
    @Test(arguments: ["texture", "standard"])
    func aMutatedResultFails(profile: String) throws {
        var mutated: [String] = []
        for line in try vectors(every: Effort.number(7, usually: 41)) {
            let result = try #require(line.range(of: #","result":"#))
            let object = try line.object()["result"] as? [String: Any]
            for key in (object ?? [:]).keys.sorted() where key != "quirks" {
                let start = try #require(
                    line.range(of: "\"\(key)\":", range: result.upperBound..<line.endIndex)
                )
                mutated.append(line[..<start.upperBound] + Self.mutate(line[start.upperBound...]))
            }
        }
        let result = try lint(["--profile", profile, "--check"], mutated)
        #expect(result.code == 1 && result.errors.isEmpty)
        #expect(result.output.hasSuffix("\n\(mutated.count) failures\n"), "\(result.output)")
        #expect(mutated.count > 300)
    }

    /// Changes the first value in the text.
    private static func mutate(_ text: Substring) -> String {
        for (old, new) in [
            ("true", "false"), ("false", "true"), ("null", "0"), ("[]", "[0]"), ("\"", "\"x"),
        ] where text.hasPrefix(old) { return new + text.dropFirst(old.count) }
        guard let first = text.first else { return "" }
        if first.isNumber || first == "-" {
            let end = text.firstIndex { !$0.isNumber && $0 != "-" } ?? text.endIndex
            return (text[..<end] == "7" ? "8" : "7") + text[end...]
        }
        if first == "{" {
            // Changes the value of the first member.
            let colon = text.firstIndex(of: ":") ?? text.startIndex
            return text[...colon] + mutate(text[text.index(after: colon)...])
        }
        return String(first) + mutate(text.dropFirst())
    }

    @Test(arguments: ["texture", "standard", "strict"])
    func printedResultsAgreeWhenRecorded(profile: String) throws {
        let lines = try vectors(every: Effort.number(5, usually: 29))
        let answers = try lint(["--profile", profile], lines).output.lines
        let recorded = try zip(lines, answers).filter { !$1.hasPrefix(#"{"unsupported""#) }
            .map { line, answer in
                let result = try #require(line.range(of: #","result":"#))
                return line[..<result.upperBound] + answer + "}"
            }
        let check = try lint(["--profile", profile, "--check"], recorded.map { String($0) })
        let count = recorded.count
        #expect(
            check.output == "\(count) checked, \(count) agree\n0 differ for a reason\n0 failures\n"
        )
    }

    // MARK: Names

    private static let deleteAndMove =
        #"{"op":"deleteItems","at":[[0,0]]},{"op":"moveItem","from":[0,0],"to":[0,0]}"#
    private static let moveOutOfDeleted =
        #"{"op":"deleteSections","at":[0]},{"op":"moveItem","from":[0,0],"to":[0,1]}"#

    /// Scenarios in which a profile differs from Texture, with the name of the rule.
    private static let rules:
        [(counts: String, operations: String, standard: String, strict: String)] = [
            ("[1] [1]", #"{"op":"deleteItems","at":[]}"#, "emptyOperations", "emptyOperations"),
            ("[1] [1]", #"{"op":"deleteSections","at":[]}"#, "emptyOperations", "emptyOperations"),
            (
                "[1] [1]", #"{"op":"reloadData"},{"op":"reloadData"}"#, "repeatedReloadData",
                "repeatedReloadData"
            ),
            ("[1] [1]", #"{"op":"deleteItems","at":[[0,3]]}"#, "ownFaults", "ownFaults"),
            (
                "[2] [1]", #"{"op":"deleteItems","at":[[0,0],[0,0]]}"#, "duplicatesRejected",
                "duplicatesRejected"
            ),
            (
                "[] [1]", #"{"op":"insertSections","at":[0]},{"op":"insertItems","at":[[0,5]]}"#,
                "boundsChecked", "boundsChecked"
            ),
            (
                "[1,1] [1]",
                #"{"op":"deleteSections","at":[0]},{"op":"reloadItems","at":[[0,0],[1,0]]}"#,
                "reloadConflicts", "reloadConflicts"
            ),
            ("[2] [2]", #"{"op":"moveItem","from":[0,0],"to":[0,1]}"#, "realMoves", "realMoves"),
            (
                "[2,1] [1,2]", #"{"op":"moveItem","from":[0,0],"to":[1,0]}"#, "realMoves",
                "realMoves"
            ),
            ("[2,1] [1,2]", #"{"op":"moveSection","from":0,"to":1}"#, "realMoves", "realMoves"),
            ("[2] [2]", deleteAndMove, "movesRejected", "movesRejected"),
            ("[1,2] [2,9]", #"{"op":"moveSection","from":0,"to":1}"#, "movedCounts", "movedCounts"),
            ("[1,1] [2]", moveOutOfDeleted, "realMoves", "earlyFaults"),
        ]

    @Test func everyDifferenceHasTheNameOfItsRule() throws {
        let lines = Self.rules.map { row in
            let counts = row.counts.components(separatedBy: " ")
            return
                #"{"oldCounts":\#(counts[0]),"newCounts":\#(counts[1]),"ops":[\#(row.operations)]"#
        }
        let answers = try lint(["--profile", "texture"], lines.map { $0 + "}" }).output.lines
        try #require(answers.count == lines.count)
        let recorded = zip(lines, answers).map { $0 + #","result":\#($1)}"# }
        #expect(
            try lint(["--profile", "texture", "--check"], recorded).output
                .hasPrefix("\(lines.count) checked, \(lines.count) agree\n")
        )
        var faults = Faults()
        for (line, row) in zip(recorded, Self.rules) {
            for (profile, name) in [("standard", row.standard), ("strict", row.strict)] {
                let result = try lint(["--profile", profile, "--check"], [line])
                let expected = [
                    "1 checked, 0 agree", "1 differ for a reason (some for several)", "1 \(name)",
                    "0 failures",
                ]
                faults.check(
                    result.code == 0 && tally(result.output) == expected,
                    "\(line)\n\(result)"
                )
            }
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    /// The rest of a line after the old counts, and the reports of a check.
    private static let wrong: [(line: String, faults: [String])] = [
        (
            #"[2],"newCounts":[2],"ops":[],"result":{"valid":true,"map":[["o0.0","n0"]]}}"#,
            [#"map[0][1]: expected "n0", found "o0.1""#]
        ),
        (
            #"[2],"newCounts":[2],"ops":[{"op":"moveItem","from":[0,0],"to":[0,1]}],"#
                + #""result":{"valid":true,"empty":true,"quirks":[],"map":["o0.1"],"more":null}}"#,
            [
                "empty: expected true, found false",
                #"map[0]: expected "o0.1", found ["o0.1","o0.0"]"#,
                "more: expected null, found nothing",
            ]
        ),
        (
            #"[2],"newCounts":[2],"ops":[],"result":{"map":null,"valid":false}}"#,
            ["valid: expected false, found true"]
        ),
    ]

    @Test func unexplainedDifferencesAreReportedWithTheirPlace() throws {
        let lines = Self.wrong.map { #"{"id":7,"oldCounts":"# + $0.line }
        let result = try lint(["--check"], lines)
        #expect(result.code == 1 && result.errors.isEmpty)
        let faults = Self.wrong.enumerated().flatMap { number, row in
            row.faults.map { "line \(number + 1) (id 7): \($0)" }
        }
        #expect(
            result.output.lines
                == faults + ["3 checked, 0 agree", "0 differ for a reason", "3 failures"]
        )
    }

    @Test func aCheckNeedsAResult() throws {
        let start = #"{"oldCounts":[],"newCounts":[],"ops":[]"#
        let endings = [
            "}", #","result":3}"#, #","result":{"valid":1}}"#, #","result":{"valid":true}}"#,
        ]
        let result = try lint(["--check"], endings.map { start + $0 })
        #expect(result.code == 2)
        #expect(result.output.hasPrefix("1 checked, 1 agree\n"))
        #expect(
            result.errors.lines == [
                "changeset-lint: line 1: missing field 'result', which --check compares with",
                "changeset-lint: line 2: result must be an object, found an integer",
                "changeset-lint: line 3: result.valid must be true or false, found an integer",
            ]
        )
    }

    // MARK: On a terminal

    /// A bar is shown during output only if that goes elsewhere, and during a check, which prints
    /// little.
    @Test(
        arguments: [(.errors, false), (.both, true), (.both, false)]
            as [(PseudoTerminal.Streams, Bool)]
    )
    func aBarShowsTheProgressOfALongInput(
        streams: PseudoTerminal.Streams,
        isChecking: Bool
    ) throws {
        let lines = try vectors(every: 3)
        let (code, shown, piped) = try inFolder { folder in
            let file = try folder.write(lines.joined(separator: "\n"), to: "lines")
            let arguments = ["--profile", "texture", file] + (isChecking ? ["--check"] : [])
            return try PseudoTerminal.run("changeset-lint", arguments, streams)
        }
        #expect(code == 0)
        let clearing = PseudoTerminal.clearing
        let hasBar = streams == .errors || isChecking
        #expect(shown.contains("\(clearing)[##") == hasBar)
        #expect(!hasBar || shown.contains(" %  ") && shown.contains(" scenarios"))
        let rest = hasBar ? try #require(shown.components(separatedBy: clearing).last) : shown
        let result = streams == .errors ? piped : rest
        #expect(!result.contains("\u{1B}"))
        #expect(
            isChecking ? result.hasSuffix("0 failures\n") : result.lines.count == lines.count
        )
        #expect(streams != .errors || rest.isEmpty, "the bar is removed")
    }
}
