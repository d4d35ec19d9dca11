import Dispatch
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
    // Main lane.
    private var latencies = DurationSamples()
    private var changeSets = 0

    /// Replays what git says that each commit changed.
    init(size: Size, show: (any UpdateFacilitator)?) {
        view = SimulatedCollectionView(size: size, logCapacity: 0)
        (lane, measurements, edits) = (MeteredLane(), Guarded(0), EditCount())
        let controller = DataController(
            dataSource: RepositorySource(measurements: measurements),
            view: view,
            configuration: Self.configuration,
            lane: lane,
            facilitators: [edits] + (show.map { [$0] } ?? [])
        )
        self.controller = controller
        listing = { TreeListing(shownBy: $0) }
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
    /// - Parameter list: what git lists for a commit; called by whoever submits it.
    init(
        size: Size,
        show: (any UpdateFacilitator)?,
        listing list: @escaping (ObjectID) throws -> TreeListing
    ) {
        view = SimulatedCollectionView(size: size, logCapacity: 0)
        (lane, measurements, edits) = (MeteredLane(), Guarded(0), EditCount())
        let controller = DataController(
            dataSource: SnapshotDataSource<ListedTree> { [measurements] file in
                FileNode(file, measurements)
            },
            view: view,
            configuration: Self.configuration,
            lane: lane,
            facilitators: [edits] + (show.map { [$0] } ?? [])
        )
        self.controller = controller
        listing = { TreeListing(pathsShownBy: $0) }
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

    private static var configuration: PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.name = "git-timelapse"
        return configuration
    }

    /// Every file that is shown, where it is shown.
    var shownListing: TreeListing { listing(controller.visibleMap) }

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

    /// Lays every text out again, for a view of another size. Any thread.
    func measureAgain() {
        // The view, which says how wide texts may be, stays until then. What is wrong with the pipeline
        // the next commit tells.
        Task { [self] in try? await controller.measureAgain() }
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
