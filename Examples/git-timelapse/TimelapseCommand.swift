import CollectionChanges
import Foundation

/// One run of the tool, from parsed arguments to its exit code.
struct TimelapseCommand {
    /// How a run ends.
    enum ExitCode: Int32 {
        case success = 0
        case failedCheck = 1
        case badInput = 2
    }

    let arguments: Arguments

    /// Replays and reports.
    ///
    /// - Throws: ``GitError``, ``CommitMismatch``, or
    ///   ``OutputChannel/WriteError``.
    func run() throws -> ExitCode {
        let repository = try GitRepository(at: arguments.repository)
        let last = try repository.commit(named: arguments.lastRevision)
        if repository.isShallow, !arguments.isQuiet {
            complain(
                "the repository is shallow; what was cut off appears in its first"
                    + " commit"
            )
        }
        var (summary, model) = try replay(repository, through: last)
        var comparison: TreeComparison?
        if arguments.isVerifying {
            let listing = try repository.listing(of: last)
            comparison = TreeComparison(of: model.listing, with: listing)
            summary.differences = comparison?.differences
        }
        summary.sections = model.sections.count
        summary.items = model.fileCount
        try report(summary, comparison)
        return summary.differences ?? 0 > 0 ? .failedCheck : .success
    }

    /// Applies every commit to a model and checks each change set by validating it.
    private func replay(
        _ repository: GitRepository,
        through last: ObjectID
    ) throws -> (Summary, RepositoryModel) {
        let total = try repository.commitCount(through: last)
        var progress = ProgressBar(isShown: !arguments.isQuiet)
        defer { progress.finish() }
        var history = try repository.history(through: last)
        defer { history.stop() }
        var summary = Summary()
        var model = RepositoryModel()
        var shape = model.shape
        var latencies = DurationSamples()
        let start = ContinuousClock.now
        while let commit = try history.next() {
            let submission = ContinuousClock.now
            let changes = try model.apply(commit)
            let newShape = model.shape
            let update = try changes.validated(from: shape, to: newShape)
            shape = newShape
            latencies.add(ContinuousClock.now - submission)
            summary.commits += 1
            summary.changeSets += 1
            summary.edits += update.edits.count + update.reconfigurations.count
            progress.update(done: summary.commits, of: total)
        }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        summary.seconds = Double(seconds) + Double(attoseconds) / 1e18
        summary.latencyMilliseconds = latencies.latencyMilliseconds
        return (summary, model)
    }

    private func report(_ summary: Summary, _ comparison: TreeComparison?) throws {
        if let comparison, comparison.differences > 0 {
            for description in comparison.descriptions { complain(description) }
            let rest = comparison.differences - comparison.descriptions.count
            if rest > 0 { complain("and \(rest) more differences") }
        }
        let text = arguments.isJSON ? summary.json + "\n" : summary.text
        // Where nobody wants to read it, the exit code still counts.
        try OutputChannel.standardOutput.writeToWhoeverReads(text)
    }

    /// One line on standard error; where that is closed, the run goes on.
    private func complain(_ line: String) {
        try? OutputChannel.standardError.write("git-timelapse: \(line)\n")
    }
}
