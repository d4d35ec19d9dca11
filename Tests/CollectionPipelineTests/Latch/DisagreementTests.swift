import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("What validation cannot see", .endsHangs)
struct DisagreementTests {
    private func scene(
        _ substrate: Substrate,
        _ check: PipelineConfiguration.ContentCheck = .never,
        _ sections: [TextDataSource.Section] = [["a", "b", "c"], ["d"]]
    ) -> Scene {
        Scene(substrate, sections) { $0.contentCheck = check }
    }

    private func first(_ scene: Scene) async -> String? {
        await scene.onMain { $0.assumeIsolated().firstDisagreement()?.description }
    }

    /// Counts are right, so nothing is rejected.
    private func insertAtWrongIndex(_ scene: Scene) async throws {
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 2)])
        }
    }

    @Test(arguments: Substrate.allCases)
    func aRightCountWithAWrongIndexIsFound(_ substrate: Substrate) async throws {
        let scene = scene(substrate)
        try await scene.controller.reloadData()
        #expect(await first(scene) == nil)
        try await insertAtWrongIndex(scene)
        #expect(
            await first(scene)
                == "item 0 - 0 is \"a\" in the map and \"new\" in the data source;"
                + " last in agreement after #1. Likely a record with a wrong index, or a change of the model that"
                + " was not recorded"
        )
        try await scene.controller.reloadData()
        #expect(await first(scene) == nil)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aForgottenReconfigurationIsFound(_ substrate: Substrate) async throws {
        let scene = scene(substrate)
        try await scene.controller.reloadData()
        let found = await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[1].items[0] = "D"
            return controller.assumeIsolated().firstDisagreement()
        }
        #expect(found?.dataSourcePath == ItemPath(1, 0) && found?.viewPath == ItemPath(1, 0))
        #expect(found?.modelInMap as? String == "d" && found?.modelInSource as? String == "D")
        #expect(found?.lastAgreement == nil)
        try await scene.reconfigure(ItemPath(1, 0), to: "D")
        #expect(await first(scene) == nil)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func afterUpdatesThatAreRightNothingIsFound(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .all)
        try await scene.controller.reloadData()
        for number in 0..<20 {
            try await scene.controller.performBatchUpdates { source, changes in
                let place = number * 7 % (source.sections[0].items.count + 1)
                source.sections[0].items.insert("\(number)", at: place)
                changes.insertItems(at: [ItemPath(0, place)])
                source.sections[1].items.append(source.sections[1].items.removeFirst())
                let last = source.sections[1].items.count - 1
                changes.moveItem(at: ItemPath(1, 0), to: ItemPath(1, last))
            }
        }
        #expect(await first(scene) == nil)
        #expect(scene.events.events(.disagreed).isEmpty)
        await scene.close()
    }

    /// Whatever the data source has changed without a record: more, fewer, none at all.
    @Test func countsThatDifferAreFoundToo() async throws {
        let scene = scene(.dispatch)
        try await scene.controller.reloadData()
        let changes: [(@Sendable (TextDataSource) -> Void, String)] = [
            ({ $0.sections[0].items.append("x") }, "item 0 - 3 is missing in the map and \"x\""),
            ({ $0.sections[0].items.removeLast() }, "item 0 - 2 is \"c\" in the map and missing"),
            ({ $0.sections.removeLast() }, "item 1 - 0 is \"d\" in the map and missing"),
            ({ $0.sections.append([]) }, "item 2 - 0 is missing in the map and missing"),
        ]
        for (change, text) in changes {
            let found = await scene.onMain { controller -> String? in
                let sections = controller.assumeIsolated().dataSource.sections
                defer { controller.assumeIsolated().dataSource.sections = sections }
                change(controller.assumeIsolated().dataSource)
                return controller.assumeIsolated().firstDisagreement()?.description
            }
            #expect(found?.hasPrefix(text) == true, "\(found ?? "nothing")")
        }
        await scene.close()
    }

    @Test func nothingIsFoundWhereTheModelIsAheadOnPurpose() async throws {
        let scene = scene(.dispatch)
        #expect(await first(scene) == nil, "before the first load")
        try await scene.controller.reloadData()
        let inBatch = try await scene.onMain { controller in
            try controller.assumeIsolated().beginUpdates()
            controller.assumeIsolated().dataSource.sections[0].items[0] = "A"
            let found = controller.assumeIsolated().firstDisagreement()
            try controller.assumeIsolated().reloadData(completion: nil)
            try controller.assumeIsolated().endUpdates(completion: nil)
            return found == nil
        }
        #expect(inBatch)
        try await scene.controller.clear()
        #expect(await first(scene) == nil, "after a clear")
        await scene.close()
    }

    @Test func modelsAreComparedAsTheCallerSays() async throws {
        struct Opaque: Sendable { let text: String }
        final class Source: CollectionDataSource {
            var text = "a"
            func numberOfItems(inSection section: Int) -> Int { 1 }
            func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { { LetterNode("a") } }
            func model(forItemAt path: ItemPath) -> (any Sendable)? { Opaque(text: text) }
        }
        let controller = DataController(
            dataSource: Source(),
            environment: DispatchEnvironment(workerCount: 1)
        )
        try await controller.reloadData()
        let found = await onMain(controller) { controller in
            let list = controller.assumeIsolated()
            list.dataSource.text = "b"
            return [
                list.firstDisagreement() == nil,
                list.firstDisagreement { ($0 as? Opaque)?.text == ($1 as? Opaque)?.text } == nil,
                list.firstDisagreement { _, _ in true } == nil,
            ]
        }
        #expect(found == [true, false, true])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aCheckAfterEveryUpdateTellsTheFirstThatIsWrongOnce(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .all)
        try await scene.controller.reloadData()
        try await scene.append("x")
        try await insertAtWrongIndex(scene)
        try await scene.append("y")
        await scene.settle()
        let told = scene.events.events(.disagreed)
        #expect(told.map(\.submission?.rawValue) == [3])
        #expect(told.first?.disagreement?.lastAgreement?.rawValue == 2)
        try await scene.controller.reloadData()
        try await insertAtWrongIndex(scene)
        await scene.settle()
        #expect(scene.events.events(.disagreed).map(\.submission?.rawValue) == [3, 6])
        await scene.close()
    }

    /// With two of seven items an update, four updates look at all.
    @Test(arguments: 0..<7)
    func aSampleFindsEveryItemWithinARound(_ wrong: Int) async throws {
        let scene = scene(.dispatch, .sample(2), [["a", "b", "c", "d"], [], ["e", "f", "g"]])
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            let path = wrong < 4 ? ItemPath(0, wrong) : ItemPath(2, wrong - 4)
            controller.assumeIsolated().dataSource.sections[path.section].items[path.item] = "wrong"
        }
        for _ in 0..<4 { try await scene.controller.performBatchUpdates { _, _ in } }
        await scene.settle()
        let told = scene.events.events(.disagreed)
        #expect(told.count == 1)
        #expect(told.first?.disagreement?.modelInSource as? String == "wrong")
        await scene.close()
    }

    /// After a reload nothing is left of what was told, so a sample tells what it finds then.
    @Test(arguments: Substrate.allCases)
    func aSampleTellsAgainAfterAReload(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .sample(10))
        try await scene.controller.reloadData()
        try await insertAtWrongIndex(scene)
        try await scene.append("x")
        try await scene.controller.reloadData()
        try await insertAtWrongIndex(scene)
        await scene.settle()
        let told = scene.events.events(.disagreed)
        #expect(told.map(\.submission?.rawValue) == [2, 5])
        #expect(told.last?.disagreement?.lastAgreement?.rawValue == 4)
        await scene.close()
    }

    /// Also where there is nothing to measure, and step 3 is over at once.
    @Test(arguments: Substrate.allCases)
    func whatIsFoundIsToldBeforeStepThree(_ substrate: Substrate) async throws {
        let scene = scene(substrate, .all)
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.swapAt(0, 2)
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
        }
        await scene.settle()
        let kinds = scene.events.kinds(of: SubmissionID(rawValue: 2))
        let order = ["accepted", "disagreed", "measuringStarted"]
        #expect(kinds.filter(order.contains) == order)
        await scene.close()
    }

    /// A data source that names what changed may have forgotten a section, whose models are then not there.
    @Test func aSampleAsksForNothingThatIsGone() async throws {
        final class Forgetful: ModelSource {
            var models = ["a", "b", "c"]
            func numberOfItems(inSection section: Int) -> Int { models.count }
            func changedSections() -> SectionSet? { [] }
            func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
                models[items]
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
        await controller.withDataSource { _ = $0.models.removeLast() }
        try await controller.performBatchUpdates { _, _ in }
        let found = recorder.events(.disagreed).first?.disagreement
        #expect(found?.dataSourcePath == ItemPath(0, 2))
        #expect(found?.modelInMap as? String == "c" && found?.modelInSource == nil)
        await controller.close()
    }

    @Test func anImpossibleCountIsADisagreementToo() async throws {
        let scene = scene(.dispatch)
        try await scene.controller.reloadData()
        await scene.withModel { $0.falseItemCounts = [0: -1] }
        #expect(await first(scene)?.hasPrefix("item 0 - 0 is \"a\" in the map and missing") == true)
        await scene.close()
    }

    @Test func aRejectionIsNotToldTwice() async throws {
        let scene = scene(.dispatch, .all)
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, _ in
                source.sections[0].items[0] = "changed"
                throw TestFailure()
            }
        }
        try await scene.controller.performBatchUpdates { _, _ in }
        #expect(scene.events.events(.disagreed).isEmpty)
        #expect(await first(scene) != nil)
        await scene.close()
    }

    @Test func agreementIsWhatACompleteCheckOrAnUntroubledSampleSays() {
        var agreement = ContentAgreement()
        func check(_ number: Int, _ isFound: Bool, _ isComplete: Bool) -> (Bool, Int?) {
            agreement.lastAccepted = SubmissionID(rawValue: number)
            let tells = agreement.checked(finding: isFound, isComplete: isComplete)
            return (tells, agreement.lastAgreement?.rawValue)
        }
        let steps = [
            (check(1, false, false), (false, 1)), (check(2, true, false), (true, 1)),
            (check(3, false, false), (false, 1)), (check(4, true, false), (false, 1)),
            (check(5, false, true), (false, 5)), (check(6, true, true), (true, 5)),
        ]
        for (found, expected) in steps { #expect(found == expected) }
    }
}
