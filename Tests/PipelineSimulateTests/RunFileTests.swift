import Foundation
import Testing

@testable import pipeline_simulate

@Suite struct RunFileTests {
    @Test func whatWasNotedLastIsRead() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("run-file-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try #require(RunFile(path))
        defer { file.close() }
        #expect(file.read() == nil)
        file.note(7, nil)
        #expect(file.read()?.seed == 7 && file.read()?.onlyFault == nil)
        file.note(.max, 12)
        let other = try #require(RunFile(path))
        defer { other.close() }
        #expect(other.read()?.seed == .max && other.read()?.onlyFault == 12)
    }

    @Test func aFileThatCannotBeMadeIsNone() {
        #expect(RunFile("/nowhere/at/all/run") == nil)
    }
}
