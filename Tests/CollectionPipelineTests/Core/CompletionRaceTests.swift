import CollectionElements
import CollectionPipeline
import Dispatch
import PipelineTestSupport
import Testing

/// Threads that drop, cancel, submit and close at the same time, thousands of times, with
/// everything counted. A lack of atomicity is not a data race: only a missing completion shows it.
@Suite("Completions of several threads", .endsHangs)
struct CompletionRaceTests {
    /// Passes each update on to a closure.
    private final class GivingView: CollectionView, @unchecked Sendable {  // main-lane confined
        let onPerform: (ViewUpdate) -> Void

        init(_ onPerform: @escaping (ViewUpdate) -> Void) { self.onPerform = onPerform }

        func attach(to lane: any Lane) {}
        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }
        func perform(_ update: ViewUpdate) { onPerform(update) }
    }

    private final class Updates: Sendable {
        private let list = Lock<[ViewUpdate]>([])

        var count: Int { list.withLock { $0.count } }
        func append(_ update: ViewUpdate) { list.withLock { $0.append(update) } }

        /// Returns all updates; the caller has the last reference to them.
        func take() -> [ViewUpdate] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }
    }

    /// Another queue drops every fourth update, and some callers are cancelled at random times.
    @Test(arguments: [PipelineConfiguration.BacklogPolicy.suspend, .coalesce])
    func everyCallerGetsOneResultDespiteCancellations(
        _ policy: PipelineConfiguration.BacklogPolicy
    ) async throws {
        let (stage, updates) = (Substrate.dispatch.makeStage(workerCount: 2), Updates())
        let queue = DispatchQueue(label: "dropping", attributes: .concurrent)
        let number = Lock(0)
        @Sendable func show() {
            for update in updates.take() {
                let isDropped = number.withLock { number in
                    number += 1
                    return number % 4 == 0
                }
                let kept = Lock<ViewUpdate?>(update)
                if isDropped {
                    queue.async { kept.withLock { $0 = nil } }
                } else {
                    stage.lane.enqueue {
                        if update.deploy({ _ in }) { stage.lane.enqueue { update.finish() } }
                    }
                }
            }
        }
        // One at a time, so that a dropped update is gone before the next is deployed.
        let view = GivingView { update in
            updates.append(update)
            show()
        }
        var configuration = PipelineConfiguration.unwatched
        (configuration.backlogPolicy, configuration.backlogLimit) = (policy, 1)
        let controller = stage.makeController(
            TextDataSource([[], [], []]),
            view: view,
            configuration: configuration
        )
        try await controller.reloadData()
        let (ran, answered) = (Journal<String>(), Journal<String>())
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<3 {
                for item in 0..<Effort.number(2_000, usually: 400) {
                    let text = "\(caller) \(item)"
                    let task = Task {
                        let result = try? await controller.performBatchUpdates { source, changes in
                            ran.append(text)
                            source.sections[caller].items.insert(text, at: 0)
                            changes.insertItems(at: [ItemPath(caller, 0)])
                        }
                        if result != nil { answered.append(text) }
                    }
                    if item % 3 == caller { queue.async { task.cancel() } }
                    group.addTask { await task.value }
                }
            }
        }
        await controller.settle()
        // Every admitted caller got a result, and no cancelled caller was admitted.
        #expect(ran.values.sorted() == answered.values.sorted())
        #expect(Set(ran.values).count == ran.count)
        #expect(controller.visibleMap.texts.flatMap { $0 }.sorted() == ran.values.sorted())
        await controller.close()
        withExtendedLifetime(view) {}
    }

    /// The controller has change sets in every phase: being measured, at the view, deployed but not
    /// finished.
    @Test func concurrentClosesLeaveNoCallerWaiting() async throws {
        for round in 0..<Effort.number(1_000, usually: 150) {
            let (stage, updates) = (Substrate.dispatch.makeStage(workerCount: 2), Updates())
            let view = GivingView { updates.append($0) }
            let controller = Lock<DataController<TextDataSource>?>(
                stage.makeController(TextDataSource([["a", "b"]]), view: view)
            )
            let (ends, submissions) = (Journal<String>(), 6)
            await stage.lane.run {
                let list = controller.withLock { $0 }?.assumeIsolated()
                for number in 0..<3 {
                    _ = try? list?.reloadData(completion: { _ in ends.append("set \(number)") })
                }
            }
            if round % 2 == 0 { while updates.count < 2 { await stage.lane.run {} } }
            // Each thread has its own reference, and the last release drops the controller.
            let owners = Lock<[DataController<TextDataSource>?]>([])
            for _ in 0..<4 {
                let own = controller.withLock { $0 }
                owners.withLock { $0.append(own) }
            }
            controller.withLock { $0 = nil }
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                let own = owners.withLock { owners in
                    defer { owners[thread] = nil }
                    return owners[thread]
                }
                switch thread {
                case 0: _ = updates.take()
                case 1:
                    for draining in [false, true] {
                        own?.close(draining: draining) { ends.append("closed") }
                    }
                case 2:
                    for number in 3..<submissions {
                        own?.enqueueBatchUpdates({ _, _ in }) { _ in ends.append("set \(number)") }
                    }
                default: break
                }
            }
            let all = await ends.values(count: submissions + 2)
            for _ in 0..<3 { await stage.lane.run {} }
            withExtendedLifetime(view) {}
            let expected = (0..<submissions).map { "set \($0)" } + ["closed", "closed"]
            guard all.sorted() != expected.sorted() || ends.count > all.count else { continue }
            Issue.record("round \(round): \(ends.values)")
            return
        }
    }

    /// Each thread repeatedly changes the height of a node and requests a layout; the last height
    /// counts.
    @Test func concurrentLayoutRequestsAreAllMeasured() async throws {
        let scene = Scene(.dispatch, [["0", "1", "2"]], workerCount: 2)
        let heights = Lock([Double](repeating: 1, count: 3))
        scene.nodes.onMeasure { text, _ in
            Size(width: 10, height: heights.withLock { $0[Int(text) ?? 0] })
        }
        try await scene.controller.reloadData()
        let elements = scene.controller.pendingMap.items.map(\.element)
        for _ in 0..<Effort.number(200, usually: 40) {
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                for _ in 0..<20 {
                    heights.withLock { $0[thread] += 1 }
                    elements[thread].setNeedsLayout()
                }
            }
            await scene.settleAfterTurn()
            let sizes = scene.controller.visibleMap.items.map { $0.content.size?.height }
            #expect(sizes == heights.withLock { $0 })
        }
        await scene.close()
    }
}
