import Foundation
import Testing

@Suite struct ArchitectureTests {
    @Test func everyNameExists() throws {
        let document = try Documents.text("ARCHITECTURE.md")
        let words = document.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        // A fenced block has an even number of quotes and lines in between.
        let names = Set(words.filter { !$0.isEmpty && !$0.contains("\n") })
        #expect(names.count > 30)
        let known = try KnownNames()
        for name in names.sorted() where !known.contains(name) {
            Issue.record("ARCHITECTURE.md names `\(name)`, which does not exist")
        }
    }

    @Test func whatOnlyACommentOrAPartOfANameSaysDoesNotExist() throws {
        let known = try KnownNames()
        // Declared or a file, a product, a variable and an option; then what is near to each of them.
        for name in [
            "PipelineCore", "PipelineCore+Latch", ".reload", "wait…", "hello-pipeline",
            "PIPELINE_FUZZ", "--anomalies", ".ci/run", "Examples/LiveBoard", "README.md",
            "pipeline-simulate --replay", "rejectionPolicy = .reload", "view.isInverted = true",
            "PipelineConfiguration.contentCheck", "Simulation.forEachSeed([seed])",
        ] { #expect(known.contains(name), "\(name)") }
        for name in [
            "PipelineCor", "Core+Latch", ".reloadEverythin", "Texture's", "reluctantly…",
            "hello-pipelin", "PIPELINE", "--anomal", ".ci/walk", "Examples/pipelin", "obviously",
            "READYOU.md", "pipeline-simulate --repla", "rejectionPolicy = .reloadEverythin",
            "PipelineConfiguration.contentChec", "PipelineConfigurations.contentCheck",
        ] { #expect(!known.contains(name), "\(name)") }
    }
}
