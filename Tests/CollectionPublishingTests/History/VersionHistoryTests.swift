import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// What a history knows is what its limits and its holders say, and what it answers leads from there to now: after
/// every sequence of a few inputs.
struct VersionHistoryTests {
    private static let limits = [0, 1, 2, 3].flatMap { updates in
        [2, 6, 100].flatMap { edits in
            [0, 1, 2].map { retained in
                VersionHistory.Limits(updates: updates, edits: edits, retained: retained)
            }
        }
    }

    @Test(arguments: limits)
    func everySequenceOfInputsLeavesWhatAModelHas(_ limits: VersionHistory.Limits) {
        let length = Effort.number(5, usually: limits.edits < 100 ? 3 : 4)
        let (fault, count) = walk(HistoryRun(limits), length: length)
        #expect(fault == nil, "\(limits)")
        #expect(count > 50)
    }

    // Deep enough for stretches of older updates to be folded, asked for, and cut again.
    @Test(arguments: 0..<UInt64(Effort.number(2_000, usually: 600)))
    func sequencesOfManyInputsLeaveWhatAModelHas(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limits = VersionHistory.Limits(
            updates: random.next(below: 6),
            edits: random.isTrue(oneIn: 3) ? random.next(below: 16) : 100,
            retained: random.next(below: 5)
        )
        var run = HistoryRun(limits)
        var inputs: [HistoryRun.Input] = []
        for _ in 0..<24 {
            let input = HistoryRun.Input.allCases.randomElement(using: &random)!
            if run.take(input) { inputs.append(input) }
        }
        #expect(run.fault == nil, "seed \(seed), \(limits): \(inputs)")
    }

    // MARK: Single claims

    private func history(
        updates: Int = 2,
        edits: Int = 100,
        retained: Int = 2
    ) -> VersionHistory {
        VersionHistory(
            at: 0,
            limits: VersionHistory.Limits(updates: updates, edits: edits, retained: retained)
        )
    }

    private func go(_ history: inout VersionHistory, to versions: Int...) throws {
        for version in versions {
            var changes = HierarchyChangeSet()
            changes.reconfigureItems(at: [ItemPath(0, 0)])
            history.append(try changes.validated(from: [1], to: [1]), to: version)
        }
    }

    @Test func nothingLeadsFromTheNewestVersionThoughItIsKnown() throws {
        var history = history()
        #expect(history.knows(0) && history.answer(since: 0) == nil)
        try go(&history, to: 1)
        #expect(history.knows(1) && history.answer(since: 1) == nil)
        #expect(history.answer(since: 0)?.reconfigurations.count == 1)
    }

    @Test func numbersThatWereSkippedAreNotKnown() throws {
        var history = history(updates: 3)
        try go(&history, to: 5, 7, 100)
        let known = (-3...110).filter { history.knows($0) }
        #expect(known == [0, 5, 7, 100])
        let isRetained = [5, 6].map { history.retain($0) }
        #expect(isRetained == [true, false])
        for version in [Int.min, .max] {
            #expect(!history.knows(version) && history.answer(since: version) == nil)
        }
    }

    @Test func whereTooManyAreRetainedTheOldestAloneIsForgotten() throws {
        var history = history(updates: 1)
        for version in 0..<3 {
            history.retain(version)
            try go(&history, to: version + 1)
        }
        #expect([0, 1, 2, 3].filter { history.knows($0) } == [0, 1, 2, 3])
        try go(&history, to: 4)
        #expect((0...4).filter { history.knows($0) } == [1, 2, 3, 4])
    }

    @Test func whereNobodyBeginsInTheMiddleAnyMoreOneChangeSetIsLeft() throws {
        var history = history(updates: 0, retained: 9)
        for version in 0..<8 {
            history.retain(version)
            try go(&history, to: version + 1)
        }
        #expect(history.keptChangeSets == 8)
        for (version, kept) in [(1, 7), (3, 6), (2, 5), (6, 5), (5, 4), (7, 2), (4, 1)] {
            history.release(version)
            #expect(history.keptChangeSets == kept, "after \(version)")
        }
        #expect(history.answer(since: 0)?.reconfigurations.count == 1)
    }

    @Test func releasingWhatIsForgottenDoesNothing() throws {
        var history = history(updates: 0, retained: 1)
        history.retain(0)
        try go(&history, to: 1)
        history.retain(1)
        try go(&history, to: 2)
        #expect((0...2).filter { history.knows($0) } == [1, 2])
        history.release(0)
        history.release(-1)
        history.release(50)
        #expect((0...2).filter { history.knows($0) } == [1, 2])
        #expect(history.answer(since: 1) != nil)
    }

    @Test func releasingMoreOftenThanRetainingDoesNothing() throws {
        var history = history(updates: 1)
        history.release(0)
        history.retain(0)
        history.retain(0)
        try go(&history, to: 1, 2)
        history.release(0)
        #expect(history.knows(0))
        history.release(0)
        #expect(!history.knows(0))
        history.release(0)
        history.release(2)
        history.retain(2)
        try go(&history, to: 3, 4)
        #expect((0...4).filter { history.knows($0) } == [2, 3, 4])
    }

    @Test func manyEditsShortenWhatIsKeptWithoutHolders() throws {
        var history = history(updates: 10, edits: 6)
        // Each weighs two: a reconfiguration, and one for itself.
        try go(&history, to: 1, 2, 3)
        #expect((0...3).filter { history.knows($0) } == [0, 1, 2, 3])
        try go(&history, to: 4)
        #expect((0...4).filter { history.knows($0) } == [1, 2, 3, 4])
        var changes = HierarchyChangeSet()
        changes.insertItems(at: (1..<9).map { ItemPath(0, $0) })
        history.append(try changes.validated(from: [1], to: [9]), to: 5)
        #expect((0...5).filter { history.knows($0) } == [5])
        #expect(history.keptChangeSets == 0)
    }

    @Test func limitsBelowZeroAreZero() throws {
        var history = history(updates: -1, edits: -1, retained: -1)
        history.retain(0)
        try go(&history, to: 1)
        #expect(history.knows(1) && !history.knows(0) && history.keptChangeSets == 0)
    }
}

extension VersionHistory {
    /// What leads from `version` to the newest, with nothing kept of it.
    func answer(since version: Int) -> ValidatedChangeSet? {
        var history = self
        return history.changes(since: version)
    }
}
