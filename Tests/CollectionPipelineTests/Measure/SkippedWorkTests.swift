import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline

/// Elements whose section goes while they wait for a worker.
@Suite("Skipping superseded work", .endsHangs)
struct SkippedWorkTests {
    private static let texts = (0..<500).map { "waiting \($0)" }

    /// A scene whose only worker holds at the first of 500 new items in a section behind `other`.
    private func waiting(
        _ substrate: Substrate,
        _ gate: Gate,
        _ prepare: @escaping @Sendable (DataController<TextDataSource>) throws -> Void = { _ in }
    ) async throws -> Scene {
        let scene = Scene(substrate, [["other"], ["another"]], workerCount: 1)
        try await scene.controller.reloadData()
        scene.nodes.onMeasure { text, _ in
            if text.hasPrefix("waiting") { gate.pass() }
            return nil
        }
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections.append(
                .init(Self.texts, headers: ["waiting header"])
            )
            try controller.assumeIsolated().insertSections([2])
        }
        await gate.reached()
        return scene
    }

    private func isMarkedAlone(_ element: CollectionElement) -> Bool {
        element.body.withLock { $0.isMarkedRemoved }
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func theItemsOfADeletedSectionAreSkippedWithoutAVisit(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await waiting(substrate, gate)
        let elements = scene.controller.pendingMap.elements[2]
        let header = try #require(
            scene.controller.pendingMap.supplementary(ofKind: .header, at: ItemPath(2, 0))
        )
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections.remove(at: 2)
            try controller.assumeIsolated().deleteSections([2])
            for element in elements + [header] {
                if element.isRemoved && element.state.text != "skipped" { continue }
                throw TestFailure("not removed")
            }
        }
        #expect(!(elements + [header]).contains(where: isMarkedAlone), "visited on the main lane")
        gate.open()
        await scene.settle()
        #expect(gate.arrivalCount == 1)
        #expect((elements + [header]).count { $0.state.text == "measured" } <= 1)
        let others = (elements + [header]).filter { $0.state.text != "measured" }
        #expect(others.allSatisfy { $0.state.text == "skipped" && $0.nodeIfAllocated == nil })
        await #expect(throws: ElementError.removedBeforeAllocation) { try await elements[499].node }
        #expect(scene.controller.visibleMap.texts == [["other"], ["another"]])
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func theItemsOfAReloadedSectionAreSkippedWithoutAVisit(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await waiting(substrate, gate)
        let map = scene.controller.pendingMap
        let header = try #require(map.supplementary(ofKind: .header, at: ItemPath(2, 0)))
        let elements = map.elements[2] + [header]
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[2] = .init(
                ["new"],
                headers: ["new header"]
            )
            try controller.assumeIsolated().reloadSections([2])
        }
        #expect(!elements.contains { !$0.isRemoved })
        #expect(!elements.contains(where: isMarkedAlone), "visited on the main lane")
        gate.open()
        await scene.settle()
        #expect(gate.arrivalCount == 1, "nothing but what was under way is measured")
        #expect(elements.count { $0.state.text == "skipped" } >= elements.count - 1)
        #expect(scene.controller.visibleMap.nodeTexts == [["other"], ["another"], ["new"]])
        await scene.close()
    }

    /// Out of the section in the very set that deletes it, or in one before, once or twice.
    @Test(.holdsWorker, arguments: Substrate.threaded, [1, 2, 3])
    func whatIsMovedOutOfADeletedSectionIsPrepared(
        _ substrate: Substrate,
        _ changeSets: Int
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await waiting(substrate, gate)
        let elements = scene.controller.pendingMap.elements[2]
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            if changeSets == 1 {
                let moved = source.sections.remove(at: 2).items.suffix(2)
                source.sections[0].items += moved
                try controller.assumeIsolated().performBatchUpdates { _, changes in
                    changes.deleteSections([2])
                    changes.moveItem(at: ItemPath(2, 498), to: ItemPath(0, 1))
                    changes.moveItem(at: ItemPath(2, 499), to: ItemPath(0, 2))
                } completion: { _ in
                }
                return
            }
            for item in [498, 499] {
                if changeSets == 3 {
                    source.sections[1].items.append(source.sections[2].items.remove(at: 498))
                    try controller.assumeIsolated().moveItem(
                        at: ItemPath(2, 498),
                        to: ItemPath(1, 1)
                    )
                    source.sections[0].items.append(source.sections[1].items.remove(at: 1))
                    try controller.assumeIsolated().moveItem(
                        at: ItemPath(1, 1),
                        to: ItemPath(0, item - 497)
                    )
                } else {
                    source.sections[0].items.append(source.sections[2].items.remove(at: 498))
                    try controller.assumeIsolated().moveItem(
                        at: ItemPath(2, 498),
                        to: ItemPath(0, item - 497)
                    )
                }
            }
            source.sections.remove(at: 2)
            try controller.assumeIsolated().deleteSections([2])
        }
        gate.open()
        await scene.settle()
        let moved = ["waiting 498", "waiting 499"]
        #expect(scene.controller.visibleMap.texts == [["other"] + moved, ["another"]])
        #expect(scene.controller.visibleMap.nodeTexts == [["other"] + moved, ["another"]])
        #expect(elements[498...].allSatisfy { $0.state.text == "measured" })
        #expect(elements[1..<498].allSatisfy { $0.state.text == "skipped" })
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatWasMovedIntoADeletedSectionIsSkipped(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await waiting(substrate, gate)
        let elements = scene.controller.pendingMap.elements[2]
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            source.sections[0].items.append(source.sections[2].items.removeLast())
            try controller.assumeIsolated().moveItem(at: ItemPath(2, 499), to: ItemPath(0, 1))
            source.sections.remove(at: 0)
            try controller.assumeIsolated().deleteSections([0])
        }
        gate.open()
        await scene.settle()
        #expect(elements[499].state.text == "skipped")
        #expect(elements[..<499].allSatisfy { $0.state.text == "measured" })
        // Long after the last map with it has gone.
        scene.view.received.removeAll()
        try await scene.controller.performBatchUpdates { _, _ in }
        scene.view.received.removeAll()
        #expect(elements[499].isRemoved)
        await #expect(throws: ElementError.removedBeforeAllocation) { try await elements[499].node }
        await scene.close()
    }

    /// The rejected set would have moved the item elsewhere; its large map is freed when the reclaiming
    /// lane gets to it, which may be after the next set was accepted.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aRejectedMoveHasNoSay(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = try await waiting(substrate, gate)
        let last = try #require(scene.controller.pendingMap.elements[2].last)
        // Keeps the refused map for as long as it likes, like a layout delegate may.
        let refused = Journal<ElementMap>()
        let map = scene.controller.pendingMap
        var changes = HierarchyChangeSet()
        changes.moveItem(at: ItemPath(2, 499), to: ItemPath(1, 0))
        let update = try changes.validated(from: map.shape, to: [1, 2, 499])
        var change = ElementMapChange()
        change.insertedItems = [nil]
        refused.append(map.applying(update, change, generation: map.generation + 1))
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections.remove(at: 1)
            try controller.assumeIsolated().deleteSections([1])
        }
        gate.open()
        await scene.settle()
        #expect(last.state.text == "measured")
        #expect(scene.controller.visibleMap.numberOfItems == 501)
        withExtendedLifetime(refused) {}
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aContextGoesWithItsSectionThoughAnItemWasMovedOutOfIt(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        weak var context: (any SectionContext)?
        context = scene.controller.visibleMap.context(forSection: 0)
        #expect(context != nil)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["b", "c"]]
            changes.deleteSections([0])
            changes.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        }
        // The view keeps a record of all maps; the pipeline releases its last when a later one is shown.
        scene.view.received.removeAll()
        try await scene.onMain { try $0.assumeIsolated().reloadItems(at: [ItemPath(0, 1)]) }
        await scene.settle()
        scene.view.received.removeAll()
        await scene.settle()
        #expect(context == nil)
        #expect(scene.controller.visibleMap.texts == [["b", "c"]])
        await scene.close()
    }
}
