import Foundation
import Testing

@testable import PipelineTesting
@testable import pipeline_simulate

/// The command without processes: what it says, writes and ends with.
@Suite struct CommandTests {
    // MARK: Seeds

    @Test func seedsOfTheSupervisedProcessAreNoted() throws {
        let stage = try Stage()
        let path = stage.file("run")
        var noted: [UInt64?] = []
        stage.simulate = { plan, _ in
            noted.append(RunFile(path)?.read()?.seed)
            return .made(plan, steps: 3)
        }
        #expect(try stage.run("--seeds", "3", "--from", "1", RunFile.option, path) == 0)
        #expect(noted == [1, 2, 3])
        #expect(stage.output == ["3 seeds, 9 steps: every guarantee held."])
        #expect(stage.errors.isEmpty && stage.launches.isEmpty)
        #expect(stage.pins == 1)
        #expect(stage.progress == [""])
    }

    @Test func countersAreThereWhereTheyAreAskedFor() throws {
        let stage = try Stage()
        stage.simulate = { plan, _ in .made(plan, steps: 3) }
        let file = stage.file("run")
        #expect(try stage.run("--seeds", "3", "--counters", RunFile.option, file) == 0)
        #expect(stage.output.count == 2 + Campaign.expectedMarks.count)
        #expect(stage.output.first?.hasPrefix("3 seeds from 0, 3 runs, ") == true)
        #expect(stage.output.last == "3 seeds, 12 steps: every guarantee held.")
    }

    @Test func aVerdictCountsAsASentenceDoes() {
        let numbers = [
            (0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (999_999, "999,999"),
            (1_000_000, "1.0 million"), (1_299_999, "1.2 million"),
            (1_234_567_890, "1234.5 million"),
        ]
        for (number, text) in numbers { #expect("\(Counted(number))" == text) }
    }

    @Test func progressIsShownAndTakenAway() throws {
        let stage = try Stage()
        let code = try stage.run("--anomalies", "--seeds", "2", RunFile.option, stage.file("run"))
        #expect(code == 0)
        #expect(stage.progress == ["1 of 2 seeds, 1 runs", "2 of 2 seeds, 2 runs", ""])
    }

    @Test func whatIsNeverReachedIsAFailure() throws {
        let stage = try Stage()
        let code = try stage.run("--seeds", "2000", RunFile.option, stage.file("run"))
        #expect(code == 1)
        let names = Campaign.expectedMarks.sorted().joined(separator: ", ")
        #expect(stage.errors == ["pipeline-simulate: never reached: \(names)"])
        let count = Campaign.expectedMarks.count
        #expect(
            stage.output == [
                "2,000 seeds, 0 steps: every guarantee held, but \(count) of what it looks for never"
                    + " happened."
            ]
        )
    }

    @Test(arguments: [false, true])
    func aFailureIsMadeSmallAndKept(triesEachFault: Bool) throws {
        let stage = try Stage()
        let seed = try failingSeed()
        var keepsTrace: [Bool] = []
        stage.simulate = { plan, keeps in
            keepsTrace.append(keeps)
            return breaking(plan)
        }
        let file = stage.file("run")
        let code =
            triesEachFault
            ? try stage.run("--anomalies", "--from", "\(seed)", RunFile.option, file)
            : try stage.run("--from", "\(seed)", RunFile.option, file)
        #expect(code == 1)
        let kept = stage.folder.path + "/pipeline-simulate-\(seed).json"
        let small = try FailureReport.read(kept)
        #expect(small.clients == [[.reload]])
        #expect(keepsTrace.last == true && keepsTrace.count { $0 } == 1)
        let whole = "--from \(seed) --seeds 1" + (triesEachFault ? " --anomalies" : "")
        let actions = RunPlan(seed: seed).actionCount
        var expected = [
            "seed \(seed) broke a guarantee", "making it smaller …",
            "from \(actions) actions and 30 steps to 1 and 30", "broken: G: 1", "broken: G: 2",
        ]
        expected += FailureReport.text(small).split(separator: "\n").map(String.init)
        expected += [
            "step", "whole: swift run -c release pipeline-simulate \(whole)",
            "Seed \(seed) broke G; to see it again: swift run -c release pipeline-simulate"
                + " --replay \(kept)",
        ]
        #expect(stage.output == expected)
        #expect(stage.errors.isEmpty)
    }

    @Test func aCaseThatCannotBeKeptIsSaid() throws {
        let stage = try Stage()
        let seed = try failingSeed()
        stage.simulate = { plan, _ in breaking(plan) }
        let kept = stage.folder.path + "/pipeline-simulate-\(seed).json"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        #expect(try stage.run("--from", "\(seed)", RunFile.option, stage.file("run")) == 1)
        #expect(stage.errors.count == 1)
        #expect(stage.errors.first?.hasPrefix("pipeline-simulate: cannot write \(kept): ") == true)
        #expect(
            stage.output.last == "Seed \(seed) broke G; to see it again: swift run -c release"
                + " pipeline-simulate --from \(seed) --seeds 1"
        )
    }

    // MARK: Supervision

    @Test func theSupervisedProcessGetsTheArgumentsAndAFile() throws {
        let stage = try Stage()
        var file = ""
        stage.launch = { arguments in
            file = arguments.last ?? ""
            #expect(FileManager.default.fileExists(atPath: file))
            return (.exit(7), [])
        }
        #expect(try stage.run("--seeds", "4") == 7)
        #expect(stage.launches == [["--seeds", "4", RunFile.option, file]])
        #expect(!FileManager.default.fileExists(atPath: file))
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(stage.output.isEmpty && stage.errors.isEmpty)
    }

    @Test func whatStopsBeforeTheFirstRunIsSaid() throws {
        let stage = try Stage()
        stage.launch = { _ in (.signal(9), []) }
        #expect(try stage.run("--seeds", "4") == 1)
        #expect(
            stage.errors == ["pipeline-simulate: stopped by signal 9 before the first run"]
        )
    }

    @Test func whatCannotBeLaunchedIsSaid() throws {
        let stage = try Stage()
        stage.launch = { _ in throw Broken() }
        #expect(try stage.run("--seeds", "4") == 2)
        #expect(stage.errors == ["pipeline-simulate: cannot run me: nothing works"])
    }

    @Test(arguments: [false, true])
    func aRunThatStopsTheProcessIsMadeSmallAndKept(triesEachFault: Bool) throws {
        let stage = try Stage()
        let seed = try failingSeed()
        stage.launch = { arguments in
            guard arguments.first == "--replay" else {
                RunFile(arguments.last ?? "")?.note(seed, triesEachFault ? 3 : nil)
                return (.signal(4), [])
            }
            let plan = try FailureReport.read(arguments[1])
            return (breaking(plan).violations.isEmpty ? .exit(0) : .signal(4), [])
        }
        let code = try triesEachFault ? stage.run("--anomalies") : stage.run("--seeds", "4")
        #expect(code == 1)
        let kept = stage.folder.path + "/pipeline-simulate-\(seed).json"
        let small = try FailureReport.read(kept)
        #expect(small.clients == [[.reload]])
        #expect(small.onlyFault == (triesEachFault ? 3 : nil))
        if triesEachFault { #expect(small.faults.isEmpty) }
        let actions = RunPlan(seed: seed).actionCount
        var expected = [
            "seed \(seed) stopped the process; making it smaller …",
            "from \(actions) actions to 1",
        ]
        expected += FailureReport.text(small).split(separator: "\n").map(String.init)
        #expect(Array(stage.output.prefix(expected.count)) == expected)
        #expect(stage.output.count == expected.count + 2)
        #expect(stage.output.last?.hasPrefix("Seed \(seed) stopped the process; ") == true)
        #expect(stage.launches.count <= 1_001)
    }
}
