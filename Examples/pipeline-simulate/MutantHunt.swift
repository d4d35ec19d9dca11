import Foundation
import PipelineTesting

/// Looks for every deliberate bug, each in a process of its own: some of them stop it.
struct MutantHunt {
    let supervision: Supervision
    let options: SimulateOptions

    /// What became of one.
    struct Outcome {
        let mutant: Mutant
        /// A power of ten: so many seeds were enough; nil where it was missed.
        let seeds: UInt64?
        /// The first line of what the process said about it.
        let evidence: String
    }

    static var isPossible: Bool {
        #if PIPELINE_MUTANTS
            true
        #else
            false
        #endif
    }

    static func activate(_ mutant: Mutant) {
        #if PIPELINE_MUTANTS
            Mutant.active = mutant
        #endif
    }

    /// Tries one seed, then ten, then a hundred, up to as many as there are to be.
    func hunt(_ mutant: Mutant) throws -> Outcome {
        var count = min(1, options.seedCount)
        while true {
            let (isFound, evidence) = try run(mutant, seeds: count)
            if isFound || count == options.seedCount {
                return Outcome(mutant: mutant, seeds: isFound ? count : nil, evidence: evidence)
            }
            let (next, overflows) = count.multipliedReportingOverflow(by: 10)
            count = overflows ? options.seedCount : min(next, options.seedCount)
        }
    }

    private func run(_ mutant: Mutant, seeds: UInt64) throws -> (isFound: Bool, evidence: String) {
        let kind = mutant.isOfClusters ? ["--cluster"] : []
        let (end, lines) = try supervision.runKeepingLines(
            [
                "--mutant", mutant.rawValue, "--from", "\(options.first)", "--seeds", "\(seeds)",
            ] + kind
        )
        let broken = lines.first { $0.contains("broken: ") || $0.contains("Fatal error") }
        let isFound =
            switch end {
            case .signal: true
            // Something that is never reached is no bug found.
            case .exit: broken != nil
            }
        return (isFound, String(broken ?? lines.last ?? ""))
    }
}
