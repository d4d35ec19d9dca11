import CollectionPipeline
import PipelineTestSupport
import Testing

/// What the policy of reloading after a rejection does, and when it leaves off.
@Suite("Reloading after a rejection", .endsHangs)
struct AutomaticReloadTests {
    private func scene(_ substrate: Substrate) async throws -> Scene {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        try await scene.controller.reloadData()
        return scene
    }

    private func count(_ kind: PipelineEvent.Kind, _ scene: Scene) async -> Int {
        for _ in 0..<8 { await scene.onMain { _ in } }
        await scene.settle()
        return scene.events.events(kind).count
    }

    @Test(arguments: Substrate.allCases)
    func aReloadThatIsRejectedAsWellIsTheEndOfIt(_ substrate: Substrate) async throws {
        let scene = try await scene(substrate)
        await scene.withModel { $0.falseSectionCount = -1 }
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        #expect(await count(.rejected, scene) == 2)
        #expect(await count(.accepted, scene) == 1)
        await scene.close()
    }

    /// Where the model is not known to have changed with the rejection, nobody reloads.
    @Test(arguments: Substrate.allCases)
    func aRejectionThatLeavesTheModelAloneIsNotFollowedByAReload(
        _ substrate: Substrate
    ) async throws {
        let scene = try await scene(substrate)
        let old = scene.controller.pendingMap
        try await scene.controller.performBatchUpdates { _, _ in }
        await #expect(throws: UpdateError.self) {
            try await scene.controller.submit(HierarchyChangeSet(), recordedAgainst: old) { _ in }
        }
        await #expect(throws: UpdateError.self) {
            try await scene.controller.relayoutItems(at: [ItemPath(4, 4)])
        }
        #expect(await count(.accepted, scene) == 2)
        // Nor where they still differ because of another rejection, though a reload would help by now.
        await scene.withModel { $0.falseSectionCount = -1 }
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        #expect(await count(.rejected, scene) == 4)
        await scene.withModel { $0.falseSectionCount = nil }
        await #expect(throws: UpdateError.self) { try await scene.controller.relayoutAllNodes() }
        #expect(await count(.rejected, scene) == 5)
        #expect(await count(.accepted, scene) == 2)
        await scene.close()
    }

    /// More of them than the batch before them takes turns to complete.
    @Test(arguments: Substrate.allCases)
    func reloadsThatWaitForABatchAndAreNotNeededKeepNobodyWaiting(
        _ substrate: Substrate
    ) async throws {
        let scene = try await scene(substrate)
        try await scene.onMain { controller in
            for _ in 0..<6 {
                _ = try? controller.assumeIsolated().performBatchUpdates(
                    { _, _ in throw TestFailure() },
                    completion: nil
                )
            }
            try controller.assumeIsolated().beginUpdates()
        }
        for _ in 0..<8 { await scene.onMain { _ in } }
        let told = Journal<Void>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(
                { $1.declareContentCurrent() },
                completion: nil
            )
            controller.whenReached(.completed) { told.append(()) }
            try controller.assumeIsolated().endUpdates()
        }
        for _ in 0..<20 { await scene.onMain { _ in } }
        #expect(told.count == 1)
        #expect(scene.events.events(.accepted).count == 2)
        await scene.close()
    }

    /// It comes after a batch that is open by then, and not at all where that has caught up.
    @Test(arguments: Substrate.allCases)
    func aReloadThatWaitsForABatchWhichCatchesUpIsLeftOut(_ substrate: Substrate) async throws {
        for catchesUp in [true, false] {
            let scene = try await scene(substrate)
            try await scene.onMain { controller in
                _ = try? controller.assumeIsolated().deleteSections([9])
                try controller.assumeIsolated().beginUpdates()
            }
            for _ in 0..<4 { await scene.onMain { _ in } }
            #expect(scene.events.events(.accepted).count == 1)
            await scene.onMain { controller in
                if catchesUp { _ = try? controller.assumeIsolated().reloadData(completion: nil) }
                if !catchesUp { try? controller.assumeIsolated().deleteSections([9]) }
                _ = try? controller.assumeIsolated().endUpdates()
            }
            #expect(await count(.accepted, scene) == 2)
            #expect(scene.controller.divergence?.countsSince == nil)
            #expect(scene.view.received.values.last?.changeSet.isReloadData == true)
            await scene.close()
        }
    }
}
