import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Whole Or Nothing", .endsHangs)
struct WholeOrNothingTests {
    /// Reasons to reject a batch, with the codes of their errors. ``ControllerModelTests`` draws the
    /// others, and ``DataSourceAnswerTests`` lists impossible counts.
    enum Refusal: String, CaseIterable, Sendable { case itemCount, updatesThrew }

    /// The state of a controller that a rejection must not change.
    private func picture(_ scene: Scene) async -> (maps: [ElementMap], numbers: [Int]) {
        await scene.onMain { controller in
            let source = controller.core.sourceState
            return (
                [controller.pendingMap, controller.visibleMap],
                [
                    controller.pendingMap.generation, controller.assumeIsolated().backlog,
                    source.nextSectionID, source.hasLoaded ? 1 : 0, scene.view.received.count,
                    scene.nodes.made.count,
                ]
            )
        }
    }

    private func submit(_ refusal: Refusal, to scene: Scene) async throws {
        let controller = scene.controller
        switch refusal {
        case .itemCount:
            try await controller.performBatchUpdates { source, _ in
                source.sections[0].items.append("unrecorded")
            }
        case .updatesThrew:
            try await controller.performBatchUpdates { source, changes in
                source.sections.insert(["new"], at: 0)
                changes.insertSections([0])
                throw TestFailure()
            }
        }
    }

    private func restore(_ scene: Scene) async {
        await scene.withModel { source in
            source.sections = [["a", "b"], ["c"]]
            source.onCall = nil
        }
    }

    @Test(arguments: Substrate.allCases, Refusal.allCases)
    func aRejectedSetChangesNothing(_ substrate: Substrate, _ refusal: Refusal) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        let before = await picture(scene)
        let error = await #expect(throws: UpdateError.self) { try await submit(refusal, to: scene) }
        #expect(error.map { UpdateOutcome.rejected($0).text } == "rejected(\(refusal.rawValue))")
        let after = await picture(scene)
        #expect(zip(before.maps, after.maps).allSatisfy { $0.isIdentical(to: $1) })
        #expect(before.numbers == after.numbers)
        #expect(scene.controller.divergence?.countsSince == error?.submission)
        await restore(scene)
        // Later updates build on the last accepted state.
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
                // Only the first call returns a wrong count.
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
