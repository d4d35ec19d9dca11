import CollectionPublishing
import Logging
import ServiceLifecycle

/// What makes the states of a list.
protocol ListFeed: Sendable {
    /// The state to begin with.
    ///
    /// - Parameter published: what readers have of the list, where another server has made it before.
    func state(from published: PublishedState?) async throws -> ListState

    /// Shows a list what comes after that, until its task is cancelled.
    func run(_ list: LiveList) async
}

/// Goes on showing a list what its feed makes, until its group shuts down.
struct FeedService: Service {
    let list: LiveList
    let feed: any ListFeed

    func run() async {
        await cancelWhenGracefulShutdown { await feed.run(list) }
        // A service that ends by itself would end its group.
        try? await gracefulShutdown()
    }
}

/// The board: whoever edits it makes its states.
struct BoardFeed: ListFeed {
    func state(from published: PublishedState?) async throws -> ListState {
        (published.flatMap { BoardModel($0) } ?? .initial).state
    }

    func run(_ list: LiveList) async {}
}

/// Shows what is in the world, every so often.
///
/// The next is not begun before the last was deployed, so a list that is slow is refreshed less often and nothing piles
/// up.
struct RefreshFeed: ListFeed {
    let interval: Duration
    let logger: Logger
    /// Makes the state. It may block; it runs on a thread of no lane.
    let makeState: @Sendable () async throws -> ListState

    func state(from published: PublishedState?) async throws -> ListState { try await makeState() }

    func run(_ list: LiveList) async {
        let clock = ContinuousClock()
        while !Task.isCancelled {
            let next = clock.now + interval
            await refresh(list)
            try? await clock.sleep(until: next)
        }
    }

    private func refresh(_ list: LiveList) async {
        do {
            try await list.show(try await makeState())
        } catch let error as UpdateError where [.closed, .cancelled].contains(error.code) {
            // The list goes; so does this.
        } catch {
            logger.warning("\(list.name) was not refreshed: \(error)")
        }
    }
}

extension RefreshFeed {
    /// The processes of this machine.
    static func processes(_ options: ServerOptions, _ logger: Logger) -> RefreshFeed {
        let grouping = ProcessRanking.Grouping(rawValue: options.grouping.rawValue) ?? .user
        let work = BlockingWork(label: "processes.sampling", ProcessWatch(grouping: grouping))
        return RefreshFeed(interval: options.interval, logger: logger) {
            try await work.run { try $0.state() }
        }
    }

    /// The files of a folder.
    static func files(in root: String, _ options: ServerOptions, _ logger: Logger) -> RefreshFeed {
        let work = BlockingWork(label: "files.scanning", FileScanner(root: root))
        return RefreshFeed(interval: options.filesInterval, logger: logger) {
            try await work.run { try $0.state() }
        }
    }
}

/// Looks at the processes again and again, and ranks them by what they did in between.
private struct ProcessWatch {
    private var sampler = ProcessSampler()
    private var ranking: ProcessRanking
    private var last: ContinuousClock.Instant?

    init(grouping: ProcessRanking.Grouping) {
        ranking = ProcessRanking(
            grouping: grouping,
            ticksPerSecond: ProcessSampler.ticksPerSecond
        )
    }

    mutating func state() throws -> ListState {
        let now = ContinuousClock.now
        let elapsed = last.map { $0.duration(to: now) } ?? .zero
        last = now
        let (seconds, attoseconds) = elapsed.components
        let samples = try sampler.sample()
        return ranking.state(of: samples, seconds: Double(seconds) + Double(attoseconds) * 1e-18)
    }
}
