import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("While a controller closes", .endsHangs)
struct ClosingTests {
    /// Closing has not ended when the last completion runs: what that submits is rejected, not misplaced.
    @Test(arguments: Substrate.allCases, [true, false])
    func aCompletionMaySubmitAndLearnsThatTheControllerIsClosing(
        _ substrate: Substrate,
        _ isDraining: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let (learnt, closed) = (Journal<String>(), Journal<Bool>())
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData { [weak controller] result in
                guard let controller else { return }
                let isClosed = controller.assumeIsolated().isClosed
                do throws(UpdateError) {
                    try controller.assumeIsolated().insertItems(at: [ItemPath(0, 0)])
                } catch {
                    learnt.append("\(result.outcome.text), \(isClosed), \(error.code.rawValue)")
                }
            }
        }
        await scene.view.received.values(count: 1)
        let controller = scene.controller
        controller.close(draining: isDraining) {
            closed.append(controller.assumeIsolated().isClosed)
        }
        await scene.onMain { _ in scene.view.catchUp() }
        let outcome = isDraining ? "deployed" : "cancelled"
        #expect(await learnt.values(count: 1) == ["\(outcome), false, closed"])
        #expect(await closed.values(count: 1) == [true])
        #expect(await scene.onMain { $0.assumeIsolated().isClosed })
        await scene.close()
    }

    @Test func whoComesTooLateLearnsWhetherItHasEnded() async throws {
        let scene = Scene(.dispatch, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        scene.controller.close {}
        let early = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
        let late = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        #expect(early?.message == "Controller 'collection' is closing")
        #expect(late?.message == "Controller 'collection' is closed")
    }

    @Test(arguments: Substrate.allCases)
    func whatWasPutOffIsReleasedWhenACloseBegins(_ substrate: Substrate) async throws {
        let texts = (0..<8).map { "item \($0)" }
        let scene = Scene(substrate, [.init(texts)]) { $0.measuringPolicy = .nearestFirst(2) }
        let isEmpty = Journal<Bool>()
        await scene.onMain { controller in
            // What the first load has put off waits for its turn by then.
            scene.view.onApply = { [unowned controller] _ in
                isEmpty.append(controller.core.putOffWork.isEmpty)
                controller.core.close(draining: true, timeout: nil, nil)
                isEmpty.append(controller.core.putOffWork.isEmpty)
            }
        }
        try await scene.controller.reloadData()
        #expect(isEmpty.values == [false, true])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func callbacksOfALateCloseComeAfterThoseOfAnEarlierOne(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let order = Journal<Int>()
        let controller = scene.controller
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData { _ in
                order.append(0)
                controller.close { order.append(3) }
            }
        }
        for number in 1...2 { controller.close { order.append(number) } }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.catchUp() }
        #expect(await order.values(count: 4) == [0, 1, 2, 3])
        controller.close { order.append(4) }
        #expect(await order.values(count: 5).last == 4)
    }

    /// An update that the view refused while the controller drains is reloaded all the same.
    @Test(arguments: Substrate.allCases)
    func aRefusalOfTheViewIsReloadedWhileDraining(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain {
            try $0.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        try await scene.append("b")
        await scene.view.received.values(count: 2)
        let closed = Journal<Void>()
        await scene.onMain { controller in
            scene.view.onApply = { if !$0.changeSet.isReloadData { throw TestFailure() } }
            controller.close { closed.append(()) }
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await closed.values(count: 1)
        #expect(
            scene.outcomes.values.map(\.description)
                == ["load: deployed", "b: deployedByReload"]
        )
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
    }
}
