import Dispatch
import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import pipeline_benchmarks

/// What is measured with, and what surrounds what is measured.
@Suite("What benchmarks measure with", .endsHangs)
struct MeasuringToolTests {
    // MARK: An environment that does everything at once

    @Test func whatIsEnqueuedHasRunWhenTheCallReturns() {
        let lane = CallingEnvironment().makeLane(label: "here")
        let runs = Tally()
        lane.enqueue { runs.add(1) }
        #expect(runs.count == 1)
        #expect(lane.label == "here" && lane.isCurrent)
    }

    @Test func everyPartHasRunOnceAndInOrderBeforeTheyAreJoined() {
        let environment = CallingEnvironment()
        let steps = Journal<Int>()
        environment.fork(
            parts: 3,
            joinOn: environment.makeLane(label: "here"),
            body: { steps.append($0) },
            join: { steps.append(-1) }
        )
        #expect(steps.values == [0, 1, 2, -1])
        #expect(environment.workerCount == 1 && !environment.isCurrentWorker)
    }

    @Test func whatIsScheduledComesLater() {
        let environment = CallingEnvironment()
        let start = environment.now
        let done = DispatchSemaphore(value: 0)
        environment.schedule(after: .milliseconds(5), on: EmulatedMainLane(label: "later")) {
            done.signal()
        }
        done.wait()
        #expect(environment.now - start >= .milliseconds(5))
    }

    // MARK: What is counted

    @Test func everyQuestionIsCounted() {
        let source = CountsSource([2, 3], lifetime: DispatchGroup())
        var asks = [source.asks]
        _ = source.numberOfSections()
        asks.append(source.asks)
        _ = source.numberOfItems(inSection: 1)
        asks.append(source.asks)
        _ = source.changedSections()
        asks.append(source.asks)
        _ = source.models(at: 0..<2, inSection: 0)
        asks.append(source.asks)
        #expect(asks == [0, 1, 2, 3, 4])
    }

    /// The counts, what changed, and at most a question for each row that is inserted or shown again.
    @Test func aChangeSetAsksAFewQuestions() throws {
        let collection = try LoadedCollection(.init(1, 20))
        for _ in 0..<5 { #expect((3...13).contains(try collection.asksOfTenEdits())) }
    }

    @Test func everyEventIsCountedAndHandedOn() {
        let recorder = EventRecorder()
        for next in [recorder, nil] {
            let tally = EventTally(next: next)
            for kind in [PipelineEvent.Kind.accepted, .deployed, .closed] {
                tally.observe(
                    PipelineEvent(
                        kind: kind,
                        pipeline: "",
                        submission: nil,
                        context: nil,
                        timestamp: .zero
                    )
                )
            }
            #expect(tally.events.count == 3)
        }
        #expect(recorder.events.map(\.kind) == [.accepted, .deployed, .closed])
    }

    @Test func aBlockThatIsTooLongMissesFrames() {
        let frame = LaneTimes.frameNanoseconds
        let lane = MeteredLane()
        lane.enqueue {
            let start = Stopwatch.threadNanoseconds
            while Stopwatch.threadNanoseconds - start < 3 * frame {}
        }
        lane.enqueue {}
        let times = lane.takeTimes()
        #expect(times.longestNanoseconds >= 3 * frame)
        #expect(times.missedFrames >= 3)
        #expect(UInt64(times.missedFrames) <= times.nanoseconds / frame)
    }

    @Test func whatIsNoPathIsGivenAwayAsSuch() {
        let before = BlackHole.consumed
        BlackHole.consume(ItemPath(section: 3, item: 4))
        #expect(BlackHole.consumed.sum &- before.sum == 4)
        BlackHole.consume(nil as ItemPath?)
        #expect(BlackHole.consumed.sum &- before.sum == 3)
        #expect(BlackHole.consumed.count - before.count == 2)
    }

    // MARK: Where figures go to

    @Test func aTerminalKnowsHowWideItIs() throws {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let stream = StandardStream(descriptor: descriptor)
        // Nobody has said it yet.
        #expect(stream.columns == nil)
        var size = winsize(ws_row: 24, ws_col: 91, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
        #expect(stream.columns == 91)
        let name = ProcessInfo.processInfo.environment["TERM"] ?? ""
        #expect(stream.isTerminal == (!name.isEmpty && name != "dumb"))
    }

    @Test func aPipeIsNoTerminalAndTakesAllThatIsWritten() throws {
        let pipe = Pipe()
        let stream = StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(!stream.isTerminal && stream.columns == nil)
        try stream.write("")
        try stream.write("a line\n")
        try pipe.fileHandleForWriting.close()
        #expect(pipe.fileHandleForReading.readDataToEndOfFile() == Data("a line\n".utf8))
    }

    @Test(arguments: [(10, 36), (40, 36), (41, 37), (100, 96), (nil, 76)])
    func titlesAreWrappedWithinTheTerminalOrFortyColumns(columns: Int?, width: Int) {
        let words = Array(repeating: "a", count: 60).joined(separator: " ")
        let benchmark = Benchmark("name", words) { _ in nil }
        let output = MemorySink()
        output.columns = columns
        let code = PipelineBenchmarks.run(
            arguments: ["--list"],
            benchmarks: [benchmark],
            output: output,
            errors: MemorySink()
        )
        #expect(code == .success)
        // Letters with spaces between them take an odd number of columns.
        #expect(output.lines.dropFirst().first?.count == 4 + width - (1 - width % 2))
    }

    @Test func whatFailsIsSaidInALineOfItsOwn() {
        let errors = MemorySink(isTerminal: true)
        let code = PipelineBenchmarks.run(
            arguments: [],
            benchmarks: [Benchmark("bad", "") { _ in throw Failure("on purpose") }],
            output: MemorySink(),
            errors: errors
        )
        #expect(code == .failedCheck)
        let erased = "\r\u{1B}[K"
        #expect(
            errors.text
                == "\(erased)[1/1] bad …\(erased)pipeline-benchmarks: bad: on purpose\n"
        )
    }
}
