import Testing

@testable import pipeline_benchmarks

@Suite struct FigureTableTests {
    private let table = FigureTable(names: ["short", "a.longer.name"], isJudged: true, width: 120)

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
        #expect(words(table.line(reported)) == "short 7 ± 0 %")
    }

    @Test func aDebugBuildHasNoVerdicts() throws {
        let table = FigureTable(names: ["short"], isJudged: false, width: 120)
        let figure = try Benchmark.fixed("short", [99], in: .bytes, goal: .valueAtMost(9)).figure()
        #expect(words(table.line(figure)) == "short 99 B ± 0 % at most 9 B -")
    }

    /// What is left out of the whole table, from its widest column on.
    @Test func everyWidthHasTheColumnsThatFit() throws {
        let names = ["change-set.copying-map.many-sections"]
        let benchmark = Benchmark.fixed(
            names[0],
            [8_191],
            over: [1],
            in: .bytes,
            goal: .ratioAtLeast(100_000)
        )
        let titles = [
            120: "value spread reference ratio goal met",
            100: "value spread reference ratio goal met",
            90: "value spread ratio goal met", 80: "value ratio goal met", 64: "value ratio met",
            60: "value met", 50: "value",
        ]
        for (width, title) in titles {
            let table = FigureTable(names: names, isJudged: true, width: width)
            #expect(words(table.header[0]) == title, "\(width)")
            #expect(table.header[0].count <= width)
            #expect(try table.line(benchmark.figure()).count <= width)
        }
        let table = FigureTable(names: names, hasGoals: false, isJudged: true, width: 80)
        #expect(words(table.header[0]) == "value spread reference ratio")
        #expect(!words(table.header[0]).contains("goal"))
        #expect(!words(table.header[0]).contains("met"))
    }

    @Test func theWholeProgramFitsATerminal() {
        let table = FigureTable(names: Benchmark.all.map(\.name), isJudged: true, width: 80)
        #expect(table.header[0].count <= 80)
        #expect(words(table.header[0]) == "value ratio goal met")
        #expect(PipelineBenchmarks.lines(of: "one two three", width: 7) == ["one two", "three"])
        #expect(PipelineBenchmarks.lines(of: "", width: 7) == [])
        #expect(PipelineBenchmarks.lines(of: "eightish x", width: 7) == ["eightish", "x"])
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
