import Foundation
import PipelineTestSupport
import Testing

/// The built program, where the tests are built beside it.
@Suite(.enabled("the program is not beside the tests") { builtProgram != nil })
struct ProcessTests {
    @Test(.endsHangs)
    func exitCodesReachTheShell() throws {
        let list = try run(["--list"])
        #expect(list.code == 0 && !list.output.isEmpty)
        #expect(try run(["--help"]).code == 0)
        let nonsense = try run(["--nonsense"])
        #expect(nonsense.code == 2 && nonsense.output.isEmpty)
        #expect(nonsense.errors.split(separator: "\n").count == 1)
        #expect(try run(["--filter", "no such benchmark"]).code == 2)
    }

    @Test(.endsHangs)
    func aRunPrintsALineForEachFigure() throws {
        let result = try run(["--quick", "--json", "--filter", "validate.allocations"])
        #expect(result.code == 0 || result.code == 1)
        #expect(result.errors.isEmpty)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        let members = try #require(object as? [String: Any])
        #expect(members["name"] as? String == "validate.allocations")
        // Under a sanitizer nobody counts.
        #expect(members["value"] is NSNull || members["value"] as? Int ?? 0 > 0)
    }

    /// `pipeline-benchmarks --list | head -1`, where nobody reads at all.
    @Test(.endsHangs)
    func aBrokenPipeIsACleanEnd() throws {
        let process = try #require(builtProgram).runUnread(["--list"])
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    private func run(_ arguments: [String]) throws -> BuiltProgram.Result {
        try #require(builtProgram).run(arguments)
    }
}

private let builtProgram = BuiltProgram("pipeline-benchmarks")
