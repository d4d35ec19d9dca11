import Foundation
import PipelineTestSupport
import Testing

@testable import pipeline_benchmarks

@Suite struct HotPathTests {
    @Test(.endsHangs)
    func everyHotPathRunsAndIsNamed() throws {
        let output = MemorySink()
        let code = PipelineBenchmarks.run(
            arguments: ["--hot-paths"],
            output: output,
            errors: MemorySink()
        )
        #expect(code == .success)
        #expect(output.lines == HotPath.all.map(\.name))
    }

    /// What each gives away while it is prepared and done twice: how often, and the sum of what is a number, as
    /// recorded from a run; a failure says what it is now.
    @Test(.endsHangs)
    func everyHotPathGivesAwayWhatItDidBefore() throws {
        let expected = [
            "element-at-path": "2000 0", "path-of-element": "2000 1018222", "iterate": "20000 0",
            "map.insert": "200 2000200", "validate": "2 1000", "layout.one-height": "200 59859466",
            "layout.ten-rows": "200 66044759", "layout.visible": "200 60012593",
            "layout.flow.prepare": "2 800004", "view.scroll": "0 0",
        ]
        for path in HotPath.all {
            let before = BlackHole.consumed
            try path.run()
            let after = BlackHole.consumed
            let consumed = "\(after.count - before.count) \(after.sum &- before.sum)"
            #expect(consumed == expected[path.name], "\(path.name)")
        }
    }

    /// What the tool counts begins after everything is made, and after a first time that is not counted.
    @Test func whatIsCountedIsTheSecondTime() throws {
        let times = Tally()
        let path = HotPath(name: "counting") { { times.add(1) } }
        try path.run()
        #expect(times.count == 2)
    }

    @Test func aFailureIsPassedOn() {
        #expect(throws: Failure.self) {
            try HotPath(name: "broken") { throw Failure("while preparing") }.run()
        }
        let times = Tally()
        let second = HotPath(name: "broken") {
            {
                times.add(1)
                if times.count == 2 { throw Failure("while it is counted") }
            }
        }
        #expect(throws: Failure.self) { try second.run() }
    }

    @Test func theListOfInstructionsHasEveryHotPath() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let list = root.appendingPathComponent(".ci/instructions.txt")
        let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropFirst()
        let names = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names == HotPath.all.map(\.name))
    }
}
