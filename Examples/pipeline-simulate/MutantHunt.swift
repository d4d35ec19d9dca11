import Foundation
import PipelineTesting

/// Looks for every deliberate bug, each in a process of its own: some of them stop it.
struct MutantHunt {
    let executable: String
    let options: SimulateOptions

    /// What became of one.
    struct Outcome {
        let mutant: Mutant
        let isFound: Bool
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

    func hunt(_ mutant: Mutant) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = [
            "--mutant", mutant.rawValue, "--from", "\(options.first)", "--seeds",
            "\(options.seedCount)",
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
        return Outcome(mutant: mutant, isFound: isFound, evidence: String(evidence))
    }
}
