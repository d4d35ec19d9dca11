import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Identity Kept", .endsHangs)
struct IdentityKeptTests {
    @Test(arguments: Substrate.allCases)
    func aMovedItemKeepsItsElementNodeAndMeasurement(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b", "c"], ["d"]])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["b", "d", "c"], ["a"]]
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0))
            changes.moveItem(at: ItemPath(1, 0), to: ItemPath(0, 1))
        }
        let after = scene.controller.visibleMap
        #expect(after.texts == [["b", "d", "c"], ["a"]])
        let moved = try #require(after.element(at: ItemPath(1, 0)))
        #expect(moved === before.element(at: ItemPath(0, 0)))
        #expect(after.content(at: ItemPath(1, 0)) == before.content(at: ItemPath(0, 0)))
        #expect((moved.nodeIfAllocated as? TextNode)?.measurementCount == 1)
        #expect(scene.nodes.made.count == 4)
        #expect(scene.nodes.measurements.count == 4)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aMovedSectionKeepsItsElements(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"], ["b", "c"]])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap.elements
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["c"], ["a"]]
            changes.moveSection(1, toSection: 0)
            changes.deleteItems(at: [ItemPath(1, 0)])
        }
        #expect(scene.controller.visibleMap.elements == [[before[1][1]], before[0]])
        #expect(scene.nodes.measurements.count == 3)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anItemThatMovesOutOfADeletedSectionLivesOn(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]]) { $0.profile = .standard }
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap.elements
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["c", "b"]]
            changes.deleteSections([0])
            changes.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 1))
        }
        #expect(scene.controller.visibleMap.elements == [[before[1][0], before[0][1]]])
        #expect(scene.nodes.made.count == 3)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whereMovesAreDecomposedAMovedItemIsANewOne(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]]) { $0.decomposesMoves = true }
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap.elements
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["b", "a"]]
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
        }
        let after = scene.controller.visibleMap.elements
        #expect(after[0][0] === before[0][1])
        #expect(after[0][1] !== before[0][0])
        #expect(scene.controller.visibleMap.texts == [["b", "a"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadedItemIsANewOneAndItsNeighboursAreNot(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b", "c"]])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap.elements[0]
        try await scene.controller.performBatchUpdates { $1.reloadItems(at: [ItemPath(0, 1)]) }
        let after = scene.controller.visibleMap.elements[0]
        #expect(after[0] === before[0] && after[2] === before[2])
        #expect(after[1] !== before[1])
        #expect(after[1].nodeIfAllocated !== before[1].nodeIfAllocated)
        await scene.close()
    }

    /// Though the model is the same; headers as well, where their section or everything is reloaded.
    @Test(arguments: Substrate.allCases, ReloadKind.allCases)
    func whatIsReloadedHasNoElementAndNoNodeOfBefore(
        _ substrate: Substrate,
        _ kind: ReloadKind
    ) async throws {
        let scene = Scene(substrate, [.init(["a", "b"], headers: ["head"])])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        try await scene.controller.performBatchUpdates { _, changes in
            switch kind {
            case .items: changes.reloadItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
            case .sections: changes.reloadSections([0])
            case .everything: changes.reloadData()
            }
        }
        let after = scene.controller.visibleMap
        let header = ItemPath(0, 0)
        let headers = [before, after].map { $0.supplementary(ofKind: .header, at: header) }
        #expect((headers[0] === headers[1]) == (kind == .items))
        var pairs = Array(zip(before.elements[0], after.elements[0]))
        if kind != .items { pairs.append((try #require(headers[0]), try #require(headers[1]))) }
        #expect(pairs.count == (kind == .items ? 2 : 3))
        for (old, new) in pairs {
            #expect(old !== new)
            let nodes = (try #require(old.nodeIfAllocated), try #require(new.nodeIfAllocated))
            #expect(nodes.0 !== nodes.1)
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func pathsFollowTheNewestAcceptedStateAtOnce(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a", "b"], ["c"]], view: view)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        try await scene.onMain { controller in
            view.deployNext()
            let element = try #require(controller.pendingMap.element(at: ItemPath(0, 1)))
            controller.assumeIsolated().dataSource.sections[0].items.removeFirst()
            try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 0)])
            #expect(controller.pendingMap.path(of: element) == ItemPath(0, 0))
            #expect(controller.visibleMap.path(of: element) == ItemPath(0, 1))
            #expect(controller.viewPath(for: ItemPath(0, 0)) == ItemPath(0, 1))
            #expect(controller.dataSourcePath(for: ItemPath(0, 1)) == ItemPath(0, 0))
            #expect(controller.dataSourcePath(for: ItemPath(0, 0)) == nil)
            controller.assumeIsolated().dataSource.sections[0].items.insert("n", at: 0)
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, 0)])
            #expect(controller.pendingMap.texts[0] == ["n", "b"])
            #expect(controller.viewPath(for: ItemPath(0, 0)) == nil)
            controller.assumeIsolated().dataSource.sections.removeAll()
            try controller.assumeIsolated().deleteSections([0, 1])
            #expect(controller.pendingMap.path(of: element) == nil)
            #expect(controller.pendingMap.element(at: ItemPath(0, 0)) == nil)
            view.catchUp()
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func ofManySectionsExactlyThoseThatAreReloadedAreNew(_ substrate: Substrate) async throws {
        let count = 2000
        let sections = (0..<count).map {
            TextDataSource.Section(["item \($0)"], headers: ["head"])
        }
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        let kept = (0..<count).filter { $0 % 3 == 0 }
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadSections(
                SectionSet((0..<count).filter { $0 % 3 != 0 })
            )
        }
        await scene.settle()
        let after = scene.controller.visibleMap
        #expect(after.texts == before.texts)
        let same = (0..<count).filter { section in
            let path = ItemPath(section, 0)
            let keepsItem = after.element(at: path) === before.element(at: path)
            let keepsHeader =
                after.supplementary(ofKind: .header, at: path)
                === before.supplementary(ofKind: .header, at: path)
            return keepsItem && keepsHeader
        }
        let fresh = (0..<count).filter { section in
            let path = ItemPath(section, 0)
            let isNewItem = after.element(at: path) !== before.element(at: path)
            let isNewHeader =
                after.supplementary(ofKind: .header, at: path)
                !== before.supplementary(ofKind: .header, at: path)
            return isNewItem && isNewHeader
        }
        #expect(same == kept)
        #expect(fresh.count == count - kept.count)
        await scene.close()
    }
}

/// What a reload names.
enum ReloadKind: CaseIterable, Sendable {
    case items
    case sections
    case everything
}
