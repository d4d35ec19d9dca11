import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Nodes that want another size", .endsHangs)
struct NodeLayoutTests {
    /// Has every text measured so high from now on.
    private func grow(_ scene: Scene, to height: Double) {
        scene.nodes.onMeasure { _, _ in Size(width: 10, height: height) }
    }

    private func nodes(_ scene: Scene) -> [TextNode] {
        scene.controller.pendingMap.items.compactMap { $0.element.nodeIfAllocated as? TextNode }
    }

    private func heights(_ scene: Scene) -> [Double?] {
        scene.controller.visibleMap.items.map { $0.content.size?.height }
    }

    @Test(arguments: Substrate.allCases)
    func allThatAskWithinATurnAreMeasuredByOneUpdate(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b", "c"], .init(["d"], headers: ["e", "f"])])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        scene.calls.removeAll()
        grow(scene, to: 7)
        await scene.onMain { [nodes = nodes(scene)] controller in
            let map = controller.pendingMap
            for item in [1, 0] {
                let header = map.supplementary(ofKind: .header, at: ItemPath(1, item))
                header?.setNeedsLayout()
            }
            for index in [3, 1, 3, 0] { nodes[index].element?.setNeedsLayout() }
        }
        await scene.settle()
        #expect(scene.view.received.count == 2)
        #expect(
            scene.view.received.values.last?.remeasured.map(\.description)
                == ["0 - 0", "0 - 1", "1 - 0", "header 1 - 0", "header 1 - 1"]
        )
        #expect(heights(scene) == [7, 7, 1, 7])
        #expect(scene.controller.visibleMap.elements == before.elements)
        #expect(scene.nodes.made.count == 6 && scene.nodes.measurements.count == 11)
        #expect(scene.calls.values == [], "the data source has nothing to do with it")
        let next = try await scene.onMain { try $0.assumeIsolated().performBatchUpdates() }
        #expect(next.rawValue == 3, "one turn, and one number, for all of them")
        await scene.settle()
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aNodeAsksFromAnyThreadAndMoreThanOnce(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        for height in [3.0, 5] {
            grow(scene, to: height)
            nodes(scene)[0].element?.setNeedsLayout()
            await scene.settleAfterTurn()
            #expect(heights(scene) == [height])
        }
        #expect(scene.nodes.measurements.count == 3)
        await scene.close()
    }

    /// The batch was recorded against what there is.
    @Test(arguments: Substrate.allCases)
    func whileABatchIsOpenItWaitsForTheEnd(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        grow(scene, to: 4)
        let nodes = nodes(scene)
        let generation = scene.controller.pendingMap.generation
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        nodes[0].element?.setNeedsLayout()
        await scene.onMain { _ in nodes[1].element?.setNeedsLayout() }
        await scene.onMain { #expect($0.pendingMap.generation == generation) }
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.remove(at: 0)
            try list.deleteItems(at: [ItemPath(0, 0)])
            try list.endUpdates()
        }
        await scene.settle()
        #expect(heights(scene) == [4], "the other is gone")
        #expect(scene.nodes.measurements.count == 3)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases, [PipelineConfiguration.BacklogPolicy.suspend, .reject])
    func whereTheBacklogIsFullItWaitsForRoom(
        _ substrate: Substrate,
        _ policy: PipelineConfiguration.BacklogPolicy
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 1
            $0.backlogPolicy = policy
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData() }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.deployNext() }
        try await scene.onMain { try $0.assumeIsolated().performBatchUpdates() }
        await scene.view.received.values(count: 2)
        nodes(scene)[0].element?.setNeedsLayout()
        let backlog = await scene.onMain { $0.assumeIsolated().backlog }
        #expect(backlog == 1)
        await scene.onMain { _ in scene.view.deployNext() }
        await scene.view.received.values(count: 3)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.nodes.measurements.count == 2)
        await scene.close()
    }

    /// Nothing may be asked of a data source whose counts are others.
    @Test(arguments: Substrate.allCases)
    func itIsMeasuredAlsoWhereTheModelIsAhead(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        grow(scene, to: 4)
        await scene.onMain { [nodes = nodes(scene)] controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("b")
            nodes[0].element?.setNeedsLayout()
        }
        await scene.settle()
        #expect(heights(scene) == [4] && scene.controller.divergence == nil)
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        grow(scene, to: 5)
        nodes(scene)[0].element?.setNeedsLayout()
        await scene.settleAfterTurn()
        #expect(heights(scene) == [5] && scene.controller.divergence != nil)
        await scene.close()
    }

    /// Somebody else has had it measured before the turn came.
    @Test(arguments: Substrate.allCases)
    func whoWantsAnySizeIsContentWithOneThatCameMeanwhile(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]]) { $0.measuringPolicy = .onDemand(1) }
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            controller.pendingMap.element(at: ItemPath(0, 1))?.setNeedsMeasuring()
            try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 1)])
            controller.waitUntilReached(.handedOver)
        }
        await scene.settle()
        #expect(heights(scene) == [1, 1] && scene.nodes.measurements.count == 2)
        await scene.close()
    }

    /// As where it shows a picture that had not come.
    @Test(arguments: Substrate.allCases)
    func whatFailedIsTriedAgain(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        scene.nodes.onMeasure { _, _ in throw TestFailure() }
        try await scene.controller.reloadData()
        #expect(heights(scene) == [0])
        scene.nodes.onMeasure(nil)
        nodes(scene)[0].element?.setNeedsLayout()
        await scene.settleAfterTurn()
        #expect(heights(scene) == [1] && scene.nodes.made.count == 1)
        await scene.close()
    }

    /// The node that is there does not take the model, and another is made, if the data source can be asked.
    @Test(arguments: [true, false])
    func whatLacksItsNodeGetsItWhereTheModelAgrees(_ agrees: Bool) async throws {
        let scene = Scene(.simulated, [["a", "b"]])
        try await scene.controller.reloadData()
        scene.nodes.onAccept { $0 != "c" }
        scene.nodes.onMake { if $0 == "c" { throw TestFailure() } }
        try await scene.reconfigure(to: "c")
        await scene.settle()
        scene.nodes.onMake(nil)
        grow(scene, to: 6)
        let elements = scene.controller.pendingMap.items.map(\.element)
        await scene.onMain { controller in
            if !agrees { controller.assumeIsolated().dataSource.sections[0].items.append("d") }
            for element in elements { element.setNeedsLayout() }
        }
        await scene.settle()
        #expect(heights(scene) == [agrees ? 6 : 1, 6])
        #expect(nodes(scene).map(\.text) == [agrees ? "c" : "a", "b"])
        #expect(
            scene.view.received.values.last?.remeasured.map(\.path.item) == (agrees ? [0, 1] : [1])
        )
        #expect(scene.controller.divergence == nil)
        await scene.close()
    }

    /// Its node may have been looked at already; the data source cannot be asked for another.
    @Test(.holdsWorker, arguments: Substrate.threaded, [true, false])
    func whatIsBeingMeasuredIsMeasuredAgain(
        _ substrate: Substrate,
        _ fails: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let gate = Gate()
        let count = Lock(0)
        defer { gate.open() }
        scene.nodes.onMeasure { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { gate.pass() }
            if fails { throw TestFailure() }
            return Size(width: 10, height: Double(number + 4))
        }
        try await scene.reconfigure(to: "c")
        await gate.reached()
        await scene.withModel { $0.sections[0].items.append("b") }
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        scene.calls.removeAll()
        nodes(scene)[0].element?.setNeedsLayout()
        await scene.onMain { _ in }
        gate.open()
        await scene.settle()
        #expect(heights(scene) == [fails ? 1 : 6])
        #expect(scene.calls.values == [])
        #expect(count.withLock { $0 } == 2)
        #expect(nodes(scene)[0].text == (fails ? "a" : "c"))
        await scene.close()
    }

    /// The node that is there does not take the model, and nobody can be asked for another.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatCannotBeMeasuredAgainFailsForTheSameReason(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onAccept { $0 != "c" }
        scene.nodes.onMake { text in
            gate.pass()
            throw TestFailure(text)
        }
        try await scene.reconfigure(to: "c")
        await gate.reached()
        await scene.withModel { $0.sections[0].items.append("b") }
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        nodes(scene)[0].element?.setNeedsLayout()
        await scene.onMain { _ in }
        gate.open()
        await scene.settle()
        guard
            case .failed(let error) = scene.controller.visibleMap.content(at: ItemPath(0, 0))?.state
        else {
            Issue.record("there is nothing to measure it with")
            return
        }
        #expect(error as? TestFailure == TestFailure("c"))
        #expect(scene.nodes.measurements.count == 1 && heights(scene) == [1])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func headersOfManySectionsComeInTheirOrder(_ substrate: Substrate) async throws {
        let sections = (0..<7).map { number in
            TextDataSource.Section([], headers: ["h\(number)"], footers: ["f\(number)"])
        }
        let scene = Scene(substrate, sections)
        scene.nodes.onMake { if $0 == "f3" { throw TestFailure() } }
        try await scene.controller.reloadData()
        scene.nodes.onMake(nil)
        let map = scene.controller.pendingMap
        await scene.onMain { _ in
            for section in [5, 3, 6, 0, 2, 1, 4] {
                for kind in [SupplementaryKind.footer, .header] {
                    map.supplementary(ofKind: kind, at: ItemPath(section, 0))?.setNeedsLayout()
                }
            }
        }
        await scene.settle()
        #expect(
            scene.view.received.values.last?.remeasured.map(\.description)
                == (0..<7).flatMap { ["footer \($0) - 0", "header \($0) - 0"] }
        )
        let footer = map.supplementary(ofKind: .footer, at: ItemPath(3, 0))
        #expect((footer?.nodeIfAllocated as? TextNode)?.text == "f3", "now there is one")
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatIsYetToBeMeasuredIsMeasuredOnce(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], workerCount: 1)
        try await scene.controller.reloadData()
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { text, _ in
            if text == "b" { gate.pass() }
            return nil
        }
        try await scene.append("b")
        await gate.reached()
        // Behind what is being measured.
        try await scene.reconfigure(to: "c")
        let element = try #require(scene.controller.pendingMap.element(at: ItemPath(0, 0)))
        element.setNeedsLayout()
        await scene.onMain { _ in }
        let received = scene.view.received.count
        gate.open()
        await scene.settle()
        #expect(scene.nodes.measurementCount(of: "c") == 1)
        #expect(scene.view.received.count == received + 2, "the relayout would be one more")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aClosingControllerMeasuresNothingAgain(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let element = try #require(scene.controller.pendingMap.element(at: ItemPath(0, 0)))
        await scene.onMain { controller in
            try? controller.assumeIsolated().beginUpdates()
            element.setNeedsLayout()
        }
        await scene.onMain { _ in }
        await scene.close()
        element.setNeedsLayout()
        await scene.onMain { _ in }
        #expect(scene.nodes.measurements.count == 1)
        #expect(scene.outcomes.values.isEmpty)
    }
}
