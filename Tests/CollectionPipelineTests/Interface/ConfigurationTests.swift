import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Configurations", .endsHangs)
struct ConfigurationTests {
    @Test func defaultsMatchTheDocumentation() {
        let configuration = PipelineConfiguration()
        #expect(configuration.profile == .standard && !configuration.decomposesMoves)
        #expect(configuration.limits == ShapeLimits(sections: 1 << 24, items: 1 << 24))
        #expect(configuration.backlogLimit == 64 && configuration.backlogPolicy == .suspend)
        #expect(configuration.rejectionPolicy == .report && configuration.name == "collection")
        #expect(configuration.traits == Traits() && configuration.contentCheck == .never)
        #expect(configuration.stallTimeout == .seconds(10))
        #expect(configuration.relayoutsWhenSizeRangeChanges)
    }

    /// Moved sections keep their identity unless moves are decomposed; verdicts follow the profile,
    /// and nodes are measured with the traits.
    @Test(arguments: Substrate.allCases, [ValidationProfile.standard, .strict, .texture])
    func profilesMovesAndTraitsFollowTheConfiguration(
        _ substrate: Substrate,
        _ profile: ValidationProfile
    ) async throws {
        for decomposesMoves in [false, true] {
            let scene = Scene(substrate, [["a", "b", "c"], ["d"], ["e"]]) {
                $0.profile = profile
                $0.decomposesMoves = decomposesMoves
                $0.traits = Traits(textScale: 3, isRightToLeft: true)
            }
            try await scene.controller.reloadData()
            let traits = Set(scene.nodes.measurements.values.map(\.traits))
            #expect(traits == [Traits(textScale: 3, isRightToLeft: true)])
            let before = scene.controller.visibleMap
            try await scene.controller.performBatchUpdates { source, changes in
                source.generation = 2
                source.sections.insert(source.sections.removeLast(), at: 0)
                changes.moveSection(2, toSection: 0)
            }
            let map = scene.controller.visibleMap
            let isKept = !decomposesMoves && profile != .texture
            let contexts = (0..<3).map { index in
                (map.context(forSection: index) as? NumberedContext).map {
                    "\($0.generation)/\($0.index)"
                }
            }
            #expect(contexts == [isKept ? "1/2" : "2/0", "1/0", "1/1"])
            #expect((map.section(at: 0) === before.section(at: 2)) == isKept)
            #expect((map.elements[0] == before.elements[2]) == isKept)
            let twice = await refusal(scene) { source, changes in
                source.sections[1].items = ["b", "c"]
                changes.deleteItems(at: [ItemPath(1, 0), ItemPath(1, 0)])
            }
            #expect(twice == (profile == .texture ? nil : "duplicateDeleteItem"))
            try await scene.controller.reloadData()
            let moveOut = await refusal(scene) { source, changes in
                let moved = source.sections[1].items[0]
                source.sections = [source.sections[0], .init([moved, "d"])]
                changes.deleteSections([1])
                changes.moveItem(at: ItemPath(1, 0), to: ItemPath(1, 0))
            }
            let isRefused = profile == .strict && !decomposesMoves
            #expect((moveOut != nil) == isRefused, "\(moveOut ?? "accepted")")
            await scene.close()
        }
    }

    private func refusal(
        _ scene: Scene,
        _ updates: @escaping @Sendable (TextDataSource, inout BatchRecorder) -> Void
    ) async -> String? {
        do throws(UpdateError) {
            try await scene.controller.performBatchUpdates(updates)
            return nil
        } catch {
            return error.hierarchyError?.code.rawValue ?? error.code.rawValue
        }
    }
}
