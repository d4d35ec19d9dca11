import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Data sources with impossible answers", .endsHangs)
struct DataSourceExtremesTests {
    struct Extreme: Sendable, CustomTestStringConvertible {
        var sections: Int?
        var items: [Int: Int] = [:]
        let code: HierarchyUpdateError.Code

        var testDescription: String { code.rawValue }
    }

    static let extremes: [Extreme] = [
        Extreme(sections: -1, code: .negativeSectionCount),
        Extreme(sections: Int.min, code: .negativeSectionCount),
        Extreme(sections: Int.max, code: .tooManySections),
        Extreme(sections: 11, code: .tooManySections),
        Extreme(items: [0: -1], code: .negativeItemCount),
        Extreme(items: [1: Int.min], code: .negativeItemCount),
        Extreme(items: [0: Int.max], code: .tooManyItems),
        Extreme(items: [0: Int.max, 1: Int.max], code: .tooManyItems),
        Extreme(items: [0: 50, 1: 51], code: .tooManyItems),
    ]

    private func scene(_ substrate: Substrate) -> Scene {
        Scene(substrate, [["a"], ["b"]]) {
            $0.limits = ShapeLimits(sections: 10, items: 100)
        }
    }

    private func lie(_ extreme: Extreme, in scene: Scene) async {
        await scene.withModel { source in
            source.falseSectionCount = extreme.sections
            source.falseItemCounts = extreme.items
        }
    }

    @Test(arguments: Substrate.allCases, extremes)
    func anImpossibleCountIsRefusedBeforeContentIsAskedFor(
        _ substrate: Substrate,
        _ extreme: Extreme
    ) async throws {
        let scene = scene(substrate)
        await lie(extreme, in: scene)
        let first = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        #expect(first?.hierarchyError?.code == extreme.code)
        #expect(first?.hierarchyError?.dataSourceName == "TextDataSource")
        let onlyCounts = scene.calls.values.allSatisfy(\.isCount)
        #expect(onlyCounts)
        await lie(Extreme(code: extreme.code), in: scene)
        try await scene.controller.reloadData()
        scene.calls.removeAll()
        await lie(extreme, in: scene)
        let later = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        #expect(later?.hierarchyError?.code == extreme.code)
        let stillOnlyCounts = scene.calls.values.allSatisfy(\.isCount)
        #expect(stillOnlyCounts)
        #expect(scene.controller.pendingMap.texts == [["a"], ["b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func asManyAsTheLimitsAllowAreAccepted(_ substrate: Substrate) async throws {
        let scene = scene(substrate)
        await scene.withModel { source in
            source.sections = (0..<10).map { _ in .init(Array(repeating: "x", count: 10)) }
        }
        try await scene.controller.reloadData()
        #expect(scene.controller.visibleMap.numberOfItems == 100)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func recordsWithExtremeIndexesAreRejected(_ substrate: Substrate) async throws {
        let scene = scene(substrate)
        try await scene.controller.reloadData()
        let indexes = [-1, Int.min, Int.max]
        for index in indexes {
            await #expect(throws: UpdateError.self) {
                try await scene.controller.performBatchUpdates {
                    $1.deleteItems(at: [ItemPath(0, index)])
                }
            }
            await #expect(throws: UpdateError.self) {
                try await scene.controller.performBatchUpdates {
                    $1.moveSection(index, toSection: index)
                }
            }
            try await scene.controller.reloadData()
            let error = await #expect(throws: UpdateError.self) {
                try await scene.onMain { controller in
                    try controller.assumeIsolated().relayoutItems(at: [ItemPath(index, index)])
                }
            }
            #expect(error?.code == .unknownElement)
            #expect(scene.controller.viewPath(for: ItemPath(index, index)) == nil)
            #expect(scene.controller.dataSourcePath(for: ItemPath(index, 0)) == nil)
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSubmissionFromInsideACallbackIsRejectedAndRejectsTheSet(
        _ substrate: Substrate
    ) async throws {
        let scene = scene(substrate)
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.onMain { controller in
                let source = controller.assumeIsolated().dataSource
                source.onCall = { [weak controller] _ in
                    _ = try? controller?.assumeIsolated().performBatchUpdates(
                        { source, _ in source.sections = [] },
                        completion: scene.completion("inner")
                    )
                    source.onCall = nil
                }
                defer { source.onCall = nil }
                try controller.assumeIsolated().performBatchUpdates(
                    completion: scene.completion("outer")
                )
            }
        }
        #expect(error?.code == .dataSourceChangedDuringLatch)
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description) == [
                "inner: rejected(submissionDuringLatch)",
                "outer: rejected(dataSourceChangedDuringLatch)",
            ]
        )
        #expect(await scene.withModel { $0.sections.count } == 2, "the inner closure did not run")
        await scene.close()
    }
}
