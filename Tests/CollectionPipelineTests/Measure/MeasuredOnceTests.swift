import CollectionElements
import CollectionPipeline
import Foundation
import PipelineTestSupport
import Testing

@Suite("Measured Once", .endsHangs)
struct MeasuredOnceTests {
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func anElementWhoseRemovalWasAcceptedIsSkipped(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = Scene(substrate, [["a"]], workerCount: 1)
        try await scene.controller.reloadData()
        scene.nodes.onMeasure { text, _ in
            if text == "held" { gate.pass() }
            return nil
        }
        try await scene.append("held")
        await gate.reached()
        await scene.withModel { $0.sections[0].headers = ["kept", "doomed"] }
        try await scene.append("doomed")
        let doomed = try #require(scene.controller.pendingMap.element(at: ItemPath(0, 2)))
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            source.sections[0].items.removeLast()
            source.sections[0].headers.removeLast()
            try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 2)])
        }
        gate.open()
        await scene.settle()
        #expect(doomed.state.text == "skipped")
        #expect(doomed.nodeIfAllocated == nil)
        #expect(doomed.content.size == Size(width: 10, height: 0), "the minimum of its range")
        #expect(scene.nodes.measurementCount(of: "doomed") == 0)
        #expect(scene.nodes.measurementCount(of: "kept") == 1)
        #expect(!scene.nodes.made.values.contains { $0.text == "doomed" })
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 2, 3, 4])
        await #expect(throws: ElementError.removedBeforeAllocation) { try await doomed.node }
        await scene.close()
    }

    /// While a worker makes and then measures a node, all callers that want the node or its size
    /// receive the same one.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func allWaitersForANodeOrSizeReceiveTheSameOne(_ substrate: Substrate) async throws {
        let (making, measuring) = (Gate(), Gate())
        defer {
            making.open()
            measuring.open()
        }
        let scene = Scene(substrate, [["a"], ["b"]], workerCount: 1)
        scene.nodes.onMake { text in if text.hasPrefix("b") { making.pass() } }
        scene.nodes.onMeasure { text, _ in
            if text.hasPrefix("b") { measuring.pass() }
            return nil
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await making.reached()
        let contents = scene.controller.pendingMap.items.dropFirst().map(\.content)
        let (begun, nodes, sizes) = (
            Journal<Void>(), Journal<ObjectIdentifier?>(), Journal<String>()
        )
        @Sendable func wantNodes() {
            for content in contents {
                for _ in 0..<2 {
                    Thread.detachNewThread {
                        begun.append(())
                        nodes.append(
                            (try? content.element.waitForNode()).map { ObjectIdentifier($0) }
                        )
                    }
                    Task {
                        begun.append(())
                        nodes.append((try? await content.element.node).map { ObjectIdentifier($0) })
                    }
                }
            }
        }
        wantNodes()
        await begun.values(count: 4)
        for _ in 0..<50 { await Task.yield() }
        making.open()
        await measuring.reached()
        begun.removeAll()
        for content in contents {
            for _ in 0..<3 {
                Thread.detachNewThread {
                    begun.append(())
                    let size = try? content.element.measure(content, in: content.sizeRange)
                    sizes.append("\(size?.height ?? -1)")
                }
            }
        }
        await begun.values(count: 3)
        #expect(sizes.count == 0 && measuring.arrivalCount == 1)
        measuring.open()
        #expect(await sizes.values(count: 3) == Array(repeating: "1.0", count: 3))
        #expect(Set(await nodes.values(count: 4)).count == 1)
        await scene.settle()
        #expect(scene.nodes.measurements.count == 2 && scene.nodes.made.count == 2)
        await scene.close()
    }
}
