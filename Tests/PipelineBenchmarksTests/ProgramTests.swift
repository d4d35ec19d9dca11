import Foundation
import Testing

@testable import pipeline_benchmarks

@Suite struct ProgramTests {
    private let benchmarks = [
        Benchmark.fixed("good.one", [2], over: [1], goal: .ratioAtMost(3)),
        Benchmark.fixed("good.two", [1], in: .bytes),
        Benchmark.fixed("bad", [4], over: [1], goal: .ratioAtMost(3)),
    ]

    private func run(
        _ arguments: String...,
        benchmarks: [Benchmark]? = nil,
        isJudged: Bool = true,
        output: MemorySink = MemorySink(),
        errors: MemorySink = MemorySink()
    ) -> (code: PipelineBenchmarks.ExitCode, output: [String], errors: [String]) {
        let code = PipelineBenchmarks.run(
            arguments: arguments,
            benchmarks: benchmarks ?? self.benchmarks,
            isJudged: isJudged,
            output: output,
            errors: errors
        )
        return (code, output.lines, errors.lines)
    }

    @Test func aMissedGoalIsAFailedCheck() {
        #expect(run().code == .failedCheck)
        #expect(run("--json").code == .failedCheck)
        #expect(run("--filter", "good").code == .success)
        #expect(run("--filter", "good").output.last?.hasPrefix("1 of 1 goal met; ") == true)
        #expect(run().output.last?.hasPrefix("1 of 2 goals met; ") == true)
    }

    @Test func nothingIsSaidOfGoalsWhereThereAreNone() {
        for isJudged in [true, false] {
            let output = run("--filter", "good.two", isJudged: isJudged).output
            #expect(output.last == "--list says what the figures are")
            #expect(!output.contains { $0.contains("goal") || $0.contains(" met") })
        }
    }

    @Test func everyLineFitsTheTerminal() {
        for width in [60, 80, 120] {
            for option in ["--help", "--list", "--quick"] {
                let output = MemorySink()
                output.columns = width
                let benchmarks = option == "--list" ? Benchmark.all : self.benchmarks
                _ = run(option, benchmarks: benchmarks, output: output)
                let lines = option == "--quick" ? Array(output.lines.dropFirst(5)) : output.lines
                let limit = option == "--help" ? 80 : width
                #expect(lines.allSatisfy { $0.count <= limit }, "\(option) \(width)")
            }
        }
    }

    @Test func aDebugBuildSaysThatItDoesNotJudge() {
        let result = run(isJudged: false)
        #expect(result.code == .success)
        #expect(result.output.contains { $0.contains("debug") && $0.contains("mean nothing") })
        #expect(result.output.last?.contains("not judged") == true)
        #expect(run("--json", isJudged: false).code == .success)
    }

    @Test func theTableSaysWhereItWasMeasured() {
        let lines = run("--quick").output
        #expect(lines[0].hasPrefix("machine   "))
        #expect(lines[1].hasPrefix("system    "))
        #expect(lines[2].hasPrefix("compiler  Swift 6"))
        #expect(lines[3].hasPrefix("run       20") && lines[3].hasSuffix("quick"))
        #expect(lines.contains { $0.hasPrefix("good.one ") })
    }

    @Test func everyJSONLineParses() throws {
        let lines = run("--json").output
        let names = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require((object as? [String: Any])?["name"] as? String)
        }
        #expect(names == ["good.one", "good.two", "bad"])
    }

    @Test func theListMeasuresNothing() {
        let untouchable = Benchmark("name", "title") { _ in throw Failure("measured") }
        let result = run("--list", benchmarks: [untouchable])
        #expect(result.code == .success)
        #expect(result.output == ["name", "    title"])
        #expect(run("--list", "--filter", "good").output.count == 4)
    }

    @Test func badUsageIsOneLine() {
        let result = run("--filter", "nothing")
        #expect(result.code == .badUsage)
        #expect(result.output.isEmpty)
        #expect(
            result.errors == [
                "pipeline-benchmarks: no benchmark has 'nothing' in its name; --list has them all;"
                    + " --help says more"
            ]
        )
        #expect(run("--nonsense").code == .badUsage)
        #expect(run("--nonsense").errors.count == 1)
    }

    @Test func helpIsNoLongerThanALineIsWide() {
        let result = run("--help")
        #expect(result.code == .success)
        #expect(result.output[0].hasPrefix("Usage: pipeline-benchmarks "))
        #expect(result.output.allSatisfy { $0.count <= 80 })
    }

    @Test func aPipelineThatMisbehavesIsAFailedCheck() {
        let broken = Benchmark("broken", "") { _ in throw Failure("it was rejected") }
        let result = run(benchmarks: [broken], isJudged: false)
        #expect(result.code == .failedCheck)
        #expect(result.errors == ["pipeline-benchmarks: broken: it was rejected"])
    }

    @Test func aClosedPipeIsACleanEndAndMeasuresNoMore() {
        let untouchable = Benchmark("never", "") { _ in throw Failure("measured") }
        let result = run(
            "--json",
            benchmarks: [.fixed("first", [1]), untouchable],
            output: MemorySink(afterWrites: 0)
        )
        #expect(result.code == .success)
        #expect(result.errors.isEmpty)
    }

    @Test func outputThatFailsIsSaid() {
        let result = run(output: MemorySink(failing: ENOSPC, afterWrites: 1))
        #expect(result.code == .badUsage)
        #expect(
            result.errors
                == ["pipeline-benchmarks: cannot write the output: No space left on device"]
        )
    }

    @Test func progressShowsOnATerminalOnly() {
        let terminal = MemorySink(isTerminal: true)
        _ = run("--json", errors: terminal)
        #expect(terminal.text.contains("[2/3] good.two …"))
        #expect(terminal.text.hasSuffix("\r\u{1B}[K"))
        #expect(run("--json").errors.isEmpty)
    }

    @Test(arguments: [(10, 36), (40, 36), (41, 37), (100, 96), (nil, 76)])
    func titlesAreWrappedWithinTheTerminalOrFortyColumns(columns: Int?, width: Int) {
        let words = Array(repeating: "a", count: 60).joined(separator: " ")
        let benchmark = Benchmark("name", words) { _ in nil }
        let output = MemorySink()
        output.columns = columns
        #expect(run("--list", benchmarks: [benchmark], output: output).code == .success)
        // Letters with spaces between them take an odd number of columns.
        #expect(output.lines.dropFirst().first?.count == 4 + width - (1 - width % 2))
    }

    @Test func whatFailsIsSaidInALineOfItsOwn() {
        let errors = MemorySink(isTerminal: true)
        let failing = Benchmark("bad", "") { _ in throw Failure("on purpose") }
        #expect(run(benchmarks: [failing], errors: errors).code == .failedCheck)
        let erased = "\r\u{1B}[K"
        #expect(
            errors.text
                == "\(erased)[1/1] bad …\(erased)pipeline-benchmarks: bad: on purpose\n"
        )
    }
}
