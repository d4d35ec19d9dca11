import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Nested batches", .endsHangs)
struct NestedBatchTests {
    @Test(arguments: Substrate.allCases)
    func completionsRunInnerFirst(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(
                { _, _ in
                    try controller.assumeIsolated().performBatchUpdates(
                        completion: scene.completion("inner 0")
                    )
                    try controller.assumeIsolated().performBatchUpdates(
                        completion: scene.completion("inner 1")
                    )
                },
                completion: scene.completion("outer")
            )
        }
        let outcomes = await scene.outcomes.values(count: 3)
        #expect(outcomes.map(\.name) == ["inner 0", "inner 1", "outer"])
        #expect(Set(outcomes.map(\.result.submission)).count == 1)
        #expect(scene.view.received.count == 2, "one change set for all")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func allLevelsRecordIntoOneChangeSet(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().performBatchUpdates(
                { source, changes in
                    source.sections[0].items.append("b")
                    changes.insertItems(at: [ItemPath(0, 1)])
                    source.sections.append(["c"])
                    try controller.assumeIsolated().insertSections([1])
                },
                completion: nil
            )
            try controller.assumeIsolated().beginUpdates()
            source.sections[0].items.removeFirst()
            source.sections[0].items.insert("a two", at: 0)
            try controller.assumeIsolated().reloadItems(at: [ItemPath(0, 0)])
            try controller.assumeIsolated().endUpdates()
            #expect(controller.pendingMap.texts == [["a"]])
            try controller.assumeIsolated().endUpdates()
            #expect(controller.pendingMap.texts == [["a two", "b"], ["c"]])
        }
        await scene.settle()
        #expect(scene.view.received.count == 2)
        await scene.close()
    }

    /// What is recorded last counts, wherever it was recorded.
    @Test(arguments: Substrate.allCases)
    func recordsOfNestedBatchesJoinInTheOrderInWhichTheyAreMade(
        _ substrate: Substrate
    ) async throws {
        for innerIsLast in [true, false] {
            let scene = Scene(substrate, [["a"]])
            try await scene.controller.reloadData()
            try await scene.onMain { controller in
                try controller.assumeIsolated().performBatchUpdates(
                    { _, changes in
                        func record(_ option: AnimationOption) {
                            changes.reloadItems(at: [ItemPath(0, 0)], animation: option)
                        }
                        if innerIsLast { record(.top) }
                        try controller.assumeIsolated().reloadItems(
                            at: [ItemPath(0, 0)],
                            animation: .fade
                        )
                        if !innerIsLast { record(.top) }
                    },
                    completion: nil
                )
            }
            let update = await scene.view.received.values(count: 2)[1]
            let option: AnimationOption = innerIsLast ? .fade : .top
            #expect(update.changeSet.itemInsertions.map(\.animation) == [option])
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func aReloadInsideABatchMakesItAReload(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["x"], ["y"]]
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.reloadData()
        }
        #expect(scene.view.received.values.last?.changeSet.isReloadData == true)
        #expect(scene.controller.visibleMap.texts == [["x"], ["y"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anEndWithoutABeginIsAnError(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.onMain { controller in
                try controller.assumeIsolated().beginUpdates()
                try controller.assumeIsolated().endUpdates()
                try controller.assumeIsolated().endUpdates(
                    completion: scene.completion("unbalanced")
                )
            }
        }
        #expect(error?.code == .unbalancedEnd)
        let outcomes = await scene.outcomes.values(count: 1)
        #expect(outcomes.map(\.description) == ["unbalanced: rejected(unbalancedEnd)"])
        #expect(scene.controller.divergence?.countsSince == nil)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aThrowingInnerClosureDoomsTheWholeRecord(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.onMain { controller in
                try controller.assumeIsolated().performBatchUpdates(
                    { source, changes in
                        // The outer closure swallows what the inner one threw.
                        _ = try? controller.assumeIsolated().performBatchUpdates(
                            { _, _ in throw TestFailure("inner") },
                            completion: scene.completion("inner")
                        )
                        source.sections.append(["b"])
                        changes.insertSections([1])
                    },
                    completion: scene.completion("outer")
                )
            }
        }
        #expect(error?.code == .updatesThrew)
        #expect(error?.underlyingError as? TestFailure == TestFailure("inner"))
        let outcomes = await scene.outcomes.values(count: 2)
        #expect(
            outcomes.map(\.description)
                == ["inner: rejected(updatesThrew)", "outer: rejected(updatesThrew)"]
        )
        #expect(scene.controller.pendingMap.texts == [["a"]])
        #expect(scene.controller.divergence?.countsSince == error?.submission)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theInnerCallThrowsToItsCallerAtOnce(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let codes = await scene.onMain { controller in
            let codes = Journal<UpdateError.Code>()
            _ = try? controller.assumeIsolated().performBatchUpdates(
                { _, _ in
                    do throws(UpdateError) {
                        try controller.assumeIsolated().performBatchUpdates(
                            { _, _ in throw TestFailure() },
                            completion: nil
                        )
                    } catch {
                        codes.append(error.code)
                    }
                },
                completion: nil
            )
            return codes.values
        }
        #expect(codes == [.updatesThrew])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases, [true, false])
    func theOutermostCallDecidesWhetherToAnimate(
        _ substrate: Substrate,
        _ isAnimated: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(
                animated: isAnimated,
                { _, changes in
                    try controller.assumeIsolated().performBatchUpdates(
                        animated: !isAnimated,
                        completion: nil
                    )
                    changes.reloadItems(at: [ItemPath(0, 0)], animation: .fade)
                },
                completion: nil
            )
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().endUpdates(animated: !isAnimated)
            try controller.assumeIsolated().endUpdates(animated: isAnimated)
        }
        let received = await scene.view.received.values(count: 3)
        #expect(received.dropFirst().map(\.isAnimated) == [isAnimated, isAnimated])
        #expect(received[1].changeSet.itemInsertions.map(\.animation) == [.fade])
        await scene.close()
    }

    @Test func theContextIsThatOfTheLastEndThatHasOne() async throws {
        let scene = Scene(.dispatch, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            try list.beginUpdates()
            try list.beginUpdates()
            try list.endUpdates(context: "inner")
            try list.endUpdates(completion: scene.completion("first"))
            try list.performBatchUpdates(
                context: "begun",
                { _, _ in try list.performBatchUpdates(context: "ended") },
                completion: scene.completion("second")
            )
        }
        let contexts = await scene.outcomes.values(count: 2).map { $0.result.context as? String }
        #expect(contexts == ["inner", "begun"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anothersSubmissionDoesNotJoinABatchThatSpansTurns(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        scene.controller.enqueueBatchUpdates({ _, _ in }, completion: scene.completion("other"))
        await scene.onMain { _ in }
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            try controller.assumeIsolated().endUpdates(completion: scene.completion("batch"))
        }
        let outcomes = await scene.outcomes.values(count: 2)
        #expect(outcomes.map(\.description) == ["batch: deployed", "other: deployed"])
        #expect(outcomes[0].result.submission != outcomes[1].result.submission)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func submissionsThatWaitForABatchKeepTheirOrderWithThoseThatComeLater(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let order = Journal<Int>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().beginUpdates()
            // The batch ends between the turns of the second and the third.
            for number in 0..<6 {
                if number == 2 {
                    controller.lane.enqueue { _ = try? controller.assumeIsolated().endUpdates() }
                }
                controller.enqueueBatchUpdates(
                    { _, _ in order.append(number) },
                    completion: { _ in }
                )
            }
        }
        #expect(await order.values(count: 6) == Array(0..<6))
        await scene.close()
    }
}
