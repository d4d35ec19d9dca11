import CollectionElements
import CollectionPipeline
import Foundation
import PipelineTestSupport
import Testing

@Suite("Measured Once", .endsHangs)
struct MeasuredOnceTests {
    /// A loaded scene in which the measurement of `held` waits at the gate.
    private func held(
        _ substrate: Substrate,
        _ sections: [TextDataSource.Section],
        _ gate: Gate
    ) async throws -> Scene {
        let scene = Scene(substrate, sections, workerCount: 1)
        try await scene.controller.reloadData()
        scene.nodes.onMeasure { text, _ in
            if text == "held" { gate.pass() }
            return nil
        }
        try await scene.onMain { controller in
            let last = controller.assumeIsolated().dataSource.sections.count
            controller.assumeIsolated().dataSource.sections.append(["held"])
            try controller.assumeIsolated().insertSections([last])
        }
        await gate.reached()
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func everythingIsMeasuredOnceWhateverElseChanges(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["c"], ["n", "b", "a"]]
            changes.moveSection(1, toSection: 0)
            changes.insertItems(at: [ItemPath(1, 0)])
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 2))
        }
        try await scene.onMain { try $0.assumeIsolated().relayoutAllNodes() }
        await scene.settle()
        let counts = ["a", "b", "c", "n"].map(scene.nodes.measurementCount(of:))
        #expect(counts == [1, 1, 1, 1])
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func anElementWhoseRemovalWasAcceptedIsSkipped(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await held(substrate, [["a"]], gate)
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.append("doomed")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
        }
        let doomed = try #require(scene.controller.pendingMap.element(at: ItemPath(0, 1)))
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.removeLast()
            try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 1)])
        }
        gate.open()
        await scene.settle()
        #expect(doomed.state.text == "skipped")
        #expect(doomed.nodeIfAllocated == nil)
        #expect(doomed.content.size == Size(width: 10, height: 0), "the least of its range")
        #expect(scene.nodes.measurementCount(of: "doomed") == 0)
        #expect(!scene.nodes.made.values.contains { $0.text == "doomed" })
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 2, 3, 4])
        await #expect(throws: ElementError.removedBeforeAllocation) { try await doomed.node }
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func deletingReloadingOrReloadingEverythingSkipsWhatWaits(
        _ substrate: Substrate
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await held(substrate, [["a"], ["b"]], gate)
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            source.sections[0].items.append("in deleted section")
            source.sections[1].items += ["reloaded", "in everything"]
            try controller.assumeIsolated().performBatchUpdates(
                {
                    $1.insertItems(at: [ItemPath(0, 1)])
                    $1.insertItems(at: [ItemPath(1, 1), ItemPath(1, 2)])
                },
                completion: nil
            )
            source.sections.removeFirst()
            try controller.assumeIsolated().deleteSections([0])
            source.sections[0].items[1] = "fresh"
            try controller.assumeIsolated().reloadItems(at: [ItemPath(0, 1)])
            source.sections = [["last"]]
            try controller.assumeIsolated().reloadData(completion: nil)
        }
        gate.open()
        await scene.settle()
        #expect(Set(scene.nodes.made.values.map(\.text)) == ["a", "b", "held", "last"])
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func anElementThatMovesOnIsMeasuredAllTheSame(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await held(substrate, [["a"], ["b"]], gate)
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            source.sections[0].items.append("mover")
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            source.sections[0].items.removeLast()
            source.sections[1].items.append("mover")
            try controller.assumeIsolated().moveItem(at: ItemPath(0, 1), to: ItemPath(1, 1))
            source.sections.swapAt(0, 1)
            try controller.assumeIsolated().moveSection(1, toSection: 0)
        }
        gate.open()
        await scene.settle()
        #expect(scene.nodes.measurementCount(of: "mover") == 1)
        #expect(scene.controller.visibleMap.nodeTexts == [["b", "mover"], ["a"], ["held"]])
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aReplacedHeaderThatWaitsIsSkipped(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await held(substrate, [.init(["a"], headers: ["first"])], gate)
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].headers = ["second"]
            try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [0])
            controller.assumeIsolated().dataSource.sections[0].headers = ["third"]
            try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [0])
        }
        gate.open()
        await scene.settle()
        #expect(scene.nodes.measurementCount(of: "second") == 0)
        #expect(scene.nodes.measurementCount(of: "third") == 1)
        await scene.close()
    }

    /// Within the same range; whoever wants the node itself need not wait.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whoMeasuresOnDemandWhatIsBeingMeasuredInTheBackgroundWaitsForThat(
        _ substrate: Substrate
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await held(substrate, [["a"]], gate)
        let element = try #require(scene.controller.pendingMap.element(at: ItemPath(1, 0)))
        let content = element.content
        let (begun, sizes) = (Journal<Void>(), Journal<Size?>())
        for _ in 0..<4 {
            Thread.detachNewThread {
                begun.append(())
                sizes.append(try? element.measure(content, in: content.sizeRange))
            }
        }
        await begun.values(count: 4)
        await scene.onMain { _ in element.setNeedsMeasuring() }
        _ = try await element.node
        #expect(sizes.count == 0 && gate.arrivalCount == 1)
        gate.open()
        #expect(
            await sizes.values(count: 4) == Array(repeating: Size(width: 10, height: 1), count: 4)
        )
        await scene.settle()
        #expect(scene.nodes.measurementCount(of: "held") == 1)
        #expect(scene.nodes.made.values.count { $0.text == "held" } == 1)
        await scene.close()
    }

    // A simulation gives the parts of a fork any order.
    @Test(arguments: Substrate.threaded)
    func whatIsNearestToTheFirstVisibleItemIsMeasuredFirst(_ substrate: Substrate) async throws {
        let view = RecordingView()
        let scene = Scene(substrate, [["a"]], view: view, workerCount: 1)
        await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections = [.init((0..<8).map { "item \($0)" })]
            view.firstVisiblePath = ItemPath(0, 5)
        }
        try await scene.controller.reloadData()
        #expect(scene.nodes.measurements.values.first?.text == "item 5")
        #expect(
            scene.nodes.measurements.values.map(\.text)
                == [5, 6, 4, 7, 3, 2, 1, 0].map { "item \($0)" }
        )
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aViewMayNameAnyFirstVisiblePath(_ substrate: Substrate) async throws {
        for section in [Int.min, -1, 0, 1, Int.max] {
            for item in [Int.min, -1, 0, Int.max] {
                let scene = Scene(substrate, [["a"], ["b"]])
                await scene.onMain { _ in scene.view.firstVisiblePath = ItemPath(section, item) }
                try await scene.controller.reloadData()
                try await scene.controller.performBatchUpdates { source, changes in
                    source.sections[0].items.insert("c", at: 0)
                    source.sections.append(["d"])
                    changes.insertItems(at: [ItemPath(0, 0)])
                    changes.insertSections([2])
                }
                let measured = Set(scene.nodes.measurements.values.map(\.text))
                #expect(measured == ["a", "b", "c", "d"])
                #expect(scene.nodes.measurements.count == 4)
                await scene.close()
            }
        }
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aShownItemWhoseReconfigurationIsSkippedKeepsItsSize(
        _ substrate: Substrate
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await held(substrate, [["a"]], gate)
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items[0] = "a much longer text"
            try controller.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
            controller.assumeIsolated().dataSource.sections[0].items.removeFirst()
            try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 0)])
        }
        gate.open()
        await scene.view.received.values(count: 4)
        await scene.onMain { _ in
            scene.view.deployNext()
            scene.view.deployNext()
        }
        let content = scene.controller.visibleMap.content(at: ItemPath(0, 0))
        #expect(content?.state.text == "skipped")
        #expect(content?.size == Size(width: 10, height: 1))
        #expect(scene.controller.visibleMap.nodeTexts[0] == ["a"])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }
}
