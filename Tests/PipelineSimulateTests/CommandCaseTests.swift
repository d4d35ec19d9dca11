import Foundation
import Testing

@testable import PipelineTesting
@testable import pipeline_simulate

/// The command with cases, deliberate bugs and bad input.
@Suite struct CommandCaseTests {
    // MARK: Cases

    @Test func aCaseIsReplayedWithItsSteps() throws {
        let stage = try Stage()
        let file = stage.file("case.json")
        let plan = RunPlan(seed: 3)
        try FailureReport.write(plan, to: file)
        let text = FailureReport.text(plan).split(separator: "\n").map(String.init) + ["step"]
        stage.simulate = { plan, keepsTrace in
            .made(plan, broken: keepsTrace ? [] : [.numbered(1)])
        }
        #expect(try stage.run("--replay", file) == 0)
        #expect(stage.output == text + ["1 case, 0 steps: every guarantee held."])
        stage.output = []
        stage.simulate = { plan, _ in .made(plan, broken: [.numbered(5)]) }
        #expect(try stage.run("--replay", file) == 1)
        #expect(
            stage.output == ["broken: G: 5"] + text + ["1 case, 0 steps: G was broken."]
        )
        #expect(stage.errors.isEmpty)
    }

    @Test func aCaseThatCannotBeIsSaid() throws {
        let stage = try Stage()
        let file = stage.file("case.json")
        var plan = RunPlan(seed: 3)
        plan.workerCount = 0
        try FailureReport.write(plan, to: file)
        #expect(try stage.run("--replay", file) == 2)
        for (text, sentence) in [
            ("{", "it is not JSON"), ("{}", "it lacks seed"), (#"{"seed":"x"}"#, "seed is wrong"),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            #expect(try stage.run("--replay", file) == 2)
            #expect(stage.errors.last == "pipeline-simulate: \(file) is no case: \(sentence)")
        }
        #expect(
            stage.errors.first
                == "pipeline-simulate: \(file) is no case: workerCount is 0, not 1 to 64"
        )
        #expect(try stage.run("--replay", "/nowhere/at/all") == 2)
        #expect(
            stage.errors.last?.hasPrefix("pipeline-simulate: cannot read /nowhere/at/all: ") == true
        )
        let folder = String(file.dropLast("case.json".count))
        #expect(try stage.run("--replay", folder) == 2)
        let sentence = "it is a folder; name the file of a case"
        #expect(stage.errors.last == "pipeline-simulate: cannot read \(folder): \(sentence)")
        #expect(stage.output.isEmpty && stage.errors.count == 6)
    }

    @Test func helpAsksForNothingElse() throws {
        let stage = try Stage()
        #expect(try stage.run("--mutant", "x", "--help") == 0)
        #expect(stage.output.first == "Usage: pipeline-simulate [options]")
        #expect(stage.errors.isEmpty)
    }

    // MARK: Deliberate bugs

    @Test func aBuildWithoutBugsSaysSo() throws {
        let stage = try Stage()
        #expect(try stage.run("--mutants") == 2)
        #expect(try stage.run("--mutant", Mutant.allCases[0].rawValue) == 2)
        #expect(stage.errors.count == 2 && Set(stage.errors).count == 1)
        #expect(
            stage.errors[0].hasPrefix("pipeline-simulate: this build has no mutants; build with ")
        )
        #expect(stage.launches.isEmpty && stage.pins == 0)
    }

    @Test func aBugThatNobodyKnowsIsSaid() throws {
        let stage = try Stage()
        stage.hasMutants = true
        #expect(try stage.run("--mutant", "none-of-them") == 2)
        let names = Mutant.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(
            stage.errors
                == ["pipeline-simulate: unknown mutant 'none-of-them', expected one of \(names)"]
        )
    }

    @Test func seedsWithABugAreNotMadeSmall() throws {
        let stage = try Stage()
        stage.hasMutants = true
        let seed = try failingSeed()
        stage.simulate = { plan, _ in breaking(plan) }
        let name = Mutant.allCases[0].rawValue
        #expect(try stage.run("--mutant", name, "--from", "\(seed)") == 1)
        #expect(
            stage.output
                == ["seed \(seed) broke a guarantee", "broken: G: 1", "broken: G: 2"]
        )
        #expect(stage.launches.isEmpty)
    }

    @Test func everyBugIsHuntedAndTheMissedOnesCount() throws {
        let stage = try Stage()
        stage.hasMutants = true
        let all = Mutant.allCases.filter { !$0.isOfClusters }.map(\.rawValue)
        var missed: Set<String> = []
        stage.launch = { arguments in
            missed.contains(arguments[1]) ? (.exit(0), ["quiet"]) : (.exit(1), ["broken: G: x"])
        }
        #expect(try stage.run("--mutants", "--seeds", "10") == 0)
        let found = all.map { "found within 1  \($0): broken: G: x" }
        #expect(
            stage.output == found + [
                "\(all.count) of \(all.count) deliberate bugs were found within 10 seeds."
            ]
        )
        stage.output = []
        #expect(try stage.run("--mutants", "--seeds", "1") == 0)
        #expect(stage.output.last?.hasSuffix(" deliberate bugs were found within 1 seed.") == true)
        stage.output = []
        missed = [all[1]]
        #expect(try stage.run("--mutants", "--seeds", "10") == 1)
        #expect(stage.output[1] == "MISSED  \(all[1]): quiet")
        #expect(
            stage.output.last == "\(all.count - 1) of \(all.count) deliberate bugs were found"
                + " within 10 seeds; missed: \(all[1])."
        )
        stage.launch = { _ in throw Broken() }
        #expect(try stage.run("--mutants") == 2)
        #expect(stage.errors == ["pipeline-simulate: cannot run me: nothing works"])
    }

    @Test func bugsOfClustersAreHuntedInClusters() throws {
        let stage = try Stage()
        stage.hasMutants = true
        stage.launch = { arguments in
            (.exit(arguments.last == "--cluster" ? 1 : 0), ["broken: \(arguments[1])"])
        }
        #expect(try stage.run("--mutants", "--cluster", "--seeds", "1") == 0)
        let bugs = Mutant.allCases.filter(\.isOfClusters)
        #expect(bugs.count >= 5)
        #expect(
            stage.output.dropLast()
                == bugs.map { "found within 1  \($0.rawValue): broken: \($0.rawValue)" }[...]
        )
        #expect(stage.launches.allSatisfy { $0.last == "--cluster" })
    }

    // MARK: Run files

    @Test func aFileThatWasCutShortHasNothing() throws {
        let stage = try Stage()
        let path = stage.file("run")
        try Data(repeating: 1, count: 15).write(to: URL(fileURLWithPath: path))
        let file = try #require(RunFile(path))
        defer { file.close() }
        #expect(file.read() == nil)
        try Data(repeating: 1, count: 20).write(to: URL(fileURLWithPath: path))
        #expect(RunFile(path)?.read()?.seed == 0x0101_0101_0101_0101)
        try Data().write(to: URL(fileURLWithPath: path))
        file.note(2, 0)
        file.note(1, nil)
        #expect(file.read()?.seed == 1 && file.read()?.onlyFault == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.size] as? Int == 16)
        let fresh = stage.file("fresh")
        let other = try #require(RunFile(fresh))
        defer { other.close() }
        let permissions = try FileManager.default.attributesOfItem(atPath: fresh)
        #expect(permissions[.posixPermissions] as? Int == 0o600)
    }

    @Test func defaultsAreTenThousandSeeds() throws {
        #expect(try SimulateOptions([]).seedCount == 10_000)
        #expect(try SimulateOptions(["--help"]).seedCount == 10_000)
        let strategies: [SchedulingStrategy?] = [
            nil, .inOrder, .random, .sticky(0.7), .prioritized(changes: 2), .delayBounded(2),
        ]
        #expect(SimulateOptions.strategies.map(\.strategy) == strategies)
    }
}
