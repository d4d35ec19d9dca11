import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("What a controller keeps", .endsHangs)
struct RetentionTests {
    private final class Companion: LayoutDelegate, UpdateFacilitator, PipelineObserver {
        func layoutContext(for map: ElementMap) -> any Sendable { 0 }

        func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
            -> any Sendable
        {
            0
        }

        func willDeploy(_ update: ViewUpdate) {}

        func observe(_ event: PipelineEvent) {}
    }

    @Test(arguments: Substrate.allCases)
    func delegatesFacilitatorsAndObserversAreKeptAsLongAsTheController(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        weak var delegate: Companion?
        weak var facilitator: Companion?
        weak var observer: Companion?
        var controller: DataController<TextDataSource>?
        do {
            let companions = (Companion(), Companion(), Companion())
            (delegate, facilitator, observer) = companions
            controller = stage.makeController(
                TextDataSource([["a"]]),
                layoutDelegate: companions.0,
                facilitators: [companions.1],
                observer: companions.2
            )
        }
        try await controller?.reloadData()
        #expect(delegate != nil && facilitator != nil && observer != nil)
        await controller?.close()
        controller = nil
        for _ in 0..<1000 where delegate != nil || facilitator != nil || observer != nil {
            await stage.lane.run {}
        }
        #expect(delegate == nil && facilitator == nil && observer == nil)
    }
}
