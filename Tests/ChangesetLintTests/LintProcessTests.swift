import Foundation
import TestSupport
import Testing

/// The built program, where the tests are built beside it.
@Suite(.enabled("the program is not beside the tests") { builtProgram != nil })
struct LintProcessTests {
    @Test func exitCodesReachTheShell() throws {
        let scenario = #"{"oldCounts":[1],"newCounts":[1],"ops":[]"#
        #expect(try Self.run([], input: scenario + "}") == 0)
        #expect(try Self.run(["--check"], input: scenario + #","result":{"valid":false}}"#) == 1)
        #expect(try Self.run([], input: "{") == 2)
        #expect(try Self.run(["--nonsense"], input: "") == 2)
        #expect(try Self.run(["--help"], input: "") == 0)
    }

    /// `changeset-lint FILE | head -1`
    @Test func aBrokenPipeIsACleanEnd() throws {
        let process = try #require(builtProgram).makeProcess([Vectors.sample.path])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try output.fileHandleForWriting.close()
        #expect(output.fileHandleForReading.availableData.first == UInt8(ascii: "{"))
        try output.fileHandleForReading.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    private static func run(_ arguments: [String], input: String) throws -> Int32 {
        try #require(builtProgram).run(arguments, input: input).code
    }
}

private let builtProgram = BuiltProgram("changeset-lint")
