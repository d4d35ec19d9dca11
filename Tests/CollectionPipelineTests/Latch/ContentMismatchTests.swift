import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Content disagreements", .endsHangs)
struct ContentMismatchTests {
    private func scene(
        _ check: PipelineConfiguration.ContentCheck = .never,
        _ substrate: Substrate = .dispatch
    ) async throws -> Scene {
        let scene = Scene(substrate, [["a", "b", "c"], [], ["d", "e"]], workerCount: 1) {
            $0.contentCheck = check
        }
        try await scene.controller.reloadData()
        return scene
    }

    private func first(_ scene: Scene) async -> ContentMismatch? {
        await scene.onMain { $0.assumeIsolated().firstContentMismatch() }
    }

    /// The counts are right, so nothing is rejected.
    private func insertAtWrongIndex(_ scene: Scene) async throws {
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 2)])
        }
    }

    /// Changes of the model with the expected descriptions.
    static let differences: [(text: String, change: @Sendable (TextDataSource) -> Void)] = [
        (#"0 - 1 is "b" in the map and "B""#, { $0.sections[0].items[1] = "B" }),
        (#"2 - 1 is "e" in the map and "E""#, { $0.sections[2].items[1] = "E" }),
        (#"0 - 3 is missing in the map and "x""#, { $0.sections[0].items.append("x") }),
        (#"1 - 0 is missing in the map and "x""#, { $0.sections[1].items.append("x") }),
        (#"2 - 1 is "e" in the map and missing"#, { $0.sections[2].items.removeLast() }),
        (#"2 - 0 is "d" in the map and missing"#, { $0.sections.removeLast() }),
        (#"3 - 0 is missing in the map and missing"#, { $0.sections.append([]) }),
        (#"3 - 0 is missing in the map and "x""#, { $0.sections.append(["x"]) }),
        (#"0 - 0 is "a" in the map and missing"#, { $0.givesModels = false }),
        (#"2 - 0 is "d" in the map and missing"#, { $0.falseItemCounts = [2: -1] }),
    ]

    @Test(arguments: differences.indices)
    func theFirstDifferingModelIsFound(_ row: Int) async throws {
        let scene = try await scene()
        #expect(await first(scene) == nil)
        try await scene.onMain { controller in
            let (text, change) = Self.differences[row]
            let list = controller.assumeIsolated()
            change(list.dataSource)
            let found = try #require(list.firstContentMismatch())
            #expect("\(found)".hasPrefix("item \(text)"), "\(found)")
            let end = "last in agreement after #1. The record probably has a wrong index"
            #expect("\(found)".contains(end), "\(found)")
            let isInMap = found.modelInMap != nil
            #expect(found.viewPath == (isInMap ? found.dataSourcePath : nil))
        }
        await scene.close()
    }

    @Test func disagreementsContainTheViewPath() async throws {
        let scene = try await scene()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.removeFirst()
            try list.deleteItems(at: [ItemPath(0, 0)])
            list.dataSource.sections[0].items[1] = "C"
            let found = list.firstContentMismatch()
            #expect(found?.dataSourcePath == ItemPath(0, 1) && found?.viewPath == ItemPath(0, 2))
            #expect(found?.description.hasPrefix("item 0 - 1 (0 - 2 on the view) is") == true)
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    /// Before the first load, in a batch, during a data source call, and after a clear; a data
    /// source call must not submit either.
    @Test func comparisonsAtTheWrongTimeReturnAReason() async throws {
        let scene = Scene(.dispatch, [["a", "b"]])
        let found = Journal<ContentMismatch.Reason?>()
        found.append(await first(scene)?.reason)
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            try list.beginUpdates()
            list.dataSource.sections[0].items[0] = "A"
            found.append(list.firstContentMismatch()?.reason)
            try list.endUpdates()
            list.dataSource.onCall = { _ in
                let list = controller.assumeIsolated()
                list.dataSource.onCall = nil
                found.append(list.firstContentMismatch()?.reason)
            }
            try list.reloadItems(at: [ItemPath(0, 1)])
            found.append(list.firstContentMismatch()?.reason)
            list.dataSource.onCall = { _ in
                let list = controller.assumeIsolated()
                list.dataSource.onCall = nil
                #expect(throws: UpdateError.self) { try list.beginUpdates() }
            }
            _ = list.firstContentMismatch()
            list.dataSource.onCall = nil
        }
        try await scene.controller.clear()
        let last = await first(scene)
        #expect(
            found.values + [last?.reason]
                == [.notLoaded, .batchIsOpen, .isBeingQueried, .differs, .notLoaded]
        )
        let text = "the collection cannot be compared: nothing is loaded; call reloadData() first"
        #expect(last?.dataSourcePath == nil && last.map { "\($0)" } == text)
        await scene.close()
    }

    /// With every kind of check, the lack of models is reported once, and later a difference.
    @Test(
        arguments: [.never, .all, .sample(2), .sample(9)] as [PipelineConfiguration.ContentCheck]
    )
    func dataSourcesWithoutModelsAreReportedOnce(
        _ check: PipelineConfiguration.ContentCheck
    ) async throws {
        let scene = Scene(.dispatch, [["a", "b"], [], ["c"]], workerCount: 1) {
            $0.contentCheck = check
        }
        await scene.withModel { $0.givesModels = false }
        try await scene.controller.reloadData()
        for text in ["x", "y"] { try await scene.append(text) }
        try await scene.controller.reloadData()
        let finding = try #require(await first(scene))
        #expect(finding.reason == .noModel && finding.dataSourcePath == ItemPath(0, 0))
        #expect(finding.uncheckedCount == 5 && finding.lastAgreement == nil)
        #expect(
            "\(finding)" == "item 0 - 0 cannot be compared, nor can 4 more: the data source returns"
                + " no model for it; implement model(forItemAt:)"
        )
        let kept = await scene.onMain { $0.assumeIsolated().contentCheckFinding?.reason }
        #expect(kept == (check == .never ? nil : .noModel))
        // The older items have no models in the map.
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[2].items[0] = "C"
            source.givesModels = true
        }
        for _ in 0..<3 { try await scene.controller.performBatchUpdates { _, _ in } }
        #expect(await first(scene)?.reason == .differs)
        await scene.settle()
        let reported = scene.events.events(.disagreed).map { $0.contentMismatch?.reason }
        #expect(reported == (check == .never ? [] : [.noModel, .differs]))
        let last = await scene.onMain { $0.assumeIsolated().contentCheckFinding?.reason }
        #expect(last == (check == .never ? nil : .differs))
        await scene.close()
    }

    @Test func modelsAreComparedWithTheCallersPredicate() async throws {
        struct Opaque: Sendable { let text: String }
        final class Source: CollectionDataSource {
            var text = "a"
            func numberOfItems(inSection section: Int) -> Int { 1 }
            func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { { LetterNode("a") } }
            func model(forItemAt path: ItemPath) -> (any Sendable)? { Opaque(text: text) }
        }
        let controller = DataController(dataSource: Source())
        try await controller.reloadData()
        let found = await onMain(controller) { controller in
            let list = controller.assumeIsolated()
            list.dataSource.text = "b"
            return [
                list.firstContentMismatch(),
                list.firstContentMismatch { ($0 as? Opaque)?.text == ($1 as? Opaque)?.text },
                list.firstContentMismatch { _, _ in true },
            ]
        }
        #expect(found.map { $0?.reason } == [.notEquatable, .differs, nil])
        #expect(found[0].map { "\($0)" }?.contains("is not Equatable") == true)
        await controller.close()
    }

    /// After every accepted update, the first wrong item is reported once, before step 3, until a
    /// complete check finds nothing or everything is reloaded.
    @Test(
        arguments: Substrate.allCases,
        [.all, .sample(10)] as [PipelineConfiguration.ContentCheck]
    )
    func checksReportTheFirstWrongItemOnce(
        _ substrate: Substrate,
        _ check: PipelineConfiguration.ContentCheck
    ) async throws {
        let scene = try await scene(check, substrate)
        try await scene.append("x")
        try await insertAtWrongIndex(scene)
        try await scene.append("y")
        try await scene.controller.reloadData()
        try await insertAtWrongIndex(scene)
        // The model is repaired, which only a complete check can detect.
        await scene.withModel { source in
            let map = scene.controller.pendingMap.texts
            for section in map.indices { source.sections[section].items = map[section] }
        }
        // After samples, a comparison by the caller is also complete.
        if check == .all { try await scene.append("z") }
        #expect(await first(scene) == nil)
        if check != .all { try await scene.append("z") }
        try await insertAtWrongIndex(scene)
        // The caller already knows of this rejection.
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in throw TestFailure() }
        }
        try await scene.append("w")
        await scene.settle()
        let reported = scene.events.events(.disagreed)
        #expect(reported.map(\.submission?.rawValue) == [3, 6, 8])
        #expect(reported.map { $0.contentMismatch?.lastAgreement?.rawValue } == [2, 5, 7])
        let kinds = scene.events.kinds(of: SubmissionID(rawValue: 3))
        let order = ["accepted", "disagreed", "measuringStarted"]
        #expect(kinds.filter(order.contains) == order)
        scene.calls.removeAll()
        try await scene.controller.clear()
        #expect(scene.calls.values == [])
        await scene.close()
    }

    /// With two of five items per update, three updates check all items; each requests two models,
    /// and each section's count once.
    @Test(arguments: 0..<5)
    func eachSampleContinuesAfterThePreviousOne(_ wrong: Int) async throws {
        let scene = try await scene(.sample(2))
        let path = wrong < 3 ? ItemPath(0, wrong) : ItemPath(2, wrong - 3)
        await scene.withModel { $0.sections[path.section].items[path.item] = "wrong" }
        var queries: [String] = []
        for _ in 0..<3 {
            scene.calls.removeAll()
            try await scene.controller.performBatchUpdates { _, _ in }
            let look = scene.calls.values.split(separator: .numberOfSections).last ?? []
            queries += look.map(\.description)
        }
        let reported = scene.events.events(.disagreed)
        #expect(reported.map { $0.contentMismatch?.dataSourcePath } == [path])
        let models = queries.filter { $0.hasPrefix("model") }
        let all = ["0 - 2", "2 - 0", "2 - 1", "0 - 0", "0 - 1", "0 - 2"].map { "model \($0)" }
        #expect(models.allSatisfy(all.contains) && models.count >= 4 && models.first == all[0])
        await scene.close()
    }

    /// A data source that names changed sections may have forgotten one, whose models are then
    /// missing.
    @Test(arguments: [0, 1])
    func samplesRequestNoMissingModels(_ left: Int) async throws {
        final class Forgetful: ModelSource {
            var models = [["a"], ["b", "c"]]
            func numberOfSections() -> Int { 2 }
            func numberOfItems(inSection section: Int) -> Int { models[section].count }
            func changedSections() -> SectionSet? { [] }
            func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
                models[section][items]
            }
        }
        var configuration = PipelineConfiguration.unwatched
        configuration.contentCheck = .sample(3)
        let recorder = EventRecorder()
        let controller = DataController(
            dataSource: Forgetful(),
            configuration: configuration,
            observer: recorder
        )
        try await controller.reloadData()
        await controller.withDataSource { $0.models[1] = Array(["b"].prefix(left)) }
        try await controller.performBatchUpdates { _, _ in }
        let found = recorder.events(.disagreed).first?.contentMismatch
        #expect(found?.dataSourcePath == ItemPath(1, left))
        #expect(found?.modelInMap as? String == ["b", "c"][left] && found?.modelInSource == nil)
        await controller.close()
    }

    @Test func withoutAnObserverTheFirstFindingIsKept() async throws {
        var configuration = PipelineConfiguration()
        configuration.contentCheck = .all
        let controller = DataController(
            dataSource: TextDataSource([["a"], ["b"]]),
            configuration: configuration
        )
        for text in ["A", "B"] {
            try await controller.reloadData()
            try await controller.performBatchUpdates { source, _ in
                source.sections[0].items[0] = text
            }
        }
        try await controller.reloadData()
        let found = await onMain(controller) { $0.assumeIsolated().contentCheckFinding }
        #expect(found?.modelInMap as? String == "a" && found?.modelInSource as? String == "A")
        await controller.close()
    }
}
