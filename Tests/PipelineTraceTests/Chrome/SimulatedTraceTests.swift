import PipelineTestSupport
import PipelineTrace
import SimulatedView
import Testing

/// Whatever events a pipeline can give make a trace that keeps every rule.
@Suite("Traces of simulated runs", .endsHangs) struct SimulatedTraceTests {
    private static let seeds = UInt64(0)..<Effort.number(400, usually: 100)

    /// The events of a run, with its faults, rejections, closes and tasks that are cancelled.
    private func recorded(_ seed: UInt64) -> [TraceEntry] {
        let recorder = TraceRecorder(limit: .max)
        let result = SimulatedRun.run(RunPlan(seed: seed), observer: recorder)
        #expect(result.violations == [], "seed \(seed)")
        return recorder.entries
    }

    private func completed(_ entries: [TraceEntry]) -> [String] {
        entries.compactMap { entry in
            guard case .event(let event) = entry, event.kind == .completed else { return nil }
            return event.submission.map { "#\($0)" }
        }
    }

    @Test func everyCompletedSubmissionIsOneSpan() throws {
        var (sets, flows) = (0, 0)
        for seed in Self.seeds {
            let entries = recorded(seed)
            let trace = try StrictTrace(ChromeTrace.json(of: entries))
            let ended = trace.spans.filter { $0.arguments["end"] != "unfinished" }
            #expect(
                ended.compactMap { $0.arguments["set"] } == completed(entries),
                "seed \(seed)"
            )
            let ids = Set(trace.spans.map(\.id))
            #expect(ids.count == trace.spans.count, "seed \(seed)")
            let shown = entries.count { entry in
                if case .event(let event) = entry { event.kind == .deployed } else { false }
            }
            #expect(trace.flows.count == shown, "seed \(seed)")
            sets += ended.count
            flows += shown
        }
        #expect(sets > Self.seeds.count && flows > Self.seeds.count)
    }

    /// As where a recorder has dropped the oldest, and where somebody looks in the middle.
    @Test func anyStretchOfEventsIsATraceToo() throws {
        var random = SeededGenerator(seed: 15)
        for seed in Self.seeds {
            let entries = recorded(seed)
            for _ in 0..<4 {
                let start = random.next(below: entries.count)
                let stretch = entries[start..<(start + random.next(below: entries.count - start))]
                let trace = try StrictTrace(ChromeTrace.json(of: stretch, leftOut: start))
                #expect(
                    trace.spans.count { $0.arguments["end"] != "unfinished" }
                        == completed(Array(stretch)).count,
                    "seed \(seed)"
                )
            }
        }
    }

    @Test func textsOfThemHaveALineEachOfAHundredColumns() throws {
        for seed in Self.seeds.prefix(60) {
            let entries = recorded(seed)
            let timeline = PipelineTimeline(entries)
            for text in [timeline.events, timeline.changeSets] {
                #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "seed \(seed)")
            }
            #expect(timeline.events.split(separator: "\n").count == entries.count + 1)
            let trace = try StrictTrace(ChromeTrace.json(of: entries))
            #expect(timeline.changeSets.split(separator: "\n").count == trace.spans.count + 1)
        }
    }
}
