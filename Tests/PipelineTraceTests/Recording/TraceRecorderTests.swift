import PipelineTestSupport
import PipelineTrace
import Testing

@Suite struct TraceRecorderTests {
    private func times(_ recorder: TraceRecorder) -> [Duration] {
        recorder.entries.map(\.timestamp)
    }

    @Test(arguments: 1...5)
    func theNewestAreKeptInTheirOrderAndOthersAreCounted(_ limit: Int) {
        let recorder = TraceRecorder(limit: limit)
        for number in 0..<12 {
            #expect(recorder.leftOut == max(0, number - limit))
            #expect(times(recorder) == (max(0, number - limit)..<number).map { .microseconds($0) })
            recorder.receive(event(.closed, nil, at: Int64(number)))
        }
    }

    @Test(arguments: [0, -1, Int.min])
    func aLimitIsAtLeastOne(_ limit: Int) {
        let recorder = TraceRecorder(limit: limit)
        #expect(recorder.limit == 1)
        for time: Int64 in 1...3 { recorder.receive(event(.closed, nil, at: time)) }
        #expect(times(recorder) == [.microseconds(3)] && recorder.leftOut == 2)
    }

    @Test func entriesOfManyThreadsAreAllThere() async {
        let recorder = TraceRecorder(limit: 10_000)
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for time: Int64 in 0..<500 {
                        recorder.receive(event(.closed, nil, at: time, in: "\(number)"))
                    }
                }
            }
        }
        for number in 0..<8 {
            let own = recorder.entries.filter { $0.pipeline == "\(number)" }
            #expect(own.map(\.timestamp) == (0..<500).map { .microseconds($0) })
        }
    }
}
