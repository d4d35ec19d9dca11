import Foundation
import PipelineTrace
import Testing

/// A small trace, byte for byte.
@Suite struct KeptTraceTests {
    @Test func aTraceIsWrittenAsItIsKept() throws {
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
            .appending(path: "../Traces/whole-life.json")
        if ProcessInfo.processInfo.environment["KEEP_PICTURES"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text == (try String(contentsOf: file, encoding: .utf8)))
    }
}
