import Foundation
import PipelineTestSupport
import Testing

/// The built program, where the tests are built beside it.
@Suite(.enabled("the program is not beside the tests") { builtProgram != nil })
struct ProcessTests {
    @Test func helpIsText() throws {
        let result = try run(["--help"])
        #expect(result.code == 0 && result.errors.isEmpty)
        #expect(result.output.hasPrefix("Usage: pipeline-simulate"))
        #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func seedsAreCountedAndTheSameAgain() throws {
        let arguments = ["--from", "40", "--seeds", "20", "--counters"]
        let results = try (0..<2).map { _ in try run(arguments) }
        for result in results {
            #expect(result.code == 0 && result.errors.isEmpty)
            #expect(result.output.hasPrefix("20 seeds from 40, "))
            #expect(result.output.hasSuffix(" steps: every guarantee held.\n"))
            #expect(!result.output.contains("\u{1B}"), "a pipe gets plain text")
        }
        // But for the speed.
        let figures = results.map { $0.output.split(separator: "\n").dropFirst() }
        #expect(figures[0] == figures[1])
        #expect(figures[0].contains { $0.hasPrefix("  deployed: ") })
    }

    @Test func eachFaultOfASeedIsARun() throws {
        let result = try run(["--anomalies", "--from", "3", "--seeds", "1"])
        #expect(result.code == 0 && result.errors.isEmpty)
        var plan = RunPlan(seed: 3)
        plan.faults = []
        let count = SimulatedRun.run(plan).opportunities
        #expect(count > 5)
        #expect(result.output.hasPrefix("1 seed, \(count + 1) runs, "))
    }

    @Test func noSeedsAreNoFailure() throws {
        let result = try run(["--seeds", "0"])
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("0 seeds, 0 steps: nothing was tried."))
    }

    @Test(arguments: [
        ["--nonsense"], ["--seeds", "many"], ["--mutants"], ["--mutant", "overtakes"],
    ])
    func badUsageIsOneLineAndTwo(_ arguments: [String]) throws {
        let result = try run(arguments)
        #expect(result.code == 2 && result.output.isEmpty)
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.errors.hasPrefix("pipeline-simulate: "))
    }

    @Test(
        arguments: [
            "", "{", "[]", "null", "{}", "\u{0}\u{1}", #"{"seed":-1}"#, #"{"seed":1,"clients":"#,
            String(repeating: "[", count: 50_000),
        ]
    )
    func garbageIsOneLineAndTwo(_ text: String) throws {
        try withFile(Data(text.utf8)) { file in
            let result = try run(["--replay", file])
            #expect(result.code == 2 && result.output.isEmpty)
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
            #expect(result.errors.contains("is no case"), "\(result.errors)")
        }
    }

    @Test func whatCannotBeReadIsOneLineAndTwo() throws {
        for file in ["/nowhere/at/all.json", "/", "/dev/null"] {
            let result = try run(["--replay", file])
            #expect(result.code == 2, "\(file)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(file): \(result.errors)")
        }
    }

    /// Every value of a case is replaced by ones that it cannot be, or should not: it is run or refused.
    @Test func aCaseWithOneValueWrongIsRunOrRefused() throws {
        let plan = try JSONEncoder().encode(RunPlan(seed: 11))
        let object = try #require(JSONSerialization.jsonObject(with: plan) as? [String: Any])
        for key in object.keys.sorted() {
            let wrongs = [-1, "x", Int.max, NSNull(), [Int](), ["x": 1]] as [Any]
            for wrong in wrongs.prefix(Effort.number(6, usually: 2)) {
                var changed = object
                changed[key] = wrong
                try withFile(try JSONSerialization.data(withJSONObject: changed)) { file in
                    let result = try run(["--replay", file])
                    #expect([0, 2].contains(result.code), "\(key) \(wrong)")
                    let lines = result.errors.split(separator: "\n").count
                    #expect(lines == (result.code == 2 ? 1 : 0), "\(key) \(wrong)")
                }
            }
        }
    }

    @Test func aCaseReplays() throws {
        let data = try JSONEncoder().encode(RunPlan(seed: 11))
        try withFile(data) { file in
            let results = try (0..<2).map { _ in try run(["--replay", file]) }
            #expect(results[0].code == 0 && results[0].errors.isEmpty)
            #expect(results[0].output == results[1].output)
            #expect(results[0].output.contains("\nstep   main"))
            #expect(results[0].output.hasSuffix(" steps: every guarantee held.\n"))
        }
    }

    /// `pipeline-simulate --help | head -0`, where nobody reads at all.
    @Test func aBrokenPipeIsACleanEnd() throws {
        let process = try #require(builtProgram).runUnread(["--seeds", "3"])
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    private func withFile(_ data: Data, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("case-\(UUID().uuidString).json")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    private func run(_ arguments: [String]) throws -> BuiltProgram.Result {
        try #require(builtProgram).run(arguments)
    }
}

private let builtProgram = BuiltProgram("pipeline-simulate")
