import CollectionPublishing
import InMemoryLogging
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

    /// Accepted updates are deployed on a shutdown, and cancelled with the group. None is lost.
    @Test(arguments: [false, true]) func aControllerEndsWithItsGroup(isCancelled: Bool) async throws
    {
        var configuration = PipelineConfiguration()
        // The test does not wait, so the backlog must accept everything that it submits.
        configuration.backlogLimit = .max
        let list = List(dataSource: ModelList([["first"]]), configuration: configuration)
        try await list.reloadData()
        let group = ServiceGroup(
            services: [ControllerService(controller: list)],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let running = Task { try await group.run() }
        let (deployed, cancelled) = (Counter(), Counter())
        for _ in 0..<50 {
            list.enqueueBatchUpdates { list, changes in
                list[0].insert("line", at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            } completion: { result in
                if case .cancelled = result.outcome { cancelled.add(1) } else { deployed.add(1) }
            }
        }
        if isCancelled { running.cancel() } else { await group.triggerGracefulShutdown() }
        _ = await running.result
        #expect(deployed.value + cancelled.value == 50)
        if !isCancelled { #expect(list.visibleMap.numberOfItems == 51) }
        let error = await #expect(throws: UpdateError.self) { try await list.reloadData() }
        #expect(error?.code == .closed)
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

    @Test func rejectionsAreLogged() async throws {
        let lines = InMemoryLogHandler()
        let reporter = PipelineReporter(logger: Logger(label: "test") { _ in lines })
        let list = List(dataSource: ModelList([["a"]]), observer: reporter)
        try await list.reloadData()
        #expect(lines.entries.isEmpty)
        await #expect(throws: UpdateError.self) {
            try await list.performBatchUpdates { _, changes in
                changes.deleteItems(at: [ItemPath(section: 0, item: 7)])
            }
        }
        #expect(lines.entries.map(\.level) == [.warning])
        await list.close()
    }
}
