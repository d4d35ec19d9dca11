import CollectionPipeline
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import LiveBoardServer

/// A controller in a group of services, with writers. Groups run in tasks of the tests themselves, so that a time limit
/// ends what hangs.
@Suite(.timeLimit(.minutes(1)))
struct ControllerServiceTests {
    private let tally = Tally()

    /// Writers do not wait for what they submit, however slow the machine is, so there is room for all of it.
    private let configuration = {
        var configuration = PipelineConfiguration()
        configuration.backlogLimit = .max
        return configuration
    }()

    private func makeGroup(
        _ list: Writer.List,
        writers: Int = 1,
        drainingTimeout: Duration = .seconds(30)
    ) -> ServiceGroup {
        let writer = Writer(list: list, tally: tally)
        let service = ControllerService(controller: list, drainingTimeout: drainingTimeout)
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [service] + Array(repeating: writer as any Service, count: writers),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        )
    }

    /// Returns when the tally has come so far; throws where the time of the test is up.
    private func counts(_ areThere: (Tally.Counts) -> Bool) async throws {
        while !areThere(tally.counts) { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func isClosed(_ list: Writer.List) async -> Bool {
        let error = await #expect(throws: UpdateError.self) { try await list.reloadData() }
        return error?.code == .closed
    }

    @Test(arguments: [1, 5])
    func aGracefulShutdownCompletesEverythingAndCloses(writers: Int) async throws {
        let list = DataController(models: [[String]()], configuration: configuration)
        try await list.reloadData()
        let group = makeGroup(list, writers: writers)
        async let running: Void = group.run()
        try await counts { $0.deployed >= 100 }
        await group.triggerGracefulShutdown()
        try await running
        let counts = tally.counts
        #expect(counts.isComplete && counts.cancelled == 0)
        #expect(list.visibleMap.numberOfItems == counts.submitted)
        #expect(list.visibleMap.generation == list.pendingMap.generation)
        #expect(await isClosed(list))
    }

    /// What the view holds when the shutdown comes reaches it all the same.
    @Test func whatWasAcceptedIsDrained() async throws {
        let view = HoldingView()
        defer { withExtendedLifetime(view) {} }
        let list = DataController(
            dataSource: ModelList([["first"]]),
            view: view,
            configuration: configuration
        )
        let group = makeGroup(list)
        async let running: Void = group.run()
        try await counts { $0.submitted >= 20 }
        #expect(tally.counts.deployed == 0)
        await group.triggerGracefulShutdown()
        list.lane.enqueue { view.goOn() }
        try await running
        let counts = tally.counts
        #expect(counts.isComplete && counts.cancelled == 0 && counts.deployed >= 20)
        #expect(await isClosed(list))
    }

    @Test func aViewThatNeverDeploysHoldsUpNoShutdown() async throws {
        let view = HoldingView()
        defer { withExtendedLifetime(view) {} }
        let list = DataController(
            dataSource: ModelList([["first"]]),
            view: view,
            configuration: configuration
        )
        let group = makeGroup(list, drainingTimeout: .milliseconds(50))
        async let running: Void = group.run()
        try await counts { $0.submitted >= 20 }
        await group.triggerGracefulShutdown()
        try await running
        let counts = tally.counts
        #expect(counts.isComplete && counts.deployed == 0 && counts.cancelled >= 20)
        #expect(await isClosed(list))
    }

    /// As the group does it when another service fails.
    @Test func cancellingTheGroupClosesAsWell() async throws {
        let list = DataController(models: [[String]()], configuration: configuration)
        try await list.reloadData()
        let group = makeGroup(list)
        let running = Task { try await group.run() }
        try await counts { $0.deployed >= 10 }
        running.cancel()
        _ = await running.result
        #expect(await isClosed(list))
        #expect(tally.counts.isComplete)
    }
}

/// Writes lines into a list until its group shuts down.
///
/// It does not wait for what it submits: what is on its way when it ends, the service of the list drains.
private struct Writer: Service {
    typealias List = DataController<ModelList<String>>

    let list: List
    let tally: Tally

    func run() async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            tally.submitted()
            list.enqueueBatchUpdates { list, changes in
                list[0].insert("line", at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            } completion: { [tally] result in
                tally.ended(result.outcome)
            }
            // A shutdown ends the sleep, and so the loop.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(1)) }
        }
    }
}

/// What became of what was submitted; told from any thread.
private final class Tally: Sendable {
    struct Counts {
        var submitted = 0
        var deployed = 0
        var cancelled = 0
        var others = 0

        /// Whether everything has ended, and nothing was rejected.
        var isComplete: Bool { deployed + cancelled == submitted && others == 0 }
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func submitted() { state.withLock { $0.submitted += 1 } }

    func ended(_ outcome: UpdateOutcome) {
        state.withLock { counts in
            switch outcome {
            case .deployed, .deployedByReload, .superseded: counts.deployed += 1
            case .cancelled: counts.cancelled += 1
            default: counts.others += 1
            }
        }
    }
}

/// A view that keeps every update until it may go on.
private final class HoldingView: CollectionView, @unchecked Sendable {
    // Main lane.
    private var held: [ViewUpdate] = []
    private var goesOn = false

    let elementSizeRange = SizeRange.unconstrained
    var firstVisiblePath: ItemPath? { nil }

    func attach(to lane: any Lane) {}

    func perform(_ update: ViewUpdate) {
        held.append(update)
        if goesOn { goOn() }
    }

    func goOn() {
        goesOn = true
        for update in held where update.deploy({ _ in }) { update.finish() }
        held = []
    }
}
