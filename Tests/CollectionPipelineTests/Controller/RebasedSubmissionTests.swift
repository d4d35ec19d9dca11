import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Updates made against a map that is older than the newest.
@Suite("Updates that are rebased", .endsHangs)
struct RebasedSubmissionTests {
    private func loaded(_ substrate: Substrate, _ items: [String]) async throws -> Scene {
        let scene = Scene(substrate, [.init(items)])
        try await scene.controller.reloadData()
        return scene
    }

    private func update(
        from count: Int,
        to newCount: Int,
        _ record: (inout HierarchyChangeSet) -> Void
    ) throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        record(&changes)
        return try changes.validated(from: [count], to: [newCount])
    }

    /// Applies a rebased update to the model; what is new is `text`.
    private func submit(
        _ update: ValidatedChangeSet,
        against map: ElementMap,
        _ text: String,
        _ order: RebaseOrder = .later,
        in scene: Scene
    ) async throws -> [String] {
        let dropped = Journal<String>()
        try await scene.controller.submit(
            update,
            recordedAgainst: map,
            whenStale: .rebase(order)
        ) { source, rebased in
            for edit in rebased.dropped { dropped.append("\(edit)") }
            var items = source.sections.map(\.items)
            try rebased.update.apply(to: &items) { _ in text }
            for (section, items) in items.enumerated() { source.sections[section].items = items }
        }
        return dropped.values
    }

    @Test(arguments: Substrate.allCases)
    func whatOthersDidSinceStays(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate, ["a", "b", "c"])
        let map = scene.controller.pendingMap
        // Two that others made, which the map does not have.
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.insert("0", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.remove(at: 2)
            changes.deleteItems(at: [ItemPath(0, 2)])
        }
        let mine = try update(from: 3, to: 2) { changes in
            changes.deleteItems(at: [ItemPath(0, 1), ItemPath(0, 2)])
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        let dropped = try await submit(mine, against: map, "mine", in: scene)
        #expect(dropped == ["remove item 0 - 1 (delete): removedAlready"])
        #expect(scene.controller.visibleMap.texts == [["0", "a", "mine"]])
        #expect(scene.view.received.values.last?.changeSet.edits.count == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func ofTwoInsertionsInOnePlaceTheLaterIsBehind(_ substrate: Substrate) async throws {
        for order in [RebaseOrder.later, .earlier] {
            let scene = try await loaded(substrate, ["a"])
            let map = scene.controller.pendingMap
            let mine = try update(from: 1, to: 2) { $0.insertItems(at: [ItemPath(0, 1)]) }
            try await scene.append("theirs")
            _ = try await submit(mine, against: map, "mine", order, in: scene)
            let expected = order == .later ? ["theirs", "mine"] : ["mine", "theirs"]
            #expect(scene.controller.visibleMap.texts == [["a"] + expected])
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func againstTheNewestItIsLeftAsItIs(_ substrate: Substrate) async throws {
        for policy in [StalePolicy.reject, .rebase()] {
            let scene = try await loaded(substrate, ["a"])
            let mine = try update(from: 1, to: 2) { $0.insertItems(at: [ItemPath(0, 0)]) }
            try await scene.controller.submit(
                mine,
                recordedAgainst: scene.controller.pendingMap,
                whenStale: policy
            ) { source, rebased in
                #expect(Array(rebased.update.edits) == Array(mine.edits) && rebased.dropped.isEmpty)
                source.sections[0].items.insert("new", at: 0)
            }
            #expect(scene.controller.visibleMap.texts == [["new", "a"]])
            await scene.close()
        }
    }

    @Test func itIsAnimatedUnlessItSaysOtherwise() async throws {
        let scene = try await loaded(.dispatch, ["a"])
        let controller = scene.controller
        let mine = try update(from: 1, to: 1) { $0.reloadItems(at: [ItemPath(0, 0)]) }
        try await controller.submit(
            mine,
            recordedAgainst: controller.pendingMap,
            whenStale: .rebase()
        ) { _, _ in }
        try await controller.submit(
            mine,
            recordedAgainst: controller.pendingMap,
            whenStale: .rebase(),
            animated: false
        ) { _, _ in }
        #expect(scene.view.received.values.map(\.isAnimated) == [true, true, false])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatCannotBeBroughtUpToDateIsRejectedAndTheModelLeftAlone(
        _ substrate: Substrate
    ) async throws {
        let scene = try await loaded(substrate, ["a"])
        let other = try await loaded(substrate, ["a"])
        let map = scene.controller.pendingMap
        try await scene.append("b")
        let mine = try update(from: 1, to: 2) { $0.insertItems(at: [ItemPath(0, 0)]) }
        let wrong = try update(from: 5, to: 6) { $0.insertItems(at: [ItemPath(0, 0)]) }
        let cases: [(ValidatedChangeSet, ElementMap, StalePolicy, UpdateError.Code)] = [
            (mine, map, .reject, .stale), (mine, other.controller.pendingMap, .rebase(), .stale),
            (wrong, map, .rebase(), .invalidUpdate),
            (wrong, scene.controller.pendingMap, .rebase(), .invalidUpdate),
        ]
        for (update, map, policy, code) in cases {
            let error = await #expect(throws: UpdateError.self) {
                try await scene.controller.submit(
                    update,
                    recordedAgainst: map,
                    whenStale: policy
                ) { source, _ in source.sections = [] }
            }
            #expect(error?.code == code)
        }
        #expect(await scene.withModel { $0.sections.count } == 1)
        #expect(scene.controller.divergence == nil)
        await scene.close()
        await other.close()
    }
}
