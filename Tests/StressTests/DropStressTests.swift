import CollectionElements
import CollectionPipeline
import Dispatch
import PipelineTestSupport
import Testing

/// What threads of their own let go of while the main lane goes on, thousands of times: a fault of atomicity is no
/// data race, and shows only in what never comes.
@Suite("Drops and cancellations from many threads", .serialized, .endsHangs)
struct DropStressTests {
    /// Hands updates to other threads, which let go of them at once or a little later.
    private final class LosingView: CollectionView {
        private let queues = (0..<4).map { DispatchQueue(label: "losing \($0)") }
        private let random: Lock<SeededGenerator>

        init(seed: UInt64) { random = Lock(SeededGenerator(seed: seed)) }

        func attach(to lane: any Lane) {}
        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }

        func perform(_ update: ViewUpdate) {
            let (queue, fate) = random.withLock { ($0.next(below: 4), $0.next(below: 4)) }
            // Some it lets go of itself, at once.
            guard fate > 0 else { return }
            queues[queue].async {
                for _ in 0..<(fate * 50) { _ = update.submission }
            }
        }
    }

    private struct Told: Sendable {
        let number: Int
        let outcome: String
    }

    /// Each completes once and in order, and whoever is cancelled meanwhile as well.
    @Test(arguments: UInt64(1)...2)
    func everySubmissionCompletesWhoeverLetsGoOfItsUpdate(_ seed: UInt64) async throws {
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
        let (told, cancelled) = (Journal<Told>(), Journal<String>())
        for number in 0..<count {
            controller.enqueueBatchUpdates({ _, _ in }) { result in
                told.append(Told(number: number, outcome: "\(result.outcome)"))
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
        // A minute is far more than this takes; what is lost never comes.
        for _ in 0..<6_000 where told.count < count || cancelled.count < count / 10 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(told.values.map(\.number) == Array(0..<count), "\(told.count) of \(count)")
        #expect(told.values.allSatisfy { $0.outcome == "deployed" })
        #expect(cancelled.values.allSatisfy { $0 == "deployed" || $0 == "cancelled" })
        #expect(cancelled.count == count / 10)
        await controller.close(draining: false)
        withExtendedLifetime(view) {}
    }
}
