import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Layout delegates that measure on demand", .endsHangs)
struct LayoutWishTests {
    /// Measures what somebody wants, but for the first section.
    private final class OnDemand: LayoutDelegate {
        let measuresOnDemand: Bool
        let wanted = Journal<[String]>()

        init(measuresOnDemand: Bool = true) { self.measuresOnDemand = measuresOnDemand }

        func layoutContext(for map: ElementMap) {}

        func layout(_ map: ElementMap, in context: (), measurer: LayoutMeasurer) -> Int {
            wanted.append(measurer.wantedPlaces.map(\.description))
            for place in measurer.wantedPlaces where place.path.section > 0 && place.kind == nil {
                _ = try? measurer.size(ofItemAt: place.path, in: .width(10))
            }
            return map.generation
        }
    }

    private func ask(_ scene: Scene, _ paths: [ItemPath]) async {
        let map = scene.controller.visibleMap
        await scene.onMain { _ in
            map.supplementary(ofKind: .header, at: ItemPath(1, 0))?.setNeedsMeasuring()
            for path in paths { map.element(at: path)?.setNeedsMeasuring() }
        }
        await scene.settleAfterTurn()
    }

    @Test(arguments: Substrate.allCases)
    func whatSomebodyWantsIsSaidToTheDelegateOnce(_ substrate: Substrate) async throws {
        let delegate = OnDemand()
        let scene = Scene(
            substrate,
            [["a", "b"], .init(["c", "d"], headers: ["h"])],
            layoutDelegate: delegate
        )
        try await scene.controller.reloadData()
        #expect(delegate.wanted.values == [[]] && scene.nodes.made.count == 0)
        await ask(scene, [ItemPath(1, 1), ItemPath(0, 0), ItemPath(1, 0)])
        #expect(delegate.wanted.values == [[], ["0 - 0", "1 - 0", "1 - 1", "header 1 - 0"]])
        #expect(Set(scene.nodes.measurements.values.map(\.text)) == ["c", "d"])
        let update = try #require(scene.view.received.values.last)
        #expect(update.layout as? Int == 2 && update.changeSet.edits.isEmpty)
        await ask(scene, [ItemPath(1, 1), ItemPath(0, 0), ItemPath(0, 1)])
        #expect(delegate.wanted.values.last == ["0 - 1"], "the others have been asked for")
        // What is to be measured again is the delegate's affair.
        try await scene.controller.relayoutItems(at: [ItemPath(1, 0)])
        #expect(delegate.wanted.values.last == [])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func othersAreNotAsked(_ substrate: Substrate) async throws {
        let delegate = OnDemand(measuresOnDemand: false)
        let scene = Scene(substrate, [["a"], ["b"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        await ask(scene, [ItemPath(1, 0)])
        #expect(delegate.wanted.values == [[]] && scene.view.received.count == 1)
        await scene.close()
    }

    /// Only then another node is made where it is wanted.
    @Test func nodesAreReleasedWhereWhatIsGoneIsMeasuredOnDemand() async {
        let delegates = [nil, OnDemand(), OnDemand(measuresOnDemand: false)]
        for (delegate, releases) in zip(delegates, [true, true, false]) {
            for isConfigured in [true, false] {
                let scene = Scene(.dispatch, [], layoutDelegate: delegate) {
                    $0.releasesNodes = isConfigured
                }
                let surroundings = scene.controller.core.surroundings
                #expect(surroundings.releasesNodes == (releases && isConfigured))
                await scene.close()
            }
        }
    }
}
