import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// One item.
private final class LetterSource: CollectionDataSource {
    var text = "a"
    let givesModels: Bool

    init(givesModels: Bool) { self.givesModels = givesModels }

    func numberOfItems(inSection section: Int) -> Int { 1 }

    func model(forItemAt path: ItemPath) -> (any Sendable)? { givesModels ? text : nil }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [text] in LetterNode(text) }
    }
}

@Suite("Nodes that are replaced", .endsHangs)
struct ReplacementTests {
    /// What may happen to the one item while updates are in flight.
    private enum Step: String, CaseIterable, Sendable {
        case a
        case b
        case relayout
        case deploy
    }

    private static let path = ItemPath(0, 0)

    /// Takes the steps one after the other, and answers what is wrong in the end.
    private func fault(
        after steps: [Step],
        _ substrate: Substrate,
        givesModels: Bool
    ) async throws -> String? {
        let view = RecordingView(elementSizeRange: .unconstrained)
        let stage = substrate.makeStage()
        let controller = stage.makeController(LetterSource(givesModels: givesModels), view: view)
        try await controller.reloadData()
        await onMain(controller) { _ in view.mode = .onDemand }
        var expected = "a"
        var submitted = 1
        for (number, step) in steps.enumerated() {
            switch step {
            case .a, .b:
                let text = step.rawValue + String(repeating: "+", count: number)
                expected = text
                submitted += 1
                try await onMain(controller) { controller in
                    controller.assumeIsolated().dataSource.text = text
                    try controller.assumeIsolated().reconfigureItems(at: [Self.path])
                }
            case .relayout:
                submitted += 1
                try await onMain(controller) {
                    try $0.assumeIsolated().relayoutItems(at: [Self.path])
                }
            case .deploy:
                await view.received.values(count: submitted)
                await onMain(controller) { _ in
                    if !view.waiting.isEmpty { view.deployNext() }
                }
            }
        }
        await controller.reached(.handedOver)
        await onMain(controller) { _ in view.catchUp() }
        await controller.settle()
        let content = controller.visibleMap.content(at: Self.path)
        let node = controller.visibleMap.element(at: Self.path)?.nodeIfAllocated as? LetterNode
        await controller.close()
        if node?.text != expected { return "\(node?.text ?? "no node") instead of \(expected)" }
        if content?.size != LetterNode.size(of: expected) {
            return "\(expected) has the size \(content?.size ?? .zero)"
        }
        return nil
    }

    @Test(arguments: Substrate.allCases, [true, false])
    func whateverIsInFlightTheLastModelEndsInANodeThatMeasuredIt(
        _ substrate: Substrate,
        _ givesModels: Bool
    ) async throws {
        var sampling = Sampling()
        for first in Step.allCases {
            for second in Step.allCases {
                for third in Step.allCases {
                    for fourth in Step.allCases where sampling.takesNext() {
                        let steps = [first, second, third, fourth]
                        let fault = try await fault(
                            after: steps,
                            substrate,
                            givesModels: givesModels
                        )
                        guard let fault else { continue }
                        Issue.record("\(steps.map(\.rawValue)): \(fault)")
                        return
                    }
                }
            }
        }
    }

    /// Nobody takes a model in place, and somebody asks for the node behind reconfigurations that no
    /// worker has come to yet.
    @Test(.holdsWorker, arguments: Substrate.threaded, 1...3)
    func aNodeAskedForAheadOfReconfigurationsIsTheOneThatStays(
        _ substrate: Substrate,
        _ count: Int
    ) async throws {
        let scene = Scene(substrate, [["first", "v0"]], workerCount: 1)
        scene.nodes.onAccept { _ in false }
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMake { text in if text == "first" { gate.pass() } }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        for number in 1...count {
            try await scene.reconfigure(ItemPath(0, 1), to: "v\(number)")
        }
        let element = try #require(scene.controller.pendingMap.element(at: ItemPath(0, 1)))
        let node = try await ObjectIdentifier(element.node)
        gate.open()
        await scene.settle()
        #expect(scene.controller.visibleMap.nodeTexts == [["first", "v\(count)"]])
        #expect(try await ObjectIdentifier(element.node) == node)
        let last = scene.nodes.measurements.values.last
        #expect(last?.node == node && last?.text == "v\(count)")
        #expect(scene.nodes.made.values.count { $0.text == "v\(count)" } == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutBehindAReplacementMeasuresWithTheTraitsOfNow(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        scene.nodes.onAccept { _ in false }
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.reconfigure(to: "b")
        await scene.view.received.values(count: 2)
        let traits = Traits(textScale: 2)
        try await scene.onMain { controller in
            controller.assumeIsolated().environmentDidChange(traits)
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.view.received.values(count: 3)
        #expect(scene.nodes.measurements.values.last?.traits == traits)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        let element = scene.controller.visibleMap.element(at: ItemPath(0, 0))
        #expect((element?.nodeIfAllocated as? TextNode)?.traits == traits)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aNodeMayAskItsElementAsItEnds(_ substrate: Substrate) async throws {
        let elements = Lock<[CollectionElement]>([])
        let ended = Journal<Bool>()
        let stage = substrate.makeStage()
        let controller = stage.makeController(
            EndingNodes { ended.append(elements.withLock { $0.first }?.nodeIfAllocated != nil) }
        )
        try await controller.reloadData()
        elements.withLock { elements in
            elements = controller.visibleMap.items.map(\.element)
        }
        try await onMain(controller) {
            try $0.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
        }
        #expect(await ended.values(count: 1) == [true], "the new node is there by then")
        await controller.settle()
        elements.withLock { $0 = [] }
        await controller.close()
    }
}

/// One item, whose nodes tell of their end.
private final class EndingNodes: CollectionDataSource {
    private final class Node: CollectionNode {
        private let didEnd: @Sendable () -> Void

        init(_ didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

        deinit { didEnd() }

        func measure(in range: SizeRange) -> Size { Size(width: 1, height: 1) }
    }

    private let didEnd: @Sendable () -> Void

    init(_ didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

    func numberOfItems(inSection section: Int) -> Int { 1 }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [didEnd] in Node(didEnd) }
    }
}
