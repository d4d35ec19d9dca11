import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// A history with random updates, holders and queries, compared with its model: the known versions
/// follow from the limits and the holders, answers lead to the newest version, and nothing else is
/// kept.
private struct HistoryRun {
    /// The order in which holders release their versions.
    enum Order: CaseIterable { case oldestFirst, newestFirst, atRandom }

    private var history: VersionHistory
    private(set) var model: HistoryModel
    private var updates: PublishedUpdates
    private var random: SeededGenerator
    private let order: Order
    private let isAsking: Bool
    private var isQueried = false

    init(_ limits: VersionHistory.Limits, _ order: Order, isAsking: Bool, seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        updates = PublishedUpdates(seed: seed + 100, isComplete: true)
        _ = updates.take(try Self.beginning)
        (self.order, self.isAsking) = (order, isAsking)
        history = VersionHistory(at: 0, limits: limits)
        model = HistoryModel(updates.model, limits)
    }

    static var beginning: ValidatedChangeSet {
        get throws {
            var changes = HierarchyChangeSet()
            changes.insertSections([0, 1])
            return try changes.validated(from: [], to: [9, 6])
        }
    }

    /// Takes a step, after which a version is held with one chance in `holding` and released with
    /// one in `releasing`; returns the first fault.
    mutating func step(holding: Int, releasing: Int, checksAll: Bool) throws -> String? {
        // Sometimes a large update of all kinds, which changes nearly everything.
        let update = try random.isTrue(oneIn: 60) ? updates.next().0 : updates.nextSmall()
        let version = model.newest + 1 + random.next(below: 3)
        history.append(update, to: version)
        model.append(update, to: version, updates.model)
        hold(holding, releasing)
        if isAsking, random.isTrue(oneIn: holding * 2) {
            _ = history.changes(since: model.known.randomElement(using: &random) ?? 0)
            isQueried = true
        }
        var versions = [model.known[0], random.next(below: model.newest)]
        versions += model.forgotten.suffix(3)
        if checksAll { versions = [.min, .max] + (-1...model.newest + 1).map { $0 } }
        if !checksAll, !random.isTrue(oneIn: 25) { versions = [] }
        return model.fault(of: history, querying: versions)
            ?? model.excess(of: history, isQueried: isQueried)
    }

    private mutating func hold(_ holding: Int, _ releasing: Int) {
        if random.isTrue(oneIn: holding) {
            let isOldest = random.isTrue(oneIn: 4)
            retain(isOldest ? model.known[0] : model.newest)
        }
        // A holder may release a version that was forgotten meanwhile.
        if let gone = model.forgotten.last, random.isTrue(oneIn: releasing * 3) { release(gone) }
        let held = model.held
        guard random.isTrue(oneIn: releasing), !held.isEmpty else { return }
        switch order {
        case .oldestFirst: release(held[0])
        case .newestFirst: release(held[held.count - 1])
        case .atRandom: release(held[random.next(below: held.count)])
        }
    }

    private mutating func retain(_ version: Int) {
        model.retain(version)
        history.retain(version)
    }

    private mutating func release(_ version: Int) {
        model.release(version)
        history.release(version)
    }
}

struct VersionHistoryTests {
    @Test(arguments: 0..<UInt64(Effort.number(2_000, usually: 300)))
    func shortHistoriesMatchTheModel(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let limits = VersionHistory.Limits(
            updates: random.next(below: 6),
            edits: random.isTrue(oneIn: 2) ? random.next(below: 16) : 100,
            retained: random.next(below: 5)
        )
        let order = HistoryRun.Order.allCases[random.next(below: 3)]
        let isAsking = random.isTrue(oneIn: 2)
        var run = try HistoryRun(limits, order, isAsking: isAsking, seed: seed)
        for step in 0..<24 {
            let fault = try run.step(holding: 2, releasing: 4, checksAll: true)
            try #require(fault == nil, "seed \(seed), \(limits), step \(step)")
        }
    }

    @Test(arguments: HistoryRun.Order.allCases, [false, true])
    private func longHistoriesMatchTheModel(_ order: HistoryRun.Order, isAsking: Bool) throws {
        for seed in UInt64(0)..<UInt64(Effort.number(3, usually: 1)) {
            let limits = VersionHistory.Limits(updates: 20, edits: 300, retained: 12)
            var run = try HistoryRun(limits, order, isAsking: isAsking, seed: seed)
            for step in 0..<Effort.number(3_000, usually: 1_200) {
                let fault = try run.step(holding: 9, releasing: 11, checksAll: false)
                try #require(fault == nil, "seed \(seed), step \(step)")
            }
            #expect(order != .oldestFirst || run.model.forgotten.count > 10)
        }
    }

    @Test func limitsBelowZeroAreZero() throws {
        let limits = VersionHistory.Limits(updates: -1, edits: -1, retained: -1)
        var history = VersionHistory(at: 0, limits: limits)
        history.retain(0)
        let changes = HierarchyChangeSet([.reconfigureItems([ItemPath(0, 0)], .automatic)])
        history.append(try changes.validated(from: [1], to: [1]), to: 1)
        #expect(history.knows(1) && !history.knows(0) && history.keptChangeSets == 0)
    }

    @Test func aRetainedVersionCostsLogarithmicallyManyChangeSets() throws {
        var updates = PublishedUpdates(seed: 1, isComplete: true)
        _ = updates.take(try HistoryRun.beginning)
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

extension VersionHistory {
    /// Returns the changes from `version` to the newest version without changing the history.
    func answer(since version: Int) -> ValidatedChangeSet? {
        var history = self
        return history.changes(since: version)
    }
}
