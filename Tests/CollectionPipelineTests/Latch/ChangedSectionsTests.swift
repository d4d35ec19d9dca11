import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// The sections that a controller counts if the data source names those that may have changed.
@Suite("Named changed sections", .endsHangs)
struct ChangedSectionsTests {
    /// Counts, named sections, and a log of the calls.
    final class Source: CollectionDataSource {
        var counts: [Int]
        var named: SectionSet? = []
        var onNode: () -> Void = {}
        var queries: [String] = []

        init(_ counts: [Int]) { self.counts = counts }

        func numberOfSections() -> Int { counts.count }

        func numberOfItems(inSection section: Int) -> Int {
            queries.append("\(section)")
            return counts[section]
        }

        func changedSections() -> SectionSet? {
            queries.append("named")
            return named
        }

        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            if queries.last != "node" { queries.append("node") }
            onNode()
            return { LetterNode("a") }
        }
    }

    private typealias Update = @Sendable (Source, inout BatchRecorder) throws -> Void

    /// Submits a batch and compares the sections that were counted for validation, and again after
    /// nodes were requested.
    private func expect(
        _ controller: DataController<Source>,
        _ expected: String,
        isRejected: Bool = false,
        _ updates: @escaping Update
    ) async {
        var failure: UpdateError?
        await controller.withDataSource { $0.queries = [] }
        do throws(UpdateError) { try await controller.performBatchUpdates(updates) } catch {
            failure = error
        }
        let queries = await controller.withDataSource { $0.queries.joined(separator: " ") }
        #expect(
            queries == expected && (failure?.hierarchyError != nil) == isRejected,
            "\(expected)"
        )
    }

    @Test(arguments: Substrate.allCases)
    func onlyEditedAndNamedSectionsAreCounted(_ substrate: Substrate) async throws {
        let controller = substrate.makeStage().makeController(Source([2, 2, 2, 4, 5]))
        await expect(controller, "named 0 1 2 3 4 node 0 1 2 3 4") { _, _ in }
        await expect(controller, "named") { _, _ in }
        await expect(controller, "named 0 1 2 4 node 0 2") { source, changes in
            source.counts = [2, 1, 3, 4, 5]
            source.named = [1, 2, 4]
            changes.insertItems(at: [ItemPath(2, 0)])
            changes.deleteItems(at: [ItemPath(1, 0)])
            changes.reloadItems(at: [ItemPath(0, 0), ItemPath(2, 1)])
        }
        await expect(controller, "named 1 4 node 1 4") { source, changes in
            source.named = []
            source.counts = [5, 9, 2, 3, 7]
            // New 0 was 4, new 1 is inserted, new 3 was 2, new 4 was 3 and has three more.
            changes.deleteSections([1])
            changes.insertSections([1])
            changes.moveSection(4, toSection: 0)
            changes.insertItems(at: [4, 5, 6].map { ItemPath(4, $0) })
        }
        #expect(controller.visibleMap.shape == [5, 9, 2, 3, 7])
        // Changes in unnamed sections stay unnoticed; once named, they are unrecorded changes.
        await expect(controller, "named 0 node 0") { source, changes in
            source.counts = [6, 9, 2, 8, 7]
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(controller.visibleMap.shape == [6, 9, 2, 3, 7])
        await expect(controller, "named 3", isRejected: true) { source, _ in source.named = [3] }
        await expect(controller, "0 1 node 0 1") { source, changes in
            source.counts = [2, 2]
            changes.reloadData()
        }
        try await controller.clear()
        await expect(controller, "named 0 1 2 node 0 1 2") { source, _ in
            source.named = []
            source.counts = [3, 4, 5]
        }
        await expect(controller, "named 0 1", isRejected: true) { source, _ in
            source.counts = [3, 4]
        }
        await controller.close()
    }

    static let hostile: [SectionSet] = [
        SectionSet(Int.min...Int.max), [Int.min], [-1, 3, 4, 1 << 40], SectionSet(3...Int.max),
        SectionSet(-5...0), [Int.min, 1, Int.max],
    ]

    @Test(arguments: hostile)
    func sectionsThatDoNotExistAreNotCounted(_ named: SectionSet) async throws {
        let controller = DataController(dataSource: Source([1, 1, 1]))
        try await controller.reloadData()
        let counted = [0, 1, 2].filter { $0 == 1 || named.contains($0) }.map { "\($0) " }.joined()
        await expect(controller, "named \(counted)node 1") { source, changes in
            source.named = named
            source.counts[1] = 2
            changes.insertItems(at: [ItemPath(1, 0)])
        }
        await expect(controller, "named") { source, changes in
            source.counts = []
            changes.deleteSections([0, 1, 2])
        }
        await controller.close()
    }

    /// Tests all causes of a rejection; a relayout also counts sections and is rejected for its
    /// finding.
    @Test(arguments: Substrate.allCases, 0..<4)
    func rejectionsMakeEverySectionCountedUntilStatesAgree(
        _ substrate: Substrate,
        _ cause: Int
    ) async throws {
        let controller = substrate.makeStage().makeController(Source([1, 1, 1, 1]))
        try await controller.reloadData()
        if cause == 3 {
            await controller.withDataSource { source in
                source.counts[3] = 2
                source.named = [3]
            }
            await #expect(throws: UpdateError.self) {
                try await controller.relayoutItems(at: [ItemPath(0, 0)])
            }
        } else {
            await #expect(throws: UpdateError.self) {
                try await controller.performBatchUpdates { source, changes in
                    source.counts[3] = 2
                    switch cause {
                    case 0: source.named = [3]
                    case 1: throw TestFailure()
                    default:
                        // The count changes again while content is requested.
                        changes.insertItems(at: [ItemPath(3, 1)])
                        source.onNode = { [unowned source] in source.counts[3] = 3 }
                    }
                }
            }
        }
        await expect(controller, "0 1 2 3", isRejected: true) { source, changes in
            source.onNode = {}
            source.counts[3] = 2
            source.named = []
            changes.reloadItems(at: [ItemPath(0, 0)])
        }
        await expect(controller, "0 1 2 3 node 3") { $1.insertItems(at: [ItemPath(3, 1)]) }
        await expect(controller, "named 1 node 1") { $1.reloadItems(at: [ItemPath(1, 0)]) }
        #expect(controller.visibleMap.shape == [1, 1, 1, 2])
        await controller.close()
    }
}
