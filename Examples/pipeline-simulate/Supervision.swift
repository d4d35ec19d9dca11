import Foundation
import PipelineSimulation

/// Runs seeds in a process of their own: a call from a wrong place stops a process, and whoever is stopped
/// cannot say which seed it was.
struct Supervision {
    let executable: String

    /// How a process ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    /// Runs this program with other arguments, to its end.
    ///
    /// - Parameter isQuiet: whether to discard what it prints.
    func run(_ arguments: [String], isQuiet: Bool) throws -> End {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        // The sentence that it stops with says enough.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        if isQuiet {
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
    }

    /// Runs a plan in a process of its own: what stops that breaks the guarantee ``RunResult/trap``.
    func result(of plan: RunPlan, through file: String) -> RunResult {
        do {
            try FailureReport.write(plan, to: file)
            if case .signal(let number) = try run(["--replay", file], isQuiet: true) {
                return .stopped(plan, "the process was stopped by signal \(number)")
            }
        } catch {}
        return .stopped(plan, nil)
    }
}
