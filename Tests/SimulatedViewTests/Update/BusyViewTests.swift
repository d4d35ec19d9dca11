import PipelineTestSupport
import SimulatedView
import Testing

@Suite("A busy simulated view", .endsHangs)
struct BusyViewTests {
    private func append(_ text: String, to list: List) async throws {
        try await list.onMain { _, controller in
            controller.assumeIsolated().dataSource.sections[0].items.append(text)
            let last = controller.assumeIsolated().dataSource.sections[0].items.count - 1
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, last)])
        }
    }

    @Test(arguments: Substrate.allCases)
    func updatesWaitWhileTheViewIsBusyAndComeInOrderAfterwards(
        _ substrate: Substrate
    ) async throws {
        let list = try await List(substrate, [["a"]])
        await list.onMain { view, _ in
            view.beginBusy()
            view.beginBusy()
            view.clearEventLog()
        }
        try await append("b", to: list)
        try await append("c", to: list)
        await list.controller.reached(.handedOver)
        let (waiting, isBusy) = await list.onMain { view, _ in
            (view.numberOfWaitingUpdates, view.isBusy)
        }
        #expect(waiting == 2 && isBusy)
        #expect(list.controller.visibleMap.texts == [["a"]])
        await list.onMain { view, _ in view.endBusy() }
        await list.onMain { _, _ in }
        #expect(list.controller.visibleMap.texts == [["a"]], "busy once more than idle")
        await list.onMain { view, _ in view.endBusy() }
        await list.controller.settle()
        #expect(await list.rows() == ["0: a", "1: b", "2: c"])
        #expect(
            await list.story().filter { !$0.hasPrefix("postponed") } == [
                "received #2", "received #3", "idle", "applied #2: -0 +1 ~0",
                "willDisplay 0 - 1", "finished #2", "applied #3: -0 +1 ~0",
                "willDisplay 0 - 2", "finished #3",
            ]
        )
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aTurnThatFindsTheViewBusyIsLogged(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [["a"]])
        await list.onMain { view, _ in view.beginBusy() }
        try await append("b", to: list)
        await list.controller.reached(.handedOver)
        await list.onMain { _, _ in }
        await list.onMain { _, _ in }
        #expect(await list.log().contains("postponed, 1 waiting"))
        await list.onMain { view, _ in view.endBusy() }
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func anAnimatedUpdateFinishesALaterTurnAndAPlainOneAtOnce(
        _ substrate: Substrate
    ) async throws {
        let list = try await List(substrate, [["a"]])
        await list.clearLog()
        for isAnimated in [true, false] {
            try await list.controller.performBatchUpdates(animated: isAnimated) { _, changes in
                changes.reconfigureItems(at: [ItemPath(0, 0)])
            }
        }
        #expect(
            await list.story() == [
                "received #2", "applied #2: -0 +0 ~1", "finished #2",
                "received #3", "applied #3: -0 +0 ~1", "finished #3",
            ]
        )
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func anUpdateThatDoesNotFitWhatIsShownIsRejectedAndAReloadFollows(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let losing = LosingView(2)
        let controller = stage.makeController(TextDataSource([["a"]]), view: losing)
        try await controller.reloadData()
        for text in ["b", "c"] {
            try await controller.performBatchUpdates(animated: false) { source, changes in
                source.sections[0].items.append(text)
                changes.insertItems(at: [ItemPath(0, source.sections[0].items.count - 1)])
            }
        }
        let (log, count) = await onMain(controller) { _ in
            (losing.view.eventLog.map(\.description), losing.view.visibleViews.count)
        }
        #expect(log.contains("refused #3: wrongBase"))
        #expect(log.contains("reloaded #4"))
        #expect(count == 3)
        await controller.close()
    }

    /// What was lost left the counts alone, and so does what comes after it.
    @Test(arguments: Substrate.allCases)
    func anUpdateThatFollowsOnALostOneIsRejectedThoughTheCountsFit(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let losing = LosingView(2)
        let controller = stage.makeController(TextDataSource([["a", "b"]]), view: losing)
        try await controller.reloadData()
        // A row of three lines in place of one of a single line.
        let texts = ["c" + String(repeating: "x", count: 25), "d"]
        for (item, text) in texts.enumerated() {
            try await controller.performBatchUpdates(animated: false) { source, changes in
                source.sections[0].items[item] = text
                changes.reconfigureItems(at: [ItemPath(0, item)])
            }
        }
        let (log, heights) = await onMain(controller) { _ in
            (
                losing.view.eventLog.map(\.description),
                losing.view.visibleCells.map(\.frame.size.height)
            )
        }
        #expect(log.contains("refused #3: wrongBase"))
        #expect(log.contains("reloaded #4"))
        #expect(heights == [3, 1])
        await controller.close()
    }
}

/// Loses one of the updates that it is to pass on.
private final class LosingView: CollectionView {
    let view = SimulatedCollectionView(size: Size(width: 10, height: 5))
    private let lost: Int

    init(_ lost: Int) { self.lost = lost }

    func attach(to lane: any Lane) { view.attach(to: lane) }

    var elementSizeRange: SizeRange { view.elementSizeRange }

    var firstVisiblePath: ItemPath? { view.firstVisiblePath }

    func perform(_ update: ViewUpdate) {
        if update.submission.rawValue != lost { view.perform(update) }
    }
}

@Suite("The log of a simulated view", .endsHangs)
struct ViewLogTests {
    @Test(arguments: Substrate.allCases)
    func theLogReadsAsAStory(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [["a", "b", "c"]], height: 2)
        await list.scroll(by: 1)
        try await list.controller.performBatchUpdates(animated: false) { source, changes in
            source.sections[0].items = ["c", "x"]
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(
            await list.story() == [
                "received #1", "reloaded #1", "willDisplay 0 - 0", "willDisplay 0 - 1",
                "finished #1", "didEndDisplaying 0 - 0", "willDisplay 0 - 2",
                "received #2", "applied #2: -2 +1 ~0", "didEndDisplaying 0 - 1",
                "willDisplay 0 - 1", "finished #2",
            ]
        )
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func theLogKeepsTheNewestUpToItsCapacity(_ substrate: Substrate) async throws {
        let list = try await List(substrate, tenItems, height: 1, logCapacity: 10)
        for _ in 0..<50 {
            await list.scroll(by: 1)
            await list.scroll(by: -1)
        }
        let log = await list.log()
        #expect((10..<20).contains(log.count))
        #expect(log.last == "willDisplay 0 - 0")
        let silent = try await List(substrate, tenItems, logCapacity: 0)
        #expect(await silent.log() == [])
        await list.controller.close()
        await silent.controller.close()
    }

    @Test(arguments: Substrate.allCases, [11, 12, 13] as [UInt64])
    func everyRowThatWentOutOfSightHadComeIntoIt(
        _ substrate: Substrate,
        _ seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        var thrash = ThrashGenerator(seed: seed)
        var model = thrash.initialModel(sections: 4, items: 6)
        let list = try await List(substrate, model.map { .init($0) }, logCapacity: 100_000)
        for _ in 0..<40 {
            switch generator.next(below: 3) {
            case 0:
                let (changes, newModel) = thrash.next(after: model)
                model = newModel
                try await list.controller.performBatchUpdates { source, recorder in
                    source.sections = newModel.map { .init($0) }
                    for operation in changes.operations { recorder.record(operation) }
                }
            case 1: await list.scroll(by: Double(generator.next(below: 20) - 10))
            default: await list.scroll(by: Double(generator.next(below: 200)) / 10)
            }
        }
        let (log, visible) = await list.onMain { view, _ in (view.eventLog, view.visibleViews.count)
        }
        var balance = 0
        for event in log {
            switch event {
            case .willDisplay: balance += 1
            case .didEndDisplaying: balance -= 1
            default: break
            }
            if balance < 0 { break }
        }
        #expect(balance == visible, "seed \(seed)")
        #expect(list.controller.visibleMap.texts == model, "seed \(seed)")
        let refusals = log.filter { if case .refused = $0 { true } else { false } }
        #expect(refusals == [], "seed \(seed)")
        await list.controller.close()
    }
}
