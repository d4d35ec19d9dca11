import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("What was put off, measured and released before its turn", .endsHangs)
struct PutOffReleaseTests {
    @Test(arguments: Substrate.allCases)
    func itIsNotMeasuredWithTheRest(_ substrate: Substrate) async throws {
        let texts = (0..<8).map { "item \($0)" }
        let scene = Scene(substrate, [.init(texts)]) {
            ($0.measuringPolicy, $0.releasesNodes) = (.nearestFirst(2), true)
        }
        let released = Journal<Bool>()
        await scene.onMain { _ in
            // The turn of what was put off is not even enqueued by then.
            scene.view.onApply = { update in
                let path = ItemPath(0, 7)
                guard released.count == 0, let content = update.newMap.content(at: path) else {
                    return
                }
                _ = content.element.prepare(content)
                released.append(content.element.releaseNode(showing: content))
            }
        }
        try await scene.controller.reloadData()
        while scene.widths.contains(nil) { await scene.onMain { _ in } }
        await scene.settle()
        #expect(released.values == [true])
        #expect(texts.allSatisfy { scene.nodes.measurementCount(of: $0) == 1 })
        #expect(scene.nodes.made.count == 8)
        await scene.close()
    }
}
