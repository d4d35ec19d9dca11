import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Impossible or changing results of a data source. ``ControllerModelTests`` checks the order of
/// the calls.
@Suite("Results of a data source", .endsHangs)
struct DataSourceAnswerTests {
    struct InvalidCounts: Sendable, CustomTestStringConvertible {
        var sections: Int?
        var items: [Int: Int] = [:]
        /// The number of headers in the last section.
        var headers: Int?
        let code: HierarchyUpdateError.Code
        var section: Int?
        /// The end of the message: the allowed number and the actual one.
        let text: String

        var testDescription: String { text }
    }

    private static let negative = "not be negative, but the data source returned"
    private static let most = "be at most 100 together with those counted before,"

    /// For two sections with one item each, and limits of 10 sections and 100 items.
    static let answers: [InvalidCounts] =
        [-1, Int.min].flatMap { count in
            [
                InvalidCounts(
                    sections: count,
                    code: .negativeSectionCount,
                    text: "\(negative) \(count)"
                ),
                InvalidCounts(
                    items: [1: count],
                    code: .negativeItemCount,
                    section: 1,
                    text: "\(negative) \(count)"
                ),
            ]
        }
        + [11, Int.max].map { count in
            let text = "be at most 10, but the data source has \(count)"
            return InvalidCounts(sections: count, code: .tooManySections, text: text)
        }
        + [101, Int.max].map { count in
            let text = "\(most) but the data source has \(count)"
            return InvalidCounts(headers: count, code: .tooManyItems, section: 1, text: text)
        } + [
            InvalidCounts(
                headers: -1,
                code: .negativeItemCount,
                section: 1,
                text: "\(negative) -1"
            ),
            InvalidCounts(
                items: [0: 50, 1: 51],
                code: .tooManyItems,
                section: 1,
                text: "be at most 100, but the sections up to 1 already have 101"
            ),
        ]

    /// Two sections of one item each, with wrong results on request.
    final class Source: CollectionDataSource {
        var answer: InvalidCounts?
        let base: TextDataSource
        init(_ calls: Journal<DataSourceCall>) {
            base = TextDataSource([["a"], ["b"]], calls: calls)
        }
        func numberOfSections() -> Int {
            let count = base.numberOfSections()
            return answer?.sections ?? count
        }
        func numberOfItems(inSection section: Int) -> Int {
            answer?.items[section] ?? base.numberOfItems(inSection: section)
        }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            base.nodeProvider(forItemAt: path)
        }
        func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
            answer?.headers == nil || section == 0 ? [] : [.header]
        }
        func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int) -> Int
        {
            answer?.headers ?? 1
        }
    }

    /// Tests the first load and a later set; content is requested only if the counts are valid.
    @Test(arguments: Substrate.allCases, answers)
    func impossibleCountsAreRejectedBeforeAnyChange(
        _ substrate: Substrate,
        _ answer: InvalidCounts
    ) async throws {
        var configuration = PipelineConfiguration.unwatched
        configuration.limits = ShapeLimits(sections: 10, items: 100)
        let calls = Journal<DataSourceCall>()
        let controller = substrate.makeStage()
            .makeController(Source(calls), configuration: configuration)
        for generation in 0...1 {
            await controller.withDataSource { $0.answer = answer }
            calls.removeAll()
            let error = await #expect(throws: UpdateError.self) {
                try await controller.performBatchUpdates { $1.reloadSections([1]) }
            }
            #expect(error?.code == .invalidUpdate)
            #expect(error?.message.hasSuffix(" must \(answer.text)") == true)
            let fault = error?.hierarchyError
            #expect(fault?.code == answer.code && fault?.section == answer.section)
            #expect(
                fault?.dataSourceName == "Source" && error?.divergence?.since == error?.submission
            )
            let onlyCounts = calls.values.allSatisfy(\.isCount)
            #expect(onlyCounts || answer.headers != nil)
            #expect(controller.pendingMap.generation == generation)
            await controller.withDataSource { $0.answer = nil }
            try await controller.reloadData()
            #expect(controller.divergence == nil && controller.visibleMap.shape == [1, 1])
            if generation == 0 { continue }
            // As much as the limits allow is accepted.
            await controller.withDataSource { source in
                source.base.sections = (0..<10).map { _ in .init(Array(repeating: "x", count: 10)) }
            }
            try await controller.reloadData()
            #expect(controller.visibleMap.numberOfItems == 100)
        }
        await controller.close()
    }

    /// Tests nodes that accept the new model and nodes that do not.
    @Test(arguments: Substrate.allCases, [true, false])
    func releasedNodesAreMadeAgainForTheNewModel(
        _ substrate: Substrate,
        _ accepts: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.releasesNodes = true }
        try await scene.controller.reloadData()
        scene.nodes.onAccept { [stage = scene.stage] _ in
            // An acceptance on a worker comes too late.
            accepts && stage.currentPlace == .mainLane
        }
        try await scene.reconfigure(to: "b")
        await scene.settle()
        let content = try #require(scene.controller.visibleMap.content(at: ItemPath(0, 0)))
        let isReleased = await scene.onMain { _ in content.element.releaseNode(showing: content) }
        #expect(isReleased && content.element.nodeIfAllocated == nil)
        let node = try await content.element.node
        #expect((node as? TextNode)?.text == "b")
        #expect(scene.nodes.made.values.map(\.text) == (accepts ? ["a", "b"] : ["a", "b", "b"]))
        await scene.close()
    }
}
