import CollectionChanges
import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("Consistent Snapshot", .endsHangs)
struct ConsistentSnapshotTests {
    /// Submits random updates of several sections, each in its own turn.
    ///
    /// - Returns: the texts of every pending map, by generation.
    private func change(
        _ scene: Scene,
        _ count: Int,
        seed: UInt64
    ) async throws -> [Int: [[String]]] {
        let random = Lock(SeededGenerator(seed: seed))
        var pictures: [Int: [[String]]] = [:]
        for number in 0..<count {
            try await scene.onMain { controller in
                let source = controller.assumeIsolated().dataSource
                let old = HierarchyShape(source.sections.map(\.items.count))
                let drawn = random.withLock { RandomUpdate(from: old, &$0, rate: 0.3) }
                let update = try drawn.changes.validated(from: old, to: drawn.newShape)
                var texts = try update.apply(to: source.sections.map(\.items)) { "\(number) \($0)" }
                for place in update.reconfigurations.map(\.newPath) {
                    texts[place.section][place.item] = "\(number) other \(place)"
                }
                source.sections = texts.map { TextDataSource.Section($0) }
                try controller.assumeIsolated().performBatchUpdates { _, changes in
                    for operation in drawn.changes.operations { changes.record(operation) }
                }
            }
            let map = scene.controller.pendingMap
            pictures[map.generation] = map.texts
        }
        return pictures
    }

    /// Another thread reads the visible map all the time, and the view's updates lead from map to
    /// map.
    @Test(arguments: Substrate.allCases, 1...3 as ClosedRange<UInt64>)
    func visibleMapsArePendingMapsAndUpdatesConnectThem(
        _ substrate: Substrate,
        _ seed: UInt64
    ) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"], []]) { $0.backlogLimit = 1_000 }
        try await scene.controller.reloadData()
        let controller = scene.controller
        let stop = Gate(isOpen: true)
        let reader = Task.detached {
            var seen: [(Int, [[String]])] = []
            while stop.arrivalCount == 0 {
                let map = controller.visibleMap
                if seen.last?.0 != map.generation { seen.append((map.generation, map.texts)) }
                await Task.yield()
            }
            return seen
        }
        var pictures = try await change(scene, 25, seed: seed)
        await scene.settle()
        pictures[1] = [["a", "b"], ["c"], []]
        stop.pass()
        let seen = await reader.value
        let ascends = zip(seen, seen.dropFirst()).allSatisfy { $0.0 < $1.0 }
        #expect(ascends && seen.allSatisfy { pictures[$0.0] == $0.1 }, "seed \(seed)")
        #expect(controller.visibleMap.isIdentical(to: controller.pendingMap))
        #expect(controller.visibleMap.nodeTexts == controller.visibleMap.texts)
        let updates = scene.view.received.values
        #expect(updates.count == 26)
        for (update, next) in zip(updates, updates.dropFirst()) {
            let new = next.newMap.elements
            let applied = next.changeSet.applyUnchecked(to: next.oldMap.elements) {
                new[$0.section][$0.item]
            }
            if update.newMap.isIdentical(to: next.oldMap), applied == new { continue }
            Issue.record("seed \(seed): \(next.submission) does not lead from map to map")
        }
        await scene.close()
    }
}
