import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Durations", .endsHangs)
struct DurationTests {
    /// A clock that goes on by a nanosecond each time somebody looks, and began long ago.
    private final class TickingEnvironment: ForwardingEnvironment {
        static let start = Duration.milliseconds(1)
        let base: any PipelineEnvironment = DispatchEnvironment(workerCount: 1)
        private let ticks = Lock(start)

        var now: Duration {
            ticks.withLock { ticks in
                ticks += .nanoseconds(1)
                return ticks
            }
        }
    }

    @Test func anEventsDurationIsTheTimeSinceTheBeginningOfWhatItNames() async throws {
        let recorder = EventRecorder()
        // Watching for stalls looks at the clock too, the oftener the longer this takes.
        var configuration = PipelineConfiguration()
        configuration.stallTimeout = nil
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            configuration: configuration,
            environment: TickingEnvironment(),
            observer: recorder
        )
        try await controller.reloadData()
        try await controller.performBatchUpdates { source, changes in
            source.append("b", &changes)
        }
        try await controller.performBatchUpdates { _, _ in }
        await controller.close()
        let kinds: [PipelineEvent.Kind] = [
            .accepted, .measuringFinished, .handedOver, .deployed,
        ]
        // A look at the beginning, one at the end, and those for the events in between.
        let looks = Duration.nanoseconds(1)..<Duration.nanoseconds(40)
        for kind in kinds {
            let durations = recorder.events(kind).map(\.duration)
            #expect(durations.count == 3)
            #expect(durations.allSatisfy { looks.contains($0 ?? .zero) }, "\(kind): \(durations)")
        }
        let times = recorder.events.map(\.timestamp)
        #expect(times.allSatisfy { $0 > TickingEnvironment.start })
    }
}
