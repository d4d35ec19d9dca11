import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Divergence after a rejection", .endsHangs)
struct DivergenceTests {
    /// A loaded controller whose model has an item that was never recorded.
    private func diverged(
        _ substrate: Substrate,
        _ policy: PipelineConfiguration.RejectionPolicy = .report,
        throwing closureThrows: Bool = false
    ) async throws -> Scene {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = policy }
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, _ in
                source.sections[0].items.append("b")
                if closureThrows { throw TestFailure() }
            }
        }
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func laterErrorsNameTheSubmissionWithWhichItBegan(_ substrate: Substrate) async throws {
        let scene = try await diverged(substrate)
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, changes in
                source.sections[0].items.append("c")
                changes.insertItems(at: [ItemPath(0, 1)])
            }
        }
        #expect(error?.divergence?.countsSince?.rawValue == 2)
        #expect(error?.submission?.rawValue == 3)
        #expect(error?.description.contains("since submission #2") == true)
        #expect(scene.controller.divergence?.countsSince?.rawValue == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSetThatAccountsForTheWholeDifferenceEndsIt(_ substrate: Substrate) async throws {
        let scene = try await diverged(substrate)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.append("c")
            changes.insertItems(at: [ItemPath(0, 1), ItemPath(0, 2)])
        }
        #expect(scene.controller.divergence?.countsSince == nil)
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadEndsIt(_ substrate: Substrate) async throws {
        let scene = try await diverged(substrate)
        try await scene.controller.reloadData()
        #expect(scene.controller.divergence?.countsSince == nil)
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutIsRejectedRatherThanAskedOfPathsThatMayBeGone(
        _ substrate: Substrate
    ) async throws {
        let scene = try await diverged(substrate)
        let error = await scene.onMain { controller in
            #expect(throws: UpdateError.self) {
                try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)])
            }
        }
        #expect(error?.code == .diverged)
        await scene.settle()
        #expect(scene.controller.divergence?.countsSince?.rawValue == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadForTheViewAsksForNoCountsSoItDoesNotEndIt(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"]], view: view)
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            controller.assumeIsolated().dataSource.sections[0].items.append("unrecorded")
            _ = try? controller.assumeIsolated().performBatchUpdates(completion: nil)
        }
        await view.received.values(count: 2)
        #expect(scene.controller.divergence?.countsSince?.rawValue == 3)
        await scene.onMain { _ in
            view.onApply = { update in
                if !update.changeSet.isReloadData { throw TestFailure() }
            }
            view.catchUp()
        }
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        #expect(scene.controller.divergence?.countsSince?.rawValue == 3)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases, [false, true])
    func underTheReloadPolicyARejectionIsFollowedByAReload(
        _ substrate: Substrate,
        _ closureThrows: Bool
    ) async throws {
        let scene = try await diverged(substrate, .reload, throwing: closureThrows)
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        #expect(scene.controller.divergence == nil)
        #expect(scene.view.received.values.map(\.changeSet.isReloadData) == [true, true])
        await scene.close()
    }

    /// Not before the reload that the rejection brings.
    @Test(arguments: Substrate.allCases)
    func whoWaitsForEverythingWaitsForThatReload(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        try await scene.controller.reloadData()
        let seen = Journal<[[String]]>()
        await scene.onMain { controller in
            for _ in 0..<2 {
                controller.whenReached(.completed) { seen.append(controller.visibleMap.texts) }
            }
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.append("b")
            _ = try? list.performBatchUpdates()
        }
        #expect(await seen.values(count: 2) == [[["a", "b"]], [["a", "b"]]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theReloadAfterARejectedFirstLoadIsTheFirstLoad(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        await scene.withModel { source in
            source.falseSectionCount = -1
            source.onCall = { [unowned source] _ in
                // From the second question on, the truth.
                if source.calls.count > 1 { source.falseSectionCount = nil }
            }
        }
        await #expect(throws: UpdateError.self) { try await scene.controller.reloadData() }
        await scene.settle()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.append("b")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(scene.view.received.values.last?.changeSet.isReloadData == false)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theReloadWaitsForTheEndOfAnOpenBatch(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            _ = try? controller.assumeIsolated().performBatchUpdates(completion: nil)
            try controller.assumeIsolated().beginUpdates()
        }
        await scene.onMain { _ in }
        #expect(scene.controller.pendingMap.texts == [["a"]])
        try await scene.onMain { controller in
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            try controller.assumeIsolated().endUpdates(completion: scene.completion("batch"))
        }
        await scene.settle()
        #expect(scene.outcomes.values.map(\.description) == ["batch: deployed"])
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func severalRejectionsInOneTurnAreFollowedByOneReload(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            for _ in 0..<5 {
                _ = try? controller.assumeIsolated().performBatchUpdates(
                    completion: scene.completion("batch")
                )
            }
        }
        await scene.outcomes.values(count: 5)
        await scene.close()
        #expect(scene.events.events(.rejected).count == 5)
        #expect(scene.view.received.values.map(\.changeSet.isReloadData) == [true, true])
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
    }
}
