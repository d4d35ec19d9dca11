import Foundation
import PipelineTesting

/// Runs seeds in a process of their own: a call from a wrong place stops a process, and whoever is stopped
/// cannot say which seed it was.
struct Supervision {
    let executable: String

    /// How a process ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    /// Where the lines go that a process prints.
    enum Output {
        /// To where this one prints.
        case inherited
        case dropped
        case kept
    }

    /// Runs a program to its end; the lines are those that are kept.
    typealias Launch =
        (_ executable: String, _ arguments: [String], Output) throws -> (
            end: End, lines: [Substring]
        )

    let launch: Launch

    init(executable: String, launch: @escaping Launch = Self.runProcess) {
        self.executable = executable
        self.launch = launch
    }

    /// Runs this program with other arguments.
    ///
    /// - Parameter isQuiet: whether what it prints is thrown away.
    func run(_ arguments: [String], isQuiet: Bool) throws -> End {
        try launch(executable, arguments, isQuiet ? .dropped : .inherited).end
    }

    /// Runs this program with other arguments, and keeps the lines that it prints.
    func runKeepingLines(_ arguments: [String]) throws -> (end: End, lines: [Substring]) {
        try launch(executable, arguments, .kept)
    }

    /// Runs a program in a process.
    static func runProcess(
        _ executable: String,
        _ arguments: [String],
        _ output: Output
    ) throws -> (end: End, lines: [Substring]) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        // The sentence that it stops with says enough.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let pipe = Pipe()
        switch output {
        case .inherited: break
        case .dropped:
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        case .kept:
            process.standardOutput = pipe
            process.standardError = pipe
        }
        try process.run()
        let data = output == .kept ? pipe.fileHandleForReading.readDataToEndOfFile() : Data()
        process.waitUntilExit()
        let end: End =
            process.terminationReason == .exit
            ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
        return (end, String(decoding: data, as: UTF8.self).split(separator: "\n"))
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
