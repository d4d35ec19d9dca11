import Foundation
import PipelineSimulation
import PipelineTestSupport
import PipelineTrace
import Testing

@Suite struct ChromeTraceTests {
    private func trace(_ entries: [TraceEntry], droppedCount: Int = 0) throws -> StrictTrace {
        try StrictTrace(ChromeTrace.json(of: entries, droppedCount: droppedCount))
    }

    @Test func aChangeSetThatIsNotShownHasNoArrowButAnEnd() throws {
        let entries = [
            event(.rejected, 1, at: 5) { $0.remark = "not so" }, event(.completed, 1, at: 6),
            event(.accepted, 2, at: 7, took: 1), event(.completed, 2, at: 8),
            event(.completed, 3, at: 9),
            event(.accepted, 4, at: 10, took: 1), event(.handingOverStarted, 4, at: 11),
            event(.handedOver, 4, at: 12, took: 1), event(.deployingStarted, 4, at: 13),
            event(.viewRefused, 4, at: 14) { $0.remark = "not so" }, event(.completed, 4, at: 20),
        ]
        let trace = try trace(entries)
        #expect(trace.flows.isEmpty)
        let ends = trace.spans.map { "\($0.arguments["set"] ?? "") \($0.arguments["end"] ?? "")" }
        #expect(ends == ["#1 rejected", "#2 not shown", "#3 not shown", "#4 refused"])
        #expect(trace.spans[3].steps.last?.name == "wait for the reload")
        #expect(trace.instants.map(\.name) == ["rejected", "viewRefused"])
        #expect(trace.instants[0].arguments == ["set": "#1", "what": "not so"])
    }

    @Test func openSpansEndWithTheTraceAsUnfinished() throws {
        let entries = Array(wholeLife().prefix(7)) + [event(.suspended, 2, at: 40)]
        let trace = try trace(entries)
        #expect(trace.spans.map { $0.arguments["end"] } == ["unfinished", "unfinished"])
        #expect(trace.spans.map(\.end) == [40_000, 40_000])
        #expect(trace.spans[0].steps.last?.name == "measure")
    }

    @Test func countersShowBacklogWaitingAndMeasuredElements() throws {
        let more = [
            event(.measuringFinished, 2, at: 200, took: 1) { $0.elementCount = 4 },
            event(.suspended, 3, at: 201), event(.suspended, 4, at: 202),
            event(.resumed, 3, at: 203, took: 2),
        ]
        let counters = try trace(wholeLife() + more).counters
        #expect(counters["feed: backlog"] == [["change sets": 1], ["change sets": 0]])
        #expect(counters["feed: measured"] == [["elements": 3], ["elements": 7]])
        let waiting = counters["feed: waiting to come in"]?.compactMap { $0["submissions"] }
        #expect(waiting == [1, 0, 1, 2, 1])
    }

    @Test func aHandOverEndsWhenALongerDeploymentBeginsWithinIt() throws {
        let entries = [
            event(.accepted, 1, at: 1, took: 1), event(.accepted, 2, at: 2, took: 1),
            event(.handingOverStarted, 1, at: 3), event(.handedOver, 1, at: 4, took: 1),
            event(.handingOverStarted, 2, at: 5), event(.deployingStarted, 1, at: 7),
            event(.handedOver, 2, at: 8, took: 3), event(.deployingStarted, 2, at: 8),
            event(.deployed, 2, at: 9, took: 1), event(.deployed, 1, at: 10, took: 3),
            event(.completed, 1, at: 11), event(.completed, 2, at: 12),
        ]
        let slices = try trace(entries).slices.filter { $0.name == "hand over" }
        #expect(slices.map { [$0.start / 1_000, $0.end / 1_000] } == [[3, 4], [5, 7]])
    }

    @Test func workIsASliceOnItsLaneOrWorker() throws {
        func work(_ place: TracePlace, _ part: TraceEntry.Work.ForkPart? = nil) -> TraceEntry {
            .work(
                TraceEntry.Work(
                    "work",
                    in: "feed",
                    on: place,
                    from: .nanoseconds(1_001),
                    to: .nanoseconds(2_500),
                    part: part
                )
            )
        }
        let places: [TracePlace] = [
            .worker(2), .lane("hub"), .mainLane, .lane("feed.editing"), .lane("hub"),
        ]
        let part = TraceEntry.Work.ForkPart(1, of: 3, for: "feed.editing")
        let trace = try trace(places.map { work($0) } + [work(.worker(2), part)])
        let names = trace.slices.map {
            trace.threadNames[StrictTrace.Thread(process: $0.process, thread: $0.thread)]
        }
        #expect(names == ["worker 2", "hub", "main lane", "feed.editing", "hub", "worker 2"])
        #expect(trace.slices.allSatisfy { $0.start == 1_001 && $0.end == 2_500 })
        #expect(trace.slices[5].arguments == ["part": "1", "of": "3", "for": "feed.editing"])
    }

    /// Any names and numbers are read back unchanged, including every character that JSON escapes.
    @Test func aTraceCanContainAnyNamesAndNumbers() throws {
        let names = [
            "a\"b", "a\\", "\u{0}\u{1F}", "\n\t\r\u{8}\u{C}", "\u{7F}é👍🏽\u{2028}", "</script>", "",
            "x\u{FFFF}",
        ]
        for name in names {
            let pair = [TraceEntry.Count.Value(name, 3), .init(name + "2", -1)]
            let entries: [TraceEntry] = [
                event(.rejected, 1, at: 1, in: name) { $0.remark = name },
                event(.completed, 1, at: 2, in: name),
                .count(TraceEntry.Count(name, in: name, pair, at: .zero)),
                .count(TraceEntry.Count("nothing", in: name, [], at: .zero)),
                .work(TraceEntry.Work(name, in: name, on: .lane(name), from: .zero, to: .zero)),
            ]
            let trace = try trace(entries, droppedCount: 12)
            #expect(trace.processNames == [1: name] && trace.threadNames.values.contains(name))
            #expect(trace.counters == ["\(name): \(name)": [[name: 3, name + "2": -1]]])
            #expect(trace.slices.map(\.name) == [name])
            let instants = trace.instants.map(\.name)
            #expect(instants == ["12 earlier entries are left out", "rejected"])
            #expect(trace.instants.last?.arguments["what"] == name)
        }
        let place = TracePlace.mainLane
        let (far, before) = (Duration.seconds(Int64.max), Duration.seconds(-5))
        let work = TraceEntry.Work("work", in: "feed", on: place, from: far, to: before)
        let trace = try trace([
            .work(work), event(.accepted, 1, at: 0, took: .max), event(.completed, 1, at: 1),
        ])
        #expect(trace.slices[0].start == trace.slices[0].end && trace.spans[0].start == 0)
        #expect(String(decoding: ChromeTrace.json(of: []), as: UTF8.self) == "[\n]\n")
    }

    /// A small trace, compared byte for byte. With `KEEP_PICTURES` in the environment the test
    /// writes the file again.
    @Test func aTraceEqualsTheKeptFile() throws {
        let work = TraceEntry.Work(
            "part",
            in: "feed",
            on: .worker(1),
            from: .microseconds(34),
            to: .nanoseconds(49_005),
            part: .init(0, of: 1, for: "feed.editing")
        )
        var entries = wholeLife()
        entries.insert(.work(work), at: 7)
        let text = String(decoding: ChromeTrace.json(of: entries), as: UTF8.self)
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Traces/whole-life.json")
        if ProcessInfo.processInfo.environment["KEEP_PICTURES"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text == (try String(contentsOf: file, encoding: .utf8)))
    }

    // MARK: Simulated runs

    /// All events of a pipeline give a valid trace, and so does any part of them, as if a recorder
    /// had dropped the oldest.
    @Test(.endsHangs) func simulatedRunsAndPartsOfThemGiveValidTraces() throws {
        var random = SeededGenerator(seed: 15)
        var (sets, flows) = (0, 0)
        func completed(_ entries: some Sequence<TraceEntry>) -> [String] {
            entries.compactMap { entry in
                guard case .event(let event) = entry, event.kind == .completed else { return nil }
                return event.submission.map { "#\($0)" }
            }
        }
        for seed in 0..<UInt64(Effort.number(400, usually: 40)) {
            let recorder = TraceRecorder(limit: .max)
            let result = SimulatedRun.run(RunPlan(seed: seed), observer: recorder)
            let entries = recorder.entries
            let whole = try trace(entries)
            let ended = whole.spans.filter { $0.arguments["end"] != "unfinished" }
            let shown = entries.count { entry in
                if case .event(let event) = entry { event.kind == .deployed } else { false }
            }
            let isWhole =
                result.violations == [] && whole.flows.count == shown
                && ended.compactMap { $0.arguments["set"] } == completed(entries)
                && Set(whole.spans.map(\.id)).count == whole.spans.count
            #expect(isWhole, "seed \(seed)")
            (sets, flows) = (sets + ended.count, flows + shown)
            let timeline = PipelineTimeline(entries)
            let lines = [timeline.events, timeline.changeSets].map { $0.split(separator: "\n") }
            let counts = lines.map(\.count) == [entries.count + 1, whole.spans.count + 1]
            #expect(counts && lines.joined().allSatisfy { $0.count <= 100 }, "seed \(seed)")
            for _ in 0..<2 {
                let start = random.next(below: entries.count)
                let end = start + random.next(below: entries.count - start)
                let part = try trace(Array(entries[start..<end]), droppedCount: start)
                let count = part.spans.count { $0.arguments["end"] != "unfinished" }
                #expect(count == completed(entries[start..<end]).count, "seed \(seed)")
            }
        }
        #expect(sets > 40 && flows > 40)
    }
}
