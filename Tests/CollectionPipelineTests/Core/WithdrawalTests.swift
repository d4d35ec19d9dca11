import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Withdrawing from a batch", .endsHangs)
struct WithdrawalTests {
    @Test(arguments: Substrate.allCases, [true, false])
    func aClosureThatWithdrawsRejectsItsBatchAndNothingDiverges(
        _ substrate: Substrate,
        _ reloads: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.rejectionPolicy = reloads ? .reload : .report }
        try await scene.controller.reloadData()
        let before = scene.controller.pendingMap.generation
        let batch = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in
                throw Withdrawal(TestFailure("gone"))
            }
        }
        let edit = await #expect(throws: UpdateError.self) {
            try await scene.controller.deleteItems(at: [ItemPath(0, 7)]) { _ in
                throw Withdrawal(TestFailure("gone"))
            }
        }
        let record = await #expect(throws: UpdateError.self) {
            try await scene.controller.submit(
                HierarchyChangeSet([.reloadData()]),
                recordedAgainst: scene.controller.pendingMap
            ) { _ in throw Withdrawal(TestFailure("gone")) }
        }
        for error in [batch, edit, record] {
            #expect(error?.code == .withdrawn && error?.hint == nil)
            #expect(error?.underlyingError as? TestFailure == TestFailure("gone"))
            #expect(
                error?.message
                    == "The updates closure withdrew, and so says that it changed nothing: \(TestFailure("gone"))"
            )
            #expect(error?.divergence == nil)
        }
        #expect(scene.controller.divergence == nil)
        #expect(scene.controller.pendingMap.generation == before)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.append("b")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        #expect(scene.controller.pendingMap.generation == before + 1)
        await scene.close()
    }

    /// After that the model may have changed, whatever the closure says.
    @Test(arguments: Substrate.allCases)
    func whoHasRecordedSomethingCannotWithdraw(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, changes in
                source.sections[0].items.append("b")
                changes.insertItems(at: [ItemPath(0, 1)])
                throw Withdrawal(TestFailure("late"))
            }
        }
        #expect(error?.code == .updatesThrew)
        #expect(error?.underlyingError as? TestFailure == TestFailure("late"))
        #expect(scene.controller.divergence == .counts(since: try #require(error?.submission)))
        await scene.close()
    }

    /// The batch around it may have changed the model.
    @Test(arguments: Substrate.allCases)
    func aNestedBatchCannotWithdraw(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let error = await scene.onMain { controller in
            #expect(throws: UpdateError.self) {
                let list = controller.assumeIsolated()
                try list.performBatchUpdates { source, _ in
                    source.sections[0].items.append("b")
                    try list.performBatchUpdates { _, _ in
                        throw Withdrawal(TestFailure("nested"))
                    }
                }
            }
        }
        #expect(error?.code == .updatesThrew)
        #expect(error?.underlyingError as? TestFailure == TestFailure("nested"))
        #expect(scene.controller.divergence == .counts(since: try #require(error?.submission)))
        await scene.close()
    }
}
