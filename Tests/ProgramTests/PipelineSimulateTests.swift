import Foundation
import PipelineTestSupport
import Testing

@Suite(.endsHangs) struct PipelineSimulateTests {
    /// Returns a kept case of the simulator's tests.
    private func keptCase() throws -> URL {
        let tests = package.appending(path: "Tests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
        let file = files.first { $0.hasSuffix("/Cases/history-follows-a-reload.json") }
        return tests.appending(path: try #require(file))
    }

    private func simulate(
        _ arguments: [String],
        in folder: URL? = nil,
        environment: [String: String] = [:]
    ) throws -> BuiltProgram.Result {
        try run("pipeline-simulate", arguments, in: folder, environment: environment)
    }

    private static let held = " steps: every guarantee held.\n"

    private static let runs: [(arguments: [String], start: String, end: String)] = [
        (["--seeds", "0"], "0 seeds, 0 steps", ": nothing was tried.\n"),
        (["--from", "40", "--seeds", "5"], "5 seeds, ", held),
        (["--from=60", "--seeds=5"], "5 seeds, ", held),
        (["--from=60", "--seeds=5", "--strategy=sticky"], "5 seeds, ", held),
        (["--cluster", "--seeds", "2"], "2 seeds, ", held),
        (["--tables", "--seeds", "20"], "20 seeds, ", held),
        (
            ["--from=60", "--strategy", "delay-bounded", "--minutes", "5", "--seeds", "5"],
            "5 seeds, ", held
        ),
    ]

    @Test func theLastLineHasTheVerdict() throws {
        var faults = Faults()
        var verdicts: Set<String> = []
        for row in Self.runs {
            let result = try simulate(row.arguments)
            verdicts.insert(result.output)
            faults.check(
                result.code == 0 && result.errors.isEmpty && result.output.lines.count == 1
                    && result.output.hasPrefix(row.start) && result.output.hasSuffix(row.end),
                "\(row.arguments): \(result)"
            )
        }
        #expect(faults.isEmpty, "\(faults.text)")
        #expect(
            verdicts.count == Self.runs.count,
            "different seeds and strategies take different steps"
        )
    }

    @Test func seedsAreCountedAndReproducible() throws {
        // Everything is equal except the speed.
        let figures = try (0..<2).map { _ in
            let result = try simulate(["--from", "40", "--seeds", "20", "--counters"])
            #expect(result.output.hasPrefix("20 seeds from 40, 20 runs, "))
            return result.output.lines.dropFirst()
        }
        #expect(figures[0] == figures[1])
        #expect(figures[0].contains { $0.hasPrefix("  deployed: ") && !$0.hasSuffix(": 0") })
        // With one fault per run, every kind of fault occurs.
        let single = try simulate(["--anomalies", "--from=13", "--seeds=1", "--counters"])
        #expect(single.output.contains(#/\n1 seed, [0-9]{2,} runs, /#))
        let kinds = single.output.lines.filter { $0.hasPrefix("  fault ") && !$0.hasSuffix(": 0") }
        #expect(kinds.count > 3, "\(single.output)")
    }

    @Test func progressIsShownOnATerminalAndRemoved() throws {
        let (code, shown, piped) = try PseudoTerminal.run(
            "pipeline-simulate",
            ["--anomalies", "--from", "13", "--seeds", "1"],
            .errors
        )
        let clearing = PseudoTerminal.clearing
        #expect(code == 0 && piped.hasPrefix("1 seed, "))
        #expect(shown.hasPrefix("\(clearing)1 of 1 seeds, ") && shown.hasSuffix(clearing))
    }

    // MARK: Bad input

    private static let usages: [(arguments: [String], message: String)] = [
        (["--seeds"], "--seeds needs a number"),
        (["--seeds", "-1"], "--seeds needs a whole number from 0, found '-1'"),
        (["--from="], "--from needs a whole number from 0, found ''"),
        (["--minutes", "nan"], "--minutes needs a number above 0, found 'nan'"),
        (
            ["--strategy", "x"],
            "unknown strategy 'x', expected one of mixed, in-order, random, sticky, prioritized,"
                + " delay-bounded"
        ),
        (["--replay"], "--replay needs a file"),
        (["--anomalies="], "--anomalies takes no value"), (["file"], "unknown argument 'file'"),
        (
            ["--from", "18446744073709551615", "--seeds", "1"],
            "--from 18446744073709551615 and --seeds 1 exceed all seeds"
        ),
    ]

    @Test func badUsageIsReportedInOneLine() throws {
        var faults = Faults()
        for row in Self.usages {
            let result = try simulate(row.arguments)
            faults.checkRefusal(result, by: "pipeline-simulate", row.message + "; see --help")
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }

    @Test func invalidCasesAreReportedInOneLine() throws {
        try inFolder { folder in
            var faults = Faults()
            for text in [
                "", "{", "[]", "null", "{}", "\u{0}\u{1}", #"{"seed":-1}"#,
                #"{"seed":1,"clients":"#,
                String(repeating: "[", count: 513), String(repeating: "[", count: 50_000),
            ] {
                let result = try simulate(["--replay", folder.write(text, to: "case")])
                faults.check(
                    result.code == 2 && result.output.isEmpty && result.errors.lines.count == 1
                        && result.errors.contains("/case is not a valid case: "),
                    "\(text.prefix(80)): \(result)"
                )
            }
            for path in ["/nowhere/at/all.json", "/", "/dev/null"] {
                let result = try simulate(["--replay", path])
                faults.check(result.code == 2 && result.errors.lines.count == 1, "\(result)")
            }
            #expect(faults.isEmpty, "\(faults.text)")
        }
    }

    /// Replaces every value of a case with invalid or unlikely ones.
    @Test func aCaseWithOneWrongValueIsRunOrRejected() throws {
        let plan = try String(contentsOf: keptCase(), encoding: .utf8).object()
        try inFolder { folder in
            var faults = Faults()
            for key in plan.keys.sorted() {
                let wrongs = [-1, "x", Int.max, NSNull(), [Int](), ["x": 1]] as [Any]
                for wrong in wrongs.prefix(Effort.number(6, usually: 3)) {
                    var changed = plan
                    changed[key] = wrong
                    let data = try JSONSerialization.data(withJSONObject: changed)
                    let result = try simulate(["--replay", folder.write(data, to: "case")])
                    faults.check(
                        [0, 2].contains(result.code)
                            && result.errors.lines.count == (result.code == 2 ? 1 : 0),
                        "\(key) \(wrong): \(result)"
                    )
                }
            }
            #expect(faults.isEmpty, "\(faults.text)")
        }
    }

    // MARK: Cases

    @Test func aReplayedCaseShowsItsStepsAndIsReproducible() throws {
        let file = try keptCase().path
        let results = try (0..<2).map { _ in try simulate(["--replay", file]) }
        #expect(results[0].code == 0 && results[0].errors.isEmpty)
        #expect(results[0].output == results[1].output)
        #expect(results[0].output.contains("\nclient 0: ") && results[0].output.contains("\nstep "))
        #expect(results[0].output.contains("\n1 case, "))
        #expect(results[0].output.hasSuffix(Self.held))
    }

    /// The process stops like after a call from a wrong place, and stops again for every smaller
    /// case.
    @Test func aSeedThatStopsTheProcessIsShrunkAndKeptAsACase() throws {
        try inFolder { folder in
            let manager = FileManager.default
            let original = try #require(program("pipeline-simulate").makeProcess([]).executableURL)
            // The program starts itself again, and then finds a program that stops.
            let own = folder.appending(path: "pipeline-simulate")
            try manager.copyItem(at: original, to: own)
            let trap = try folder.write("#!/bin/sh\nkill -ILL $$\n", to: "trap")
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: trap)
            let process = Process()
            process.executableURL = own
            process.arguments = ["--from", "500", "--seeds", "1000000"]
            process.currentDirectoryURL = folder
            process.environment = ProcessInfo.processInfo.environment
                .merging(["TMPDIR": folder.path + "/made/for/it"]) { $1 }
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let parent = process.processIdentifier
            /// Returns the process that runs the seeds after it has recorded the first.
            func child() -> pid_t? {
                let files = manager.enumerator(atPath: folder.path)?.allObjects ?? []
                let notes = files.compactMap { $0 as? String }.first { $0.hasSuffix("/run") }
                let note = notes.flatMap { manager.contents(atPath: "\(folder.path)/\($0)") }
                guard note?.count == 16 else { return nil }
                let tasks = (try? manager.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
                let children = tasks.compactMap {
                    manager.contents(atPath: "/proc/\(parent)/task/\($0)/children")
                }
                let numbers = String(decoding: children.joined(), as: UTF8.self)
                return numbers.split(separator: " ").first.flatMap { pid_t($0) }
            }
            var number = child()
            while number == nil, process.isRunning {
                usleep(10_000)
                number = child()
            }
            try manager.removeItem(at: own)
            try manager.createSymbolicLink(atPath: own.path, withDestinationPath: trap)
            kill(try #require(number), SIGKILL)
            let text = String(
                decoding: output.fileHandleForReading.readDataToEndOfFile(),
                as: UTF8.self
            )
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            let names = try manager.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".json") }
            let name = try #require(names.first, "\(text)")
            let seed = name.dropFirst("pipeline-simulate-".count).dropLast(".json".count)
            #expect(names.count == 1 && (UInt64(seed) ?? 0) >= 500)
            #expect(text.hasPrefix("seed \(seed) stopped the process; making it smaller …\n"))
            #expect(text.contains(/\nfrom [0-9]+ actions to 0\n/))
            let again = "swift run -c release pipeline-simulate"
            #expect(
                text.hasSuffix(
                    "whole: \(again) --from \(seed) --seeds 1\nSeed \(seed) stopped the process;"
                        + " to see it again: \(again) --replay \(name)\n"
                )
            )
            let replayed = try simulate(["--replay", name], in: folder)
            #expect(replayed.code == 0 && replayed.output.hasSuffix(Self.held))
        }
    }
}
