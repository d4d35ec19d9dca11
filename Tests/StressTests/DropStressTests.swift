import CollectionElements
import CollectionPipeline
import Dispatch
import PipelineTestSupport
import Testing

/// Threads that drop updates while the main lane continues, thousands of times. A lack of atomicity
/// is not a data race: it shows only as a completion that never runs.
@Suite("Drops and cancellations from many threads", .serialized, .endsHangs)
struct DropStressTests {
    /// Hands updates to other threads, which drop them immediately or a little later.
    private final class LosingView: CollectionView {
        private let queues = (0..<4).map { DispatchQueue(label: "losing \($0)") }
        private let random: Lock<SeededGenerator>

        init(seed: UInt64) { random = Lock(SeededGenerator(seed: seed)) }

        func attach(to lane: any Lane) {}
        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }

        func perform(_ update: ViewUpdate) {
            let (queue, fate) = random.withLock { ($0.next(below: 4), $0.next(below: 4)) }
            // Some updates are dropped here, immediately.
            guard fate > 0 else { return }
            queues[queue].async {
                for _ in 0..<(fate * 50) { _ = update.submission }
            }
        }
    }

    private struct Completion: Sendable {
        let number: Int
        let outcome: String
    }

    /// Each submission completes once and in order, including those cancelled meanwhile.
    @Test(arguments: UInt64(1)...2)
    func submissionsCompleteEvenIfOtherThreadsDropUpdates(_ seed: UInt64) async throws {
        let count = Effort.number(20_000, usually: 3_000)
        let view = LosingView(seed: seed)
        var configuration = PipelineConfiguration.unwatched
        configuration.backlogLimit = 1 + Int(seed) * 3
        let controller = DataController(
            models: [["a"]],
            view: view,
            configuration: configuration,
            environment: DispatchEnvironment(workerCount: 2)
        )
        let (completions, cancelled) = (Journal<Completion>(), Journal<String>())
        for number in 0..<count {
            controller.enqueueBatchUpdates({ _, _ in }) { result in
                completions.append(Completion(number: number, outcome: "\(result.outcome)"))
            }
            guard number % 10 == 0 else { continue }
            let task = Task {
                do throws(UpdateError) {
                    try await controller.performBatchUpdates { _, _ in }
                    cancelled.append("deployed")
                } catch {
                    cancelled.append(error.code.rawValue)
                }
            }
            DispatchQueue.global().async { task.cancel() }
        }
        // A minute is far more than this takes; a lost completion never runs.
        for _ in 0..<6_000 where completions.count < count || cancelled.count < count / 10 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(
            completions.values.map(\.number) == Array(0..<count),
            "\(completions.count) of \(count)"
        )
        #expect(completions.values.allSatisfy { $0.outcome == "deployed" })
        #expect(cancelled.values.allSatisfy { $0 == "deployed" || $0 == "cancelled" })
        #expect(cancelled.count == count / 10)
        await controller.close(draining: false)
        withExtendedLifetime(view) {}
    }
}
