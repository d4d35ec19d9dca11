import CollectionPipeline
import PipelineTestSupport
import Testing

/// Random change sets, compared with the model and with an array that the edits are applied to.
///
/// A failure names its seed; running the case with that seed alone replays it.
@Suite("Thrashing", .endsHangs)
struct ThrashTests {
    private func submit(
        _ generator: inout ThrashGenerator,
        _ model: inout [[String]],
        to scene: Scene
    ) async throws {
        let (changes, newModel) = generator.next(after: model)
        model = newModel
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(
                { source, recorder in
                    source.sections = newModel.map { .init($0) }
                    for operation in changes.operations { recorder.record(operation) }
                },
                completion: scene.completion("batch")
            )
        }
    }

    /// Whether every update that the view got leads from the map before it to the map after it.
    private func firstWrongUpdate(_ scene: Scene) -> SubmissionID? {
        var shown: [[CollectionElement]] = []
        for update in scene.view.received.values {
            let newElements = update.newMap.elements
            let applied = update.changeSet.applyUnchecked(to: shown) {
                newElements[$0.section][$0.item]
            }
            if applied != newElements { return update.submission }
            shown = applied
        }
        return nil
    }

    @Test(arguments: Substrate.allCases, [1, 2, 3, 4, 5] as [UInt64])
    func randomBatchesLeadToTheModel(_ substrate: Substrate, _ seed: UInt64) async throws {
        var generator = ThrashGenerator(seed: seed)
        var model = generator.initialModel()
        let scene = Scene(substrate, model.map { .init($0) })
        try await scene.controller.reloadData()
        for _ in 0..<10 { try await submit(&generator, &model, to: scene) }
        #expect(scene.controller.pendingMap.texts == model, "seed \(seed)")
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == model, "seed \(seed)")
        #expect(scene.controller.visibleMap.nodeTexts == model, "seed \(seed)")
        #expect(firstWrongUpdate(scene) == nil, "seed \(seed)")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadFollowedAtOnceByABatchOverAndOverAgain(_ substrate: Substrate) async throws {
        let seed: UInt64 = 6
        let rounds = substrate == .dispatch ? 60 : 15
        var generator = ThrashGenerator(seed: seed)
        var model = generator.initialModel(sections: 5, items: 5)
        let scene = Scene(substrate, model.map { .init($0) }) { $0.backlogLimit = 10_000 }
        for _ in 0..<rounds {
            try await scene.onMain {
                try $0.assumeIsolated().reloadData(completion: scene.completion("reload"))
            }
            try await submit(&generator, &model, to: scene)
        }
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == model, "seed \(seed)")
        #expect(scene.outcomes.count == 2 * rounds)
        let allDeployed = scene.outcomes.values.allSatisfy { $0.result.outcome.text == "deployed" }
        #expect(allDeployed)
        #expect(firstWrongUpdate(scene) == nil, "seed \(seed)")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func everythingIsReleasedAfterwards(_ substrate: Substrate) async throws {
        var generator = ThrashGenerator(seed: 7)
        weak var element: CollectionElement?
        weak var controller: DataController<TextDataSource>?
        weak var view: RecordingView?
        let lane: any Lane
        do {
            var model = generator.initialModel()
            let scene = Scene(substrate, model.map { .init($0) })
            try await scene.controller.reloadData()
            for _ in 0..<10 { try await submit(&generator, &model, to: scene) }
            await scene.settle()
            element = scene.controller.visibleMap.items.first { _ in true }?.element
            (controller, view, lane) = (scene.controller, scene.view, scene.stage.lane)
            #expect(element != nil)
            await scene.close()
            scene.view.received.removeAll()
        }
        // What is still on its way to being released hangs on turns of the lane.
        for _ in 0..<1000 where element != nil || controller != nil || view != nil {
            await lane.run {}
        }
        #expect(element == nil)
        #expect(controller == nil)
        #expect(view == nil)
    }

    @Test(arguments: Substrate.allCases)
    func submissionsFromManyThreadsAllArrive(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [[], [], [], []])
        let controller = scene.controller
        try await controller.reloadData()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for section in 0..<4 {
                group.addTask {
                    for number in 0..<25 {
                        try await controller.performBatchUpdates { source, changes in
                            source.sections[section].items.insert("\(number)", at: 0)
                            changes.insertItems(at: [ItemPath(section, 0)])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let expected = (0..<25).reversed().map(String.init)
        #expect(controller.visibleMap.texts == [expected, expected, expected, expected])
        #expect(controller.visibleMap.generation == 101)
        await scene.close()
    }
}
