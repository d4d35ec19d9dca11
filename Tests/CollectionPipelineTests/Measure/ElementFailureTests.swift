import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Elements that fail", .endsHangs)
struct ElementFailureTests {
    /// How one element fails.
    enum Fault: String, CaseIterable, Sendable {
        case providerThrows
        case measurementThrows
        case notANumber
        case infinite
        case negative

        var answer: Size? {
            switch self {
            case .notANumber: Size(width: .nan, height: 1)
            case .infinite: Size(width: 1, height: .infinity)
            case .negative: Size(width: 1, height: -1)
            default: nil
            }
        }
    }

    private func scene(_ substrate: Substrate, _ fault: Fault) -> Scene {
        let scene = Scene(substrate, [["a", "bad", "c"]])
        scene.nodes.onMake { text in
            if text == "bad", fault == .providerThrows { throw TestFailure("provider") }
        }
        scene.nodes.onMeasure { text, _ in
            guard text == "bad" else { return nil }
            if fault == .measurementThrows { throw TestFailure("measurement") }
            return fault.answer
        }
        return scene
    }

    @Test(arguments: Substrate.allCases, Fault.allCases)
    func anElementThatFailsIsReportedAndTheRestDeploys(
        _ substrate: Substrate,
        _ fault: Fault
    ) async throws {
        let scene = scene(substrate, fault)
        let result = try await scene.controller.reloadData()
        #expect(result.text == "deployed")
        let map = scene.controller.visibleMap
        #expect(map.texts == [["a", "bad", "c"]])
        let states = map.items.map(\.content.state.text)
        #expect(states == ["measured", "failed", "measured"])
        #expect(map.content(at: ItemPath(0, 1))?.size == Size(width: 10, height: 0))
        let failures = scene.events.events(.elementFailed)
        #expect(failures.count == 1)
        #expect(failures.first?.submission?.rawValue == 1)
        for failure in [failures.first?.failedElement, result.failedElements.first.first] {
            #expect(failure?.element === map.element(at: ItemPath(0, 1)))
            #expect(failure?.content.model as? String == "bad" && failure?.kind == nil)
            #expect(failure?.dataSourcePath == ItemPath(0, 1) && failure?.viewPath == nil)
            #expect(failure.map { "\($0.error)" } == failures.first?.error.map { "\($0)" })
        }
        #expect(result.failedElements.count == 1)
        switch fault {
        case .providerThrows:
            #expect(failures.first?.error as? TestFailure == TestFailure("provider"))
        case .measurementThrows:
            #expect(failures.first?.error as? TestFailure == TestFailure("measurement"))
        default:
            #expect((failures.first?.error as? MeasurementError)?.sizeRange == .width(10))
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anElementWithoutANodeThrowsWhatItsProviderThrew(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .providerThrows)
        try await scene.controller.reloadData()
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(0, 1)))
        await #expect(throws: TestFailure("provider")) { try await element.node }
        #expect(throws: TestFailure("provider")) { try element.waitForNode() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutTriesAgain(_ substrate: Substrate) async throws {
        for fault in [Fault.providerThrows, .measurementThrows] {
            let scene = scene(substrate, fault)
            try await scene.controller.reloadData()
            scene.nodes.onMake(nil)
            scene.nodes.onMeasure(nil)
            try await scene.onMain { try $0.assumeIsolated().relayoutAllNodes() }
            await scene.settle()
            let map = scene.controller.visibleMap
            #expect(map.content(at: ItemPath(0, 1))?.size == Size(width: 10, height: 1))
            #expect(map.nodeTexts == [["a", "bad", "c"]])
            await scene.close()
        }
    }

    /// Whether the model fails to be measured or to get its node, and whether that is known by the time of
    /// the relayout: in the end what is shown is what was measured.
    @Test(arguments: Substrate.allCases, [Fault.providerThrows, .measurementThrows])
    func aRelayoutShowsTheModelOfAReconfigurationThatFailed(
        _ substrate: Substrate,
        _ fault: Fault
    ) async throws {
        for isKnown in [true, false] {
            let scene = Scene(substrate, [["a"]])
            try await scene.controller.reloadData()
            let attempts = Lock(0)
            @Sendable func failOnce() throws {
                let isFirst = attempts.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst { throw TestFailure("once") }
            }
            if fault == .providerThrows {
                scene.nodes.onAccept { _ in false }
                scene.nodes.onMake { _ in try failOnce() }
            } else {
                scene.nodes.onMeasure { _, _ in
                    try failOnce()
                    return nil
                }
            }
            try await scene.onMain { controller in
                controller.assumeIsolated().dataSource.sections[0].items[0] = "b"
                try controller.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
                if !isKnown { try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)]) }
            }
            await scene.settle()
            if isKnown {
                #expect(scene.controller.visibleMap.nodeTexts == [["a"]])
                try await scene.onMain { try $0.assumeIsolated().relayoutAllNodes() }
                await scene.settle()
            }
            let map = scene.controller.visibleMap
            #expect(map.items.map(\.content.state.text) == ["measured"])
            #expect(map.nodeTexts == [["b"]])
            let made = fault == .providerThrows ? ["a", "b", "b"] : ["a"]
            #expect(scene.nodes.made.values.map(\.text) == made)
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func aSizeBeyondTheRangeIsClamped(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let range = SizeRange(
            minimum: Size(width: 5, height: 2),
            maximum: Size(width: 20, height: 3)
        )
        await scene.withModel { $0.sizeRange = { _ in range } }
        scene.nodes.onMeasure { _, _ in Size(width: 1, height: 100) }
        try await scene.controller.reloadData()
        let content = scene.controller.visibleMap.content(at: ItemPath(0, 0))
        #expect(content?.size == Size(width: 5, height: 3))
        #expect(content?.sizeRange == range)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aMissingSupplementaryNodeFailsThatElementAlone(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let controller = stage.makeController(HeaderlessSource())
        let result = try await controller.reloadData()
        let header = controller.visibleMap.supplementary(ofKind: .header, at: ItemPath(0, 0))
        #expect(header?.state.text == "failed")
        await #expect(throws: MissingSupplementaryNode.self) { try await header?.node }
        let failure = try #require(result.failedElements.first.first)
        #expect(failure.kind == .header && failure.dataSourcePath == ItemPath(0, 0))
        #expect(
            failure.description
                == "header 0 - 0 failed in #1: The data source names the kind 'header' for section 0"
                + " but has no node for number 0 of it; implement"
                + " supplementaryNodeProvider(ofKind:at:)"
        )
        #expect(controller.visibleMap.content(at: ItemPath(0, 0))?.state.text == "measured")
        await controller.close()
    }
    @Test(arguments: Substrate.allCases)
    func aRangeThatIsNoneFailsTheElement(_ substrate: Substrate) async throws {
        let one = Size(width: 1, height: 1)
        let ranges: [SizeRange] = [
            SizeRange(minimum: Size(width: .nan, height: .nan), maximum: one),
            SizeRange(minimum: one, maximum: Size(width: 1, height: .nan)),
            SizeRange(minimum: Size(width: .infinity, height: 1), maximum: one),
        ]
        for range in ranges {
            let scene = Scene(substrate, [["a", "bad", "c"]])
            await scene.withModel { $0.sizeRange = { $0 == "bad" ? range : nil } }
            try await scene.controller.reloadData()
            let contents = scene.controller.visibleMap.items.map(\.content)
            #expect(contents.map(\.state.text) == ["measured", "failed", "measured"])
            #expect(contents[1].size?.isValid == true)
            #expect(scene.events.events(.elementFailed).count == 1)
            await scene.close()
        }
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func anElementThatFailedWhenItsNodeWasAskedForIsReportedWithItsUpdate(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["first", "bad"]], workerCount: 1)
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMake { text in
            if text == "bad" { throw TestFailure("provider") }
            gate.pass()
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        let element = try #require(scene.controller.pendingMap.element(at: ItemPath(0, 1)))
        await #expect(throws: TestFailure("provider")) { try await element.node }
        gate.open()
        await scene.settle()
        #expect(element.state.text == "failed")
        let failures = scene.events.events(.elementFailed)
        #expect(failures.map(\.submission?.rawValue) == [1])
        #expect(failures.map { $0.error as? TestFailure } == [TestFailure("provider")])
        #expect(scene.nodes.made.values.count { $0.text == "bad" } == 1)
        await scene.close()
    }
}

/// Names a kind of supplementary elements and has no node for one.
private final class HeaderlessSource: CollectionDataSource {
    private let nodes = NodeBook()

    func numberOfItems(inSection section: Int) -> Int { 1 }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [nodes] in try nodes.makeNode("a") }
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }
}
