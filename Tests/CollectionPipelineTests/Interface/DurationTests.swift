import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Durations", .endsHangs)
struct DurationTests {
    /// A clock that goes on by one each time somebody looks, and began long ago.
    private final class TickingEnvironment: ForwardingEnvironment {
        static let start: UInt64 = 1_000_000
        let base: any PipelineEnvironment = DispatchEnvironment(workerCount: 1)
        private let ticks = Lock<UInt64>(start)

        var nowNanoseconds: UInt64 {
            ticks.withLock { ticks in
                ticks += 1
                return ticks
            }
        }
    }

    @Test func anEventsDurationIsTheTimeSinceTheBeginningOfWhatItNames() async throws {
        let recorder = EventRecorder()
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
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
        for kind in kinds {
            let durations = recorder.events(kind).map(\.durationNanoseconds)
            #expect(durations.count == 3)
            // A look at the beginning, one at the end, and those for the events in between.
            #expect(durations.allSatisfy { (1..<40).contains($0 ?? 0) }, "\(kind): \(durations)")
        }
        let times = recorder.events.map(\.timestampNanoseconds)
        #expect(times.allSatisfy { $0 > TickingEnvironment.start })
    }
}
