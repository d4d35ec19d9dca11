import Foundation
import PipelineTesting

/// Looks for every deliberate bug, each in a process of its own: some of them stop it.
struct MutantHunt {
    let executable: String
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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = [
            "--mutant", mutant.rawValue, "--from", "\(options.first)", "--seeds", "\(seeds)",
        ]
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let evidence =
            lines.first { $0.contains("broken: ") || $0.contains("Fatal error") } ?? lines.last
            ?? ""
        let isFound = process.terminationReason == .uncaughtSignal || process.terminationStatus == 1
        return (isFound, String(evidence))
    }
}
