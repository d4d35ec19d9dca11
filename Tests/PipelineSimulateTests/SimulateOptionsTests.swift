import PipelineTesting
import Testing

@testable import pipeline_simulate

@Suite struct SimulateOptionsTests {
    @Test func noArgumentsMeanTenThousandSeeds() throws {
        let options = try SimulateOptions([])
        #expect(options.job == .seeds)
        #expect(options.first == 0 && options.seedCount == 10_000)
        #expect(options.minutes == nil && options.strategy == nil && !options.showsCounters)
        #expect(try SimulateOptions(["--counters"]).showsCounters)
        #expect(!options.isOfClusters)
        #expect(try SimulateOptions(["--cluster"]).isOfClusters)
    }

    @Test func valuesComeBehindASpaceOrAnEqualsSign() throws {
        let options = try SimulateOptions([
            "--seeds", "5", "--from=7", "--minutes", "0.5", "--strategy=sticky",
        ])
        #expect(options.seedCount == 5 && options.first == 7)
        #expect(options.minutes == 0.5 && options.strategy == .sticky(0.7))
        #expect(try SimulateOptions(["--replay", "a b"]).job == .replay("a b"))
        #expect(try SimulateOptions(["--replay=a=b"]).job == .replay("a=b"))
        #expect(try SimulateOptions(["--mutants"]).job == .mutants)
        #expect(try SimulateOptions(["--mutant", "overtakes"]).mutant == "overtakes")
        #expect(try SimulateOptions(["--seeds", "\(UInt64.max)"]).seedCount == .max)
    }

    @Test func anomaliesHaveFewerSeedsUnlessToldOtherwise() throws {
        #expect(try SimulateOptions(["--anomalies"]).seedCount == 200)
        for arguments in [["--anomalies", "--seeds", "7"], ["--seeds", "7", "--anomalies"]] {
            let options = try SimulateOptions(arguments)
            #expect(options.triesEachFault && options.seedCount == 7)
        }
    }

    @Test(arguments: [["-h"], ["--help"], ["--seeds", "2", "--help"], ["--help", "--mutants"]])
    func helpGoesBeforeAllElse(_ arguments: [String]) throws {
        #expect(try SimulateOptions(arguments).job == .help)
    }

    @Test func everyStrategyHasAName() throws {
        for (name, strategy) in SimulateOptions.strategies {
            #expect(try SimulateOptions(["--strategy", name]).strategy == strategy)
            #expect(SimulateOptions.help.contains(name), "\(name) is not in the help")
            #expect(SimulateOptions.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test(
        arguments: [
            (["--seeds"], "--seeds needs a number"),
            (["--seeds", "-1"], "--seeds needs a whole number from 0, found '-1'"),
            (["--seeds="], "--seeds needs a whole number from 0, found ''"),
            (["--from", "x"], "--from needs a whole number from 0, found 'x'"),
            (["--minutes", "0"], "--minutes needs a number above 0, found '0'"),
            (["--minutes", "nan"], "--minutes needs a number above 0, found 'nan'"),
            (["--minutes", "inf"], "--minutes needs a number above 0, found 'inf'"),
            (
                ["--strategy", "x"],
                "unknown strategy 'x', expected one of mixed, in-order, random, sticky, prioritized,"
                    + " delay-bounded"
            ),
            (["--replay"], "--replay needs a file"),
            (["--mutants=3"], "--mutants takes no value"),
            (["--anomalies="], "--anomalies takes no value"),
            (["--counters=x"], "--counters takes no value"),
            (["file"], "unknown argument 'file'"),
            (["--verbose"], "unknown argument '--verbose'"),
            (
                ["--from", "18446744073709551615", "--seeds", "1"],
                "--from 18446744073709551615 and --seeds 1 exceed all seeds"
            ),
        ]
    )
    func badUsageIsNamed(_ arguments: [String], _ message: String) {
        #expect(throws: SimulateOptions.UsageError(message: message)) {
            try SimulateOptions(arguments)
        }
    }
}
