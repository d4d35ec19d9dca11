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
}
