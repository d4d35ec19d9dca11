import CollectionPipeline
import PipelineTestSupport
import Testing

/// Counts that agree again say nothing about what items show.
@Suite("Content that may be older after a rejection", .endsHangs)
struct ContentDivergenceTests {
    /// How a batch that has changed what an item shows, and recorded it, comes to nothing.
    enum Refusal: String, CaseIterable, Sendable {
        case closureThrew
        case closureThrewBeforeItRecorded
        case invalidRecord
        case changedDuringLatch
    }

    private static let counts = Divergence.counts(since: SubmissionID(rawValue: 2))
    private static let content = Divergence.content(since: SubmissionID(rawValue: 2))

    /// A loaded controller whose second submission changed an item and was rejected.
    private func refused(
        _ substrate: Substrate,
        _ refusal: Refusal = .closureThrew,
        view: RecordingView = RecordingView(),
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) async throws -> Scene {
        let scene = Scene(substrate, [["a", "b"], ["c"]], view: view, configure: configure)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        await #expect(throws: UpdateError.self) {
            try await scene.onMain { controller in
                try controller.assumeIsolated().performBatchUpdates(
                    { source, changes in
                        source.sections[0].items[1] = "newer"
                        if refusal == .closureThrewBeforeItRecorded { throw TestFailure() }
                        changes.reconfigureItems(at: [ItemPath(0, 1)])
                        switch refusal {
                        case .invalidRecord: changes.deleteItems(at: [ItemPath(7, 7)])
                        case .changedDuringLatch:
                            source.onCall = { _ in
                                _ = try? controller.assumeIsolated().relayoutAllNodes()
                            }
                        default: throw TestFailure()
                        }
                    },
                    completion: nil
                )
            }
        }
        await scene.withModel { $0.onCall = nil }
        #expect(scene.controller.divergence == Self.counts)
        return scene
    }

    /// A set that has nothing to do with the rejected one.
    private func insertAtTop(_ scene: Scene) async throws {
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[1].items.insert("top", at: 0)
            changes.insertItems(at: [ItemPath(1, 0)])
        }
    }

    @Test(arguments: Substrate.allCases, Refusal.allCases)
    func afterCountsAgreeContentMayBeOlderUntilAReload(
        _ substrate: Substrate,
        _ refusal: Refusal
    ) async throws {
        let scene = try await refused(substrate, refusal)
        try await insertAtTop(scene)
        #expect(scene.controller.visibleMap.texts == [["a", "b"], ["top", "c"]])
        #expect(scene.controller.divergence == Self.content)
        #expect(scene.controller.divergence?.countsSince == nil, "counts agree")
        try await insertAtTop(scene)
        #expect(scene.controller.divergence == Self.content)
        try await scene.controller.reloadData()
        #expect(scene.controller.divergence == nil)
        #expect(scene.controller.visibleMap.texts == [["a", "newer"], ["top", "top", "c"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func laterErrorsAndEventsSayThatContentMayBeOlder(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        try await insertAtTop(scene)
        let accepted = scene.events.events(.accepted)
        #expect(accepted.map(\.divergence) == [nil, Self.content])
        #expect(scene.events.events(.rejected).map(\.divergence) == [Self.counts])
        // Rejected before anything was called, so that nothing changes.
        let old = scene.controller.pendingMap.withGeneration(0)
        let stale = await #expect(throws: UpdateError.self) {
            try await scene.controller.submit(HierarchyChangeSet(), recordedAgainst: old) { _ in }
        }
        #expect(stale?.divergence == Self.content && stale?.divergence?.countsSince == nil)
        #expect(
            stale?.description.contains("older than in the data source since submission #2") == true
        )
        // Content keeps its first submission, and counts get another.
        let fifth = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in throw TestFailure() }
        }
        let id = try #require(fifth?.submission)
        #expect(fifth?.divergence == .counts(since: id) && id.rawValue > 2)
        try await insertAtTop(scene)
        #expect(scene.controller.divergence == Self.content)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func declaringContentCurrentEndsItWhenTheBatchIsAccepted(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        try await insertAtTop(scene)
        // What is dropped with its record has declared nothing.
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, changes in
                changes.declareContentCurrent()
                throw TestFailure()
            }
        }
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, changes in
                changes.declareContentCurrent()
                changes.deleteItems(at: [ItemPath(9, 9)])
            }
        }
        try await insertAtTop(scene)
        #expect(scene.controller.divergence == Self.content)
        try await scene.controller.performBatchUpdates { _, changes in
            changes.reconfigureItems(at: [ItemPath(0, 1)])
            changes.declareContentCurrent()
        }
        #expect(scene.controller.divergence == nil)
        #expect(scene.controller.visibleMap.nodeTexts[0] == ["a", "newer"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aNestedBatchDeclaresForTheWholeNest(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        await scene.onMain { controller in
            _ = try? controller.assumeIsolated().performBatchUpdates(
                { _, _ in
                    try controller.assumeIsolated().performBatchUpdates(
                        { $1.declareContentCurrent() },
                        completion: nil
                    )
                    throw TestFailure()
                },
                completion: nil
            )
        }
        #expect(scene.controller.divergence == Self.counts)
        try await scene.onMain { controller in
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().performBatchUpdates(
                { $1.declareContentCurrent() },
                completion: nil
            )
            #expect(controller.divergence == Self.counts, "nothing is accepted yet")
            try controller.assumeIsolated().endUpdates()
            #expect(controller.divergence == nil)
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func setsThatReplaceEverySectionThatWasThereEndIt(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        try await scene.onMain { try $0.assumeIsolated().reloadSections([0]) }
        #expect(scene.controller.divergence == Self.content, "a section is left")
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections.insert(["fresh"], at: 0)
            try controller.assumeIsolated().insertSections([0])
        }
        #expect(scene.controller.divergence == Self.content)
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections.remove(at: 2)
            try controller.assumeIsolated().deleteSections([2])
        }
        #expect(scene.controller.divergence == nil)
        #expect(scene.controller.pendingMap.texts == [["fresh"], ["a", "newer"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anItemThatWasMovedOutOfItsSectionBeforeIsStillOlder(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["a"], ["c"], ["newer"]]
            changes.insertSections([2])
            changes.moveItem(at: ItemPath(0, 1), to: ItemPath(2, 0))
        }
        try await scene.onMain { try $0.assumeIsolated().reloadSections([0, 1]) }
        #expect(scene.controller.divergence == Self.content)
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["a"], ["c"], ["b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func showingNothingEndsIt(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        try await scene.controller.clear()
        #expect(scene.controller.divergence == nil)
        try await scene.controller.performBatchUpdates { _, _ in }
        #expect(scene.controller.visibleMap.texts == [["a", "newer"], ["c"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRejectedReloadEndsNothing(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        try await insertAtTop(scene)
        await scene.withModel { $0.falseItemCounts = [0: -1] }
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        #expect(error?.divergence == error?.submission.map { .counts(since: $0) })
        await scene.withModel { $0.falseItemCounts = [:] }
        try await insertAtTop(scene)
        #expect(scene.controller.divergence == Self.content)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theReloadBehindAViewThatRefusesBringsNoContent(_ substrate: Substrate) async throws {
        let view = RecordingView()
        let scene = try await refused(substrate, view: view)
        await scene.onMain { _ in
            view.onApply = { update in
                if !update.changeSet.isReloadData { throw TestFailure() }
            }
        }
        try await insertAtTop(scene)
        await scene.settle()
        #expect(view.received.values.last?.changeSet.isReloadData == true)
        #expect(scene.controller.visibleMap.texts == [["a", "b"], ["top", "c"]])
        #expect(scene.controller.divergence == Self.content)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func underTheReloadPolicyAReloadComesThoughCountsAgreeByThen(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = .reload }
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            _ = try? controller.assumeIsolated().performBatchUpdates(
                { source, changes in
                    source.sections[0].items[0] = "newer"
                    throw TestFailure()
                },
                completion: nil
            )
            // In the same turn, before the reload can come.
            try controller.assumeIsolated().performBatchUpdates(completion: nil)
            #expect(controller.divergence == Self.content)
        }
        // The reload comes in the next turn.
        await scene.settleAfterTurn()
        #expect(scene.controller.divergence == nil)
        #expect(scene.controller.visibleMap.texts == [["newer"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsRejectedBeforeAnythingIsCalledLeavesNoDoubt(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 1
        }
        let code = await scene.onMain { controller in
            _ = try? controller.assumeIsolated().reloadData(completion: nil)
            do throws(UpdateError) {
                try controller.assumeIsolated().performBatchUpdates(completion: nil)
            } catch {
                return error.code
            }
            return UpdateError.Code(rawValue: "none")
        }
        #expect(code == .backlogFull)
        #expect(scene.controller.divergence == nil)
        await scene.close(draining: false)
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutIsNotRejectedOnceCountsAgree(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        try await insertAtTop(scene)
        try await scene.controller.relayoutItems(at: [ItemPath(0, 1)])
        #expect(scene.controller.divergence == Self.content)
        await scene.close()
    }
}
