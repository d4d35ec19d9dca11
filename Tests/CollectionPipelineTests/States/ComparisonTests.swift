import CollectionElements
import Testing

@testable import CollectionPipeline

/// What is made of the update that a state gives, without a controller.
@Suite("Comparisons of states")
struct ComparisonTests {
    private func compare<State: CollectionState>(
        _ state: State,
        with base: State,
        isCancelled: Bool = false
    ) -> Result<StateApplier<State>.Comparison, UpdateError> {
        let request = StateApplier<State>.Request(
            caller: StateCaller(
                id: SubmissionID(rawValue: 1),
                context: nil,
                arrival: .zero,
                cancellation: CancellationBox(),
                completion: { _ in }
            ),
            state: state,
            isAnimated: true,
            reloads: false
        )
        return StateApplier.compare([request], with: base, DifferenceOptions()) { isCancelled }
    }

    private func error<Success>(_ result: Result<Success, UpdateError>) -> UpdateError? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// So many items, which may say that there were others before, or that others are there now.
    private struct Claim: CollectionState {
        var count = 0
        var former: Int?
        var now: Int?

        var shape: HierarchyShape { [count] }

        func models(at items: Range<Int>, inSection section: Int) -> Range<Int> { items }

        func changes(
            from old: Claim,
            options: DifferenceOptions,
            isCancelled: () -> Bool
        ) throws(DifferenceError) -> ValidatedChangeSet {
            try ValidatedChangeSet(
                fromIdentifiers: [(0, Array(0..<(former ?? old.count)))],
                to: [(0, Array(0..<(now ?? count)))],
                options: options,
                isCancelled: isCancelled
            )
        }
    }

    @Test func onlyAnUpdateFromTheOneStateToTheOtherIsTaken() throws {
        let base = Claim(count: 2)
        _ = try compare(Claim(count: 3), with: base).get()
        for former in [1, 2, 4] {
            for now in [2, 3, 4] where former != 2 || now != 3 {
                let found = error(
                    compare(Claim(count: 3, former: former, now: now), with: base)
                )
                let shapes = "from \(HierarchyShape([former])) to \(HierarchyShape([now]))"
                #expect(found?.code == .invalidState && found?.message.contains(shapes) == true)
            }
        }
    }

    @Test func aComparisonThatIsGivenUpIsCancelledAndNoFaultOfTheState() {
        // Enough to be asked meanwhile whether to give up.
        let state = Claim(count: 20_000)
        #expect(error(compare(state, with: state))?.code == nil)
        #expect(error(compare(state, with: state, isCancelled: true))?.code == .cancelled)
    }

    /// So that others are not counted. Sections that are new, or gone, are known from their own edits.
    @Test func sectionsWithEditsAreThoseWhoseItemsWereRemovedOrInserted() throws {
        let old = ApplyingTests.rows(("a", [1]), ("b", [2, 3]), ("c", [4]), ("d", [5]))
        let new = ApplyingTests.rows(("b", [3]), ("c", [4, 6]), ("d", [5]), ("e", [7]))
        let comparison = try compare(new, with: old).get()
        #expect(comparison.sectionsWithEdits == [0, 1])
        #expect(comparison.record != nil && comparison.shape == [1, 2, 1, 1])
    }
}
