import Foundation

/// A program that runs within limits while its output is read by line.
struct Command: Sendable {
    enum Ending: Sendable, Equatable {
        case exited(Int32)
        /// A signal stopped the program.
        case stopped(Int32)
        /// It exceeded its time limit.
        case tookTooLong
        /// `isEnough` returned `true`.
        case seenEnough
    }

    var program: String
    var arguments: [String] = []
    var folder: String?
    var environment: [String: String] = [:]
    /// The limit on real time.
    var seconds: Double = 3_600
    /// The limit on processor time, for each process; `nil` for no limit.
    var processorSeconds: Int?

    /// The limit on address space; a mutation that exceeds it allocates forever.
    private static let addressSpace = 16 << 30

    /// Runs the program until it ends.
    ///
    /// - Parameter isEnough: called with every line of both outputs; if it returns `true`, the
    ///   program is stopped.
    func run(isEnough: (String) -> Bool = { _ in false }) throws -> Ending {
        let process = Process()
        // Each process ends with its parent.
        let ends = ["setpriv", "--pdeathsig", "KILL"]
        var limits = ends + ["timeout", "--signal=KILL", String(seconds)] + ends
        if let processorSeconds {
            limits += ["prlimit", "--cpu=\(processorSeconds)", "--as=\(Self.addressSpace)"]
            limits.append("--core=0")
        }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = limits + [program] + arguments
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try output.fileHandleForWriting.close()
        let hasSeenEnough = Self.read(output.fileHandleForReading, isEnough)
        if hasSeenEnough { kill(-process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try output.fileHandleForReading.close()
        if hasSeenEnough { return .seenEnough }
        let status = process.terminationStatus
        guard process.terminationReason == .uncaughtSignal else { return .exited(status) }
        return status == SIGXCPU || status == SIGKILL ? .tookTooLong : .stopped(status)
    }

    private static func read(_ handle: FileHandle, _ isEnough: (String) -> Bool) -> Bool {
        var rest: [UInt8] = []
        while true {
            let data = handle.availableData
            guard !data.isEmpty else { break }
            rest += data
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                if isEnough(line) { return true }
            }
        }
        return !rest.isEmpty && isEnough(String(decoding: rest, as: UTF8.self))
    }
}
