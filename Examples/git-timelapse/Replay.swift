import Dispatch
import PipelineTrace
import SimulatedView

/// Sends a history through a pipeline, commit by commit, and collects the figures.
///
/// Commits are read on the calling thread. The number of commits in progress is bounded, so a long
/// history takes no more memory than a short one. Mutable state changes on the main lane.
final class Replay: @unchecked Sendable {  // on the main lane, except constants and `failure`
    let controller: any ReplayedController
    let view: SimulatedCollectionView
    /// Returns the files that a map shows.
    private let listing: @Sendable (ElementMap) -> TreeListing
    /// Prepares a commit on the calling thread, and returns a closure that submits it.
    private let prepare: (GitCommit) throws -> (@escaping UpdateCompletion) -> Void
    private let lane: MeteredLane
    private let measurements: LockedValue<Int>
    /// The first error.
    private let failure = LockedValue<(any Error)?>(nil)
    /// Limits the number of commits in progress.
    private let capacity: DispatchSemaphore
    private let pendingCommitLimit: Int
    private let edits: EditCount
    /// The scrolling of a replay with ranges.
    private let walk: RangeWalk?
    /// The file for the trace, if there is one.
    private let trace: TraceFile?
    // Confined to the main lane.
    private var latencies = DurationSamples()
    private var changeSets = 0

    /// - Parameters:
    ///   - walk: scrolls through the list, of which only items near the viewport get a node.
    ///   - trace: receives all events.
    ///   - list: returns git's listing of a commit, if the controller computes the changes; called
    ///     on the thread that submits the commit. If it is `nil`, git reports the changes.
    init(
        size: Size,
        show: (any UpdateFacilitator)?,
        walk: RangeWalk?,
        trace: TraceFile?,
        listing list: ((ObjectID) throws -> TreeListing)?
    ) {
        let view = SimulatedCollectionView(size: size, logCapacity: 0)
        let (lane, measurements, edits) = (MeteredLane(), LockedValue(0), EditCount())
        walk?.begin(on: view)
        func makeController<Source>(_ source: sending Source) -> DataController<Source> {
            DataController(
                dataSource: source,
                view: view,
                configuration: Self.configuration(isRanging: walk != nil),
                lane: trace?.environment.mainLane(lane) ?? lane,
                environment: trace?.environment ?? DispatchEnvironment(),
                facilitators: [edits] + (show.map { [$0] } ?? []),
                observer: trace?.stream
            )
        }
        if let list {
            // The numbers of files are unique, so no worker has to look for duplicates.
            let controller = makeController(
                SnapshotDataSource<ListedTree>(
                    options: DifferenceOptions(duplicates: .byOccurrence)
                ) { FileNode($0, measurements) }
            )
            self.controller = controller
            listing = { TreeListing(pathsShownBy: $0, isComplete: walk != nil) }
            let numbering = LockedValue(FileNumbering())
            prepare = { commit in
                let listing = try list(commit.id)
                let tree = numbering.update { $0.tree(of: listing, subject: commit.subject) }
                return { controller.apply(tree, completion: $0) }
            }
            // Only the newest of several pending trees would be shown. The next one is listed in
            // the meantime.
            pendingCommitLimit = 1
        } else {
            let controller = makeController(RepositorySource(measurements: measurements))
            self.controller = controller
            listing = { TreeListing(shownBy: $0, isComplete: walk != nil) }
            prepare = { commit in
                { completion in
                    controller.enqueueBatchUpdates { source, changes in
                        try source.apply(commit, recordingInto: &changes)
                    } completion: {
                        completion($0)
                    }
                }
            }
            // This many change sets keep all lanes busy and need little memory.
            pendingCommitLimit = 32
        }
        capacity = DispatchSemaphore(value: pendingCommitLimit)
        (self.view, self.lane, self.measurements) = (view, lane, measurements)
        (self.edits, self.walk, self.trace) = (edits, walk, trace)
    }

    /// The name of the controller, which a trace also shows.
    static let pipeline = "git-timelapse"

    private static func configuration(isRanging: Bool) -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.name = pipeline
        if isRanging {
            configuration.measuringPolicy = .onDemand(initialCount: 1)
            configuration.releasesNodes = true
        }
        return configuration
    }

    /// All files that are shown, in the order of the view.
    var shownListing: TreeListing { listing(controller.visibleMap) }

    /// Shows a commit. Blocks while too many commits are in progress. With a walk, it blocks until
    /// the commit is deployed and all items near the viewport have their nodes, so that the same
    /// history always gives the same result.
    ///
    /// - Parameter didShow: called on the main lane.
    /// - Throws: the error of an earlier commit, or with a walk also of this one.
    func show(_ commit: GitCommit, didShow: @escaping @Sendable () -> Void) throws {
        guard let walk else { return try submit(commit, didShow: didShow) }
        try submit(commit) {}
        try waitUntilShown()
        // The distance to scroll depends on the measured sizes.
        waitUntilSettled()
        onMainLane { walk.didShowCommit() }
        waitUntilSettled()
        onMainLane { [trace, view] in
            trace?.environment.countRanges(of: view)
            didShow()
        }
    }

    /// Blocks until all items in range are measured, including those that come into range
    /// meanwhile.
    private func waitUntilSettled() {
        var generation: Int
        repeat {
            generation = controller.visibleMap.generation
            onMainLane { [view] in view.layoutIfNeeded() }
            controller.waitUntilReached(.completed)
        } while controller.visibleMap.generation != generation
    }

    /// Runs `body` on the main lane and blocks until it has run.
    private func onMainLane(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        controller.lane.enqueue {
            body()
            isDone.signal()
        }
        isDone.wait()
    }

    /// Submits a commit. Blocks while too many commits are in progress.
    ///
    /// - Throws: the error of an earlier commit.
    func submit(_ commit: GitCommit, didShow: @escaping @Sendable () -> Void) throws {
        let submission = try prepare(commit)
        capacity.wait()
        if let error = failure.value {
            capacity.signal()
            throw error
        }
        let submitted = DispatchTime.now().uptimeNanoseconds
        submission { [self] result in
            finish(result, submitted: submitted)
            didShow()
            capacity.signal()
        }
    }

    private func finish(_ result: UpdateResult, submitted: UInt64) {
        switch result.outcome {
        case .deployed, .deployedByReload, .superseded:
            changeSets += 1
            latencies.add(nanoseconds: DispatchTime.now().uptimeNanoseconds - submitted)
        case .rejected(let error) where error.code == .closed:
            note(ReplayError("the replay was cancelled"))
        case .rejected(let error), .refusedByView(let error):
            note(error.underlyingError ?? error)
        case .cancelled:
            note(ReplayError("the replay was cancelled"))
        }
    }

    private func note(_ error: any Error) {
        failure.update { if $0 == nil { $0 = error } }
    }

    /// Blocks until every submitted commit is deployed.
    ///
    /// - Throws: the error of one of them.
    func waitUntilShown() throws {
        for _ in 0..<pendingCommitLimit { capacity.wait() }
        for _ in 0..<pendingCommitLimit { capacity.signal() }
        if let error = failure.value { throw error }
    }

    /// Closes the pipeline and adds its figures to `summary`. Blocks until the pipeline is closed.
    func finish(_ summary: inout Summary) {
        let map = controller.visibleMap
        let tally = LockedValue<RangeTally?>(nil)
        onMainLane { [view] in tally.value = RangeTally(of: view) }
        summary.ranges = tally.value
        let closed = DispatchSemaphore(value: 0)
        controller.end { closed.signal() }
        closed.wait()
        summary.changeSets = changeSets
        summary.edits = edits.count
        summary.sections = map.numberOfSections
        summary.items = map.numberOfItems
        summary.nodesMeasured = measurements.value
        summary.latencyMilliseconds = latencies.latencyMilliseconds
        let times = lane.measured
        summary.mainLaneSeconds = Double(times.totalNanoseconds) / 1e9
        summary.mainLaneLongestStallMilliseconds = Double(times.longestNanoseconds) / 1e6
    }
}

/// An error that ends a replay.
struct ReplayError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Counts the edits that reach the view.
private final class EditCount: UpdateFacilitator {
    private let edits = LockedValue(0)

    var count: Int { edits.value }

    func willDeploy(_ update: ViewUpdate) {
        let changes = update.changeSet
        edits.update { $0 += changes.edits.count + changes.reconfigurations.count }
    }
}

/// The parts of a controller that a replay needs, independent of its data source.
protocol ReplayedController: Sendable {
    var lane: any Lane { get }

    var visibleMap: ElementMap { get }

    /// Blocks until the milestone is reached. Not on the main lane.
    func waitUntilReached(_ milestone: Milestone)

    /// Closes the controller after all submitted work.
    func end(_ completion: @escaping @Sendable () -> Void)
}

extension DataController: ReplayedController {
    func end(_ completion: @escaping @Sendable () -> Void) { close { completion() } }
}
