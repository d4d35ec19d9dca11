import Foundation
import SimulatedView

/// One run of the program, from the parsed arguments to the exit code.
struct TimelapseCommand {
    /// The exit code of a run.
    enum ExitCode: Int32 {
        case success = 0
        case failedCheck = 1
        case badInput = 2
    }

    let arguments: Arguments

    private let output = OutputChannel.standardOutput
    private let errors = OutputChannel.standardError

    /// The environment, for the location of git and the capabilities of the terminal.
    private let environment = ProcessInfo.processInfo.environment

    /// Replays the history and prints the report.
    ///
    /// - Throws: ``GitError``, ``CommitMismatch``, ``ReplayError``, ``TraceFile/Failure``, or
    ///   ``OutputChannel/WriteError``.
    func run() throws -> ExitCode {
        let git = try GitExecutable.find(in: environment)
        let repository = try GitRepository(at: arguments.repository, git: git)
        let last = try repository.commit(named: arguments.lastRevision)
        if repository.isShallow, !arguments.isQuiet {
            printError(
                "the repository is shallow; its first commit contains all earlier changes"
            )
        }
        let trace = try arguments.tracePath.map { try TraceFile($0, pipeline: Replay.pipeline) }
        // If the run fails, the trace is finished too. The error of the run matters more than one
        // of the trace.
        defer { try? trace?.finish() }
        let (replay, lastFrame, activeSeconds, commits) = try replay(repository, last, trace)
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

    private typealias Result = (
        replay: Replay, lastFrame: [ScreenRow], activeSeconds: Double, commits: Int
    )

    private func replay(
        _ repository: GitRepository,
        _ last: ObjectID,
        _ trace: TraceFile?
    ) throws -> Result {
        let total = try repository.commitCount(through: last)
        let isLive =
            !arguments.isQuiet && !arguments.isJSON
            && Terminal(output).isInteractive(environment: environment)
        let hasColour = Terminal(output).hasColour(environment: environment)
        let screen = TerminalScreen(output, hasColour: hasColour) { trace?.finishInTime() }
        if !isLive { trace?.watchSignals() }
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
        var progress = ProgressBar(
            errors,
            isShown: !arguments.isQuiet && !isLive,
            environment: environment
        )
        defer { progress.finish() }
        let pause = isLive ? Self.pauseMicroseconds(commits: total) : nil
        var paused = Duration.zero
        let start = ContinuousClock.now
        var commits = 0
        while let commit = try history.next() {
            commits += 1
            let isLast = commits == total
            try replay.show(commit) { live?.didShow(commit, on: replay.view, isLast: isLast) }
            progress.update(done: commits, of: total)
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
        let (seconds, attoseconds) = active.components
        return (
            replay, live?.lastRows ?? [], Double(seconds) + Double(attoseconds) / 1e18, commits
        )
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
        guard arguments.isDiffing else {
            return Replay(size: size, show: live, walk: walk, trace: trace)
        }
        return Replay(size: size, show: live, walk: walk, trace: trace) {
            try repository.listing(of: $0)
        }
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
    var frameSize: Terminal.Size {
        let size = Terminal(output).size ?? .standard
        return Terminal.Size(
            columns: arguments.width ?? max(DisplayText.minimumWidth, size.columns),
            rows: arguments.height ?? size.rows
        )
    }

    /// Returns the size of the view within the frame.
    func viewSize(_ frame: Terminal.Size, isLive: Bool) -> Size {
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
            for description in comparison.descriptions { printError(description) }
            let rest = comparison.differences - comparison.descriptions.count
            if rest > 0 { printError("and \(rest) more differences") }
        }
        // The live view disappears with the alternate screen, so its last frame is printed again.
        let frame = lastFrame.map { DisplayText.escaping($0) + "\n" }.joined()
        let text = arguments.isJSON ? summary.json + "\n" : frame + summary.text(width: textWidth)
        // If the reader has closed the pipe, the exit code still counts.
        try output.writeUnlessClosed(text)
    }

    /// The width of the printed summary. Very long lines are hard to read.
    private var textWidth: Int {
        min(max(40, (Terminal(output).size ?? .standard).columns), 100)
    }

    /// Writes one line on standard error. If that fails, the run continues.
    private func printError(_ line: String) {
        try? errors.write("git-timelapse: \(line)\n")
    }
}
