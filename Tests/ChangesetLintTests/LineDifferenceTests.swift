import TestSupport
import Testing

@testable import changeset_lint

/// `--diff`, from files to scenarios and explanations.
@Suite struct LineDifferenceTests {
    private func run(
        _ old: String,
        _ new: String,
        _ options: [String] = []
    ) async throws -> LintRun {
        let files = try ScratchFiles()
        defer { files.remove() }
        let paths = try [files.write(old, to: "old"), files.write(new, to: "new")]
        return await LintRun(["--diff"] + options + paths, input: MemorySource(""))
    }

    @Test(
        arguments: [
            ("", "", [], #"{"oldCounts":[0],"newCounts":[0],"ops":[]}"#),
            ("a\nb\n", "a\nb", [], #"{"oldCounts":[2],"newCounts":[2],"ops":[]}"#),
            (
                "a\nb\nc\n", "c\na\nx\n", [],
                #"{"oldCounts":[3],"newCounts":[3],"ops":["#
                    + #"{"op":"deleteItems","at":[[0,1]],"anim":1},"#
                    + #"{"op":"insertItems","at":[[0,2]],"anim":1},"#
                    + #"{"op":"moveItem","from":[0,0],"to":[0,1],"anim":1}]}"#
            ),
            ("", "", ["--sections"], #"{"oldCounts":[],"newCounts":[],"ops":[]}"#),
            (
                "# a\n1\n", "#a\n# a\n# b\n2\n", ["--sections"],
                #"{"oldCounts":[1],"newCounts":[1,0,1],"ops":["#
                    + #"{"op":"deleteItems","at":[[0,0]],"anim":1},"#
                    + #"{"op":"insertSections","at":[0,2],"anim":1}]}"#
            ),
        ]
    )
    func aDifferenceIsOneScenario(
        old: String,
        new: String,
        options: [String],
        expected: String
    ) async throws {
        let run = try await run(old, new, options)
        #expect(run.exitCode == .success && run.errors.isEmpty)
        // In which order operations are recorded is the library's business.
        let found = try JSONValue.sortedOperations(of: try #require(run.output.first))
        #expect(try found == JSONValue.sortedOperations(of: expected))
        #expect(run.output.count == 1)
    }

    @Test(
        arguments: [
            ("a\n", "a\n", [], ["no edits"]),
            (
                "a\nb\nc\n", "c\na\nx\t\u{1B}[m\u{202E}\n", [],
                [
                    "move item 0 - 0 to 0 - 1: a", "delete item 0 - 1: b",
                    #"insert item 0 - 2: x\t\u{1b}[m\u{202e}"#,
                ]
            ),
            (
                "0\n# gone\n1\n# kept\n2\n", "# kept\n# new\n0\n3\n# one\n4\n", ["--sections"],
                [
                    "move item 0 - 0 to 1 - 0: 0", "delete item 2 - 0: 2",
                    "delete section 1: gone",
                    "delete section 0: the lines before the first section",
                    "insert section 1 with 1 new item: new",
                    "insert section 2 with 1 new item: one",
                ]
            ),
            (
                "# a\n# b\n1\n", "# b\n1\n# a\n", ["--sections"], ["move section 0 to 1: a"]
            ),
        ]
    )
    func anExplanationIsALineAnEdit(
        old: String,
        new: String,
        options: [String],
        expected: [String]
    ) async throws {
        let run = try await run(old, new, options + ["--explain"])
        #expect(run.exitCode == .success && run.errors.isEmpty)
        #expect(Set(run.output) == Set(expected))
        #expect(run.output.count == expected.count)
    }

    @Test func strictProfilesHaveNoMovesIntoNewSections() async throws {
        let (old, new) = ("# a\n1\n2\n", "# a\n1\n# b\n2\n")
        let standard = try await run(old, new, ["--sections"])
        let strict = try await run(old, new, ["--sections", "--profile", "strict"])
        #expect(standard.output[0].contains("moveItem"))
        #expect(!strict.output[0].contains("moveItem"))
        let verdict = await LintRun("--profile", "strict", input: strict.output[0])
        #expect(verdict.output[0].hasPrefix(#"{"valid":true"#))
    }

    @Test(arguments: ["standard", "strict", "texture"], 0..<Effort.number(60, usually: 12))
    func whatIsPrintedMakesTheNewFileOfTheOld(profile: String, seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        let (old, new) = (Self.randomText(&random), Self.randomText(&random))
        let difference = try await run(old, new, ["--sections", "--profile", profile])
        let answer = await LintRun("--profile", profile, input: difference.output[0])
        let result = try JSONParser.parse(Array(try #require(answer.output.first).utf8))
        #expect(result["valid"] == .bool(true), "\(old)\n\(new)")
        let (before, after) = (
            try LineFile(Array(old.utf8), name: "old", hasSections: true),
            try LineFile(Array(new.utf8), name: "new", hasSections: true)
        )
        guard case .array(let map) = result["map"] else {
            Issue.record("a valid result has a map")
            return
        }
        #expect(map.count == after.sections.count)
        for (section, names) in map.enumerated() {
            guard case .array(let names) = names else { continue }
            #expect(names.count == after.sections[section].lines.count)
            for (item, name) in names.enumerated() {
                // What is old must be what stands there now; what is new may be anything.
                guard case .string(let name) = name, name.hasPrefix("o") else { continue }
                let place = name.dropFirst().split(separator: ".").compactMap { Int($0) }
                let line = before.sections[place[0]].lines[place[1]]
                #expect(line == after.sections[section].lines[item], "\(old)\n\(new)")
            }
        }
    }

    private static func randomText(_ random: inout SeededNumbers) -> String {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            let letter = "abcdef".randomElement(using: &random)!
            return Int.random(in: 0..<4, using: &random) == 0 ? "# \(letter)\n" : "\(letter)\n"
        }.joined()
    }

    @Test func linesAreTheirBytes() throws {
        let file = try LineFile(
            Array("e\u{301}\né\n\na\r\n# b\n#c".utf8),
            name: "-",
            hasSections: false
        )
        #expect(file.counts == [6])
        #expect(Set(file.sections[0].lines).count == 6)
        #expect(file.sections[0].lines.map(\.text) == ["é", "é", "", "a\\u{d}", "# b", "#c"])
        let sections = try LineFile(Array("x\n# \n# b\n#c".utf8), name: "-", hasSections: true)
        #expect(sections.sections.map { $0.name?.text } == [nil, "", "b"])
        #expect(sections.counts == [1, 0, 1])
    }

    @Test func whatCannotBeReadIsSaidInOneLine() async throws {
        let files = try ScratchFiles()
        defer { files.remove() }
        let good = try files.write("a\n", to: "good")
        let bad = try files.write([0x61, 0x0A, 0xC3, 0x28, 0x0A], to: "bad")
        let missing = files.path("missing")
        for (paths, message) in [
            ([good, bad], "'\(bad)' is not UTF-8 in line 2"),
            ([missing, good], "cannot read '\(missing)': No such file or directory"),
            ([good, "/"], "cannot read '/': Is a directory"),
        ] {
            let run = await LintRun(["--diff"] + paths, input: MemorySource(""))
            #expect(run.exitCode == .badInput)
            #expect(run.errors == ["changeset-lint: \(message)"])
            #expect(run.output.isEmpty)
        }
        let fault = FileFault(errorNumber: 5)
        for (source, message) in [
            (MemorySource("", fault: fault), "cannot read standard input: \(fault.message)")
        ] {
            let run = await LintRun(["--diff", "-", good], input: source)
            #expect(run.errors == ["changeset-lint: \(message)"])
        }
    }

    @Test func oneFileMayBeStandardInput() async throws {
        let files = try ScratchFiles()
        defer { files.remove() }
        let path = try files.write("a\n", to: "old")
        let run = await LintRun(["--diff", "--explain", path, "-"], input: MemorySource("a\nb"))
        #expect(run.output == ["insert item 0 - 1: b"])
    }

    @Test func filesThatAreTooLargeToBeReadAgainAreNoScenario() throws {
        let bytes = [UInt8](repeating: 10, count: (1 << 20) + 1)
        let large = try LineFile(bytes, name: "large", hasSections: false)
        let small = try LineFile([], name: "small", hasSections: false)
        for (old, new) in [(large, small), (small, large)] {
            let fault = #expect(throws: ScenarioFault.self) {
                try LineDifference(from: old, to: new, profile: .standard)
            }
            #expect(fault?.message.hasPrefix("too many lines: ") ?? false)
            #expect(fault?.message.contains("1048576") ?? false)
        }
    }
}

extension JSONValue {
    /// A scenario whose operations stand in the order of their text.
    fileprivate static func sortedOperations(of line: String) throws -> JSONValue {
        guard case .object(var members) = try JSONParser.parse(Array(line.utf8)) else {
            return .null
        }
        for index in members.indices {
            guard members[index].key == "ops", case .array(let ops) = members[index].value else {
                continue
            }
            members[index].value = .array(ops.sorted { $0.text < $1.text })
        }
        return .object(members)
    }
}
