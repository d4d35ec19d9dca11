import Foundation
import PipelineTesting
import Testing

@testable import pipeline_simulate

@Suite struct FailureReportTests {
    @Test func casesAreReadAsTheyAreWritten() throws {
        for seed: UInt64 in 0..<20 {
            let plan = RunPlan(seed: seed)
            #expect(try FailureReport.plan(from: JSONEncoder().encode(plan)) == plan)
        }
    }

    @Test(arguments: 500..<530)
    func arraysInArraysAreNoCase(_ depth: Int) {
        for ending in ["", "]", " ", "\r", "1"] {
            let text = Data((String(repeating: "[", count: depth) + ending).utf8)
            #expect(throws: DecodingError.self) { try FailureReport.plan(from: text) }
        }
    }
}
