import Foundation
import PipelineTesting

/// The command.
struct PipelineSimulate {
    let options: SimulateOptions
    let surroundings: Surroundings

    /// What the command reaches outside of itself.
    struct Surroundings {
        /// What it was called with, without its own name.
        var arguments: [String]
        var supervision: Supervision
        /// Where failing cases are written to.
        var folder = ""
        /// Whether this build has deliberate bugs.
        var hasMutants = MutantHunt.isPossible
        var simulate: (_ plan: RunPlan, _ keepsTrace: Bool) -> RunResult = {
            SimulatedRun.run($0, keepsTrace: $1)
        }
        /// Keeps the calling thread on one processor.
        var stayOnThisProcessor: () -> Void = {}
        var print: (String) -> Void = { Swift.print($0) }
        /// Nil where nobody watches.
        var progress: ((String) -> Void)?
        var complain: (String) -> Void = {
            FileHandle.standardError.write(Data("\($0)\n".utf8))
        }
    }

    private var supervision: Supervision { surroundings.supervision }

    private func print(_ text: String) { surroundings.print(text) }

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
            let arguments = surroundings.arguments + [RunFile.option, path]
            switch try supervision.run(arguments, isQuiet: false) {
            case .exit(let code): return code
            case .signal(let number):
                guard let stopped = file.read() else {
                    return fail("stopped by signal \(number) before the first run", 1)
                }
                reportTrap(stopped.seed, stopped.onlyFault, path + ".json")
                return 1
            }
        } catch {
            return cannotRun(error)
        }
    }

    private func reportTrap(_ seed: UInt64, _ onlyFault: Int?, _ file: String) {
        print("seed \(seed) stopped the process; making it smaller …")
        var plan = Campaign(options).plan(of: seed)
        if options.triesEachFault { (plan.faults, plan.onlyFault) = ([], onlyFault) }
        let small = Shrinker.shrink(plan, breaking: RunResult.trap, runs: 1_000) {
            supervision.result(of: $0, through: file)
        }
        print("from \(plan.actionCount) actions to \(small.actionCount)")
        print(FailureReport.text(small))
        conclude("Seed \(seed) stopped the process", small, seed)
    }

    private func runSeeds(shrinks: Bool) -> Int32 {
        // The threads of a simulation take turns: a second processor gains nothing, and waking it takes long.
        surroundings.stayOnThisProcessor()
        let file = options.runFile.flatMap(RunFile.init)
        defer { file?.close() }
        var campaign = Campaign(
            options,
            by: { surroundings.simulate($0, false) },
            willRun: { file?.note($0, $1) }
        )
        campaign.run { campaign in
            surroundings.progress?(
                "\(campaign.seeds) of \(options.seedCount) seeds, \(campaign.runs) runs"
            )
        }
        surroundings.progress?("")
        if let failure = campaign.failure, let seed = campaign.failedSeed {
            report(failure, seed, shrinks: shrinks)
            return 1
        }
        if options.showsCounters { print(campaign.counters) }
        let missed = campaign.missedMarks
        if !missed.isEmpty { _ = fail("never reached: \(missed.joined(separator: ", "))", 1) }
        print(campaign.verdict)
        return missed.isEmpty ? 0 : 1
    }

    private func report(_ failure: RunResult, _ seed: UInt64, shrinks: Bool) {
        print("seed \(seed) broke a guarantee")
        guard shrinks, let guarantee = failure.violations.first?.guarantee else {
            return print(failure.violations.map { "broken: \($0)" }.joined(separator: "\n"))
        }
        print("making it smaller …")
        let small = Shrinker.shrink(failure.plan, breaking: guarantee) {
            surroundings.simulate($0, false)
        }
        let result = surroundings.simulate(small, true)
        print(
            "from \(failure.plan.actionCount) actions and \(failure.steps) steps to"
                + " \(small.actionCount) and \(result.steps)"
        )
        print(FailureReport.text(result))
        conclude("Seed \(seed) broke \(guarantee)", small, seed)
    }

    /// Writes a case, and ends with what was found and how to run it again.
    private func conclude(_ finding: String, _ small: RunPlan, _ seed: UInt64) {
        let file = surroundings.folder + "pipeline-simulate-\(seed).json"
        let option =
            (options.isOfClusters ? " --cluster" : "")
            + (options.triesEachFault ? " --anomalies" : "")
        var arguments = "--from \(seed) --seeds 1\(option)"
        do {
            try FailureReport.write(small, to: file)
            print("whole: swift run -c release pipeline-simulate \(arguments)")
            arguments = "--replay \(file)"
        } catch {
            _ = fail("cannot write \(file): \(error.localizedDescription)", 1)
        }
        print("\(finding); to see it again: swift run -c release pipeline-simulate \(arguments)")
    }

    private func replay(_ file: String) -> Int32 {
        let plan: RunPlan
        do {
            plan = try FailureReport.read(file)
        } catch let error as DecodingError {
            return fail("\(file) is no case: \(error.sentence)", 2)
        } catch {
            return fail("cannot read \(file): \(error)", 2)
        }
        if let problem = plan.problem { return fail("\(file) is no case: \(problem)", 2) }
        let result = surroundings.simulate(plan, true)
        print(FailureReport.text(result))
        let broken = result.violations.first.map { "\($0.guarantee) was broken" }
        print("1 case, \(Counted(result.steps)) steps: \(broken ?? "every guarantee held").")
        return broken == nil ? 0 : 1
    }

    // MARK: Mutants

    /// - Returns: the exit code where it is not possible.
    private func activate(_ name: String) -> Int32? {
        guard surroundings.hasMutants else { return fail(Self.noMutants, 2) }
        guard let mutant = Mutant(rawValue: name) else {
            let names = Mutant.allCases.map(\.rawValue).joined(separator: ", ")
            return fail("unknown mutant '\(name)', expected one of \(names)", 2)
        }
        MutantHunt.activate(mutant)
        return nil
    }

    private func huntMutants() -> Int32 {
        guard surroundings.hasMutants else { return fail(Self.noMutants, 2) }
        let hunt = MutantHunt(supervision: supervision, options: options)
        var missed: [String] = []
        // Each kind of run by itself: what one can meet the other cannot.
        let mutants = Mutant.allCases.filter { options.isOfClusters == $0.isOfClusters }
        for mutant in mutants {
            do {
                let outcome = try hunt.hunt(mutant)
                let verdict = outcome.seeds.map { "found within \($0)" } ?? "MISSED"
                print("\(verdict)  \(mutant.rawValue): \(outcome.evidence)")
                if outcome.seeds == nil { missed.append(mutant.rawValue) }
            } catch {
                return fail(
                    "cannot run \(supervision.executable): \(error.localizedDescription)",
                    2
                )
            }
        }
        let found = mutants.count - missed.count
        let rest = missed.isEmpty ? "" : "; missed: \(missed.joined(separator: ", "))"
        print(
            "\(found) of \(mutants.count) deliberate bugs were found within"
                + " \(Counted.seeds(options.seedCount))\(rest)."
        )
        return missed.isEmpty ? 0 : 1
    }

    private static let noMutants =
        "this build has no mutants; build with PIPELINE_MUTANTS=1 in the environment and a"
        + " --scratch-path of its own"

    private func cannotRun(_ error: any Error) -> Int32 {
        fail("cannot run \(supervision.executable): \(error.localizedDescription)", 2)
    }

    private func fail(_ message: String, _ code: Int32) -> Int32 {
        surroundings.complain("pipeline-simulate: \(message)")
        return code
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
