import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Supplementary elements", .endsHangs)
struct SupplementaryTests {
    /// The headers and footers of every section that the view shows.
    private func elements(
        _ kind: SupplementaryKind,
        _ scene: Scene
    ) -> [[CollectionElement]] {
        let map = scene.controller.visibleMap
        return (0..<map.numberOfSections).map { section in
            (0..<map.numberOfSupplementaries(ofKind: kind, inSection: section)).compactMap {
                map.supplementary(ofKind: kind, at: ItemPath(section, $0))
            }
        }
    }

    private func texts(_ elements: [[CollectionElement]]) -> [[String]] {
        elements.map { $0.map { ($0.nodeIfAllocated as? TextNode)?.text ?? "-" } }
    }

    private func loaded(_ substrate: Substrate) async throws -> Scene {
        let scene = Scene(
            substrate,
            [
                .init(["a"], headers: ["head 0", "head 0b"], footers: ["foot 0"]),
                .init(["b"], headers: ["head 1"]),
            ]
        )
        try await scene.controller.reloadData()
        scene.calls.removeAll()
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func theyAreMadeMeasuredAndFoundByKindAndPath(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        #expect(texts(elements(.header, scene)) == [["head 0", "head 0b"], ["head 1"]])
        #expect(texts(elements(.footer, scene)) == [["foot 0"], []])
        let map = scene.controller.visibleMap
        #expect(map.supplementaryKinds == [.footer, .header])
        let footer = try #require(map.supplementary(ofKind: .footer, at: ItemPath(0, 0)))
        #expect(footer.kind == .footer && footer.state.text == "measured")
        #expect(map.path(of: footer) == ItemPath(0, 0))
        #expect(map.pathIfItem(of: footer) == nil)
        #expect(map.numberOfElements == 6 && map.numberOfItems == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anItemEditKeepsWhatTheSectionStillHas(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        let before = elements(.header, scene)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.append("c")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(elements(.header, scene) == before)
        #expect(
            scene.calls.values.map(\.description).filter { !$0.hasPrefix("items") }
                == [
                    "sections", "model 0 - 1", "range 0 - 1", "node 0 - 1", "kinds 0",
                    "footers 0", "headers 0", "sections",
                ],
            "sections without edits are not asked"
        )
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func slotsThatComeAndGoWithAnEditAreAddedAndRemoved(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        let before = elements(.header, scene)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].headers = ["head 0"]
            source.sections[0].footers = []
            source.sections[1].footers = ["foot 1"]
            changes.reloadItems(at: [ItemPath(0, 0), ItemPath(1, 0)])
        }
        #expect(elements(.header, scene) == [[before[0][0]], before[1]])
        #expect(texts(elements(.footer, scene)) == [[], ["foot 1"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theyFollowTheirSection(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        let before = elements(.header, scene)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections.swapAt(0, 1)
            source.sections.insert(.init(["n"], headers: ["head n"]), at: 0)
            changes.moveSection(1, toSection: 1)
            changes.insertSections([0])
        }
        #expect(elements(.header, scene).dropFirst() == [before[1], before[0]])
        #expect(texts(elements(.header, scene)).first == ["head n"])
        #expect(scene.nodes.measurementCount(of: "head 0") == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theyGoWithTheirSectionAndAreFreshInAReloadedOne(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        let before = elements(.header, scene)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections.removeFirst()
            changes.deleteSections([0])
            changes.reloadSections([1])
        }
        let after = elements(.header, scene)
        #expect(texts(after) == [["head 1"]])
        #expect(after[0][0] !== before[1][0])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func reloadingAKindReplacesThatKindInThatSection(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        let (headers, footers) = (elements(.header, scene), elements(.footer, scene))
        let items = scene.controller.visibleMap.elements
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].headers = [
                "new 0", "new 0b", "new 0c",
            ]
            try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [0])
        }
        await scene.settle()
        #expect(texts(elements(.header, scene)) == [["new 0", "new 0b", "new 0c"], ["head 1"]])
        #expect(elements(.header, scene)[1] == headers[1])
        #expect(elements(.footer, scene) == footers)
        #expect(scene.controller.visibleMap.elements == items)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func countsThatAreNoCountsAreRefused(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let counts: [(Int, HierarchyUpdateError.Code)] = [
            (-1, .negativeItemCount), (Int.min, .negativeItemCount), (Int.max, .tooManyItems),
        ]
        for (count, code) in counts {
            let controller = stage.makeController(CountingHeaders(count))
            let error = await #expect(throws: UpdateError.self) {
                try await controller.reloadData()
            }
            #expect(error?.hierarchyError?.code == code)
            #expect(controller.pendingMap.generation == 0)
            await controller.close()
        }
    }
}

/// One item, and as many headers as it is told to claim.
private final class CountingHeaders: CollectionDataSource {
    let count: Int
    let nodes = NodeBook()

    init(_ count: Int) { self.count = count }

    func numberOfItems(inSection section: Int) -> Int { 1 }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [nodes] in try nodes.makeNode("a") }
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int) -> Int {
        count
    }
}
