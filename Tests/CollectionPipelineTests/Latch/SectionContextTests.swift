import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Section contexts", .endsHangs)
struct SectionContextTests {
    /// The generation and index of every context that the view shows, such as `1/0`.
    private func contexts(_ scene: Scene) -> [String] {
        let map = scene.controller.visibleMap
        return (0..<map.numberOfSections).map { section in
            guard let context = map.context(forSection: section) as? NumberedContext else {
                return "-"
            }
            return "\(context.generation)/\(context.index)"
        }
    }

    private func loaded(
        _ substrate: Substrate,
        decomposingMoves: Bool = false
    ) async throws -> Scene {
        let scene = Scene(substrate, [["a"], ["b"], ["c"]]) {
            $0.decomposesMoves = decomposingMoves
        }
        try await scene.controller.reloadData()
        await scene.withModel { $0.generation = 2 }
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func everySectionHasItsContextAfterTheFirstLoad(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        #expect(contexts(scene) == ["1/0", "1/1", "1/2"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aMovedSectionKeepsItsContext(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        try await moveLastToFront(scene)
        #expect(contexts(scene) == ["1/2", "1/0", "1/1"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aMovedSectionIsANewOneWhereMovesAreDecomposed(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate, decomposingMoves: true)
        try await moveLastToFront(scene)
        #expect(contexts(scene) == ["2/0", "1/0", "1/1"])
        await scene.close()
    }

    private func moveLastToFront(_ scene: Scene) async throws {
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections.insert(source.sections.removeLast(), at: 0)
            changes.moveSection(2, toSection: 0)
        }
    }

    @Test(arguments: Substrate.allCases)
    func reloadingEverythingAsksForEveryContextAgain(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        try await scene.controller.reloadData()
        #expect(contexts(scene) == ["2/0", "2/1", "2/2"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func reloadingASectionAsksForItsContextAlone(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        try await scene.controller.performBatchUpdates { $1.reloadSections([1]) }
        #expect(contexts(scene) == ["1/0", "2/1", "1/2"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func sectionNumbersAscendAndAreNeverUsedTwice(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["x"], ["b"], ["c"]]
            changes.deleteSections([0])
            changes.insertSections([0])
        }
        let map = scene.controller.visibleMap
        #expect((0..<3).map { map.section(at: $0)?.id } == [3, 1, 2])
        await scene.close()
    }
}
