import Testing

@testable import pipeline_benchmarks

@Suite struct FigureTableTests {
    private let table = FigureTable(names: ["short", "a.longer.name"], isJudged: true)

    @Test func rowsAreAsWideAsTheirHeader() throws {
        let width = table.header[0].count
        #expect(table.header[1] == String(repeating: "-", count: width))
        let benchmarks = [
            Benchmark.fixed("short", [1_500], over: [500], goal: .ratioAtMost(4)),
            Benchmark.fixed("a.longer.name", [2_048], in: .bytes, goal: .valueAtMost(1_024)),
            Benchmark.fixed("short", [3], in: .allocations),
        ]
        for benchmark in benchmarks {
            #expect(try table.line(benchmark.figure()).count == width)
        }
    }

    @Test func aRowSaysWhatIsMeasuredAndWhatIsAskedFor() throws {
        let met = try Benchmark.fixed("short", [1_500], over: [500], goal: .ratioAtMost(4)).figure()
        #expect(
            words(table.line(met))
                == "short 1.50 µs ± 0 % 500 ns 3 x at most 4 x yes"
        )
        let missed = try Benchmark.fixed("short", [99], in: .bytes, goal: .valueAtMost(9)).figure()
        #expect(words(table.line(missed)) == "short 99 B ± 0 % at most 9 B NO")
        let reported = try Benchmark.fixed("short", [7], in: .threads).figure()
        #expect(words(table.line(reported)) == "short 7 ± 0 % reported")
    }

    @Test func aDebugBuildHasNoVerdicts() throws {
        let table = FigureTable(names: ["short"], isJudged: false)
        let figure = try Benchmark.fixed("short", [99], in: .bytes, goal: .valueAtMost(9)).figure()
        #expect(words(table.line(figure)) == "short 99 B ± 0 % at most 9 B -")
    }

    @Test(
        arguments: [
            (0.25, "0.25 ns"), (9.994, "9.99 ns"), (12.34, "12.3 ns"), (123.4, "123 ns"),
            (1_000, "1 µs"), (45_600, "45.6 µs"), (2_500_000, "2.50 ms"), (3e9, "3 s"),
        ]
    )
    func timesHaveThreeDigitsAndAUnit(nanoseconds: Double, text: String) {
        #expect(FigureTable.text(nanoseconds, .nanoseconds) == text)
    }

    private func words(_ line: String) -> String {
        line.split(separator: " ").joined(separator: " ")
    }
}
