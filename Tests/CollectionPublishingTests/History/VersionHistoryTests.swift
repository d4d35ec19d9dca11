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

    @Test func limitsBelowZeroAreZero() throws {
        let limits = VersionHistory.Limits(updates: -1, edits: -1, retained: -1)
        var history = VersionHistory(at: 0, limits: limits)
        history.retain(0)
        let changes = HierarchyChangeSet([.reconfigureItems([ItemPath(0, 0)], .automatic)])
        history.append(try changes.validated(from: [1], to: [1]), to: 1)
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
