import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// However long a history is, its answers are right, and what it keeps follows its limits and its holders.
struct LongHistoryTests {
    /// Who is let go of first.
    enum Order: CaseIterable {
        case oldestFirst, newestFirst, atRandom
    }

    @Test(arguments: Order.allCases, [false, true])
    func aLongHistoryAnswersAsAModelDoes(_ order: Order, isAsked: Bool) throws {
        for seed in UInt64(0)..<UInt64(Effort.number(3, usually: 1)) {
            var random = SeededGenerator(seed: seed)
            var updates = PublishedUpdates(seed: seed + 100, isComplete: true)
            _ = updates.take(try Self.beginning)
            let limits = VersionHistory.Limits(updates: 20, edits: 300, retained: 12)
            var history = VersionHistory(at: 0, limits: limits)
            var model = HistoryModel(updates.model, limits)
            for step in 0..<Effort.number(3_000, usually: 1_200) {
                // Seldom one of every kind at once, after which little is as it was.
                let isSmall = !random.isTrue(oneIn: 60)
                let update = try isSmall ? updates.nextSmall() : updates.next().0
                let version = model.newest + 1 + random.next(below: 3)
                history.append(update, to: version)
                model.append(update, to: version, updates.model)
                hold(&history, &model, order, &random)
                if isAsked, random.isTrue(oneIn: 20) {
                    _ = history.changes(since: model.known.randomElement(using: &random)!)
                }
                #expect(
                    model.excess(of: history, isAsked: isAsked) == nil,
                    "seed \(seed), step \(step)"
                )
                guard step.isMultiple(of: 25) else { continue }
                var asked = (0..<3).map { _ in model.known.randomElement(using: &random)! }
                asked +=
                    [model.known[0], random.next(below: model.newest)] + model.forgotten.suffix(3)
                let fault = model.fault(of: history, asking: asked)
                #expect(fault == nil, "seed \(seed), step \(step)")
            }
            #expect(model.forgotten.count > 10)
        }
    }

    /// Two sections with some items.
    private static var beginning: ValidatedChangeSet {
        get throws {
            var changes = HierarchyChangeSet()
            changes.insertSections([0, 1])
            return try changes.validated(from: [], to: [9, 6])
        }
    }

    /// Some come, and then some go.
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

    @Test func oneVersionThatIsRetainedForLongCostsALogarithm() throws {
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

    @Test func whatTakesTooMuchToKeepIsForgottenOldestFirst() throws {
        let limits = VersionHistory.Limits(updates: 0, edits: 100, retained: 10, retainedEdits: 12)
        var history = VersionHistory(at: 0, limits: limits)
        var known: [[Int]] = []
        for version in 0..<6 {
            history.retain(version)
            let insertion = HierarchyChangeSet([.insertItems([ItemPath(0, 0)], .automatic)])
            // Two each: an edit, and the update itself.
            let update = try insertion.validated(from: [version], to: [version + 1])
            history.append(update, to: version + 1)
            known.append((0...version).filter { history.knows($0) })
        }
        #expect(known.last == [0, 1, 2, 3, 4, 5], "twelve may be kept")
        history.retain(6)
        let many = (0..<5).map { ItemPath(0, $0) }
        let insertion = HierarchyChangeSet([.insertItems(many, .automatic)])
        history.append(try insertion.validated(from: [6], to: [11]), to: 7)
        #expect((0...7).filter { history.knows($0) } == [3, 4, 5, 6, 7])
        // Until it is asked for, and more than may be kept is composed for that.
        #expect(history.answer(since: 3)?.itemInsertions.count == 8)
        history.release(3)
        #expect((0...7).filter { history.knows($0) } == [4, 5, 6, 7])
    }
}
