import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("What is measured when", .endsHangs)
struct MeasuringPolicyTests {
    private func texts(_ range: Range<Int>) -> [String] { range.map { "item \($0)" } }

    private func scene(
        _ substrate: Substrate,
        _ policy: PipelineConfiguration.MeasuringPolicy,
        _ sections: [TextDataSource.Section],
        from first: ItemPath? = nil
    ) -> Scene {
        let view = RecordingView()
        view.firstVisiblePath = first
        return Scene(substrate, sections, view: view) { $0.measuringPolicy = policy }
    }

    private func sizes(_ map: ElementMap) -> [Bool] { map.items.map { $0.content.size != nil } }

    @Test(arguments: Substrate.allCases)
    func theNearestComeFirstAndTheRestFollowsBySmallUpdates(_ substrate: Substrate) async throws {
        let count = 1000
        let scene = scene(
            substrate,
            .nearestFirst(3),
            [.init(texts(0..<count), headers: ["header"])],
            from: ItemPath(0, 500)
        )
        try await scene.controller.reloadData()
        await scene.view.received.values(count: 3)
        await scene.settle()
        let updates = scene.view.received.values
        #expect(updates.count == 3 && updates[0].remeasured.isEmpty)
        #expect(updates.dropFirst().allSatisfy { $0.changeSet.edits.isEmpty })
        #expect(updates.dropFirst().map(\.remeasured.count).reduce(0, +) == count + 1 - 3)
        #expect(updates[1].remeasured.count < 600)
        #expect(updates[1].remeasured.contains(ElementPlace(path: ItemPath(0, 502))))
        #expect(
            updates[1].remeasured.dropLast().map(\.path)
                == updates[1].remeasured.dropLast().map(\.path).sorted()
        )
        let measured = scene.nodes.measurements.values.map(\.text)
        #expect(Set(measured.prefix(3)) == ["item 500", "item 501", "item 499"])
        #expect(measured.count == count + 1 && Set(measured).count == count + 1)
        #expect(sizes(scene.controller.visibleMap).allSatisfy { $0 })
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func onDemandNothingElseIsMeasured(_ substrate: Substrate) async throws {
        let scene = scene(
            substrate,
            .onDemand(2),
            [.init(texts(0..<8)), .init(["last"], headers: ["header"])]
        )
        try await scene.controller.reloadData()
        await scene.settle()
        #expect(scene.view.received.count == 1)
        let map = scene.controller.visibleMap
        #expect(sizes(map) == [true, true] + Array(repeating: false, count: 7))
        #expect(scene.nodes.made.count == 2)
        let header = try #require(map.supplementary(ofKind: .header, at: ItemPath(1, 0)))
        await scene.onMain { _ in
            for item in [5, 4, 5, 0] { map.element(at: ItemPath(0, item))?.setNeedsMeasuring() }
            header.setNeedsMeasuring()
        }
        await scene.view.received.values(count: 2)
        await scene.settle()
        let update = try #require(scene.view.received.values.last)
        #expect(update.remeasured.map(\.description) == ["0 - 4", "0 - 5", "header 1 - 0"])
        #expect(scene.nodes.measurements.values.map(\.text).count == 5)
        // What is measured, or asked for, is not asked for again.
        for item in [4, 5, 0] { map.element(at: ItemPath(0, item))?.setNeedsMeasuring() }
        await scene.settleAfterTurn()
        #expect(scene.view.received.count == 2)
        await scene.close()
    }

    /// Below one nothing would be shown measured at all.
    @Test(arguments: [Int.min, -1, 0, 1])
    func atLeastOneIsMeasuredAtOnce(_ count: Int) async throws {
        for policy in [PipelineConfiguration.MeasuringPolicy.nearestFirst(count), .onDemand(count)]
        {
            let scene = scene(.simulated, policy, [["a", "b"]])
            try await scene.controller.reloadData()
            #expect(sizes(try #require(scene.view.received.values.first).newMap)[0])
            await scene.settle()
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func whatIsReconfiguredIsMeasuredWithItsSet(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .onDemand(1), [.init(texts(0..<4))])
        scene.nodes.onAccept { !$0.hasSuffix("!") }
        try await scene.controller.reloadData()
        for (item, text) in [(0, "other"), (3, "first!"), (0, "second!")] {
            try await scene.reconfigure(ItemPath(0, item), to: text)
            await scene.settle()
            #expect(scene.controller.visibleMap.content(at: ItemPath(0, item))?.size != nil)
        }
        #expect(scene.nodes.made.values.map(\.text) == ["item 0", "first!", "second!"])
        let node = scene.controller.visibleMap.element(at: ItemPath(0, 3))?.nodeIfAllocated
        #expect((node as? TextNode)?.text == "first!")
        await scene.close()
    }

    /// Of what has another range from now on only as much is measured as of what is new.
    @Test(arguments: Substrate.allCases)
    func aRelayoutOfAllPutsOffToo(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .onDemand(2), [.init(texts(0..<6))], from: ItemPath(0, 3))
        try await scene.controller.reloadData()
        await scene.settle()
        #expect(sizes(scene.controller.visibleMap) == [false, false, false, true, true, false])
        await scene.onMain { _ in
            scene.view.elementSizeRange = .width(3)
            scene.view.firstVisiblePath = ItemPath(0, 4)
        }
        try await scene.controller.relayoutAllNodes()
        await scene.settle()
        let map = scene.controller.visibleMap
        #expect(sizes(map) == [false, false, false, false, true, true])
        let known = map.items.map { $0.content.knownSize?.height }
        #expect(known == [nil, nil, nil, 1, 2, 2], "until then it is as high as it was")
        // All of what somebody asks for by path.
        try await scene.onMain {
            try $0.assumeIsolated().relayoutItems(at: (0..<6).map { ItemPath(0, $0) })
        }
        await scene.settle()
        #expect(sizes(scene.controller.visibleMap).allSatisfy { $0 })
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsGoneByThenIsNotMeasured(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .onDemand(1), [.init(texts(0..<3))])
        try await scene.controller.reloadData()
        let map = scene.controller.visibleMap
        await scene.onMain { controller in
            for item in [1, 2] { map.element(at: ItemPath(0, item))?.setNeedsMeasuring() }
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.remove(at: 2)
            #expect(throws: Never.self) { try list.deleteItems(at: [ItemPath(0, 2)]) }
        }
        await scene.view.received.values(count: 3)
        await scene.settle()
        #expect(scene.nodes.made.values.map(\.text).sorted() == ["item 0", "item 1"])
        await scene.close()
    }

    /// Whoever asks for the node has it at once, and its size when that is wanted.
    @Test(arguments: Substrate.allCases)
    func aNodeThatIsAskedForIsMadeAtOnce(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .onDemand(1), [.init(texts(0..<2))])
        try await scene.controller.reloadData()
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(0, 1)))
        let node = try await element.node
        #expect((node as? TextNode)?.text == "item 1" && element.content.size == nil)
        element.setNeedsLayout()
        await scene.settleAfterTurn()
        #expect(element.content.size == nil, "what has no size takes no other")
        element.setNeedsMeasuring()
        await scene.view.received.values(count: 2)
        await scene.settle()
        #expect(element.content.size != nil && scene.nodes.made.count == 2)
        await scene.close()
    }

    /// What reaches the view together says all that was measured.
    @Test(arguments: Substrate.allCases)
    func sizesThatComeWithOtherSetsAreToldToo(_ substrate: Substrate) async throws {
        let section = TextDataSource.Section(texts(0..<4), headers: ["h", "i"])
        let scene = Scene(substrate, [section], view: RecordingView(.onDemand)) {
            $0.measuringPolicy = .onDemand(1)
            ($0.backlogLimit, $0.backlogPolicy) = (1, .merge)
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData() }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.deployNext() }
        try await scene.append("first")
        await scene.view.received.values(count: 2)
        let map = scene.controller.visibleMap
        for item in [3, 2] { map.element(at: ItemPath(0, item))?.setNeedsMeasuring() }
        for item in [1, 0] {
            map.supplementary(ofKind: .header, at: ItemPath(0, item))?.setNeedsMeasuring()
        }
        await scene.onMain { _ in }
        try await scene.append("second")
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.view.received.count == 3)
        let update = try #require(scene.view.received.values.last)
        let told = update.remeasured.map(\.description)
        #expect(
            told == ["0 - 2", "0 - 3", "header 0 - 1"],
            "the first header was measured at once"
        )
        #expect(update.changeSet.itemInsertions.count == 1)
        await scene.close()
    }

    /// As anything else that nobody waits for.
    @Test(arguments: Substrate.allCases)
    func theRestWaitsForRoom(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [.init(texts(0..<9))], view: RecordingView(.onDemand)) {
            ($0.measuringPolicy, $0.backlogLimit) = (.nearestFirst(1), 1)
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData() }
        await scene.view.received.values(count: 1)
        for _ in 0..<3 { await scene.onMain { _ in } }
        let backlog = await scene.onMain { $0.assumeIsolated().backlog }
        #expect(backlog == 1 && scene.nodes.measurements.count == 1)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.view.received.values(count: 2)
        await scene.settle()
        #expect(scene.nodes.measurements.count == 9)
        await scene.close()
    }

    /// Each of it once, whoever came first; and what comes later is measured as well.
    @Test(arguments: Substrate.allCases)
    func whatSomebodyElseAskedForIsNotMeasuredAgain(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .nearestFirst(1), [.init(texts(0..<4))])
        await scene.onMain { _ in
            scene.view.onApply = { update in
                guard update.newMap.generation == 1 else { return }
                for item in update.newMap.items { item.element.setNeedsMeasuring() }
            }
        }
        try await scene.controller.reloadData()
        await scene.view.received.values(count: 2)
        await scene.settle()
        #expect(scene.view.received.count == 2 && scene.nodes.measurements.count == 4)
        try await scene.controller.performBatchUpdates { source, changes in
            for text in ["x", "y", "z"] { source.append(text, &changes) }
        }
        await scene.view.received.values(count: 4)
        await scene.settle()
        #expect(scene.view.received.count == 4 && scene.nodes.measurements.count == 7)
        await scene.close()
    }

    /// What it was measured for is no longer what it shows.
    @Test(arguments: Substrate.allCases)
    func whatIsReconfiguredMeanwhileIsMeasuredAsItIs(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .nearestFirst(1), [.init(texts(0..<3))])
        await scene.onMain { controller in
            scene.view.onApply = { update in
                guard update.newMap.generation == 1 else { return }
                controller.enqueueBatchUpdates { source, changes in
                    source.sections[0].items[1] = "other"
                    changes.reconfigureItems(at: [ItemPath(0, 1)])
                } completion: { _ in
                }
            }
        }
        try await scene.controller.reloadData()
        await scene.view.received.values(count: 3)
        await scene.settle()
        #expect(
            scene.nodes.measurements.values.map(\.text).sorted() == ["item 0", "item 2", "other"]
        )
        await scene.onMain { _ in scene.view.onApply = { _ in } }
        await scene.close()
    }

    /// Of models alone nothing is measured, whoever asks.
    @Test func modelsAreNotMeasured() async throws {
        var configuration = PipelineConfiguration.unwatched
        configuration.measuringPolicy = .onDemand(1)
        let controller = DataController(models: [["a", "b"]], configuration: configuration)
        try await controller.reloadData()
        let map = controller.pendingMap
        for item in map.items { item.element.setNeedsMeasuring() }
        await controller.settle()
        #expect(controller.pendingMap.generation == map.generation)
        #expect(map.items.allSatisfy { !$0.content.isAsked })
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsPutOffAndFailsIsTold(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .nearestFirst(1), [.init(texts(0..<2))])
        scene.nodes.onMeasure { text, _ in
            if text == "item 1" { throw TestFailure() }
            return nil
        }
        try await scene.controller.reloadData()
        await scene.view.received.values(count: 2)
        await scene.settle()
        let told = scene.events.events.compactMap(\.failedElement)
        #expect(told.map(\.dataSourcePath) == [ItemPath(0, 1)])
        await scene.close()
    }

    /// With the default policy asking changes nothing.
    @Test(arguments: Substrate.allCases)
    func nothingIsPutOffByDefault(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .everything, [.init(texts(0..<20))])
        #expect(PipelineConfiguration().measuringPolicy == .everything)
        try await scene.controller.reloadData()
        await scene.settle()
        #expect(sizes(scene.controller.visibleMap).allSatisfy { $0 })
        scene.controller.visibleMap.element(at: ItemPath(0, 9))?.setNeedsMeasuring()
        await scene.settleAfterTurn()
        #expect(scene.view.received.count == 1)
        await scene.close()
    }

    private final class Delegate: LayoutDelegate {
        func layoutContext(for map: ElementMap) {}

        func layout(_ map: ElementMap, in context: (), measurer: LayoutMeasurer) throws -> Size {
            try measurer.size(ofItemAt: ItemPath(0, 1), in: .width(10))
        }
    }

    @Test(arguments: Substrate.allCases)
    func aLayoutDelegateDecidesAlone(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [.init(texts(0..<3))], layoutDelegate: Delegate()) {
            $0.measuringPolicy = .nearestFirst(1)
        }
        try await scene.controller.reloadData()
        scene.controller.visibleMap.element(at: ItemPath(0, 2))?.setNeedsMeasuring()
        await scene.settleAfterTurn()
        #expect(scene.nodes.measurements.values.map(\.text) == ["item 1"])
        #expect(scene.view.received.count == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aCloseLeavesTheRest(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .nearestFirst(1), [.init(texts(0..<2000))])
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData { _ in controller.close {} }
        }
        await scene.close()
        #expect(scene.nodes.measurements.count < 2000, "what was under way is measured")
    }

    /// What is put off is measured in the background, where it is held.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatSomebodyWantsThatIsBeingMeasuredIsMeasuredOnceAndToldOnce(
        _ substrate: Substrate
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = scene(substrate, .nearestFirst(1), [.init(texts(0..<4))])
        scene.nodes.onMeasure { text, _ in
            if text == "item 2" { gate.pass() }
            return nil
        }
        try await scene.controller.reloadData()
        await gate.reached()
        let map = scene.controller.visibleMap
        await scene.onMain { _ in
            for item in map.items { item.element.setNeedsMeasuring() }
        }
        _ = try await map.element(at: ItemPath(0, 2))?.node
        gate.open()
        await scene.settle()
        #expect(scene.nodes.measurements.count == 4 && gate.arrivalCount == 1)
        let told = scene.view.received.values.flatMap(\.remeasured).map(\.path.item)
        #expect(told.sorted() == [1, 2, 3])
        await scene.close()
    }
}
