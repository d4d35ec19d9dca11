import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("Recorded events", .endsHangs)
struct EventRecorderTests {
    /// The events of some updates, in full and as far as a capacity goes: of the same ones.
    private final class Both: PipelineObserver {
        let whole = EventRecorder()
        let bounded: EventRecorder

        init(_ capacity: Int) { bounded = EventRecorder(capacity: capacity) }

        func observe(_ event: PipelineEvent) {
            whole.observe(event)
            bounded.observe(event)
        }
    }

    private func lines(_ events: [PipelineEvent]) -> [String] {
        events.map {
            "\($0.kind.rawValue) \($0.submission.map { "\($0)" } ?? "-") \($0.timestamp)"
        }
    }

    @Test(arguments: [0, 1, 7, 20, 1 << 16, -5, Int.max])
    func theOldestEventsUpToTheCapacityAreKeptInOrderAndAllAreCounted(_ capacity: Int) async throws
    {
        let both = Both(capacity)
        let controller = Substrate.simulated.makeStage()
            .makeController(TextDataSource([["a"]]), observer: both)
        try await controller.reloadData()
        for text in ["b", "c", "d", "e"] {
            try await controller.performBatchUpdates { source, changes in
                source.append(text, &changes)
            }
        }
        await controller.close()
        let all = lines(both.whole.events)
        #expect(all.count > 20 && both.whole.count == all.count)
        #expect(lines(both.bounded.events) == Array(all.prefix(max(0, capacity))))
        #expect(both.bounded.count == all.count)
        // Each is found by its kind and by its submission, in that order too.
        for kind in Set(both.bounded.events.map(\.kind)) {
            let found = both.bounded.events(kind)
            #expect(found.allSatisfy { $0.kind == kind })
            #expect(lines(found) == lines(both.bounded.events.filter { $0.kind == kind }))
        }
        let submissions = Set(both.bounded.events.map(\.submission))
        let kinds = submissions.flatMap { both.bounded.kinds(of: $0) }
        #expect(kinds.sorted() == both.bounded.events.map(\.kind.rawValue).sorted())
        for submission in submissions {
            let own = both.bounded.events.filter { $0.submission == submission }
            #expect(both.bounded.kinds(of: submission) == own.map(\.kind.rawValue))
        }
    }
}
