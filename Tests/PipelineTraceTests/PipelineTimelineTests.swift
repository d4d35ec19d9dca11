import PipelineTestSupport
import PipelineTrace
import Testing

@Suite struct PipelineTimelineTests {
    private var mixed: [TraceEntry] {
        return wholeLife() + [
            event(.rejected, 2, at: 110) {
                $0.remark = "the model has 3 items and 4 were recorded, diverged in counts since #2"
            },
            event(.completed, 2, at: 112),
            .work(TraceEntry.Work("turn", in: "feed", on: .mainLane, from: .zero, to: .zero)),
            event(.accepted, 3, at: 2_000, took: 400) {
                ($0.backlog, $0.editCount, $0.elementCount) = (1, 1, 1)
            },
            event(.measuringStarted, 3, at: 2_500) { $0.elementCount = 1 },
            event(.stalled, 3, at: 12_002_500) {
                $0.remark = "#3 waits for its nodes to be measured: look for a node provider"
            },
            .count(
                TraceEntry.Count(
                    "readers",
                    in: "feed",
                    [.init("listening", 2), .init("paused", 1)],
                    at: .microseconds(12_002_600)
                )
            ),
        ]
    }

    @Test func everyEventIsALine() {
        #expect(
            PipelineTimeline(mixed, droppedCount: 7).events == """
                (7 earlier entries are left out)
                         ms    set  event
                      0.000     #1  suspended              waits for room in the backlog
                      0.008     #1  resumed                took 8 µs
                      0.009     #1  recordingStarted
                      0.012     #1  recordingFinished      took 3 µs
                      0.017     #1  layoutContextRequested took 2 µs
                      0.020     #1  accepted               2 edits, 3 elements, backlog 1, took 7 µs
                      0.023     #1  measuringStarted       3 elements
                      0.040     #1  measuringFinished      3 elements, took 17 µs
                      0.045     #1  handingOverStarted
                      0.050     #1  handedOver             took 5 µs
                      0.060     #1  deployingStarted
                      0.070     #1  deployed               backlog 0, took 10 µs
                      0.090     #1  completed
                      0.100     #2  rejected               the model has 3 items and 4 were recorded, diverged in c…
                      0.102     #2  completed
                      1.990     #3  accepted               1 edit, 1 element, backlog 1, took 400 µs
                      2.490     #3  measuringStarted       1 element
                  12002.490     #3  stalled                #3 waits for its nodes to be measured: look for a node p…
                  12002.590      -  readers                listening 2, paused 1

                """
        )
    }

    @Test func everyChangeSetIsALine() {
        #expect(
            PipelineTimeline(mixed).changeSets == """
                  set begins ms come in  record   latch   queue measure    give    view  deploy  finish  end
                   #1     0.000    8 µs    3 µs    7 µs    8 µs   17 µs    5 µs   10 µs   10 µs   20 µs  deployed
                   #2     0.100       -       -       -       -       -       -       -       -       -  rejected
                   #3     1.590       -       -  400 µs  500 µs       -       -       -       -       -  in measure

                """
        )
    }

    /// An error text must not contain terminal control characters.
    @Test func linesContainNoTerminalControlCharacters() {
        let entries = [
            event(.rejected, 1, at: 1, in: "a\u{1B}[2J\nb") {
                $0.remark = "x\u{7}\u{9B}y"
            },
            event(.completed, 2, at: 1, in: "other"),
        ]
        let timeline = PipelineTimeline(entries)
        for text in [timeline.events, timeline.changeSets] {
            let scalars = text.unicodeScalars.filter { $0 != "\n" }
            #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
        }
        #expect(timeline.events.split(separator: "\n").count == 3)
    }
}
