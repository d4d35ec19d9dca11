import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What waits for the end of a batch, or for room, and who takes it back.
@Suite("What waits while a batch is open", .endsHangs)
struct BatchTurnTests {
    /// Notes under its text that it ran, and appends it.
    private func enqueue(_ text: String, to scene: Scene, _ ran: Journal<String>) {
        scene.controller.enqueueBatchUpdates(
            { source, changes in
                ran.append(text)
                source.append(text, &changes)
            },
            completion: scene.completion(text)
        )
    }

    /// The turn in which it would run finds another batch open.
    @Test(arguments: Substrate.allCases)
    func aSubmissionThatWaitedForOneBatchDoesNotJoinTheNext(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let ran = Journal<String>()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        enqueue("b", to: scene, ran)
        enqueue("c", to: scene, ran)
        while await scene.onMain({ $0.core.admission.waiting.deferred }) < 2 { await Task.yield() }
        try await scene.onMain { controller in
            try controller.assumeIsolated().endUpdates(completion: scene.completion("first"))
            try controller.assumeIsolated().beginUpdates()
        }
        for _ in 0..<5 { await scene.onMain { _ in } }
        #expect(ran.values == [])
        #expect(await scene.onMain { $0.core.admission.waiting.deferred } == 2)
        try await scene.onMain { controller in
            #expect(controller.core.admission.batch?.changes.operations.isEmpty == true)
            try controller.assumeIsolated().endUpdates(completion: scene.completion("second"))
            #expect(ran.values == [])
        }
        await scene.outcomes.values(count: 4)
        #expect(scene.outcomes.values.map(\.name) == ["first", "second", "b", "c"])
        #expect(Set(scene.outcomes.values.map(\.result.submission)).count == 4)
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c"]])
        await scene.close()
    }

    /// It need not wait for the end of the batch to be told, and does not keep the others.
    @Test(arguments: Substrate.allCases)
    func whatIsCancelledWhileItWaitsForABatchLetsTheNextOneIn(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await controller.reloadData()
        let ran = Journal<String>()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        let task = Task {
            try await controller.performBatchUpdates { _, _ in ran.append("cancelled one") }
        }
        while await scene.onMain({ $0.core.admission.waiting.deferred == 0 }) { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: UpdateError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        enqueue("b", to: scene, ran)
        while await scene.onMain({ $0.core.admission.waiting.deferred == 0 }) { await Task.yield() }
        try await scene.onMain { _ = try $0.assumeIsolated().endUpdates() }
        await scene.outcomes.values(count: 1)
        #expect(ran.values == ["b"])
        #expect(controller.visibleMap.texts == [["a", "b"]])
        await scene.close()
    }

    /// Its turn came while a batch was open, so the end of the batch has to call it again.
    @Test(arguments: Substrate.allCases)
    func whoWaitsForRoomIsLetInWhenABatchThatWasInTheWayEnds(
        _ substrate: Substrate
    ) async throws {
        for fails in [true, false] {
            let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
                $0.backlogLimit = 2
            }
            try await scene.onMain { controller in
                for _ in 0..<2 {
                    try controller.assumeIsolated().performBatchUpdates(completion: nil)
                }
            }
            await scene.view.received.values(count: 2)
            let ran = Journal<String>()
            enqueue("b", to: scene, ran)
            while await scene.onMain({ $0.core.admission.waiting.suspended == 0 }) {
                await Task.yield()
            }
            try await scene.onMain { controller in
                scene.view.deployNext()
                scene.view.deployNext()
                try controller.assumeIsolated().beginUpdates()
            }
            for _ in 0..<5 { await scene.onMain { _ in } }
            #expect(ran.values == [])
            await scene.onMain { controller in
                if fails { try? controller.assumeIsolated().deleteSections([9]) }
                _ = try? controller.assumeIsolated().endUpdates()
            }
            // The view shows nothing meanwhile.
            await ran.values(count: 1)
            await scene.onMain { _ in scene.view.catchUp() }
            await scene.outcomes.values(count: 1)
            #expect(scene.outcomes.values.map(\.description) == ["b: deployed"])
            await scene.close()
        }
    }

    /// Of those that wait for room only the one that was cancelled goes, and at once.
    @Test(arguments: Substrate.allCases)
    func cancellingWhoeverWaitsForRoomTakesEffectAtOnce(_ substrate: Substrate) async throws {
        for cancelled in 0..<3 {
            let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
                $0.backlogLimit = 1
            }
            try await scene.onMain { try $0.assumeIsolated().performBatchUpdates(completion: nil) }
            let controller = scene.controller
            let ran = Journal<Int>()
            var tasks: [Task<UpdateResult, any Error>] = []
            for number in 0..<3 {
                tasks.append(
                    Task {
                        try await controller.performBatchUpdates { _, _ in ran.append(number) }
                    }
                )
                while await scene.onMain({ $0.core.admission.waiting.suspended }) <= number {
                    await Task.yield()
                }
            }
            tasks[cancelled].cancel()
            let task = tasks[cancelled]
            let error = await #expect(throws: UpdateError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(error?.submission != nil)
            #expect(
                error?.message == "The task was cancelled before its edits were accepted"
            )
            #expect(await scene.onMain { $0.core.admission.waiting.suspended } == 2)
            await scene.onMain { _ in scene.view.catchUp() }
            for number in 0..<3 where number != cancelled {
                #expect(try await tasks[number].value.text == "deployed")
            }
            #expect(ran.values == (0..<3).filter { $0 != cancelled })
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func whatIsCancelledBeforeItsTurnNeverRuns(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await controller.reloadData()
        let ran = Journal<Void>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await controller.performBatchUpdates { _, _ in ran.append(()) }
        }
        let error = await #expect(throws: UpdateError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(ran.count == 0)
        #expect(controller.pendingMap.generation == 1)
        await scene.close()
    }

    /// The inner closure's error is the one that the outer caller gets, whatever it throws itself.
    @Test(arguments: Substrate.allCases)
    func theFirstErrorOfABatchIsTheOneThatIsTold(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.onMain { controller in
                _ = try controller.assumeIsolated().performBatchUpdates(
                    { _, _ in
                        _ = try? controller.assumeIsolated().performBatchUpdates(
                            { _, _ in throw TestFailure("inner") },
                            completion: nil
                        )
                        throw TestFailure("outer")
                    },
                    completion: scene.completion("batch")
                )
            }
        }
        #expect(error?.underlyingError as? TestFailure == TestFailure("inner"))
        #expect(
            error?.message
                == "The updates closure threw, so its whole record was dropped:"
                + " \(TestFailure("inner"))"
        )
        let outcomes = await scene.outcomes.values(count: 1)
        #expect(outcomes.map(\.description) == ["batch: rejected(updatesThrew)"])
        await scene.close()
    }
}
