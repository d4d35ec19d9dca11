import Foundation
import PipelineTestSupport
import Testing

@Suite(.endsHangs) struct PipelineBenchmarksTests {
    private func benchmarks(_ arguments: [String]) throws -> BuiltProgram.Result {
        try run("pipeline-benchmarks", arguments)
    }

    private func names(_ arguments: [String] = []) throws -> [String] {
        let result = try benchmarks(["--list"] + arguments)
        #expect(result.code == 0 && result.errors.isEmpty)
        return result.output.lines.filter { !$0.hasPrefix(" ") }
    }

    @Test func theListHasEachNameOnceWithItsDescription() throws {
        let lines = try benchmarks(["--list"]).output.lines
        let all = try names()
        #expect(Set(all).count == all.count && all.count > 5)
        #expect(all.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+([.-][a-z0-9]+)*/) != nil })
        #expect(lines.allSatisfy { $0.count <= 80 } && lines.count >= 2 * all.count)
    }

    @Test func filtersAndCountsSelect() throws {
        let all = try names()
        let part = try #require(all.first?.split(separator: ".").first.map(String.init))
        let found = try names(["--filter", part.uppercased()])
        #expect(found == all.filter { $0.contains(part) } && !found.isEmpty)
        let counts = try names(["--counts"])
        #expect(!counts.isEmpty && counts.count < all.count)
        #expect(counts == all.filter(Set(counts).contains))
        let allocations = try names(["--filter=.allocations"])
        #expect(Set(allocations).isSubset(of: counts) && !allocations.isEmpty)
    }

    /// The values of a debug build mean nothing, but they exist; two small benchmarks suffice to
    /// check the format, with a reference and without.
    @Test func eachFigureIsALineAndADebugBuildJudgesNone() throws {
        let name = "validate.allocations"
        for (name, unit) in [(name, "allocations"), ("encode.bytes", "bytes")] {
            let json = try benchmarks(["--quick", "--counts", "--json", "--filter", name])
            #expect(json.code == 0 && json.errors.isEmpty && json.output.lines.count == 1)
            let members = try json.output.object()
            #expect(
                Set(members.keys) == [
                    "name", "value", "unit", "spread", "reference", "ratio", "goal", "bound", "met",
                ]
            )
            #expect(members["name"] as? String == name && members["unit"] as? String == unit)
            #expect(members["goal"] is Int && members["bound"] as? String == "at most")
            #expect(members["met"] is NSNull)
            // Allocations are not counted under a sanitizer.
            guard let value = members["value"] as? Double else { continue }
            let reference = members["reference"] as? Double
            #expect(value > 0 && (reference != nil) == (unit == "bytes"))
            let ratio = reference.map { value / $0 } ?? 0
            #expect(abs(ratio - (members["ratio"] as? Double ?? 0)) < 1e-4)
        }
        let table = try benchmarks(["--quick", "--filter", name])
        #expect(table.code == 0 && table.errors.isEmpty && !table.output.contains("\u{1B}"))
        let lines = table.output.lines
        #expect(lines[0].hasPrefix("machine   ") && lines[1].hasPrefix("system    "))
        #expect(lines[2].hasPrefix("compiler  Swift 6") && lines[2].contains("debug"))
        #expect(lines[3].hasPrefix("run       20") && lines[3].hasSuffix("quick"))
        #expect(lines.dropFirst(4).allSatisfy { $0.count <= 80 })
        #expect(lines.contains { $0.hasPrefix("\(name) ") })
        #expect(lines.last?.contains("not judged: this is a debug build") == true)
    }

    @Test func progressIsShownOnATerminalAndRemoved() throws {
        let (code, shown, piped) = try PseudoTerminal.run(
            "pipeline-benchmarks",
            ["--quick", "--json", "--filter", "validate.allocations"],
            .errors
        )
        #expect(code == 0 && piped.hasPrefix("{"))
        #expect(shown.hasPrefix("\(PseudoTerminal.clearing)[1/1] validate.allocations …"))
        #expect(shown.hasSuffix(PseudoTerminal.clearing))
    }

    @Test func everyHotPathRunsOnce() throws {
        let result = try benchmarks(["--hot-paths"])
        #expect(result.code == 0 && result.errors.isEmpty)
        #expect(Set(result.output.lines).count == result.output.lines.count)
        #expect(result.output.lines.count > 5)
    }

    private static let usages: [(arguments: [String], message: String)] = [
        (["--filter"], "--filter needs a value: part of a name"),
        (["--filter=a", "--filter", "b"], "--filter was given twice"),
        (["--json", "--list"], "--json and --list exclude each other"),
        (["map"], "expected options only, found 'map'"),
        (["--filter", "no such"], "no benchmark has 'no such' in its name; --list shows all"),
        (
            ["--counts", "--filter=no such"],
            "no benchmark that counts has 'no such' in its name; --list shows all"
        ),
    ]

    @Test func badUsageIsReportedInOneLine() throws {
        var faults = Faults()
        for row in Self.usages {
            let result = try benchmarks(row.arguments)
            faults.checkRefusal(
                result,
                by: "pipeline-benchmarks",
                row.message + "; see --help"
            )
        }
        #expect(faults.isEmpty, "\(faults.text)")
    }
}
