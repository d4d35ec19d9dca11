import Foundation
import PipelineTestSupport
import Testing

@testable import git_timelapse

/// How a trace comes to its end inside this process, or in one of a test's own, which signals are one thing of.
@Suite(.serialized, .endsHangs) struct TraceEndTests {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// What becomes of each signal: 0 for what the system does, 1 for nothing.
    private static func dispositions() -> [Int] {
        signals.map { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        }
    }

    @Test(arguments: signals)
    func aSignalThatEndsTheProcessEndsTheTextBefore(_ number: Int32) async throws {
        // By the signal, or on a very busy machine by the code that stands for it; in success if nobody hears it.
        let result: ExitTest.Result?
        switch number {
        case SIGINT:
            result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardOutputContent]
            ) { try Self.trace(endedBy: SIGINT) }
        case SIGTERM:
            result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardOutputContent]
            ) { try Self.trace(endedBy: SIGTERM) }
        default:
            result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardOutputContent]
            ) { try Self.trace(endedBy: SIGHUP) }
        }
        let ended = try #require(result)
        #expect([.signal(number), .exitCode(128 + number)].contains(ended.exitStatus))
        #expect(throws: Never.self) { try StrictTrace(ended.standardOutputContent) }
    }

    private static func trace(endedBy number: Int32) throws {
        for number in signals { signal(number, SIG_DFL) }
        let trace = try TraceFile("/dev/stdout", pipeline: "git-timelapse")
        trace.watchSignals()
        kill(getpid(), number)
        sleep(5)
        withExtendedLifetime(trace) {}
    }

    @Test func signalsAreWatchedUntilTheTextIsWholeAndThoseThatAreIgnoredNever() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for number in Self.signals { signal(number, SIG_DFL) }
            signal(SIGHUP, SIG_IGN)
            let trace = try TraceFile("/dev/null", pipeline: "git-timelapse")
            guard Self.dispositions() == [0, 0, 1] else { exit(1) }
            trace.watchSignals()
            let watched = Self.dispositions()
            guard watched[0] > 1, watched[1] > 1, watched[2] == 1 else { exit(2) }
            // Which ends nothing.
            kill(getpid(), SIGHUP)
            try trace.finish()
            exit(Self.dispositions() == [0, 0, 1] ? 7 : 3)
        }
    }

    @Test func aFileThatIsDroppedWatchesNothing() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for number in Self.signals { signal(number, SIG_DFL) }
            do {
                let trace = try TraceFile("/dev/null", pipeline: "git-timelapse")
                trace.watchSignals()
                withExtendedLifetime(trace) {}
            }
            exit(Self.dispositions() == [0, 0, 0] ? 7 : 1)
        }
    }

    @Test func finishingInTimeLastsUntilTheTextIsWritten() throws {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        let reading = pipe.fileHandleForReading.fileDescriptor
        let trace = try TraceFile("/proc/self/fd/\(writing)", pipeline: "git-timelapse")
        // The pipe is full, until somebody reads.
        #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let page = [UInt8](repeating: 0, count: 1 << 12)
        while write(writing, page, page.count) > 0 {}
        let hasEnded = Guarded(false)
        Thread.detachNewThread {
            trace.finishInTime()
            hasEnded.value = true
        }
        usleep(20_000)
        #expect(!hasEnded.value)
        #expect(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
        var bytes: [UInt8] = []
        func takeWhatIsThere() {
            var piece = page
            while true {
                let count = read(reading, &piece, piece.count)
                guard count > 0 else { break }
                bytes += piece[..<count]
            }
        }
        while !hasEnded.value {
            takeWhatIsThere()
            usleep(1_000)
        }
        takeWhatIsThere()
        let text = Data(bytes.filter { $0 != 0 })
        #expect(throws: Never.self) { try StrictTrace(Array(text)) }
    }

    @Test func aRunThatFailsLeavesAWholeTrace() throws {
        let id = String(repeating: "1a", count: 20)
        let git = try PlayedGit(
            """
            case "$*" in
            *--git-dir*) echo .git; echo false;;
            *--verify*) echo \(id);;
            *--count*) echo 3;;
            *) exit 3;;
            esac
            """
        )
        defer { git.remove() }
        let file = git.directory.appendingPathComponent("trace.json")
        let command = TimelapseCommand(
            arguments: try Arguments(parsing: ["/", "--quiet", "--trace", file.path]),
            output: OutputChannel(descriptor: -1),
            errors: OutputChannel(descriptor: -1),
            environment: git.environment
        )
        #expect(throws: GitError(.gitFailed, "git ended with status 3")) { try command.run() }
        let text = try Data(contentsOf: file)
        #expect(throws: Never.self) { try StrictTrace(Array(text)) }
    }
}
