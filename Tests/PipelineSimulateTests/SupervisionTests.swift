import Foundation
import Testing

@testable import PipelineTesting
@testable import pipeline_simulate

@Suite struct SupervisionTests {
    private let shell = Supervision(executable: "/bin/sh")

    @Test func anEndIsACodeOrASignal() throws {
        #expect(try shell.run(["-c", "exit 3"], isQuiet: true) == .exit(3))
        #expect(try shell.run(["-c", "kill -9 $$"], isQuiet: true) == .signal(9))
        #expect(throws: (any Error).self) {
            try Supervision(executable: "/nowhere/at/all").run([], isQuiet: true)
        }
    }

    @Test func linesOfBothStreamsAreKept() throws {
        let (end, lines) = try shell.runKeepingLines([
            "-c", "echo one; echo; echo two >&2; echo $SWIFT_BACKTRACE; exit 1",
        ])
        #expect(end == .exit(1))
        #expect(lines == ["one", "two", "enable=no"])
    }

    @Test func whatIsQuietPrintsToNowhere() throws {
        let script =
            #"test "$(readlink /proc/$$/fd/1)$(readlink /proc/$$/fd/2)" = /dev/null/dev/null"#
        #expect(try shell.run(["-c", script], isQuiet: true) == .exit(0))
        let stream = "test \"$(readlink /proc/$$/fd/1)\" = /dev/null"
        let isNull = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/1"))
        #expect(
            try shell.run(["-c", stream], isQuiet: false)
                == .exit(isNull == "/dev/null" ? 0 : 1)
        )
    }

    @Test func aPlanThatStopsItsProcessBreaksAGuarantee() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("plan-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let plan = RunPlan(seed: 4)
        var asked: [[String]] = []
        func result(_ end: Supervision.End) -> RunResult {
            Supervision(executable: "me") { executable, arguments, output in
                #expect(executable == "me" && output == .dropped)
                asked.append(arguments)
                let written = try FailureReport.read(file)
                #expect(written == plan)
                return (end, [])
            }.result(of: plan, through: file)
        }
        let stopped = result(.signal(4))
        #expect(
            stopped.violations.map(\.description)
                == ["\(RunResult.trap): the process was stopped by signal 4"]
        )
        #expect(stopped.plan == plan)
        #expect(result(.exit(4)).violations.isEmpty)
        #expect(asked == [["--replay", file], ["--replay", file]])
        let unwritable = shell.result(of: plan, through: "/nowhere/at/all.json")
        #expect(unwritable.violations.isEmpty)
    }

    // MARK: Deliberate bugs

    /// Says what a process with a bug comes to, by how many seeds it has run.
    private func hunt(
        seeds: UInt64,
        from first: UInt64 = 0,
        _ process: @escaping (UInt64) -> (Supervision.End, [Substring])
    ) throws -> (outcome: MutantHunt.Outcome, tried: [UInt64]) {
        var tried: [UInt64] = []
        let supervision = Supervision(executable: "me") { _, arguments, output in
            #expect(output == .kept)
            let name = Mutant.allCases[0].rawValue
            let count = try #require(UInt64(arguments.last ?? ""))
            let expected = ["--mutant", name, "--from", "\(first)", "--seeds", "\(count)"]
            #expect(arguments == expected)
            tried.append(count)
            return process(count)
        }
        let options = try SimulateOptions(["--seeds", "\(seeds)", "--from", "\(first)"])
        let outcome = try MutantHunt(supervision: supervision, options: options)
            .hunt(Mutant.allCases[0])
        return (outcome, tried)
    }

    @Test func tenTimesAsManySeedsAreTriedUntilOneFindsIt() throws {
        let found = try hunt(seeds: 5_000, from: 3) { count in
            count >= 100
                ? (.exit(1), ["seed 3", "broken: G: x", "broken: H: y"]) : (.exit(0), ["fine"])
        }
        #expect(found.tried == [1, 10, 100])
        #expect(found.outcome.seeds == 100 && found.outcome.evidence == "broken: G: x")
        #expect(found.outcome.mutant == Mutant.allCases[0])
        let missed = try hunt(seeds: 250) { _ in (.exit(1), ["never reached: a", "the end"]) }
        #expect(missed.tried == [1, 10, 100, 250])
        #expect(missed.outcome.seeds == nil && missed.outcome.evidence == "the end")
        #expect(try hunt(seeds: 10) { _ in (.exit(0), []) }.tried == [1, 10])
        #expect(try hunt(seeds: 0) { _ in (.exit(0), []) }.tried == [0])
        let all = try hunt(seeds: .max) { _ in (.exit(0), []) }
        #expect(all.tried.suffix(2) == [10_000_000_000_000_000_000, .max])
    }

    @Test func whatIsStoppedIsFound() throws {
        let stopped = try hunt(seeds: 9) { _ in (.signal(4), ["a", "Fatal error: b", "c"]) }
        #expect(stopped.outcome.seeds == 1 && stopped.outcome.evidence == "Fatal error: b")
        let silent = try hunt(seeds: 9) { _ in (.signal(4), []) }
        #expect(silent.outcome.seeds == 1 && silent.outcome.evidence.isEmpty)
    }
}
