import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// What a slow view has not got yet reaches it as one update.
@Suite("Merging when the backlog is full", .endsHangs)
struct MergePolicyTests {
    /// A view that has one update more than it has shown, and is full with that.
    private func slow(_ substrate: Substrate) async throws -> Scene {
        let scene = Scene(substrate, [["a", "b", "c"]], view: RecordingView(.onDemand)) {
            $0.backlogPolicy = .merge
            $0.backlogLimit = 1
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.deployNext() }
        try await scene.append("d")
        await scene.view.received.values(count: 2)
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func whatComesMeanwhileIsOneUpdateWithoutWhatIsUndone(_ substrate: Substrate) async throws {
        let scene = try await slow(substrate)
        try await scene.append("gone")
        try await scene.append("e")
        try await scene.reconfigure(ItemPath(0, 1), to: "B")
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(
                { source, changes in
                    source.sections[0].items.remove(at: 4)
                    changes.deleteItems(at: [ItemPath(0, 4)])
                },
                completion: scene.completion("last")
            )
        }
        #expect(await scene.onMain { $0.assumeIsolated().backlog } == 2)
        #expect(scene.controller.pendingMap.texts == [["a", "B", "c", "d", "e"]])
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c"]])
        await scene.onMain { _ in scene.view.deployNext() }
        await scene.view.received.values(count: 3)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 4)
        let update = try #require(scene.view.received.values.last)
        #expect(update.changeSet.edits.map(\.description) == ["insert item 0 - 4 (insert)"])
        #expect(update.changeSet.reconfigurations.map(\.newPath) == [ItemPath(0, 1)])
        #expect(update.oldMap.texts == [["a", "b", "c", "d"]])
        let last = update.submission
        #expect(
            scene.outcomes.values.map(\.description) == [
                "d: deployed", "gone: superseded(\(last))", "e: superseded(\(last))",
                "last: deployed",
            ]
        )
        #expect(scene.controller.visibleMap.texts == [["a", "B", "c", "d", "e"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatWasMeasuredAgainIsToldByItsNewPlace(_ substrate: Substrate) async throws {
        let scene = try await slow(substrate)
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            controller.assumeIsolated().environmentDidChange(Traits(textScale: 2))
            try list.relayoutItems(at: [ItemPath(0, 0), ItemPath(0, 2)], completion: nil)
            try list.performBatchUpdates(
                { source, changes in
                    source.sections[0].items.remove(at: 0)
                    changes.deleteItems(at: [ItemPath(0, 0)])
                },
                completion: nil
            )
        }
        await scene.onMain { _ in scene.view.deployNext() }
        await scene.view.received.values(count: 3)
        let update = try #require(scene.view.received.values.last)
        // The first is gone; nobody hears of it.
        #expect(update.remeasured.contains(ElementPlace(path: ItemPath(0, 1))))
        #expect(update.remeasured.allSatisfy { $0.path.item < 3 })
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    /// Not held: the main lane that waits could not show what makes room.
    @Test(arguments: Substrate.allCases)
    func whoWaitsForTheHandOverGetsItWithAFullView(_ substrate: Substrate) async throws {
        let scene = try await slow(substrate)
        try await scene.append("e")
        try await scene.append("f")
        await scene.onMain { $0.waitUntilReached(.handedOver) }
        #expect(scene.view.received.values.count == 3)
        try await scene.append("g")
        await scene.controller.reached(.handedOver)
        #expect(scene.view.received.values.count == 4)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func nobodyIsRejectedAndTheBacklogStaysBounded(_ substrate: Substrate) async throws {
        let scene = try await slow(substrate)
        for number in 0..<100 { try await scene.append("\(number)") }
        #expect((scene.events.events(.accepted).compactMap(\.backlog).max() ?? 0) == 2)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 101)
        #expect(scene.controller.visibleMap.texts[0].count == 104)
        #expect(scene.view.received.values.count < 10)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsCollectedIsCancelledByAClose(_ substrate: Substrate) async throws {
        let scene = try await slow(substrate)
        try await scene.append("e")
        try await scene.append("f")
        await scene.close(draining: false)
        #expect(
            scene.outcomes.values.map(\.description) == [
                "d: cancelled", "e: cancelled", "f: cancelled",
            ]
        )
    }
}
