import Foundation
import PipelineTesting
import ProcessorAffinity

/// The command.
struct PipelineSimulate {
    let options: SimulateOptions
    let executable: String

    /// - Returns: the exit code.
    func run() -> Int32 {
        if let name = options.mutant, options.job != .help, let code = activate(name) {
            return code
        }
        switch options.job {
        case .help:
            print(SimulateOptions.help)
            return 0
        // One with a deliberate bug is looked after by who has asked for that.
        case .seeds where options.mutant != nil: return runSeeds(shrinks: false)
        case .seeds: return options.runFile == nil ? supervise() : runSeeds(shrinks: true)
        case .replay(let file): return replay(file)
        case .mutants: return huntMutants()
        }
    }

    /// Runs the seeds in another process; makes small what stops that.
    private func supervise() -> Int32 {
        let supervision = Supervision(executable: executable)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(
                "pipeline-simulate-\(ProcessInfo.processInfo.processIdentifier)"
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
            let arguments = CommandLine.arguments.dropFirst() + [RunFile.option, path]
            switch try supervision.run(Array(arguments), isQuiet: false) {
            case .exit(let code): return code
            case .signal(let number):
                guard let stopped = file.read() else {
                    return fail("stopped by signal \(number) before the first run", 1)
                }
                reportTrap(stopped.seed, stopped.onlyFault, supervision, path + ".json")
                return 1
            }
        } catch {
            return fail("cannot run \(executable): \(error.localizedDescription)", 2)
        }
    }

    private func reportTrap(
        _ seed: UInt64,
        _ onlyFault: Int?,
        _ supervision: Supervision,
        _ file: String
    ) {
        print("seed \(seed) stopped the process; making it smaller …")
        var plan = Campaign(options).plan(of: seed)
        if options.triesEachFault { (plan.faults, plan.onlyFault) = ([], onlyFault) }
        let small = Shrinker.shrink(plan, breaking: RunResult.trap, runs: 1_000) {
            supervision.result(of: $0, through: file)
        }
        print("from \(plan.actionCount) actions to \(small.actionCount)")
        print(FailureReport.text(small))
        keep(small, seed)
    }

    private func runSeeds(shrinks: Bool) -> Int32 {
        // The threads of a simulation take turns: a second processor gains nothing, and waking it takes long.
        stayOnThisProcessor()
        let file = options.runFile.flatMap(RunFile.init)
        var campaign = Campaign(options) { file?.note($0, $1) }
        let progress = ProgressLine()
        campaign.run { campaign in
            progress.show(
                "\(campaign.seeds) of \(options.seedCount) seeds, \(campaign.runs) runs"
            )
        }
        progress.clear()
        if let failure = campaign.failure, let seed = campaign.failedSeed {
            report(failure, seed, shrinks: shrinks)
            return 1
        }
        print(campaign.summary)
        guard campaign.missedMarks.isEmpty else {
            return fail("never reached: \(campaign.missedMarks.joined(separator: ", "))", 1)
        }
        return 0
    }

    private func report(_ failure: RunResult, _ seed: UInt64, shrinks: Bool) {
        print("seed \(seed) broke a guarantee")
        guard shrinks, let guarantee = failure.violations.first?.guarantee else {
            return print(failure.violations.map { "broken: \($0)" }.joined(separator: "\n"))
        }
        print("making it smaller …")
        let small = Shrinker.shrink(failure.plan, breaking: guarantee)
        let result = SimulatedRun.run(small, keepsTrace: true)
        print(
            "from \(failure.plan.actionCount) actions and \(failure.steps) steps to"
                + " \(small.actionCount) and \(result.steps)"
        )
        print(FailureReport.text(result))
        keep(small, seed)
    }

    /// Writes a case, and says how to run it again.
    private func keep(_ small: RunPlan, _ seed: UInt64) {
        let file = "pipeline-simulate-\(seed).json"
        do {
            try FailureReport.write(small, to: file)
            print("replay: swift run -c release pipeline-simulate --replay \(file)")
        } catch {
            _ = fail("cannot write \(file): \(error.localizedDescription)", 1)
        }
        let option = options.triesEachFault ? " --anomalies" : ""
        print("whole:  swift run -c release pipeline-simulate --from \(seed) --seeds 1\(option)")
    }

    private func replay(_ file: String) -> Int32 {
        let plan: RunPlan
        do {
            plan = try FailureReport.read(file)
        } catch let error as DecodingError {
            return fail("\(file) is no case: \(error.sentence)", 2)
        } catch {
            return fail("cannot read \(file): \(error.localizedDescription)", 2)
        }
        if let problem = plan.problem { return fail("\(file) is no case: \(problem)", 2) }
        let result = SimulatedRun.run(plan, keepsTrace: true)
        print(FailureReport.text(result))
        if result.violations.isEmpty { print("no guarantee was broken") }
        return result.violations.isEmpty ? 0 : 1
    }

    // MARK: Mutants

    /// - Returns: the exit code where it is not possible.
    private func activate(_ name: String) -> Int32? {
        guard MutantHunt.isPossible else { return fail(Self.noMutants, 2) }
        guard let mutant = Mutant(rawValue: name) else {
            let names = Mutant.allCases.map(\.rawValue).joined(separator: ", ")
            return fail("unknown mutant '\(name)', expected one of \(names)", 2)
        }
        MutantHunt.activate(mutant)
        return nil
    }

    private func huntMutants() -> Int32 {
        guard MutantHunt.isPossible else { return fail(Self.noMutants, 2) }
        let hunt = MutantHunt(supervision: Supervision(executable: executable), options: options)
        var missed: [String] = []
        for mutant in Mutant.allCases {
            do {
                let outcome = try hunt.hunt(mutant)
                let verdict = outcome.seeds.map { "found within \($0)" } ?? "MISSED"
                print("\(verdict)  \(mutant.rawValue): \(outcome.evidence)")
                if outcome.seeds == nil { missed.append(mutant.rawValue) }
            } catch {
                return fail("cannot run \(executable): \(error.localizedDescription)", 2)
            }
        }
        let found = Mutant.allCases.count - missed.count
        print("\(found) of \(Mutant.allCases.count) found within \(options.seedCount) seeds")
        return missed.isEmpty ? 0 : 1
    }

    private static let noMutants =
        "this build has no mutants; build with PIPELINE_MUTANTS=1 in the environment and a"
        + " --scratch-path of its own"

    private func fail(_ message: String, _ code: Int32) -> Int32 {
        FileHandle.standardError.write(Data("pipeline-simulate: \(message)\n".utf8))
        return code
    }
}

/// How far a long run is, on one line of a terminal; nothing elsewhere.
private struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
    }

    func clear() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}

extension DecodingError {
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, _): "it lacks \(key.stringValue)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is not JSON"
                : context.codingPath.map(\.stringValue).joined(separator: ".") + " is wrong"
        @unknown default: "it is wrong"
        }
    }
}
