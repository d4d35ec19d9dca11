import CollectionPublishing
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing

@testable import LiveBoardServer

/// A controller in a group of services, and on an event loop.
@Suite(.timeLimit(.minutes(1)))
struct EmbeddingTests {
    private typealias List = DataController<ModelList<String>>

    enum End: CaseIterable {
        /// The view deploys immediately.
        case graceful
        /// The view holds updates until the shutdown.
        case gracefulWithSlowView
        /// The view never deploys.
        case gracefulWithDeadView
        /// Another service fails, and the group is cancelled.
        case cancelled
    }

    /// Accepted updates are deployed, or cancelled after the time limit. None is lost.
    @Test(arguments: End.allCases) func aControllerEndsWithItsGroup(end: End) async throws {
        var configuration = PipelineConfiguration()
        // The writer does not wait, so the backlog must accept everything that it submits.
        configuration.backlogLimit = .max
        let view = HoldingView(holds: end == .gracefulWithSlowView || end == .gracefulWithDeadView)
        let list = List(
            dataSource: ModelList([["first"]]),
            view: view,
            configuration: configuration
        )
        let submitted = Atomic(0)
        let outcomes = Mutex<[UpdateOutcome]>([])
        let writer = Writer {
            submitted.add(1, ordering: .relaxed)
            list.enqueueBatchUpdates { list, changes in
                list[0].insert("line", at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            } completion: { result in
                outcomes.withLock { $0.append(result.outcome) }
            }
        }
        let isDead = end == .gracefulWithDeadView
        if end == .graceful { try await list.reloadData() }
        let service = ControllerService(
            controller: list,
            drainingTimeout: isDead ? .milliseconds(50) : .seconds(30)
        )
        let group = ServiceGroup(
            services: [service, writer],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let running = Task { try await group.run() }
        while submitted.load(ordering: .relaxed) < 50 {
            try await Task.sleep(for: .milliseconds(1))
        }
        if end == .cancelled {
            running.cancel()
        } else {
            await group.triggerGracefulShutdown()
            if end == .gracefulWithSlowView { list.lane.enqueue { view.release() } }
        }
        _ = await running.result
        let all = outcomes.withLock { $0 }
        #expect(all.count == submitted.load(ordering: .relaxed))
        let cancelled = all.count { if case .cancelled = $0 { true } else { false } }
        if end == .graceful || end == .gracefulWithSlowView {
            #expect(cancelled == 0 && list.visibleMap.numberOfItems == all.count + 1)
        } else if isDead {
            #expect(cancelled == all.count)
        }
        let error = await #expect(throws: UpdateError.self) { try await list.reloadData() }
        #expect(error?.code == .closed)
        withExtendedLifetime(view) {}
    }

    @Test func aControllerRunsOnAnEventLoop() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let lane = EventLoopLane(loop, label: "test")
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            lane.enqueue {
                lane.enqueue {
                    order.withLock { $0.append(2) }
                    continuation.resume()
                }
                // A lane never runs work before `enqueue(_:)` returns.
                order.withLock { $0.append(1) }
            }
        }
        #expect(order.withLock { $0 } == [1, 2] && !lane.isCurrent)
        let list = List(dataSource: ModelList([["a"]]), lane: lane)
        try await list.reloadData()
        for number in 0..<100 {
            try await list.performBatchUpdates { list, changes in
                #expect(loop.inEventLoop && lane.isCurrent)
                list[0].insert("\(number)", at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            }
        }
        #expect(list.visibleMap.numberOfItems == 101)
        await list.close()
    }

    @Test func rejectionsAreLoggedAndWithdrawalsAreNot() async throws {
        let lines = LineLog()
        let reporter = PipelineReporter(logger: Logger(label: "test") { _ in lines })
        let list = List(dataSource: ModelList([["a"]]), observer: reporter)
        try await list.reloadData()
        await #expect(throws: UpdateError.self) {
            try await list.performBatchUpdates { _, _ in throw Withdrawal(CancellationError()) }
        }
        #expect(lines.levels.withLock { $0 }.isEmpty)
        await #expect(throws: UpdateError.self) {
            try await list.performBatchUpdates { _, changes in
                changes.deleteItems(at: [ItemPath(section: 0, item: 7)])
            }
        }
        #expect(lines.levels.withLock { $0 } == [.warning])
        await list.close()
    }
}

/// A service that submits updates until its group shuts down, without waiting for them.
private struct Writer: Service {
    let submit: @Sendable () -> Void

    init(_ submit: @escaping @Sendable () -> Void) { self.submit = submit }

    func run() async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            submit()
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(1)) }
        }
    }
}

/// A view that may hold all updates until `release()`. Safe, because only the main lane uses it.
private final class HoldingView: CollectionView, @unchecked Sendable {
    private var held: [ViewUpdate] = []
    private var holds: Bool

    let elementSizeRange = SizeRange.unconstrained
    var firstVisiblePath: ItemPath? { nil }

    init(holds: Bool) { self.holds = holds }

    func attach(to lane: any Lane) {}

    func perform(_ update: ViewUpdate) {
        held.append(update)
        if !holds { release() }
    }

    func release() {
        holds = false
        for update in held where update.deploy({ _ in }) { update.finish() }
        held = []
    }
}
