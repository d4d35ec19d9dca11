import Foundation
import PipelineSimulation
import ProcessorAffinity
import ProgramSupport

/// The program.
struct PipelineSimulate {
    let options: SimulateOptions
    /// The arguments, without the name of the program.
    let arguments: [String]
    let supervision: Supervision

    /// Runs the command, and returns the exit code.
    func run() -> Int32 {
        switch options.job {
        case .help:
            print(SimulateOptions.help)
            return 0
        case .seeds: return options.runFile == nil ? supervise() : runSeeds()
        case .replay(let file): return replay(file)
        }
    }

    /// Runs the seeds in another process. If a signal stops it, shrinks the case that caused it.
    private func supervise() -> Int32 {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(
                "pipeline-simulate-\(UUID().uuidString)"
            )
        let path = folder.appendingPathComponent("run").path
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
            defer { try? FileManager.default.removeItem(at: folder) }
            guard let file = RunFile(path) else { return fail("cannot write \(path)", 2) }
            defer { file.close() }
            switch try supervision.run(arguments + [RunFile.option, path], isQuiet: false) {
            case .exit(let code): return code
            case .signal(let number):
                guard let stopped = file.read() else {
                    return fail("stopped by signal \(number) before the first run", 1)
                }
                reportTrap(stopped.seed, stopped.onlyFault, path + ".json")
                return 1
            }
        } catch {
            return fail("cannot run \(supervision.executable): \(error.localizedDescription)", 2)
        }
    }

    private func reportTrap(_ seed: UInt64, _ onlyFault: Int?, _ file: String) {
        print("seed \(seed) stopped the process; making it smaller …")
        var plan = Campaign(options).plan(of: seed)
        if options.triesEachFault { (plan.faults, plan.onlyFault) = ([], onlyFault) }
        let small = Shrinker.shrink(plan, breaking: RunResult.trap, runs: 1_000) {
            supervision.result(of: $0, in: options.mode, through: file)
        }
        print("from \(plan.actionCount) actions to \(small.actionCount)")
        print(FailureReport.text(small))
        conclude("Seed \(seed) stopped the process", small, seed)
    }

    private func runSeeds() -> Int32 {
        // Only one thread of a simulation runs at a time: a second processor does not help, and
        // waking it takes long.
        stayOnThisProcessor()
        let file = options.runFile.flatMap(RunFile.init)
        defer { file?.close() }
        var campaign = Campaign(options) { file?.note($0, $1) }
        var progress = ProgressLine(on: .standardError)
        campaign.run { campaign in
            progress.show(
                "\(campaign.seeds) of \(options.seedCount) seeds, \(campaign.runs) runs"
            )
        }
        progress.erase()
        if let failure = campaign.failure, let seed = campaign.failedSeed {
            report(failure, seed)
            return 1
        }
        if options.showsCounters { print(campaign.counters) }
        let missed = campaign.missedMarks
        if !missed.isEmpty { _ = fail("never reached: \(missed.joined(separator: ", "))", 1) }
        print(campaign.verdict)
        return missed.isEmpty ? 0 : 1
    }

    private func report(_ failure: RunResult, _ seed: UInt64) {
        guard let guarantee = failure.violations.first?.guarantee else { return }
        print("seed \(seed) broke \(guarantee); making it smaller …")
        let small = Shrinker.shrink(failure.plan, breaking: guarantee) {
            options.run($0)
        }
        let result = options.run(small, keepsTrace: true)
        print(
            "from \(failure.plan.actionCount) actions and \(failure.steps) steps to"
                + " \(small.actionCount) and \(result.steps)"
        )
        print(FailureReport.text(result))
        conclude("Seed \(seed) broke \(guarantee)", small, seed)
    }

    /// Writes the shrunk case to a file, and prints the finding and the command that repeats it.
    private func conclude(_ finding: String, _ small: RunPlan, _ seed: UInt64) {
        let file = "pipeline-simulate-\(seed).json"
        let option =
            (options.isOfClusters ? " --cluster" : options.isOfTables ? " --tables" : "")
            + (options.triesEachFault ? " --anomalies" : "")
        var arguments = "--from \(seed) --seeds 1\(option)"
        do {
            try FailureReport.write(small, to: file)
            print("whole: swift run -c release pipeline-simulate \(arguments)")
            arguments = (options.mode + ["--replay \(file)"]).joined(separator: " ")
        } catch {
            _ = fail("cannot write \(file): \(error.localizedDescription)", 1)
        }
        print("\(finding); to see it again: swift run -c release pipeline-simulate \(arguments)")
    }

    private func replay(_ file: String) -> Int32 {
        let plan: RunPlan
        do {
            plan = try FailureReport.read(file)
        } catch let error as JSONFault {
            return fail("\(file) is not a valid case: \(error)", 2)
        } catch {
            return fail("cannot read \(file): \(error.localizedDescription)", 2)
        }
        if let problem = plan.problem { return fail("\(file) is not a valid case: \(problem)", 2) }
        let result = options.run(plan, keepsTrace: true)
        print(FailureReport.text(result))
        let broken = result.violations.first.map { "\($0.guarantee) was broken" }
        print("1 case, \(Counted(result.steps)) steps: \(broken ?? "every guarantee held").")
        return broken == nil ? 0 : 1
    }

    private func fail(_ message: String, _ code: Int32) -> Int32 {
        OutputChannel.standardError.report("pipeline-simulate: \(message)")
        return code
    }
}
