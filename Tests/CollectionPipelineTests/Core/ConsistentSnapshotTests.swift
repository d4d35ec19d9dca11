import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Consistent Snapshot", .endsHangs)
struct ConsistentSnapshotTests {
    /// Notes every map that is published as pending, by generation.
    private func appendItems(_ count: Int, to scene: Scene) async throws -> [Int: [[String]]] {
        var pictures: [Int: [[String]]] = [:]
        for number in 0..<count {
            try await scene.onMain { controller in
                controller.assumeIsolated().dataSource.sections[0].items.insert("n\(number)", at: 0)
                try controller.assumeIsolated().insertItems(at: [ItemPath(0, 0)])
            }
            let map = scene.controller.pendingMap
            pictures[map.generation] = map.texts
        }
        return pictures
    }

    @Test(arguments: Substrate.allCases)
    func theVisibleMapIsAlwaysSomePendingMapAndNeverGoesBack(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let controller = scene.controller
        let stop = Gate()
        let reader = Task.detached {
            var seen: [(Int, [[String]])] = []
            while stop.arrivalCount == 0 {
                let map = controller.visibleMap
                if seen.last?.0 != map.generation { seen.append((map.generation, map.texts)) }
                await Task.yield()
            }
            return seen
        }
        var pictures = try await appendItems(40, to: scene)
        await scene.settle()
        pictures[1] = [["a"]]
        stop.open()
        stop.pass()
        let seen = await reader.value
        let ascends = zip(seen, seen.dropFirst()).allSatisfy { $0.0 < $1.0 }
        #expect(ascends)
        let areWhole = seen.allSatisfy { pictures[$0.0] == $0.1 }
        #expect(areWhole)
        #expect(scene.controller.visibleMap.isIdentical(to: scene.controller.pendingMap))
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func applyingEveryUpdateToTheMapBeforeGivesTheMapAfter(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        _ = try await appendItems(20, to: scene)
        await scene.settle()
        for (update, next) in zip(
            scene.view.received.values,
            scene.view.received.values.dropFirst()
        ) {
            let isChained = update.newMap.isIdentical(to: next.oldMap)
            let applied = try next.changeSet.apply(to: next.oldMap.elements) { path in
                next.newMap.elements[path.section][path.item]
            }
            guard isChained, applied == next.newMap.elements else {
                Issue.record("update \(next.submission) does not lead from one map to the other")
                continue
            }
        }
        #expect(scene.view.received.count == 21)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theVisibleMapIsSwappedInsideTheViewsOwnUpdate(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"]], view: view)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        #expect(scene.controller.visibleMap.generation == 0)
        let inside = await scene.onMain { controller in
            let inside = Journal<Int>()
            view.onApply = { _ in inside.append(controller.visibleMap.generation) }
            view.deployNext()
            view.onApply = { _ in }
            return inside.values
        }
        #expect(inside == [1])
        await scene.close()
    }
}
