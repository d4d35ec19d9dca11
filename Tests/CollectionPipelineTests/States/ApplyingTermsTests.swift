import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// What a state is told when it is compared, and how it is shown where the caller does not say.
@Suite("Terms of applying", .endsHangs)
struct ApplyingTermsTests {
    /// So many items; says what they are compared with, and how.
    private struct Telling: CollectionState {
        var count = 0
        var compared: Journal<(oldCount: Int, options: DifferenceOptions)>?

        var shape: HierarchyShape { [count] }

        func models(at items: Range<Int>, inSection section: Int) -> Range<Int> { items }

        func changes(
            from old: Telling,
            options: DifferenceOptions,
            isCancelled: () -> Bool
        ) throws(DifferenceError) -> ValidatedChangeSet {
            compared?.append((old.count, options))
            return try ValidatedChangeSet(
                fromIdentifiers: [(0, Array(0..<old.count))],
                to: [(0, Array(0..<count))],
                options: options,
                isCancelled: isCancelled
            )
        }
    }

    private func board(
        view: RecordingView? = nil,
        differences: DifferenceOptions = DifferenceOptions(),
        profile: ValidationProfile = .standard
    ) -> DataController<SnapshotDataSource<Telling>> {
        let stage = Substrate.dispatch.makeStage(workerCount: 1)
        var configuration = PipelineConfiguration.unwatched
        configuration.profile = profile
        return DataController(
            states: Telling.self,
            view: view,
            configuration: configuration,
            differences: differences,
            lane: stage.lane,
            environment: stage.environment
        )
    }

    @Test func differencesAreTakenByTheProfileOfTheController() async throws {
        for profile in ValidationProfile.allCases {
            let compared = Journal<(oldCount: Int, options: DifferenceOptions)>()
            let others = ValidationProfile.allCases.filter { $0 != profile }
            let board = board(
                differences: DifferenceOptions(contentUpdates: .reload, profile: others[0]),
                profile: profile
            )
            for count in 1...2 { try await board.apply(Telling(count: count, compared: compared)) }
            let options = DifferenceOptions(contentUpdates: .reload, profile: profile)
            #expect(compared.values.map(\.options) == [options])
            await board.close()
        }
    }

    /// Everything is replaced, whatever is there.
    @Test func aReloadIsLookedThroughForDuplicatesWithoutTheStateThatIsThere() async throws {
        let compared = Journal<(oldCount: Int, options: DifferenceOptions)>()
        let board = board(differences: DifferenceOptions(duplicates: .refuse))
        try await board.apply(Telling(count: 2, compared: compared))
        try await board.applyUsingReloadData(Telling(count: 3, compared: compared))
        try await board.apply(Telling(count: 4, compared: compared))
        #expect(compared.values.map(\.oldCount) == [0, 0, 3])
        await board.close()
    }

    @Test func whatIsAppliedWithACompletionIsAnimatedUnlessTheCallerSaysOtherwise() async {
        let view = RecordingView()
        let board = board(view: view)
        board.apply(Telling(count: 1)) { _ in }
        await board.settle()
        board.apply(Telling(count: 2), animated: false) { _ in }
        await board.settle()
        board.applyUsingReloadData(Telling(count: 3)) { _ in }
        await board.settle()
        #expect(view.received.values.map(\.isAnimated) == [true, false, true])
        await board.close()
    }
}
