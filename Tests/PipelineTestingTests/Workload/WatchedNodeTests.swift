import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import PipelineTesting

/// What nodes of a run notice of how they are used.
@Suite("Nodes that watch") struct WatchedNodeTests {
    /// Has some faults happen, and calls back where others may run.
    private final class ScriptedFates: WorkloadFates {
        let faults: Set<FaultPoint>
        private let hook = Lock<(@Sendable () -> Void)?>(nil)

        init(_ faults: Set<FaultPoint> = []) { self.faults = faults }

        func happens(_ fault: FaultPoint) -> Bool { faults.contains(fault) }

        func onPause(_ body: @escaping @Sendable () -> Void) { hook.withLock { $0 = body } }

        func pause() {
            let body = hook.withLock { hook in
                defer { hook = nil }
                return hook
            }
            body?()
        }
    }

    private func texts(_ nodes: WatchedNodes) -> [String] { nodes.reported.map(\.description) }

    @Test func whatFatesSayIsThrown() throws {
        let provider = WatchedNodes(fates: ScriptedFates([.providerThrows]))
        #expect(throws: PlannedFailure.self) { try provider.make(ModelItem(id: 1)) }
        #expect(provider.numberAlive == 0)
        let nodes = WatchedNodes(fates: ScriptedFates([.measurementThrows]))
        var node: WatchedNode? = try nodes.make(ModelItem(id: 1))
        #expect(throws: PlannedFailure.self) { try node?.measure(in: .width(10)) }
        #expect(nodes.numberAlive == 1 && nodes.measured == 1)
        node = nil
        #expect(nodes.numberAlive == 0 && nodes.reported == [])
    }

    @Test func twoMeasurementsAtOnceAreReported() throws {
        let fates = ScriptedFates()
        let nodes = WatchedNodes(fates: fates)
        let node = try nodes.make(ModelItem(id: 3))
        _ = try node.measure(in: .width(10))
        _ = try node.measure(in: .width(10))
        #expect(nodes.reported == [])
        fates.onPause { _ = try? node.measure(in: .width(9)) }
        _ = try node.measure(in: .width(10))
        #expect(texts(nodes) == ["Consistent Snapshot: item 3 is measured by two threads at once"])
    }

    /// An element remembers the last range alone, so it must be measured again in one that comes back.
    @Test func aRangeThatComesBackIsMeasuredOnceMore() throws {
        let nodes = WatchedNodes(fates: ScriptedFates(), measuresOnce: true)
        let node = try nodes.make(ModelItem(id: 3))
        for width in [10.0, 11, 10, 11] { _ = try node.measure(in: .width(width)) }
        #expect(texts(nodes).isEmpty)
        _ = try node.measure(in: .width(11))
        #expect(texts(nodes) == ["Measured Once: \(ModelItem(id: 3)) was measured 2 times"])
    }

    /// As often as somebody asked for it, and once more.
    @Test(arguments: [true, false], 0...2)
    func measuringTheSameAgainIsReportedUnlessItWasAskedFor(
        _ measuresOnce: Bool,
        _ relayouts: Int
    ) throws {
        let nodes = WatchedNodes(fates: ScriptedFates(), measuresOnce: measuresOnce)
        let node = try nodes.make(ModelItem(id: 3))
        for _ in 0..<relayouts { nodes.noteRelayout() }
        #expect(nodes.allowance == (measuresOnce ? relayouts + 1 : nil))
        for count in 1...4 {
            _ = try node.measure(in: .width(10))
            let faults = measuresOnce ? max(0, count - relayouts - 1) : 0
            #expect(nodes.reported.count == faults)
        }
        let last = "Measured Once: \(ModelItem(id: 3)) was measured 4 times"
        #expect(texts(nodes).last == (measuresOnce ? last : nil))
        let reported = nodes.reported.count
        // Another range, another model, or other traits are another measurement.
        _ = try node.measure(in: .width(11))
        _ = try node.measure(ModelItem(id: 3, revision: 1), in: .width(10))
        node.traitsDidChange(Traits(textScale: 2))
        _ = try node.measure(in: .width(10))
        #expect(nodes.reported.count == reported && node.textScale == 2)
    }

    @Test func measuringWhatIsRemovedIsReported() throws {
        let nodes = WatchedNodes(fates: ScriptedFates())
        let items = (0..<4).map { ModelItem(id: $0) } + [ModelItem(id: -5)]
        let made = try items.map { try nodes.make($0) }
        nodes.noteAccepted([0, 1, 2])
        nodes.noteAccepted([1, 2])
        nodes.noteAccepted([2, 0])
        #expect((-5...9).filter(nodes.isRemoved) == [1])
        for node in made { _ = try node.measure(in: .width(10)) }
        #expect(texts(nodes) == ["Measured Once: item 1 after its removal was accepted"])
        nodes.forgetAccepted()
        #expect(!(-5...9).contains(where: nodes.isRemoved))
        nodes.noteAccepted([7])
        nodes.noteAccepted([8])
        #expect((-5...9).filter(nodes.isRemoved) == [7])
    }

    @Test func reportsAreToldAtOnce() {
        let told = Journal<String>()
        let nodes = WatchedNodes(fates: ScriptedFates()) { told.append($0.description) }
        nodes.report("text")
        nodes.report("other", breaking: "Name")
        #expect(told.values == ["Consistent Snapshot: text", "Name: other"])
        #expect(texts(nodes) == told.values)
    }

    @Test func sizesAndAcceptedModelsFollowFromTheItem() throws {
        let nodes = WatchedNodes(fates: ScriptedFates())
        let node = try nodes.make(ModelItem(id: 1))
        for id in -7...7 {
            for (width, expected) in [(10.0, 10.0), (40, 40), (41, 40), (.infinity, 40)] {
                let size = try node.measure(ModelItem(id: id), in: .width(width))
                #expect(size == Size(width: expected, height: Double(1 + abs(id) % 3)))
            }
        }
        for id in 0..<10 {
            for revision in 0..<5 {
                let accepts = node.accepts(ModelItem(id: id, revision: revision))
                #expect(accepts == ![4, 9, 14].contains(id + revision))
            }
        }
        node.update(to: ModelItem(id: 1, revision: 2))
        #expect(node.shown == ModelItem(id: 1, revision: 2))
    }

    @Test func aModelItemIsNewerThanEarlierRevisionsOfItself() {
        for (id, revision, isNewer) in [(1, 2, true), (1, 1, false), (1, 0, false), (2, 2, false)] {
            let item = ModelItem(id: id, revision: revision)
            #expect(item.isNewer(than: ModelItem(id: 1, revision: 1)) == isNewer)
        }
    }

    @Test func aModelKnowsWhatItWasAtEachGeneration() {
        let nodes = WatchedNodes(fates: ScriptedFates())
        let model = ReferenceModel(nodes: nodes, sections: 1, items: 2)
        var accepted = 0
        model.acceptedGeneration = { accepted }
        #expect(model.expected(at: 0) == [] && model.expected(at: 5) == [])
        let first = model.sections
        _ = model.numberOfSections()
        accepted = 1
        _ = model.insertAtTop()
        let second = model.sections
        _ = model.numberOfSections()
        #expect(model.expected(at: 1) == first && model.expected(at: 2) == second)
        // Refused: the map of that generation is another's.
        model.forgetLatch()
        #expect(model.expected(at: 2) == first && model.expected(at: 3) == first)
        model.noteCleared(at: 3)
        #expect(model.expected(at: 2) == first && model.expected(at: 4) == [])
        #expect(!model.mayBeOlder(at: nil) && !model.mayBeOlder(at: 2))
        model.noteDivergence(at: 2)
        #expect(model.mayBeOlder(at: nil) && model.mayBeOlder(at: 2) && !model.mayBeOlder(at: 3))
        let (old, new) = (ModelItem(id: 1), ModelItem(id: 1, revision: 1))
        for generation in [2, 3] {
            #expect(model.mayShow(new, for: new, at: generation))
            #expect(!model.mayShow(nil, for: new, at: generation))
            #expect(!model.mayShow(new, for: old, at: generation))
            #expect(model.mayShow(old, for: new, at: generation) == (generation == 2))
        }
    }
}
