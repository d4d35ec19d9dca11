import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Whole Or Nothing", .endsHangs)
struct WholeOrNothingTests {
    /// Every way in which a batch can be rejected, with the code that it is rejected with.
    enum Refusal: String, CaseIterable, Sendable {
        case invalidRecord
        case nothingRecorded
        case negativeCount
        case tooManyItems
        case closureThrew
        case submissionDuringCounts
        case submissionDuringContent
        case stale
        case backlogFull

        var code: String {
            switch self {
            case .invalidRecord: "deleteItemRange"
            case .nothingRecorded: "itemCount"
            case .negativeCount: "negativeItemCount"
            case .tooManyItems: "tooManyItems"
            case .closureThrew: "updatesThrew"
            case .submissionDuringCounts, .submissionDuringContent: "dataSourceChangedDuringLatch"
            case .stale: "stale"
            case .backlogFull: "backlogFull"
            }
        }

        /// Whether the model may have changed, so that the controller counts as diverged.
        var diverges: Bool { self != .stale && self != .backlogFull }
    }

    /// Everything of a controller that a rejection must not change.
    struct Picture: Sendable {
        let pending: ElementMap
        let visible: ElementMap
        let pendingGeneration: Int
        let nextSectionID: Int
        let backlog: Int
        let hasLoaded: Bool
        let received: Int
        let nodes: Int

        static func == (left: Picture, right: Picture) -> Bool {
            left.pending.isIdentical(to: right.pending)
                && left.visible.isIdentical(to: right.visible)
                && left.pendingGeneration == right.pendingGeneration
                && left.nextSectionID == right.nextSectionID && left.backlog == right.backlog
                && left.hasLoaded == right.hasLoaded && left.received == right.received
                && left.nodes == right.nodes
        }
    }

    private func picture(_ scene: Scene) async -> Picture {
        await scene.onMain { controller in
            Picture(
                pending: controller.pendingMap,
                visible: controller.visibleMap,
                pendingGeneration: controller.pendingMap.generation,
                nextSectionID: controller.core.sourceState.nextSectionID,
                backlog: controller.assumeIsolated().backlog,
                hasLoaded: controller.core.sourceState.hasLoaded,
                received: scene.view.received.count,
                nodes: scene.nodes.made.count
            )
        }
    }

    private func submit(_ refusal: Refusal, to scene: Scene) async throws {
        let controller = scene.controller
        switch refusal {
        case .invalidRecord:
            try await controller.performBatchUpdates { source, changes in
                source.sections.insert(["new"], at: 0)
                changes.insertSections([0])
                changes.deleteItems(at: [ItemPath(0, 9)])
            }
        case .nothingRecorded:
            try await controller.performBatchUpdates { source, _ in
                source.sections[0].items.append("unrecorded")
            }
        case .negativeCount:
            try await controller.performBatchUpdates { source, _ in source.falseItemCounts[1] = -1 }
        case .tooManyItems:
            try await controller.performBatchUpdates { source, _ in
                source.falseItemCounts = [0: Int.max, 1: Int.max]
            }
        case .closureThrew:
            try await controller.performBatchUpdates { source, changes in
                source.sections.insert(["new"], at: 0)
                changes.insertSections([0])
                throw TestFailure()
            }
        case .submissionDuringCounts, .submissionDuringContent:
            let asksForCounts = refusal == .submissionDuringCounts
            try await controller.performBatchUpdates { source, changes in
                source.sections.insert(["new"], at: 0)
                changes.insertSections([0])
                source.onCall = { call in
                    guard call.isCount == asksForCounts else { return }
                    _ = try? controller.assumeIsolated().relayoutAllNodes()
                }
            }
        case .stale:
            let map = controller.pendingMap.withGeneration(0)
            try await controller.submit(HierarchyChangeSet(), recordedAgainst: map) { source in
                source.sections = []
            }
        case .backlogFull:
            try await controller.performBatchUpdates { source, _ in source.sections = [] }
        }
    }

    /// Brings the model back to what was accepted last.
    private func restore(_ scene: Scene) async {
        await scene.withModel { source in
            source.sections = [["a", "b"], ["c"]]
            source.falseItemCounts = [:]
            source.onCall = nil
        }
    }

    @Test(arguments: Substrate.allCases, Refusal.allCases)
    func aRejectedSetChangesNothing(_ substrate: Substrate, _ refusal: Refusal) async throws {
        let view = RecordingView()
        let scene = Scene(substrate, [["a", "b"], ["c"]], view: view) {
            $0.backlogPolicy = .reject
            $0.backlogLimit = 1
        }
        try await scene.controller.reloadData()
        if refusal == .backlogFull {
            await scene.withModel { _ in view.mode = .onDemand }
            try await scene.onMain { try $0.assumeIsolated().relayoutAllNodes() }
            await view.received.values(count: 2)
        }
        let before = await picture(scene)
        let error = await #expect(throws: UpdateError.self) { try await submit(refusal, to: scene) }
        #expect(error.map { UpdateOutcome.rejected($0).text } == "rejected(\(refusal.code))")
        let after = await picture(scene)
        #expect(before == after)
        #expect(
            scene.controller.divergence?.countsSince == (refusal.diverges ? error?.submission : nil)
        )
        await scene.onMain { _ in view.catchUp() }
        await restore(scene)
        // What follows builds on the last accepted state, and finds it whole.
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.insert("z", at: 1)
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(scene.controller.visibleMap.texts == [["a", "z", "b"], ["c"]])
        #expect(scene.controller.divergence?.countsSince == nil)
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
}
