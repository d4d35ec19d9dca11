import CollectionPublishing
import CoreMetrics
import InMemoryTracing
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import Tracing

@testable import LiveBoardServer

@Suite(.timeLimit(.minutes(3)))
struct EmbeddingTests {
    /// What a ``Lane`` promises, over an event loop.
    @Test func anEventLoopIsALane() async throws {
        let lane = EventLoopLane(MultiThreadedEventLoopGroup.singleton.next(), label: "test")
        #expect(!lane.isCurrent)
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            lane.enqueue {
                lane.enqueue {
                    order.withLock { $0.append(3) }
                    #expect(lane.isCurrent)
                    continuation.resume()
                }
                // Never inline.
                order.withLock { $0.append(1) }
            }
        }
        #expect(order.withLock { $0 } == [1, 3])
    }

    @Test func aControllerLivesOnAnEventLoop() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let list = DataController(
            dataSource: ModelList([["a"]]),
            lane: EventLoopLane(loop, label: "test")
        )
        try await list.reloadData()
        for number in 0..<100 {
            try await list.performBatchUpdates { list, changes in
                #expect(loop.inEventLoop)
                list[0].insert("\(number)", at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            }
        }
        #expect(list.visibleMap.numberOfItems == 101)
        await list.close()
    }

    @Test func metricsAreTextThatPrometheusReads() {
        let metrics = TextMetrics()
        metrics.makeCounter(label: "a_total", dimensions: [("k", "v\"\n")]).increment(by: 2)
        metrics.makeCounter(label: "a_total", dimensions: [("k", "v\"\n")]).increment(by: 3)
        metrics.makeMeter(label: "b", dimensions: []).set(2.5)
        let timer = metrics.makeTimer(label: "c_seconds", dimensions: [])
        timer.recordNanoseconds(1_500_000_000)
        timer.recordNanoseconds(500_000_000)
        #expect(
            metrics.text == """
                # TYPE a_total counter
                a_total{k="v\\"\\u000a"} 5
                # TYPE b gauge
                b 2.5
                # TYPE c_seconds summary
                c_seconds_count 2
                c_seconds_sum 2.0

                """
        )
    }

    @Test func whatIsRefusedIsLoggedOnceForEachReason() {
        let lines = LineLog()
        let meters = ServerMeters(logger: Logger(label: "test") { _ in lines })
        for reason in ["a", "b", "a", "a"] { meters.refused(reason) }
        #expect(lines.lines.count == 2)
    }

    @Test func rejectionsAreLoggedAndWithdrawalsAreNot() async throws {
        let lines = LineLog()
        let reporter = PipelineReporter(logger: Logger(label: "test") { _ in lines })
        let list = DataController(dataSource: ModelList([["a"]]), observer: reporter)
        try await list.reloadData()
        await #expect(throws: UpdateError.self) {
            try await list.performBatchUpdates { _, _ in throw Withdrawal(CancellationError()) }
        }
        #expect(lines.lines.isEmpty)
        await #expect(throws: UpdateError.self) {
            try await list.performBatchUpdates { _, changes in
                changes.deleteItems(at: [ItemPath(section: 0, item: 7)])
            }
        }
        #expect(lines.lines == ["warning rejected"])
        await list.close()
    }

    /// The span of an edit is beneath that of the request, and has the steps of the pipeline.
    @Test func spansReachFromTheRequestToTheDeployment() async throws {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        try await TestServer.run { server in
            let edit = #"{"edit":"rename","id":"c1","text":"traced"}"#
            let answer = try await server.edit(edit)
            #expect(answer.status == 200)
        }
        // Other tests edit too, and a request's span may end a moment after its answer.
        var found: (span: FinishedInMemorySpan, parent: FinishedInMemorySpan)?
        while found == nil {
            let spans = tracer.finishedSpans
            for span in spans where span.operationName == "board edit" && found == nil {
                let parent = spans.first { $0.spanID == span.parentSpanID }
                found = parent.map { (span, $0) }
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        let (span, parent) = try #require(found)
        #expect(parent.kind == .server && parent.traceID == span.traceID)
        let names = span.events.map(\.name)
        let steps = ["accepted", "measuringFinished", "deployed"]
        #expect(names.filter { steps.contains($0) } == steps)
        #expect(span.attributes["pipeline.name"]?.toSpanAttribute() == .string("board"))
    }
}

/// Keeps what is logged from the level `info` on.
private struct LineLog: LogHandler {
    private final class Lines: Sendable {
        let lines = Mutex<[String]>([])
    }

    private let kept = Lines()
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    var lines: [String] { kept.lines.withLock { $0 } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        kept.lines.withLock { $0.append("\(event.level) \(event.message)") }
    }
}
