import Foundation

/// A program that runs, within limits, while its lines are read.
struct Command: Sendable {
    enum Ending: Sendable, Equatable {
        case exited(Int32)
        /// By a signal.
        case stopped(Int32)
        /// It took longer than it may.
        case tookTooLong
        /// The reader had seen enough.
        case seenEnough
    }

    var program: String
    var arguments: [String] = []
    var folder: String?
    var environment: [String: String] = [:]
    /// How long it may take by the clock.
    var seconds: Double = 3_600
    /// How long it and all that it starts may do nothing at all; nil for no limit. Unlike the clock this does
    /// not depend on what else the machine does.
    var idleSeconds: Int?
    /// How long it may keep a processor busy, with all that it starts; nil for no limit.
    var processorSeconds: Int?

    /// Beyond this a mutation allocates for ever.
    private static let addressSpace = 16 << 30

    /// Runs it to its end.
    ///
    /// - Parameter isEnough: told every line that it prints, to either output; where it answers true the
    ///   program is stopped.
    func run(isEnough: (String) -> Bool = { _ in false }) throws -> Ending {
        let process = Process()
        // With limits it also goes when this process does.
        let limits = processorSeconds.map {
            ["setpriv", "--pdeathsig", "KILL"]
                + ["prlimit", "--cpu=\($0)", "--as=\(Self.addressSpace)", "--core=0"]
        }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = (limits ?? []) + [program] + arguments
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
        let number = process.processIdentifier
        let isLate = Flag()
        let watch = Watch(tree: ProcessTree(root: number), idleSeconds: idleSeconds)
        let deadline = Date.now.addingTimeInterval(seconds)
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { @Sendable in
            guard Date.now > deadline || watch.isIdle() else { return }
            isLate.raise()
            Self.stop(number)
        }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.resume()
        let hasSeenEnough = Self.read(output.fileHandleForReading, isEnough)
        if hasSeenEnough || isLate.isRaised { Self.stop(number) }
        process.waitUntilExit()
        timer.cancel()
        try output.fileHandleForReading.close()
        if hasSeenEnough { return .seenEnough }
        if isLate.isRaised { return .tookTooLong }
        let status = process.terminationStatus
        guard process.terminationReason == .uncaughtSignal else { return .exited(status) }
        return status == SIGXCPU || status == SIGKILL ? .tookTooLong : .stopped(status)
    }

    /// Ends a process and those that it has started.
    private static func stop(_ number: Int32) {
        kill(-number, SIGKILL)
        kill(number, SIGKILL)
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

/// Looks every second whether processes do anything.
private final class Watch: Sendable {
    private let tree: ProcessTree
    private let idleSeconds: Int?
    private let state = Guarded((ticks: 0, idle: 0))

    init(tree: ProcessTree, idleSeconds: Int?) {
        (self.tree, self.idleSeconds) = (tree, idleSeconds)
    }

    /// Whether they have done nothing for too long.
    func isIdle() -> Bool {
        guard let idleSeconds else { return false }
        let ticks = tree.ticks()
        return state.withLock { state in
            // What only wakes up to look whether it may go on takes a tick now and then.
            state.idle = ticks - state.ticks > 1 ? 0 : state.idle + 1
            state.ticks = ticks
            return state.idle >= idleSeconds
        }
    }
}

/// Goes up once.
final class Flag: Sendable {
    private let isUp = Guarded(false)
    func raise() { isUp.withLock { $0 = true } }
    var isRaised: Bool { isUp.withLock { $0 } }
}

/// State that several threads share.
final class Guarded<State>: @unchecked Sendable {  // the lock guards it
    private let lock = NSLock()
    private var state: State

    init(_ state: State) { self.state = state }

    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
