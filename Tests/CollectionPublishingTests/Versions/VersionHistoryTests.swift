import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// After every short sequence of inputs, the known versions follow from the limits and the holders,
/// and answers lead to the newest version.
struct VersionHistoryTests {
    private static let limits = [0, 1, 2, 3].flatMap { updates in
        [2, 6, 100].flatMap { edits in
            [0, 1, 2].map { retained in
                VersionHistory.Limits(updates: updates, edits: edits, retained: retained)
            }
        }
    }

    @Test(arguments: limits)
    func shortHistoriesMatchTheModel(_ limits: VersionHistory.Limits) {
        let length = Effort.number(5, usually: limits.edits < 100 ? 3 : 4)
        let (fault, count) = walk(HistoryRun(limits), length: length)
        #expect(fault == nil, "\(limits)")
        #expect(count > 50)
    }

    // Long enough for stretches of older updates to be folded, queried and split again.
    @Test(arguments: 0..<UInt64(Effort.number(2_000, usually: 600)))
    func randomHistoriesMatchTheModel(seed: UInt64) {
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
    /// Returns the changes from `version` to the newest version without changing the history.
    func answer(since version: Int) -> ValidatedChangeSet? {
        var history = self
        return history.changes(since: version)
    }
}

/// In long histories answers stay right, and kept change sets follow the limits and the holders.
struct LongHistoryTests {
    enum Order: CaseIterable {
        case oldestFirst, newestFirst, atRandom
    }

    @Test(arguments: Order.allCases, [false, true])
    func longHistoriesMatchTheModel(_ order: Order, isQueried: Bool) throws {
        for seed in UInt64(0)..<UInt64(Effort.number(3, usually: 1)) {
            var random = SeededGenerator(seed: seed)
            var updates = PublishedUpdates(seed: seed + 100, isComplete: true)
            _ = updates.take(try Self.beginning)
            let limits = VersionHistory.Limits(updates: 20, edits: 300, retained: 12)
            var history = VersionHistory(at: 0, limits: limits)
            var model = HistoryModel(updates.model, limits)
            for step in 0..<Effort.number(3_000, usually: 1_200) {
                // Sometimes a large update of all kinds, which changes nearly everything.
                let isSmall = !random.isTrue(oneIn: 60)
                let update = try isSmall ? updates.nextSmall() : updates.next().0
                let version = model.newest + 1 + random.next(below: 3)
                history.append(update, to: version)
                model.append(update, to: version, updates.model)
                hold(&history, &model, order, &random)
                if isQueried, random.isTrue(oneIn: 20) {
                    _ = history.changes(since: model.known.randomElement(using: &random)!)
                }
                #expect(
                    model.excess(of: history, isQueried: isQueried) == nil,
                    "seed \(seed), step \(step)"
                )
                guard step.isMultiple(of: 25) else { continue }
                var versions = (0..<3).map { _ in model.known.randomElement(using: &random)! }
                versions +=
                    [model.known[0], random.next(below: model.newest)] + model.forgotten.suffix(3)
                let fault = model.fault(of: history, querying: versions)
                #expect(fault == nil, "seed \(seed), step \(step)")
            }
            #expect(model.forgotten.count > 10)
        }
    }

    private static var beginning: ValidatedChangeSet {
        get throws {
            var changes = HierarchyChangeSet()
            changes.insertSections([0, 1])
            return try changes.validated(from: [], to: [9, 6])
        }
    }

    private func hold(
        _ history: inout VersionHistory,
        _ model: inout HistoryModel,
        _ order: Order,
        _ random: inout SeededGenerator
    ) {
        if random.isTrue(oneIn: 9) {
            model.retain(model.newest)
            history.retain(model.newest)
        }
        guard random.isTrue(oneIn: 11), !model.held.isEmpty else { return }
        let position =
            switch order {
            case .oldestFirst: 0
            case .newestFirst: model.held.count - 1
            case .atRandom: random.next(below: model.held.count)
            }
        let version = model.held[position]
        model.release(version)
        history.release(version)
    }

    @Test func aRetainedVersionCostsLogarithmicallyManyChangeSets() throws {
        var updates = PublishedUpdates(seed: 1, isComplete: true)
        _ = updates.take(try Self.beginning)
        let first = updates.model
        let window = 8
        let limits = VersionHistory.Limits(updates: window, edits: 100, retained: 1)
        var history = VersionHistory(at: 0, limits: limits)
        history.retain(0)
        let count = Effort.number(40_000, usually: 10_000)
        for version in 1...count {
            history.append(try updates.nextSmall(), to: version)
            let levels = Int.bitWidth - version.leadingZeroBitCount
            #expect(history.keptChangeSets <= window + levels, "after \(version) updates")
        }
        let changes = try #require(history.answer(since: 0))
        #expect(Difference(changes) == Difference(from: first, to: updates.model))
        history.release(0)
        #expect(!history.knows(0))
        #expect(history.keptChangeSets <= 2 * window)
    }

    @Test func versionsBeyondTheEditLimitAreForgottenOldestFirst() throws {
        let limits = VersionHistory.Limits(
            updates: 0,
            edits: 100,
            retained: 10,
            retainedEditLimit: 12
        )
        var history = VersionHistory(at: 0, limits: limits)
        var known: [[Int]] = []
        for version in 0..<6 {
            history.retain(version)
            let insertion = HierarchyChangeSet([.insertItems([ItemPath(0, 0)], .automatic)])
            // Each costs two: one edit and the update itself.
            let update = try insertion.validated(from: [version], to: [version + 1])
            history.append(update, to: version + 1)
            known.append((0...version).filter { history.knows($0) })
        }
        #expect(known.last == [0, 1, 2, 3, 4, 5], "twelve edits may be kept")
        history.retain(6)
        let many = (0..<5).map { ItemPath(0, $0) }
        let insertion = HierarchyChangeSet([.insertItems(many, .automatic)])
        history.append(try insertion.validated(from: [6], to: [11]), to: 7)
        #expect((0...7).filter { history.knows($0) } == [3, 4, 5, 6, 7])
        // The next answer composes more edits than the limit allows.
        #expect(history.answer(since: 3)?.itemInsertions.count == 8)
        history.release(3)
        #expect((0...7).filter { history.knows($0) } == [4, 5, 6, 7])
    }
}
