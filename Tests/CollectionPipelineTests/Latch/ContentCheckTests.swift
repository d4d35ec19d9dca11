import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What a data source is asked to compare it, and what follows on that.
@Suite("What is compared with the data source", .endsHangs)
struct ContentCheckTests {
    private func loaded(_ check: PipelineConfiguration.ContentCheck) async throws -> Scene {
        let scene = Scene(.dispatch, [["a", "b", "c"], ["d"]], workerCount: 1) {
            $0.contentCheck = check
        }
        try await scene.controller.reloadData()
        return scene
    }

    private static let questions = [
        "items 0", "model 0 - 0", "model 0 - 1", "model 0 - 2", "items 1", "model 1 - 0",
    ]

    /// The counts are asked for once, as long as a section lasts.
    @Test(
        arguments: zip([Int.min, -1, 0, 1, 2, 3, 4, 5, .max], [0, 0, 0, 2, 3, 4, 6, 6, 6])
    )
    func aSampleAsksForSoManyModelsFromTheFirstOn(_ count: Int, _ asked: Int) async throws {
        let scene = try await loaded(.sample(count))
        // The look comes last, and begins with the number of sections.
        let look = scene.calls.values.split(
            separator: .numberOfSections,
            omittingEmptySubsequences: false
        ).last
        #expect(look?.map(\.description) == Array(Self.questions.prefix(asked)))
        await scene.close()
    }

    @Test func aSectionThatIsGoneWhenASampleLooksIsADisagreement() async throws {
        let scene = try await loaded(.sample(4))
        await scene.withModel { source in
            let counts = Journal<Void>()
            source.onCall = { [unowned source] call in
                guard call == .numberOfSections else { return }
                counts.append(())
                // First it is asked for the update, and then for the sample.
                if counts.count == 2 { source.falseSectionCount = 1 }
            }
        }
        try await scene.controller.performBatchUpdates { _, _ in }
        await scene.withModel { ($0.onCall, $0.falseSectionCount) = (nil, nil) }
        let found = scene.events.events(.disagreed).first?.disagreement
        #expect(found?.dataSourcePath == ItemPath(1, 0))
        #expect(found?.modelInMap as? String == "d" && found?.modelInSource == nil)
        await scene.close()
    }

    @Test func aSectionTooManyIsFoundAtItsFirstItem() async throws {
        let scene = try await loaded(.never)
        let found = await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections.append(["x", "y"])
            return controller.assumeIsolated().firstDisagreement()
        }
        #expect(found?.dataSourcePath == ItemPath(2, 0))
        #expect(found?.modelInMap == nil && found?.modelInSource as? String == "x")
        await scene.close()
    }

    @Test func aModelThatIsNotGivenAnyMoreIsADisagreement() async throws {
        let scene = try await loaded(.never)
        let found = await scene.onMain { controller in
            controller.assumeIsolated().dataSource.givesModels = false
            return controller.assumeIsolated().firstDisagreement()
        }
        #expect(found?.dataSourcePath == ItemPath(0, 0))
        #expect(found?.modelInMap as? String == "a" && found?.modelInSource == nil)
        await scene.close()
    }

    @Test func aDataSourceFindsNothingOfItselfWhileItIsAsked() async throws {
        let scene = try await loaded(.never)
        let found = Journal<Bool>()
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items[0] = "A"
            list.dataSource.onCall = { _ in
                controller.assumeIsolated().dataSource.onCall = nil
                found.append(controller.assumeIsolated().firstDisagreement() != nil)
            }
            try list.reloadItems(at: [ItemPath(0, 1)])
            found.append(list.firstDisagreement() != nil)
        }
        #expect(found.values == [false, true])
        await scene.close()
    }

    @Test func aDataSourceMustNotSubmitWhileItIsCompared() async throws {
        let scene = try await loaded(.never)
        let codes = await scene.onMain { controller in
            let codes = Journal<UpdateError.Code>()
            controller.assumeIsolated().dataSource.onCall = { _ in
                controller.assumeIsolated().dataSource.onCall = nil
                do throws(UpdateError) {
                    try controller.assumeIsolated().beginUpdates()
                } catch {
                    codes.append(error.code)
                }
            }
            _ = controller.assumeIsolated().firstDisagreement()
            return codes.values
        }
        #expect(codes == [.submissionDuringLatch])
        await scene.close()
    }

    /// Whoever looks: the application, or the check after an update.
    @Test(arguments: [true, false])
    func whereEverythingIsFoundToAgreeTheNextDisagreementIsToldAgain(
        _ isAsked: Bool
    ) async throws {
        let scene = try await loaded(.all)
        func show(_ text: String) async { await scene.withModel { $0.sections[0].items[0] = text } }
        await show("A")
        try await scene.controller.performBatchUpdates { _, _ in }
        await show("a")
        if isAsked {
            #expect(await scene.onMain { $0.assumeIsolated().firstDisagreement() == nil })
        } else {
            try await scene.controller.performBatchUpdates { _, _ in }
        }
        let agreed = isAsked ? 2 : 3
        await show("B")
        try await scene.controller.performBatchUpdates { _, _ in }
        let told = scene.events.events(.disagreed)
        #expect(told.map(\.submission?.rawValue) == [2, agreed + 1])
        #expect(told.last?.disagreement?.lastAgreement?.rawValue == agreed)
        await scene.close()
    }

    /// It is meant to show nothing, and the data source was not asked for that.
    @Test func afterAClearNothingIsCompared() async throws {
        let scene = try await loaded(.all)
        scene.calls.removeAll()
        try await scene.controller.clear()
        #expect(scene.events.events(.disagreed).isEmpty && scene.calls.values == [])
        await scene.close()
    }

    @Test func whereNobodyWouldBeToldNothingIsCompared() async throws {
        let calls = Journal<DataSourceCall>()
        var configuration = PipelineConfiguration()
        configuration.contentCheck = .all
        let controller = DataController(
            dataSource: TextDataSource([["a"]], calls: calls),
            configuration: configuration,
            environment: DispatchEnvironment(workerCount: 1)
        )
        try await controller.reloadData()
        #expect(calls.values.filter { $0 == .model(ItemPath(0, 0)) }.count == 1)
        await controller.close()
    }
}
