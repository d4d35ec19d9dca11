import Foundation
import PipelineSimulation

/// Runs seeds in a separate process. A call from a wrong place stops the process, which then cannot
/// report the seed itself.
struct Supervision {
    let executable: String

    /// The way in which a process ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    /// Runs this program with other arguments, and waits for its end.
    ///
    /// - Parameter isQuiet: Whether to discard its output.
    func run(_ arguments: [String], isQuiet: Bool) throws -> End {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        // The message of the trap is sufficient without a backtrace.
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

    /// Runs a plan in a separate process. If a signal stops that process, the guarantee
    /// ``RunResult/trap`` is broken.
    ///
    /// - Parameter mode: The options that the replay needs.
    func result(of plan: RunPlan, in mode: [String], through file: String) -> RunResult {
        do {
            try FailureReport.write(plan, to: file)
            if case .signal(let number) = try run(mode + ["--replay", file], isQuiet: true) {
                return .stopped(plan, "the process was stopped by signal \(number)")
            }
        } catch {}
        return .stopped(plan, nil)
    }
}

/// The file in which a supervised process records its next run. If the process is stopped, the file
/// identifies the run that stopped it.
struct RunFile {
    /// The option that the supervising process passes. It is not meant for users.
    static let option = "--run-file"

    private let descriptor: Int32

    /// Opens the file; `nil` if that fails.
    init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        if descriptor < 0 { return nil }
    }

    func close() { _ = Foundation.close(descriptor) }

    func note(_ seed: UInt64, _ onlyFault: Int?) {
        var words = [seed, onlyFault.map { UInt64($0) } ?? .max]
        _ = pwrite(descriptor, &words, 16, 0)
    }

    /// Returns the last recorded run; `nil` if there is none.
    func read() -> (seed: UInt64, onlyFault: Int?)? {
        var words: [UInt64] = [0, 0]
        guard pread(descriptor, &words, 16, 0) == 16 else { return nil }
        return (words[0], words[1] == .max ? nil : Int(words[1]))
    }
}
