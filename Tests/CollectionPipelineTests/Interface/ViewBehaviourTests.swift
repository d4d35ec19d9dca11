import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Views that refuse or drop updates", .endsHangs)
struct ViewBehaviourTests {
    /// A loaded scene whose view now keeps updates.
    private func held(_ substrate: Substrate, _ texts: [String]) async throws -> Scene {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        for text in texts { try await scene.append(text) }
        await scene.view.received.values(count: 1 + texts.count)
        return scene
    }

    private func refuse(_ submissions: Set<Int>, in scene: Scene) async {
        await scene.onMain { _ in
            scene.view.onApply = { update in
                if submissions.contains(update.submission.rawValue) { throw TestFailure() }
            }
        }
    }

    @Test(arguments: Substrate.allCases)
    func aRejectedUpdateIsFollowedByAReloadFromTheNewestState(
        _ substrate: Substrate
    ) async throws {
        let scene = try await held(substrate, ["b", "c", "d"])
        await refuse([3], in: scene)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description)
                == ["b: deployed", "c: deployedByReload", "d: superseded(#5)"]
        )
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c", "d"]])
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 2, 5])
        #expect(scene.view.received.values.last?.changeSet.isReloadData == true)
        #expect(scene.events.events(.viewRefused).map(\.submission?.rawValue) == [3])
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func setsThatWereStillBeingMeasuredAreSupersededToo(_ substrate: Substrate) async throws {
        let scene = try await held(substrate, ["b"])
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { text, _ in
            if text == "slow" { gate.pass() }
            return nil
        }
        try await scene.append("slow")
        await gate.reached()
        await refuse([2], in: scene)
        await scene.onMain { _ in scene.view.catchUp() }
        gate.open()
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description)
                == ["b: deployedByReload", "slow: superseded(#4)"]
        )
        #expect(scene.controller.visibleMap.nodeTexts == [["a", "b", "slow"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func setsAcceptedAfterTheRejectionDeployBehindTheReload(_ substrate: Substrate) async throws {
        let scene = try await held(substrate, ["b"])
        await refuse([2], in: scene)
        await scene.onMain { _ in scene.view.deployNext() }
        try await scene.append("later")
        await scene.view.received.values(count: 4)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description)
                == ["b: deployedByReload", "later: deployed"]
        )
        #expect(scene.controller.visibleMap.texts == [["a", "b", "later"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aViewThatRefusesEvenTheReloadEndsIt(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.onMain { _ in scene.view.onApply = { _ in throw TestFailure() } }
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        #expect(error?.code == .viewRefused && error?.submission?.rawValue == 1)
        #expect(error?.underlyingError is TestFailure)
        #expect(error?.message.hasPrefix("The view refused to load: ") == true)
        try await scene.append("b")
        await scene.settle()
        // Nothing of it is shown, as the reload that stood for it was not.
        #expect(scene.outcomes.values.map(\.description) == ["b: refused(viewRefused)"])
        #expect(scene.events.events(.deployed).isEmpty)
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        // The second comes as a reload too.
        #expect(scene.events.events(.viewRefused).map(\.submission?.rawValue) == [1, 2])
        await scene.close()
    }

    /// What the view shows when its controller closes, and when that is dropped, is told before the callback.
    @Test(arguments: Substrate.allCases, [true, false])
    func aViewLearnsOnceThatItsControllerIsGone(
        _ substrate: Substrate,
        _ isClosed: Bool
    ) async throws {
        let stage = substrate.makeStage()
        let order = Journal<String>()
        let view = ClosingView { order.append("view, \(stage.lane.isCurrent)") }
        var controller: DataController? = stage.makeController(
            TextDataSource([["a"]]),
            view: view
        )
        if isClosed {
            controller?.close { order.append("closed") }
            await controller?.close()
            order.append("closed")
        } else {
            controller = nil
            await stage.lane.run {}
            await stage.lane.run {}
        }
        #expect(order.values == ["view, true"] + (isClosed ? ["closed", "closed"] : []))
    }

    private final class ClosingView: CollectionView {
        let elementSizeRange = SizeRange.width(10)
        let firstVisiblePath: ItemPath? = nil
        let onClose: @Sendable () -> Void
        init(onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }
        func attach(to lane: any Lane) {}
        func perform(_ update: ViewUpdate) {
            update.deploy { _ in }
            update.finish()
        }
        func controllerDidClose() { onClose() }
    }

    @Test(arguments: Substrate.allCases)
    func everySubmissionCompletesWithAViewThatRefusesEverySecond(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let view = RefusingView(every: 2)
        let controller = stage.makeController(TextDataSource([[]]), view: view)
        let outcomes = Journal<String>()
        for number in 0..<20 {
            controller.enqueueBatchUpdates(
                { $0.append("\(number)", &$1) },
                completion: { outcomes.append($0.outcome.text) }
            )
        }
        await outcomes.values(count: 20)
        await controller.settle()
        #expect(outcomes.values.count == 20)
        #expect(!view.refused.values.isEmpty)
        // The first of them is the first load.
        #expect(outcomes.values.count { $0 == "deployedByReload" } == view.refused.count + 1)
        #expect(!outcomes.values.contains { $0.hasPrefix("rejected") || $0 == "cancelled" })
        #expect(controller.visibleMap.texts == [(0..<20).map { "\($0)" }])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aDroppedUpdateDeploysAndFinishesByItself(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.dropping))
        let outcome = try await scene.controller.reloadData()
        #expect(outcome.text == "deployed")
        try await scene.append("b")
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        #expect(scene.events.events(.deployed).map(\.submission?.rawValue) == [1, 2])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anUpdateDroppedAfterItWasDeployedFinishesByItself(_ substrate: Substrate) async throws {
        let scene = try await held(substrate, ["b"])
        await scene.onMain { _ in
            scene.view.deployNext(finishing: false)
            scene.view.dropAll()
        }
        await scene.settle()
        #expect(scene.outcomes.values.map(\.description) == ["b: deployed"])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anUpdateDroppedOutOfOrderWaitsForTheOnesBeforeIt(_ substrate: Substrate) async throws {
        let scene = try await held(substrate, ["b", "c"])
        await scene.onMain { _ in scene.view.dropLast() }
        await scene.onMain { _ in }
        #expect(scene.controller.visibleMap.texts == [["a"]])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c"]])
        #expect(scene.outcomes.values.map(\.description) == ["b: deployed", "c: deployed"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theControllerDoesNotKeepItsView(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        weak var released: RecordingView?
        let controller: DataController<TextDataSource>
        do {
            let view = RecordingView()
            released = view
            controller = stage.makeController(TextDataSource([["a"]]), view: view)
            try await controller.reloadData()
        }
        for _ in 0..<1000 where released != nil { await stage.lane.run {} }
        #expect(released == nil)
        try await controller.reloadData()
        await controller.close()
    }

    @Test(arguments: Substrate.allCases, [true, false])
    func modelsBehindARefusedUpdateReachTheirNodesWithTheReload(
        _ substrate: Substrate,
        _ acceptsModels: Bool
    ) async throws {
        for refused in [2, 3] {
            let scene = try await held(substrate, ["b"])
            scene.nodes.onAccept { _ in acceptsModels }
            try await scene.reconfigure(to: "a much longer text")
            await scene.view.received.values(count: 3)
            await refuse([refused], in: scene)
            await scene.onMain { _ in scene.view.catchUp() }
            await scene.settle()
            let told = scene.events.events(.viewRefused).map(\.submission?.rawValue)
            #expect(told == [refused])
            let map = scene.controller.visibleMap
            #expect(map.texts == [["a much longer text", "b"]])
            #expect(map.nodeTexts == map.texts)
            #expect(map.content(at: ItemPath(0, 0))?.size?.height == 2)
            #expect(scene.nodes.made.count == (acceptsModels ? 2 : 3))
            #expect(scene.nodes.updates.count == (acceptsModels ? 1 : 0))
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func theReloadAfterARejectionLeadsFromItsOldMapToItsNewOne(
        _ substrate: Substrate
    ) async throws {
        let scene = try await held(substrate, ["b", "c"])
        await refuse([2], in: scene)
        await scene.onMain { _ in scene.view.deployNext() }
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        let reload = try #require(await scene.view.received.values(count: 4).last)
        #expect(reload.changeSet.isReloadData)
        #expect(reload.oldMap.isIdentical(to: scene.controller.visibleMap))
        #expect(reload.oldMap.shape == reload.changeSet.oldShape)
        #expect(reload.newMap.shape == reload.changeSet.newShape)
        #expect(reload.changeSet.newShape == [3])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.controller.visibleMap.isIdentical(to: scene.controller.pendingMap))
        await scene.close()
    }
}
