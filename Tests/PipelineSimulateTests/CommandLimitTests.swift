import Foundation
import Testing

@testable import PipelineTesting
@testable import pipeline_simulate

/// What the command leaves behind, and how far it goes.
@Suite struct CommandLimitTests {
    /// How many descriptors of this process lead to a file, also to one that is deleted.
    private func openDescriptors(of path: String) throws -> Int {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count {
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(folder)/\($0)"
            )
            return target?.hasPrefix(path) == true
        }
    }

    @Test func theFileOfASupervisedRunIsClosedAtTheEnd() throws {
        let stage = try Stage()
        let path = stage.file("run")
        var openMeanwhile: [Int] = []
        stage.simulate = { plan, _ in
            openMeanwhile.append((try? openDescriptors(of: path)) ?? 0)
            return .made(plan)
        }
        #expect(try stage.run("--seeds", "1", "--from", "1", RunFile.option, path) == 0)
        #expect(openMeanwhile == [1])
        #expect(try openDescriptors(of: path) == 0)
    }

    @Test func theSupervisingProcessClosesTheFileToo() throws {
        let stage = try Stage()
        var path = ""
        stage.launch = { arguments in
            path = arguments.last ?? ""
            let count = try openDescriptors(of: path)
            #expect(count == 1)
            return (.exit(0), [])
        }
        #expect(try stage.run("--seeds", "1") == 0)
        #expect(try !path.isEmpty && openDescriptors(of: path) == 0)
    }

    // MARK: What stops a process

    /// A command whose supervised process stops at a seed.
    private func stage(
        stoppingAt seed: UInt64,
        replay: @escaping (RunPlan) -> Bool
    ) throws -> Stage {
        let stage = try Stage()
        stage.launch = { arguments in
            guard arguments.first == "--replay" else {
                RunFile(arguments.last ?? "")?.note(seed, nil)
                return (.signal(4), [])
            }
            return (replay(try FailureReport.read(arguments[1])) ? .signal(4) : .exit(0), [])
        }
        return stage
    }

    private func kept(_ stage: Stage, _ seed: UInt64) throws -> RunPlan {
        try FailureReport.read(stage.folder.path + "/pipeline-simulate-\(seed).json")
    }

    @Test func faultsThatStopAProcessStayInTheCase() throws {
        let seed = try #require(
            (0..<100 as Range<UInt64>).first { RunPlan(seed: $0).faults.count > 1 }
        )
        let stage = try stage(stoppingAt: seed) { !$0.faults.isEmpty }
        #expect(try stage.run("--seeds", "4") == 1)
        let small = try kept(stage, seed)
        #expect(small.faults.count == 1 && small.onlyFault == nil)
        #expect(small.actionCount == 0)
        #expect(stage.output.contains { $0.hasPrefix("faults: ") })
    }

    // MARK: Deliberate bugs

    @Test func missedBugsAreNamedInTheOrderInWhichTheyWereHunted() throws {
        let stage = try Stage()
        stage.hasMutants = true
        let all = Mutant.allCases.filter { !$0.isOfClusters }.map(\.rawValue)
        let missed = [all[0], all[2], all[5]]
        stage.launch = { arguments in
            missed.contains(arguments[1]) ? (.exit(0), ["quiet"]) : (.exit(1), ["broken: G: x"])
        }
        #expect(try stage.run("--mutants", "--seeds", "10") == 1)
        #expect(
            stage.output.last
                == "\(all.count - 3) of \(all.count) deliberate bugs were found within"
                + " 10 seeds; missed: \(missed.joined(separator: ", "))."
        )
    }
}
