import PipelineTestSupport
import PipelineTrace
import SimulatedView
import Testing

@Suite struct ChromeTraceTests {
    private func trace(_ entries: [TraceEntry], leftOut: Int = 0) throws -> StrictTrace {
        try StrictTrace(ChromeTrace.json(of: entries, leftOut: leftOut))
    }

    @Test func nothingIsAnEmptyTrace() throws {
        #expect(String(decoding: ChromeTrace.json(of: []), as: UTF8.self) == "[\n]\n")
        #expect(try trace([]).spans.isEmpty)
    }

    @Test func everyStepOfAChangeSetIsASpanWithinItsOwn() throws {
        let trace = try trace(wholeLife())
        let span = try #require(trace.spans.first)
        #expect(trace.spans.count == 1)
        #expect((span.start, span.end) == (10_000, 100_000))
        #expect(span.arguments == ["set": "#1", "end": "deployed"])
        #expect(
            span.steps.map { "\($0.name) \($0.start / 1_000)-\($0.end / 1_000)" } == [
                "wait to come in 10-18", "record 19-22", "latch 23-30", "wait for step 3 30-33",
                "measure 33-50", "wait for the main lane 50-55", "hand over 55-60",
                "wait for the view 60-70", "deploy 70-80", "finish 80-100",
            ]
        )
        let latch = try #require(span.steps.first { $0.name == "latch" })
        #expect(latch.steps.map(\.name) == ["layout context"])
    }

    @Test func stepsAreSlicesOfTheThreadWhereTheyRan() throws {
        let trace = try trace(wholeLife())
        let found = trace.slices.map { slice in
            let thread = StrictTrace.Thread(process: slice.process, thread: slice.thread)
            let name = trace.threadNames[thread] ?? ""
            return "\(name): \(slice.name) \(slice.start / 1_000)-\(slice.end / 1_000)"
        }
        #expect(
            found == [
                "main lane: latch 23-30", "main lane: layout context 25-27",
                "editing lane: measure 33-50", "main lane: hand over 55-60",
                "main lane: deploy 70-80",
            ]
        )
        #expect(trace.slices[0].arguments == ["set": "#1", "edits": "2", "elements": "3"])
        #expect(trace.processNames == [1: "feed"])
    }

    @Test func anArrowLeadsFromLatchToDeployment() throws {
        let trace = try trace(wholeLife() + wholeLife(2, in: "other"))
        #expect(trace.flows.count == 2)
        for points in trace.flows.values {
            #expect(points.map { $0.arguments["ph"] } == ["s", "t", "f"])
            #expect(points.map { $0.start / 1_000 } == [26, 41, 75])
        }
    }

    @Test func whatIsNotShownHasNoArrowAndSaysHowItEnded() throws {
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

    @Test func whatHasNothingToMeasureIsNotOnTheEditingLane() throws {
        let entries = [
            event(.accepted, 1, at: 2, took: 1) { $0.elementCount = 0 },
            event(.measuringStarted, 1, at: 3) { $0.elementCount = 0 },
            event(.measuringFinished, 1, at: 4, took: 1) { $0.elementCount = 0 },
            event(.handingOverStarted, 1, at: 5), event(.handedOver, 1, at: 6, took: 1),
            event(.deployingStarted, 1, at: 7), event(.deployed, 1, at: 8, took: 1),
            event(.completed, 1, at: 9),
        ]
        let trace = try trace(entries)
        #expect(trace.slices.map(\.name) == ["latch", "hand over", "deploy"])
        #expect(trace.flows.values.map { $0.map { $0.arguments["ph"] } } == [["s", "f"]])
        #expect(trace.spans[0].steps.contains { $0.name == "measure" })
    }

    @Test func whatHasNotEndedEndsWithTheTraceAsUnfinished() throws {
        let entries = Array(wholeLife().prefix(7)) + [event(.suspended, 2, at: 40)]
        let trace = try trace(entries)
        #expect(trace.spans.map { $0.arguments["end"] } == ["unfinished", "unfinished"])
        #expect(trace.spans.map(\.end) == [40_000, 40_000])
        #expect(trace.spans[0].steps.last?.name == "measure")
    }

    @Test func countersAreTheBacklogWhoWaitsAndWhatWasMeasured() throws {
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

    @Test func whatAnApplicationCountsIsACounter() throws {
        let count = TraceEntry.Count(
            "readers",
            in: "feed",
            [.init("listening", 3), .init("paused", -1)],
            at: .microseconds(4)
        )
        let nothing = TraceEntry.Count("nothing", in: "feed", [], at: .zero)
        let trace = try trace([.count(count), .count(nothing)])
        #expect(trace.counters == ["feed: readers": [["listening": 3, "paused": -1]]])
    }

    @Test func workIsASliceOfItsLaneOrWorker() throws {
        func work(_ place: TracePlace, _ part: TraceEntry.Work.Part? = nil) -> TraceEntry {
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
        let part = TraceEntry.Work.Part(1, of: 3, for: "feed.editing")
        let trace = try trace(places.map { work($0) } + [work(.worker(2), part)])
        let names = trace.slices.map {
            trace.threadNames[StrictTrace.Thread(process: $0.process, thread: $0.thread)]
        }
        #expect(names == ["worker 2", "hub", "main lane", "feed.editing", "hub", "worker 2"])
        #expect(trace.slices.allSatisfy { $0.start == 1_001 && $0.end == 2_500 })
        #expect(trace.slices[5].arguments == ["part": "1", "of": "3", "for": "feed.editing"])
    }

    @Test func namesMayContainAnything() throws {
        let name = "a\"b\\c\u{0}\u{1F}\n\t\u{7F}é👍🏽\u{2028}</script>"
        let entries = [
            event(.rejected, 1, at: 1, in: name) { $0.remark = name },
            event(.completed, 1, at: 2, in: name),
            .count(TraceEntry.Count(name, in: name, [.init(name, 1)], at: .zero)),
            .work(TraceEntry.Work(name, in: name, on: .lane(name), from: .zero, to: .zero)),
        ]
        let trace = try trace(entries)
        #expect(trace.processNames == [1: name])
        #expect(trace.threadNames.values.contains(name))
        #expect(trace.counters["\(name): \(name)"] == [[name: 1]])
        #expect(trace.slices.map(\.name) == [name])
    }

    /// A view may take an update in while it applies another.
    @Test func aHandOverEndsWhereADeploymentWithinItBeginsThatLastsLonger() throws {
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

    @Test func earlierEntriesThatAreLeftOutAreTold() throws {
        let trace = try trace([event(.closed, nil, at: 3)], leftOut: 12)
        #expect(trace.instants.map(\.name) == ["12 earlier entries are left out", "closed"])
    }

    @Test func extremeTimesAreTimes() throws {
        let work = TraceEntry.Work(
            "work",
            in: "feed",
            on: .mainLane,
            from: .seconds(Int64.max),
            to: .seconds(-5)
        )
        let trace = try trace([
            .work(work), event(.accepted, 1, at: 0, took: .max), event(.completed, 1, at: 1),
        ])
        #expect(trace.slices[0].start == trace.slices[0].end)
        #expect(trace.spans[0].start == 0)
    }

    @Test func theSameEntriesGiveTheSameBytes() {
        let entries = (1...20).flatMap { wholeLife($0, in: "feed \($0 % 3)") }
        let open = (30...60).map { event(.suspended, $0, at: 5, in: "feed \($0 % 3)") }
        let bytes = ChromeTrace.json(of: entries + open)
        for _ in 0..<5 { #expect(ChromeTrace.json(of: entries + open) == bytes) }
    }
}
