import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Where models and nodes end that large updates leave behind.
@Suite("Reclaiming", .endsHangs)
struct ReclaimingTests {
    /// A model that tells where it ends.
    final class Mortal: Sendable {
        private let endings: Journal<CallPlace>
        private let stage: Stage

        init(_ endings: Journal<CallPlace>, _ stage: Stage) {
            self.endings = endings
            self.stage = stage
        }

        deinit { endings.append(stage.currentPlace) }
    }

    final class MortalNode: CollectionNode {
        private let mortal: Mortal
        init(_ mortal: Mortal) { self.mortal = mortal }
        func measure(in range: SizeRange) -> Size { Size(width: 1, height: 1) }
    }

    /// Models that only the pipeline keeps.
    final class MortalSource: ModelDataSource {
        var counts: [Int]
        var onModels: () -> Void = {}
        let stage: Stage
        let endings: Journal<CallPlace>
        let makeNode: @Sendable (Mortal) throws -> any CollectionNode = { MortalNode($0) }

        init(_ counts: [Int], _ stage: Stage, _ endings: Journal<CallPlace>) {
            self.counts = counts
            self.stage = stage
            self.endings = endings
        }

        func numberOfSections() -> Int { counts.count }
        func numberOfItems(inSection section: Int) -> Int { counts[section] }
        func models(at items: Range<Int>, inSection section: Int) -> [Mortal] {
            onModels()
            return items.map { _ in Mortal(endings, stage) }
        }
    }

    private struct MortalScene: Sendable {
        let stage: Stage
        let environment: NotingEnvironment
        let endings = Journal<CallPlace>()
        let controller: DataController<MortalSource>

        init(_ substrate: Substrate, _ counts: [Int]) {
            let made = substrate.makeStage()
            environment = NotingEnvironment(made.environment)
            stage = Stage(lane: made.lane, environment: environment)
            controller = stage.makeController(MortalSource(counts, stage, endings))
        }

        var reclaimingLanes: Int {
            environment.lanes.values.count { $0.hasSuffix(".reclaiming") }
        }
    }

    static let removals: [@Sendable (MortalSource, inout BatchRecorder) -> Void] = [
        { source, changes in
            source.counts = [6]
            changes.deleteSections([0])
        },
        { source, changes in
            source.counts = [3, 6]
            changes.reloadSections([0])
        },
        { source, changes in
            source.counts = []
            changes.reloadData()
        },
        { source, changes in
            source.counts = [10, 6]
            changes.deleteItems(at: (10..<5000).map { ItemPath(0, $0) })
        },
    ]

    @Test(arguments: Substrate.allCases, removals.indices)
    func whatALargeUpdateRemovesEndsOffTheMainLane(
        _ substrate: Substrate,
        _ removal: Int
    ) async throws {
        let scene = MortalScene(substrate, [5000, 6])
        try await scene.controller.reloadData()
        #expect(scene.endings.count == 0 && scene.reclaimingLanes == 0)
        try await scene.controller.performBatchUpdates(Self.removals[removal])
        let left = scene.controller.visibleMap.numberOfItems
        let ended = [5000, 5000, 5006, 4990][removal]
        let places = await scene.endings.values(count: ended)
        #expect(places.count == ended)
        #expect(!places.contains(.mainLane))
        #expect(scene.reclaimingLanes == 1)
        #expect(left == [6, 9, 0, 16][removal])
        await scene.controller.close()
    }

    /// The controller and its maps go while a large map is still shown.
    @Test(arguments: Substrate.allCases)
    func aDroppedControllersItemsEndOffTheMainLane(_ substrate: Substrate) async throws {
        let endings: Journal<CallPlace>
        do {
            let scene = MortalScene(substrate, [5000])
            endings = scene.endings
            try await scene.controller.reloadData()
            await scene.controller.close()
        }
        #expect(await !endings.values(count: 5000).contains(.mainLane))
    }

    @Test(arguments: Substrate.allCases)
    func smallMapsNeedNoLaneOfTheirOwn(_ substrate: Substrate) async throws {
        let scene = MortalScene(substrate, [4000, 6])
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates(Self.removals[0])
        await scene.endings.values(count: 4000)
        #expect(scene.reclaimingLanes == 0)
        await scene.controller.close()
    }

    /// What was made for a rejected set goes as well, large or not.
    @Test(arguments: Substrate.allCases, [5, 5000])
    func whatARejectedSetBroughtEnds(_ substrate: Substrate, _ count: Int) async throws {
        let scene = MortalScene(substrate, [5])
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, changes in
                source.counts = [5, count]
                changes.insertSections([1])
                source.onModels = { [unowned source] in source.counts[1] += 1 }
            }
        }
        await scene.endings.values(count: count)
        #expect(scene.controller.pendingMap.numberOfItems == 5)
        await scene.controller.close()
    }
}
