import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Contexts come back to a delegate as something of which the pipeline does not know the type.
@Suite("Contexts of layout delegates")
struct LayoutContextTests {
    private final class Delegate: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> Double { 1 }
        func isOutdated(_ context: Double) -> Bool { context != 1 }
        func layout(
            _ map: ElementMap,
            in context: Double,
            measurer: LayoutMeasurer
        ) -> Double { context }
    }

    /// A context that is none of its own says nothing of the delegate.
    @Test func onlyAContextOfItsOwnCanBeOutdated() {
        let delegate = Delegate()
        let contexts: [(any Sendable, Bool)] = [(1.0, false), (2.0, true), ("text", false)]
        for (context, isOutdated) in contexts {
            #expect(delegate.isOutdated(context) == isOutdated)
        }
    }
}
