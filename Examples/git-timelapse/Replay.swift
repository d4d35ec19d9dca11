import Dispatch
import PipelineTrace
import SimulatedView

/// Sends a history through a pipeline, commit by commit, and keeps the figures.
///
/// Commits are read on the calling thread; a bounded number of them is on the way at any time, so a
/// long history takes no more memory than a short one. What changes here is changed on the main lane.
final class Replay: @unchecked Sendable {  // main-lane confined but for constants and `failure`
    let controller: any ReplayedController
    let view: SimulatedCollectionView
    /// What the map shows, file by file.
    private let listing: @Sendable (ElementMap) -> TreeListing
    /// Prepares a commit on the calling thread; what it returns submits it.
    private let prepare: (GitCommit) throws -> (@escaping UpdateCompletion) -> Void
    private let lane: MeteredLane
    private let measurements: Guarded<Int>
    /// The first thing that went wrong.
    private let failure = Guarded<(any Error)?>(nil)
    /// Room for commits that are on the way.
    private let room: DispatchSemaphore
    private let commitsOnTheWay: Int
    private let edits: EditCount
    /// Scrolls, where ranges are looked at.
    private let walk: RangeWalk?
    /// Where what happens is written to, if it is.
    private let trace: TraceFile?
    // Main lane.
    private var latencies = DurationSamples()
    private var changeSets = 0

    /// Replays what git says that each commit changed.
    ///
    /// - Parameters:
    ///   - walk: scrolls through the list, of which only what is near gets a node.
    ///   - trace: is told what happens.
    init(
        size: Size,
        show: (any UpdateFacilitator)?,
        walk: RangeWalk? = nil,
        trace: TraceFile? = nil
    ) {
        view = SimulatedCollectionView(size: size, logCapacity: 0)
        (lane, measurements, edits) = (MeteredLane(), Guarded(0), EditCount())
        (self.walk, self.trace) = (walk, trace)
        walk?.begin(on: view)
        let controller = DataController(
            dataSource: RepositorySource(measurements: measurements),
            view: view,
            configuration: Self.configuration(isRanging: walk != nil),
            lane: trace?.environment.mainLane(lane) ?? lane,
            environment: trace?.environment ?? DispatchEnvironment(),
            facilitators: [edits] + (show.map { [$0] } ?? []),
            observer: trace?.stream
        )
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
        // As many change sets keep all lanes busy, and the memory they take small.
        commitsOnTheWay = 32
        room = DispatchSemaphore(value: commitsOnTheWay)
    }

    /// Replays the trees of commits, of which the controller finds the differences.
    ///
    /// - Parameters:
    ///   - walk: scrolls through the list, of which only what is near gets a node.
    ///   - trace: is told what happens.
    ///   - list: what git lists for a commit; called by whoever submits it.
    init(
        size: Size,
        show: (any UpdateFacilitator)?,
        walk: RangeWalk? = nil,
        trace: TraceFile? = nil,
        listing list: @escaping (ObjectID) throws -> TreeListing
    ) {
        view = SimulatedCollectionView(size: size, logCapacity: 0)
        (lane, measurements, edits) = (MeteredLane(), Guarded(0), EditCount())
        (self.walk, self.trace) = (walk, trace)
        walk?.begin(on: view)
        let controller = DataController(
            // The numbering gives every file a number of its own, so no worker need look for one that occurs twice.
            dataSource: SnapshotDataSource<ListedTree>(
                options: DifferenceOptions(duplicates: .byOccurrence)
            ) { [measurements] file in FileNode(file, measurements) },
            view: view,
            configuration: Self.configuration(isRanging: walk != nil),
            lane: trace?.environment.mainLane(lane) ?? lane,
            environment: trace?.environment ?? DispatchEnvironment(),
            facilitators: [edits] + (show.map { [$0] } ?? []),
            observer: trace?.stream
        )
        self.controller = controller
        listing = { TreeListing(pathsShownBy: $0, isComplete: walk != nil) }
        let numbering = Guarded(FileNumbering())
        prepare = { commit in
            let listing = try list(commit.id)
            let tree = numbering.update { $0.tree(of: listing, subject: commit.subject) }
            return { controller.apply(tree, completion: $0) }
        }
        // Of more, only the newest would be shown. The next one is listed meanwhile.
        commitsOnTheWay = 1
        room = DispatchSemaphore(value: commitsOnTheWay)
    }

    /// The name of the controller, also in a trace.
    static let pipeline = "git-timelapse"

    private static func configuration(isRanging: Bool) -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.name = pipeline
        if isRanging {
            configuration.measuringPolicy = .onDemand(1)
            configuration.releasesNodes = true
        }
        return configuration
    }

    /// Every file that is shown, where it is shown.
    var shownListing: TreeListing { listing(controller.visibleMap) }

    /// Has a commit shown; blocks while too many are on their way, and with a walk until it is shown and everything
    /// that is then near has its node, so that the same history always comes to the same.
    ///
    /// - Parameter didShow: called on the main lane.
    /// - Throws: what went wrong with an earlier one, or with a walk with this one.
    func show(_ commit: GitCommit, didShow: @escaping @Sendable () -> Void) throws {
        guard let walk else { return try submit(commit, didShow: didShow) }
        try submit(commit) {}
        try waitUntilShown()
        // How far there is to scroll depends on what is measured.
        waitUntilSettled()
        onMainLane { walk.didShowCommit() }
        waitUntilSettled()
        onMainLane { [trace, view] in
            trace?.environment.countRanges(of: view)
            didShow()
        }
    }

    /// Blocks until what came into range is measured, and what that brought into range.
    private func waitUntilSettled() {
        var generation: Int
        repeat {
            generation = controller.visibleMap.generation
            onMainLane { [view] in view.layoutIfNeeded() }
            controller.waitUntilReached(.completed)
        } while controller.visibleMap.generation != generation
    }

    /// Blocks until it is done.
    private func onMainLane(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        controller.lane.enqueue {
            body()
            isDone.signal()
        }
        isDone.wait()
    }

    /// Sends a commit on its way; blocks while too many are.
    ///
    /// - Throws: what went wrong with an earlier one.
    func submit(_ commit: GitCommit, didShow: @escaping @Sendable () -> Void) throws {
        let submission = try prepare(commit)
        room.wait()
        if let error = failure.value {
            room.signal()
            throw error
        }
        let submitted = DispatchTime.now().uptimeNanoseconds
        submission { [self] result in
            finish(result, submitted: submitted)
            didShow()
            room.signal()
        }
    }

    private func finish(_ result: UpdateResult, submitted: UInt64) {
        switch result.outcome {
        case .deployed, .deployedByReload, .superseded:
            changeSets += 1
            latencies.add(nanoseconds: DispatchTime.now().uptimeNanoseconds - submitted)
        case .rejected(let error) where error.code == .closed:
            note(ReplayError("the replay was cancelled"))
        case .rejected(let error), .refused(let error):
            note(error.underlyingError ?? error)
        case .cancelled:
            note(ReplayError("the replay was cancelled"))
        }
    }

    private func note(_ error: any Error) {
        failure.update { if $0 == nil { $0 = error } }
    }

    /// Blocks until every commit so far is shown.
    ///
    /// - Throws: what went wrong with one of them.
    func waitUntilShown() throws {
        for _ in 0..<commitsOnTheWay { room.wait() }
        for _ in 0..<commitsOnTheWay { room.signal() }
        if let error = failure.value { throw error }
    }

    /// Ends the pipeline and adds its figures to `summary`. Blocks until it is closed.
    func finish(_ summary: inout Summary) {
        let map = controller.visibleMap
        let tally = Guarded<RangeTally?>(nil)
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

/// Something that a replay cannot go on from.
struct ReplayError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Counts the edits that reach the view.
private final class EditCount: UpdateFacilitator {
    private let edits = Guarded(0)

    var count: Int { edits.value }

    func willDeploy(_ update: ViewUpdate) {
        let changes = update.changeSet
        edits.update { $0 += changes.edits.count + changes.reconfigurations.count }
    }
}
