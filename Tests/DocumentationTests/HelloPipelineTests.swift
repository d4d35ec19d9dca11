import PipelineTestSupport
import Testing

@Suite struct HelloPipelineTests {
    /// The sample of the README: two posts, the second one there from the beginning.
    @Test func samplePrintsEachPostWithItsLines() throws {
        let outcome = try #require(BuiltProgram("hello-pipeline")).run([])
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                0 - 0  2.0 lines  Change sets are validated, measured on workers, and deployed.
                0 - 1  1.0 lines  Hello, pipeline.

                """
        )
    }
}
