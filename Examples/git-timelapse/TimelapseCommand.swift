import Foundation
import ProgramSupport
import SimulatedView

/// One run of the program, from the parsed arguments to the exit code.
struct TimelapseCommand {
    let arguments: Arguments

    private let output = OutputChannel.standardOutput
    private let errors = OutputChannel.standardError

    /// The environment, for the location of git and the capabilities of the terminal.
    private let environment = ProcessInfo.processInfo.environment

    /// Replays the history and prints the report.
    ///
    /// - Throws: ``GitError``, ``CommitMismatch``, ``ReplayError``, ``TraceFile/Failure``, or
    ///   ``SystemError`` if the output cannot be written.
    func run() throws -> ExitCode {
        let git = try GitExecutable.find(in: environment)
        let repository = try GitRepository(at: arguments.repository, git: git)
        let last = try repository.commit(named: arguments.lastRevision)
        if repository.isShallow, !arguments.isQuiet {
            errors.report(
                "git-timelapse: the repository is shallow; its first commit contains all earlier changes"
            )
        }
        let trace = try arguments.tracePath.map { try TraceFile($0, pipeline: Replay.pipeline) }
        // If the run fails, the trace is finished too. The error of the run matters more than one
        // of the trace.
        defer { try? trace?.finish() }
        let hasColour = output.isTerminal && environment["NO_COLOR", default: ""].isEmpty
        let screen = TerminalScreen(output, hasColour: hasColour)
        let watch = isLive || trace != nil ? watchSignals(screen, trace) : nil
        defer { withExtendedLifetime(watch) {} }
        let (replay, lastFrame, activeSeconds, commits) = try replay(
            repository,
            last,
            on: screen,
            trace
        )
        var summary = Summary()
        summary.commits = commits
        summary.seconds = activeSeconds
        var comparison: TreeComparison?
        if arguments.isVerifying {
            let listing = try repository.listing(of: last)
            comparison = TreeComparison(of: replay.shownListing, with: listing)
            summary.differences = comparison?.differences
        }
        replay.finish(&summary)
        try trace?.finish()
        try report(summary, comparison, lastFrame.map(\.text))
        return summary.differences ?? 0 > 0 ? .failedCheck : .success
    }

    /// Whether the list is shown while it changes.
    private var isLive: Bool { !arguments.isQuiet && !arguments.isJSON && output.isTerminal }

    /// Restores the terminal and completes the trace before a signal ends the process, and restores
    /// the terminal while the process is stopped.
    private func watchSignals(_ screen: TerminalScreen, _ trace: TraceFile?) -> SignalWatch {
        SignalWatch([SIGINT, SIGTERM, SIGHUP] + (isLive ? [SIGTSTP] : [])) { number in
            if number == SIGTSTP { return screen.pause() }
            screen.closeInTime()
            // The rest of the trace is lost if it takes longer than a second.
            try? trace?.finish(before: .now() + 1)
            endProcess(by: number)
        }
    }

    private typealias Result = (
        replay: Replay, lastFrame: [ScreenRow], activeSeconds: Double, commits: Int
    )

    private func replay(
        _ repository: GitRepository,
        _ last: ObjectID,
        on screen: TerminalScreen,
        _ trace: TraceFile?
    ) throws -> Result {
        let total = try repository.commitCount(through: last)
        let live =
            isLive
            ? LiveScreen(screen, commits: total, hasRanges: arguments.isRanging) { frameSize } : nil
        let replay = makeReplay(of: repository, commits: total, show: live, trace)
        var history = try repository.history(through: last, namingChanges: !arguments.isDiffing)
        defer {
            history.stop()
            screen.close()
        }
        if isLive { try screen.open() }
        var progress = ProgressLine(on: errors)
        defer { progress.erase() }
        let pause = isLive ? Self.pauseMicroseconds(commits: total) : nil
        var paused = Duration.zero
        let start = ContinuousClock.now
        var commits = 0
        while let commit = try history.next() {
            commits += 1
            let isLast = commits == total
            try replay.show(commit) { live?.didShow(commit, on: replay.view, isLast: isLast) }
            if !arguments.isQuiet, !isLive {
                progress.update { LiveScreen.progress(done: commits, of: total, width: $0) }
            }
            if let pause {
                try replay.waitUntilShown()
                let before = ContinuousClock.now
                usleep(pause)
                paused += ContinuousClock.now - before
            }
        }
        try replay.waitUntilShown()
        let active = ContinuousClock.now - start - paused
        live?.finish()
        return (replay, live?.lastRows ?? [], active / .seconds(1), commits)
    }

    private func makeReplay(
        of repository: GitRepository,
        commits total: Int,
        show live: LiveScreen?,
        _ trace: TraceFile?
    ) -> Replay {
        let size = viewSize(frameSize, isLive: live != nil)
        let walk =
            arguments.isRanging
            ? RangeWalk(commits: total, hasHeaders: !arguments.isDiffing) : nil
        return Replay(
            size: size,
            show: live,
            walk: walk,
            trace: trace,
            listing: arguments.isDiffing ? { try repository.listing(of: $0) } : nil
        )
    }

    /// Returns how long each commit stays on the screen, or `nil` if the pause would be too short
    /// to be useful. Without pauses, a short history would end before a person could see it.
    static func pauseMicroseconds(commits: Int) -> UInt32? {
        switch commits {
        case ...100: 40_000
        case ...4_000: UInt32(4_000_000 / commits)
        default: nil
        }
    }

    /// The current size of a whole frame.
    var frameSize: TerminalSize {
        let size = output.terminalSize ?? .standard
        return TerminalSize(
            columns: arguments.width ?? max(DisplayText.minimumWidth, size.columns),
            rows: arguments.height ?? size.rows
        )
    }

    /// Returns the size of the view within the frame.
    func viewSize(_ frame: TerminalSize, isLive: Bool) -> Size {
        isLive
            ? LiveScreen.viewSize(frame, hasRanges: arguments.isRanging)
            : Size(width: Double(frame.columns), height: Double(frame.rows))
    }

    private func report(
        _ summary: Summary,
        _ comparison: TreeComparison?,
        _ lastFrame: [String]
    ) throws {
        if let comparison, comparison.differences > 0 {
            for description in comparison.descriptions {
                errors.report("git-timelapse: \(description)")
            }
            let rest = comparison.differences - comparison.descriptions.count
            if rest > 0 { errors.report("git-timelapse: and \(rest) more differences") }
        }
        // The live view disappears with the alternate screen, so its last frame is printed again.
        let frame = lastFrame.map { $0.escapedForTerminal + "\n" }.joined()
        let text = arguments.isJSON ? summary.json + "\n" : frame + summary.text(width: textWidth)
        do {
            try output.write(text)
        } catch {
            // If the reader has closed the pipe, the exit code still counts.
            if !error.isBrokenPipe { throw error }
        }
    }

    /// The width of the printed summary. Very long lines are hard to read.
    private var textWidth: Int {
        min(max(40, (output.terminalSize ?? .standard).columns), 100)
    }
}
