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
