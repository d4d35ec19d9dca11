import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Updates in the hands of a view", .endsHangs)
struct ViewUpdateTests {
    @Test(arguments: Substrate.allCases)
    func finishingAgainDoesNothing(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { controller in
            for name in ["one", "two"] {
                try controller.assumeIsolated().reloadData(completion: scene.completion(name))
            }
        }
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in
            let (first, second) = (scene.view.waiting[0], scene.view.waiting[1])
            first.deploy { _ in }
            second.deploy { _ in }
            for _ in 0..<3 { second.finish() }
            for _ in 0..<3 { first.finish() }
            second.finish()
            scene.view.dropAll()
        }
        await scene.close()
        #expect(scene.outcomes.values.map(\.description) == ["one: deployed", "two: deployed"])
    }

    /// Where nobody wants an update any more its body does not run, and the visible map stays.
    @Test(arguments: Substrate.allCases, [true, false])
    func anUpdateThatIsNotWantedIsNotApplied(
        _ substrate: Substrate,
        _ isClosed: Bool
    ) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"]], view: view)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        await scene.onMain { _ in view.deployNext() }
        try await scene.append("b")
        try await scene.append("c")
        await view.received.values(count: 3)
        let updates = await scene.onMain { _ in view.waiting }
        if isClosed {
            await scene.close(draining: false)
        } else {
            // Rejected, so that a reload stands for both.
            await scene.onMain { _ in _ = updates[0].deploy { _ in throw TestFailure() } }
        }
        let left = isClosed ? updates : [updates[1]]
        let generation = scene.controller.visibleMap.generation
        let applied = Journal<Int>()
        let answers = await scene.onMain { _ in
            left.map { $0.deploy { _ in applied.append(1) } }
        }
        #expect(answers == left.map { _ in false })
        #expect(applied.count == 0)
        #expect(scene.controller.visibleMap.generation == generation)
        await scene.onMain { _ in
            view.dropAll()
            view.mode = .atOnce
        }
        await scene.close()
    }

    /// A view may deploy an update long after, and hand it on to wherever it likes.
    @Test(arguments: Substrate.allCases)
    func whatAnUpdateSaysMayBeReadAnywhereAndStaysTheSame(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"]], view: view)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        try await scene.append("b")
        await view.received.values(count: 2)
        let update = await scene.onMain { _ in view.waiting[1] }
        #expect(update.oldMap.texts == [["a"]] && update.newMap.texts == [["a", "b"]])
        #expect(update.changeSet.edits.count == 1 && update.submission.rawValue == 2)
        await scene.onMain { _ in view.catchUp() }
        try await scene.append("c")
        await scene.settle()
        #expect(update.oldMap.texts == [["a"]] && update.newMap.texts == [["a", "b"]])
        await scene.close()
    }
}
