import CollectionPipeline
import PipelineTestSupport
import Testing

/// What is said of counts that cannot be, or do not stay.
@Suite("Rejections of counts", .endsHangs)
struct LatchTextTests {
    private func message(_ scene: Scene, _ code: UpdateError.Code) async -> String {
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        #expect(error?.code == code)
        return error?.message ?? ""
    }

    @Test(arguments: Substrate.allCases)
    func anImpossibleNumberOfSectionsIsNamed(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"], ["b"], ["c"]]) { $0.limits.sections = 3 }
        try await scene.controller.reloadData()
        for count in [-1, Int.min] {
            await scene.withModel { $0.falseSectionCount = count }
            #expect(
                await message(scene, .invalidUpdate)
                    == "The number of sections must not be negative, but the data source answered"
                    + " \(count)"
            )
        }
        for count in [4, Int.max] {
            await scene.withModel { $0.falseSectionCount = count }
            #expect(
                await message(scene, .invalidUpdate)
                    == "The number of sections must be at most 3, but the data source has \(count)"
            )
        }
        await scene.withModel { source in
            source.falseSectionCount = nil
            source.sections = []
        }
        try await scene.controller.reloadData()
        #expect(scene.controller.visibleMap.numberOfSections == 0)
        await scene.close()
    }

    /// Once its content has been asked for, each count is another.
    @Test(arguments: Substrate.allCases)
    func aCountThatChangesWhileContentIsAskedForIsNamed(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"], ["b", "c"]])
        try await scene.controller.reloadData()
        await scene.withModel { source in
            source.onCall = { [unowned source] call in
                if case .nodeProvider = call { source.falseSectionCount = 3 }
            }
        }
        #expect(
            await message(scene, .dataSourceChangedDuringLatch)
                == "The data source had 2 sections, and 3 after it was asked for their content"
        )
        for (section, before, after) in [(0, 1, 4), (0, 1, 0), (1, 2, 1), (1, 2, 3)] {
            await scene.withModel { source in
                source.falseSectionCount = nil
                source.falseItemCounts = [:]
                source.onCall = { [unowned source] call in
                    if case .nodeProvider = call { source.falseItemCounts = [section: after] }
                }
            }
            #expect(
                await message(scene, .dataSourceChangedDuringLatch)
                    == "Section \(section) of the data source had \(before) items, and \(after)"
                    + " after it was asked for their content"
            )
        }
        #expect(scene.controller.visibleMap.texts == [["a"], ["b", "c"]])
        #expect(scene.controller.pendingMap.generation == 1)
        await scene.withModel { source in
            source.onCall = nil
            source.falseItemCounts = [:]
        }
        try await scene.controller.reloadData()
        #expect(scene.controller.divergence?.countsSince == nil)
        await scene.close()
    }

    /// Both sides of a submission from inside a callback are told what they did wrong.
    @Test(arguments: Substrate.allCases)
    func aSubmissionWhileContentIsAskedForIsNamedToBoth(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await controller.reloadData()
        let inner = Journal<UpdateError>()
        await scene.withModel { source in
            source.onCall = { [weak controller, unowned source] _ in
                source.onCall = nil
                do throws(UpdateError) {
                    try controller?.assumeIsolated().reloadData(completion: nil)
                } catch {
                    inner.append(error)
                }
            }
        }
        #expect(
            await message(scene, .dataSourceChangedDuringLatch)
                == "The data source submitted to its controller while it was asked for content"
        )
        #expect(inner.values.map(\.code) == [.submissionDuringLatch])
        #expect(
            inner.values.map(\.message) == [
                "A data source must not submit to its controller while it is asked for content"
            ]
        )
        // The next one is taken in: nothing is left of the fault.
        try await controller.reloadData()
        #expect(controller.pendingMap.generation == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func acceptingIsToldWithItsCountsAndItsBacklog(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]], view: RecordingView(.onDemand))
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            controller.assumeIsolated().dataSource.sections[0].items.append("d")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 2)])
            try controller.assumeIsolated().reloadItems(at: [ItemPath(1, 0)])
            try controller.assumeIsolated().performBatchUpdates(completion: nil)
        }
        let accepted = scene.events.events(.accepted)
        #expect(accepted.map(\.backlog) == [1, 2, 3, 4])
        #expect(accepted.map(\.editCount) == [2, 1, 2, 0])
        #expect(accepted.map(\.elementCount) == [3, 1, 1, 0])
        #expect(accepted.allSatisfy { $0.duration != nil })
        await scene.view.received.values(count: 4)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.events.events(.deployed).map(\.backlog) == [3, 2, 1, 0])
        await scene.close()
    }
}
