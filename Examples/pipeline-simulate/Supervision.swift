import Foundation
import PipelineTesting

/// Runs seeds in a process of their own: a call from a wrong place stops a process, and whoever is stopped
/// cannot say which seed it was.
struct Supervision {
    let executable: String

    /// How a process ended.
    enum End {
        case exit(Int32)
        case signal(Int32)
    }

    /// Runs this program with other arguments.
    ///
    /// - Parameter isQuiet: whether what it prints is thrown away.
    func run(_ arguments: [String], isQuiet: Bool) throws -> End {
        let process = process(arguments)
        if isQuiet {
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        return end(of: process)
    }

    /// Runs this program with other arguments, and keeps the lines that it prints.
    func runKeepingLines(_ arguments: [String]) throws -> (end: End, lines: [Substring]) {
        let process = process(arguments)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        return (end(of: process), String(decoding: data, as: UTF8.self).split(separator: "\n"))
    }

    private func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        // The sentence that it stops with says enough.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        return process
    }

    private func end(of process: Process) -> End {
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
