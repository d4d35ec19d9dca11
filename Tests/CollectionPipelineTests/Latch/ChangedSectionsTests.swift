import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Which sections a data source is asked about that names those that may have changed.
@Suite("Naming changed sections", .endsHangs)
struct ChangedSectionsTests {
    /// Counts, names, and a log of what was asked.
    final class NamingSource: CollectionDataSource {
        var counts: [Int]
        var named: SectionSet? = []
        var onNode: () -> Void = {}
        let asked: Journal<String>
        private let book = NodeBook()

        init(_ counts: [Int], _ asked: Journal<String>) {
            self.counts = counts
            self.asked = asked
        }

        func numberOfSections() -> Int {
            asked.append("sections")
            return counts.count
        }

        func numberOfItems(inSection section: Int) -> Int {
            asked.append("\(section)")
            return counts[section]
        }

        func changedSections() -> SectionSet? {
            asked.append("named")
            return named
        }

        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            asked.append("node")
            onNode()
            return { [book] in try book.makeNode("\(path)") }
        }
    }

    struct NamingScene: Sendable {
        let asked = Journal<String>()
        let view = RecordingView()
        let controller: DataController<NamingSource>

        init(_ substrate: Substrate, _ counts: [Int]) {
            let stage = substrate.makeStage()
            controller = stage.makeController(NamingSource(counts, asked), view: view)
        }

        /// The sections that were counted for validating, and those again at the end.
        @discardableResult
        func counted(
            _ updates: @escaping @Sendable (NamingSource, inout BatchRecorder) throws -> Void
        ) async -> (before: [Int], after: [Int], error: UpdateError?) {
            asked.removeAll()
            var failure: UpdateError?
            do throws(UpdateError) {
                try await controller.performBatchUpdates(updates)
            } catch {
                failure = error
            }
            let asked = asked.values
            let turn = asked.lastIndex(of: "node") ?? asked.count
            let (before, after) = (asked[..<turn], asked[turn...])
            return (before.compactMap { Int($0) }, after.compactMap { Int($0) }, failure)
        }
    }

    private func loaded(_ substrate: Substrate, _ counts: [Int]) async throws -> NamingScene {
        let scene = NamingScene(substrate, counts)
        let first = await scene.counted { _, _ in }
        #expect(first.before == Array(counts.indices), "a first load counts everything")
        #expect(scene.controller.visibleMap.shape == HierarchyShape(counts))
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func onlyTouchedAndNamedSectionsAreCountedAndEachOnce(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate, Array(repeating: 2, count: 100))
        let nothing = await scene.counted { _, _ in }
        #expect(nothing.before == [] && nothing.after == [] && nothing.error == nil)
        let touched = await scene.counted { source, changes in
            source.counts[7] = 3
            source.counts[9] = 1
            source.named = [7, 9, 50]
            changes.insertItems(at: [ItemPath(7, 0)])
            changes.deleteItems(at: [ItemPath(9, 0)])
            changes.reloadItems(at: [ItemPath(3, 0), ItemPath(7, 1)])
        }
        #expect(touched.before == [3, 7, 9, 50] && touched.error == nil)
        #expect(touched.after == [3, 7], "those that were asked for content")
        let unnamed = await scene.counted { source, changes in
            source.counts[99] = 5
            source.named = []
            changes.insertItems(at: [2, 3, 4].map { ItemPath(99, $0) })
        }
        #expect(unnamed.before == [99] && unnamed.error == nil)
        let expected = await onMain(scene.controller) { $0.assumeIsolated().dataSource.counts }
        #expect(scene.controller.visibleMap.shape == HierarchyShape(expected))
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func sectionsAreFollowedWhereverTheyGo(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate, [1, 2, 3, 4, 5])
        let moved = await scene.counted { source, changes in
            source.counts = [5, 9, 1, 3, 7]
            // New 0 was 4, new 1 is fresh, new 3 was 2, new 4 was 3 and has three more.
            changes.deleteSections([1])
            changes.insertSections([1])
            changes.moveSection(4, toSection: 0)
            changes.insertItems(at: [4, 5, 6].map { ItemPath(4, $0) })
        }
        #expect(moved.error == nil && moved.before == [1, 4])
        #expect(scene.controller.visibleMap.shape == [5, 9, 1, 3, 7])
        let reload = await scene.counted { source, changes in
            source.counts = [2, 2]
            changes.reloadData()
        }
        #expect(reload.error == nil && reload.before == [0, 1])
        await scene.controller.close()
    }

    static let hostile: [SectionSet] = [
        SectionSet(Int.min...Int.max), [Int.min], [Int.max], [-1, 3, 4, 1 << 40],
        SectionSet(Int.min...(-1)), SectionSet(3...Int.max), SectionSet(-5...0),
        [Int.min, 1, Int.max],
    ]

    @Test(arguments: Substrate.allCases, hostile)
    func sectionsThatDoNotExistAreNotCounted(
        _ substrate: Substrate,
        _ named: SectionSet
    ) async throws {
        let scene = try await loaded(substrate, [1, 1, 1])
        let result = await scene.counted { source, changes in
            source.named = named
            source.counts[1] = 2
            changes.insertItems(at: [ItemPath(1, 0)])
        }
        #expect(result.error == nil)
        #expect(result.before == [0, 1, 2].filter { $0 == 1 || named.contains($0) })
        let emptied = await scene.counted { source, changes in
            source.counts = []
            changes.deleteSections([0, 1, 2])
        }
        #expect(emptied.error == nil && emptied.before == [])
        #expect(scene.controller.visibleMap.shape == [])
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsNotNamedStaysUnnoticedUntilItIs(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate, [1, 1, 1, 1])
        let unnoticed = await scene.counted { source, changes in
            source.counts[2] = 4
            source.counts[0] = 2
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(unnoticed.error == nil && unnoticed.before == [0])
        #expect(scene.controller.visibleMap.shape == [2, 1, 1, 1])
        // Named at last, it is a change that nobody recorded.
        let noticed = await scene.counted { source, _ in source.named = [2] }
        #expect(noticed.error?.hierarchyError != nil)
        #expect(noticed.before == [2])
        #expect(scene.controller.visibleMap.shape == [2, 1, 1, 1])
        await scene.controller.close()
    }

    /// Whatever rejects a set, everything is counted from then on, until all is accounted for.
    @Test(arguments: Substrate.allCases, 0..<3)
    func afterARejectionEverySectionIsCountedUntilAllIsAccountedFor(
        _ substrate: Substrate,
        _ cause: Int
    ) async throws {
        let scene = try await loaded(substrate, [1, 1, 1, 1])
        let refused = await scene.counted { source, changes in
            source.counts[3] = 2
            switch cause {
            case 0: source.named = [3]
            case 1: throw TestFailure()
            default:
                // It changes again while it is asked for content.
                changes.insertItems(at: [ItemPath(3, 1)])
                source.onNode = { [unowned source] in source.counts[3] = 3 }
            }
        }
        #expect(refused.error != nil)
        let again = await scene.counted { source, changes in
            source.onNode = {}
            source.counts[3] = 2
            source.named = []
            changes.reloadItems(at: [ItemPath(0, 0)])
        }
        #expect(again.error?.hierarchyError != nil, "section 3 is not accounted for")
        #expect(again.before == [0, 1, 2, 3])
        #expect(!scene.asked.values.contains("named"), "it need not name what is not used")
        let caughtUp = await scene.counted { _, changes in
            changes.insertItems(at: [ItemPath(3, 1)])
        }
        #expect(caughtUp.error == nil && caughtUp.before == [0, 1, 2, 3])
        let usual = await scene.counted { _, changes in
            changes.reloadItems(at: [ItemPath(1, 0)])
        }
        #expect(usual.error == nil && usual.before == [1])
        #expect(scene.controller.visibleMap.shape == [1, 1, 1, 2])
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSourceThatForgetsItsNamesWhenAskedLosesNone(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate, [1, 1, 1])
        await onMain(scene.controller) { controller in
            let source = controller.assumeIsolated().dataSource
            source.named = [1]
            source.counts[1] = 5
        }
        // A relayout asks too, and finds the difference.
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.relayoutItems(at: [ItemPath(0, 0)])
        }
        #expect(error?.hierarchyError != nil)
        await onMain(scene.controller) { $0.assumeIsolated().dataSource.named = [] }
        let later = await scene.counted { _, _ in }
        #expect(later.error?.hierarchyError != nil && later.before == [0, 1, 2])
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func sectionsThatComeOrGoUnrecordedAreAllCounted(_ substrate: Substrate) async throws {
        for counts in [[1, 1], [1, 1, 1, 1]] {
            let scene = try await loaded(substrate, [1, 1, 1])
            let result = await scene.counted { source, _ in source.counts = counts }
            #expect(result.error?.hierarchyError != nil)
            #expect(result.before == Array(counts.indices))
            await scene.controller.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func aLoadAfterClearingCountsEverySection(_ substrate: Substrate) async throws {
        let scene = try await loaded(substrate, [1, 2])
        try await onMain(scene.controller) { try $0.assumeIsolated().clear() }
        await scene.controller.settle()
        let result = await scene.counted { source, _ in source.counts = [3, 4, 5] }
        #expect(result.error == nil && result.before == [0, 1, 2])
        #expect(scene.controller.visibleMap.shape == [3, 4, 5])
        await scene.controller.close()
    }
}
