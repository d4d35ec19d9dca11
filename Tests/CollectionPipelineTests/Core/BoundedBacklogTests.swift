import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Bounded Backlog", .endsHangs)
struct BoundedBacklogTests {
    /// A controller whose view holds `limit` updates, so that the backlog is full.
    private func full(
        _ substrate: Substrate,
        _ policy: PipelineConfiguration.BacklogPolicy,
        limit: Int = 2
    ) async throws -> Scene {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogPolicy = policy
            $0.backlogLimit = limit
        }
        try await scene.onMain { controller in
            for _ in 0..<limit {
                try controller.assumeIsolated().performBatchUpdates(completion: nil)
            }
        }
        await scene.view.received.values(count: limit)
        return scene
    }

    /// Enqueues a batch that appends an item and notes that its closure ran.
    private func enqueueAppend(_ text: String, to scene: Scene, _ ran: Journal<String>) {
        scene.controller.enqueueBatchUpdates(
            { source, changes in
                ran.append(text)
                source.append(text, &changes)
            },
            completion: scene.completion(text)
        )
    }

    @Test(arguments: Substrate.allCases)
    func suspendedCallersWaitBeforeTheirClosureRunsAndComeInInOrder(
        _ substrate: Substrate
    ) async throws {
        let scene = try await full(substrate, .suspend)
        let ran = Journal<String>()
        for text in ["b", "c", "d"] { enqueueAppend(text, to: scene, ran) }
        await scene.onMain { _ in }
        #expect(ran.values == [])
        #expect(await scene.onMain { $0.assumeIsolated().backlog } == 2)
        // Room for one lets in one.
        await scene.onMain { _ in scene.view.deployNext() }
        await scene.view.received.values(count: 3)
        #expect(ran.values == ["b"])
        #expect(await scene.onMain { $0.assumeIsolated().backlog } == 2)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 3)
        #expect(scene.outcomes.values.map(\.name) == ["b", "c", "d"])
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c", "d"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theBacklogNeverExceedsItsLimit(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.backlogLimit = 3 }
        for number in 0..<30 { enqueueAppend("\(number)", to: scene, Journal()) }
        await scene.outcomes.values(count: 30)
        let backlogs = scene.events.events(.accepted).compactMap(\.backlog)
        #expect(backlogs.count == 30)
        #expect((backlogs.max() ?? 0) <= 3)
        #expect(scene.outcomes.values.map(\.name) == (0..<30).map(String.init))
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func asynchronousFormsOfEveryKindAreRejected(_ substrate: Substrate) async throws {
        let scene = try await full(substrate, .reject)
        let controller = scene.controller
        let calls: [(String, @Sendable () async throws -> UpdateResult)] = [
            ("batch", { try await controller.performBatchUpdates { _, _ in } }),
            ("reload", { try await controller.reloadData() }),
            ("items", { try await controller.relayoutItems(at: [ItemPath(0, 0)]) }),
            ("all", { try await controller.relayoutAllNodes() }),
            ("clear", { try await controller.clear() }),
        ]
        for (name, call) in calls {
            let error = await #expect(throws: UpdateError.self, "\(name)") { _ = try await call() }
            #expect(error?.code == .backlogFull, "\(name)")
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSynchronousBatchIsRejectedBeforeItsClosureRuns(_ substrate: Substrate) async throws {
        for policy in [PipelineConfiguration.BacklogPolicy.suspend, .reject] {
            let scene = try await full(substrate, policy)
            let codes = await scene.onMain { controller in
                var codes: [UpdateError.Code] = []
                do throws(UpdateError) {
                    try controller.assumeIsolated().performBatchUpdates(
                        { source, _ in source.sections = [] },
                        completion: scene.completion("batch")
                    )
                } catch {
                    codes.append(error.code)
                }
                do throws(UpdateError) { try controller.assumeIsolated().beginUpdates() } catch {
                    codes.append(error.code)
                }
                return codes
            }
            #expect(codes == [.backlogFull, .backlogFull])
            let outcomes = await scene.outcomes.values(count: 1)
            #expect(outcomes.map(\.description) == ["batch: rejected(backlogFull)"])
            #expect(await scene.withModel { $0.sections.count } == 1)
            #expect(scene.controller.divergence?.countsSince == nil)
            await scene.onMain { _ in scene.view.catchUp() }
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func anAsynchronousBatchIsRejectedUnderTheRejectPolicy(_ substrate: Substrate) async throws {
        let scene = try await full(substrate, .reject)
        let ran = Journal<String>()
        enqueueAppend("b", to: scene, ran)
        let outcomes = await scene.outcomes.values(count: 1)
        #expect(outcomes.map(\.description) == ["b: rejected(backlogFull)"])
        #expect(ran.values == [])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatFollowsAModelChangeIsNeverRejected(_ substrate: Substrate) async throws {
        let scene = try await full(substrate, .reject)
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            try controller.assumeIsolated().relayoutAllNodes()
            try controller.assumeIsolated().reloadData(completion: scene.completion("reload"))
            #expect(controller.assumeIsolated().backlog == 5)
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.outcomes.values.map(\.description) == ["reload: deployed"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func everySingleEditIsTakenInHoweverFullTheBacklogIs(_ substrate: Substrate) async throws {
        let scene = try await full(substrate, .reject)
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            source.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            try controller.assumeIsolated().reloadItems(at: [ItemPath(0, 0)])
            try controller.assumeIsolated().reconfigureItems(at: [ItemPath(0, 1)])
            source.sections[0].items.swapAt(0, 1)
            try controller.assumeIsolated().moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            source.sections[0].items.removeLast()
            try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 1)])
            source.sections.append(["c"])
            try controller.assumeIsolated().insertSections([1])
            try controller.assumeIsolated().reloadSections([1])
            try controller.assumeIsolated().reconfigureSections([1])
            source.sections.swapAt(0, 1)
            try controller.assumeIsolated().moveSection(0, toSection: 1)
            try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [0])
            source.sections.removeLast()
            try controller.assumeIsolated().deleteSections([1])
            try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)])
            try controller.assumeIsolated().relayoutAllNodes()
            try controller.assumeIsolated().clear()
            try controller.assumeIsolated().reloadData(completion: nil)
            #expect(controller.assumeIsolated().backlog == 2 + 15)
            // Rejecting goes on for what can be rejected.
            #expect(throws: UpdateError.self) { try controller.assumeIsolated().beginUpdates() }
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["c"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func cancellingTheTaskOfASuspendedCallerCancelsItsSubmission(
        _ substrate: Substrate
    ) async throws {
        let scene = try await full(substrate, .suspend)
        let controller = scene.controller
        let ran = Journal<String>()
        let task = Task {
            try await controller.performBatchUpdates { _, _ in ran.append("cancelled one") }
        }
        enqueueAppend("b", to: scene, ran)
        task.cancel()
        let error = await #expect(throws: UpdateError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 1)
        #expect(ran.values == ["b"])
        #expect(scene.outcomes.values.map(\.description) == ["b: deployed"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func cancellingAnAcceptedSubmissionHasNoEffect(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let controller = scene.controller
        let task = Task { try await controller.reloadData().text }
        await scene.view.received.values(count: 1)
        task.cancel()
        await scene.onMain { _ in scene.view.catchUp() }
        #expect(try await task.value == "deployed")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRejectedSuspendedSubmissionLetsTheNextOneIn(_ substrate: Substrate) async throws {
        let scene = try await full(substrate, .suspend, limit: 1)
        let ran = Journal<String>()
        scene.controller.enqueueBatchUpdates(
            { $1.deleteSections([9]) },
            completion: scene.completion("wrong")
        )
        enqueueAppend("b", to: scene, ran)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 2)
        #expect(
            scene.outcomes.values.map(\.description)
                == ["wrong: rejected(deleteSectionRange)", "b: deployed"]
        )
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aLimitOfNothingStillLetsOneThrough(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.backlogLimit = 0 }
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { _, _ in }
        await scene.close()
    }
}
