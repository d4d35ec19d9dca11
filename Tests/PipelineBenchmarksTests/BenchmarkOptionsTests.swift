import Testing

@testable import pipeline_benchmarks

@Suite struct BenchmarkOptionsTests {
    @Test func noArgumentsMeanAFullTableOfEverything() throws {
        let options = try BenchmarkOptions([])
        #expect(options.output == .table)
        #expect(options.scale == .full)
        #expect(options.filter == nil)
        #expect(try options.selected(from: Benchmark.all).count == Benchmark.all.count)
    }

    @Test func optionsMayComeInAnyOrder() throws {
        let options = try BenchmarkOptions(["--filter", "map", "--quick", "--json"])
        #expect(options.output == .json)
        #expect(options.scale == .quick)
        #expect(options.filter == "map")
        #expect(try BenchmarkOptions(["--json", "--filter=map", "--quick"]) == options)
        #expect(try BenchmarkOptions(["--filter", "map", "--filter=map"]).filter == "map")
    }

    @Test(arguments: [["-h"], ["--help"], ["--json", "--help"], ["--list", "-h", "--json"]])
    func helpGoesBeforeAllElse(arguments: [String]) throws {
        #expect(try BenchmarkOptions(arguments).output == .help)
    }

    @Test(
        arguments: [
            (["--filter"], "--filter needs a value: part of a name"),
            (["--filter=a", "--filter", "b"], "--filter is there twice"),
            (["--json", "--list"], "--json and --list exclude each other"),
            (["--hot-paths", "--json"], "--hot-paths and --json exclude each other"),
            (["--verbose"], "unknown option '--verbose'"),
            (["-q"], "unknown option '-q'"),
            (["map"], "expected options only, found 'map'"),
        ]
    )
    func badUsageIsNamed(arguments: [String], message: String) {
        #expect(throws: BenchmarkOptions.UsageError(message: message)) {
            try BenchmarkOptions(arguments)
        }
    }

    @Test func onlyWhatIsCountedIsSelectedWhereCountsAreAskedFor() throws {
        let counts = try BenchmarkOptions(["--counts"]).selected(from: Benchmark.all)
        #expect(
            counts.map(\.name)
                == Benchmark.all.filter { ![.nanoseconds, .frames].contains($0.unit) }.map(\.name)
        )
        #expect(
            Set(counts.map(\.unit)) == [
                .allocations, .asks, .bytes, .events, .moves, .threads, .viewports, .sections,
                .nodes,
            ]
        )
        let ofMaps = try BenchmarkOptions(["--filter", "map", "--counts"])
            .selected(from: Benchmark.all)
        #expect(ofMaps.map(\.name) == ["map.memory", "map.insert.allocations"])
        let message = "no benchmark that counts has 'iterate' in its name; --list has them all"
        #expect(throws: BenchmarkOptions.UsageError(message: message)) {
            try BenchmarkOptions(["--counts", "--filter=iterate"]).selected(from: Benchmark.all)
        }
    }

    @Test func theFilterFindsPartsOfNamesInAnyCase() throws {
        let benchmarks = ["map.build", "map.insert", "iterate"].map { Benchmark.fixed($0, [1]) }
        func names(_ filter: String) throws -> [String] {
            try BenchmarkOptions(["--filter", filter]).selected(from: benchmarks).map(\.name)
        }
        #expect(try names("map") == ["map.build", "map.insert"])
        #expect(try names("ITER") == ["iterate"])
        #expect(try names("") == ["map.build", "map.insert", "iterate"])
        #expect(throws: BenchmarkOptions.UsageError.self) { try names("nothing of the kind") }
    }
}
