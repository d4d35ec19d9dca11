import TestSupport
import Testing

@testable import CollectionChanges

@Suite struct CompositionTests {
    /// What is wrong with `sum` as the composition of `parts`.
    private func fault(of sum: ValidatedChangeSet, composing parts: [ValidatedChangeSet]) -> String?
    {
        let inTurn = AlgebraModel(after: parts)
        let atOnce = AlgebraModel(after: [sum])
        var fault = sum.fault
        if atOnce.survivors != inTurn.survivors { fault = "gives \(atOnce), in turn \(inTurn)" }
        if parts.count(where: \.changesSomething) > 1, !sum.isReloadData,
            AlgebraModel.Tally(sum) != inTurn.leastTally()
        {
            fault = "has \(AlgebraModel.Tally(sum)), enough is \(inTurn.leastTally())"
        }
        return fault.map { "\($0)\nfor \(parts.map(\.picture)), sum \(sum.picture)" }
    }

    @Test func composingTwoSmallUpdatesEqualsApplyingThemInTurn() throws {
        let updates = SmallUpdates.ofTwoEdits
        var thinning = Thinning(1_009, full: 53)
        var count = 0
        for first in updates.all {
            for second in updates[from: first.newShape] where thinning.takesNext() {
                let sum = try first.composed(with: second)
                if let fault = fault(of: sum, composing: [first, second]) {
                    Issue.record("\(fault)")
                    return
                }
                count += 1
            }
        }
        #expect(count > 500)
    }

    /// Also where something was recorded, as a removal of no items.
    @Test func updatesThatEditNothingLeaveTheOtherAsItIs() throws {
        let nothing = HierarchyChangeSet([.deleteItems([], .automatic)])
        let (shape, empty) = (HierarchyShape([3]), HierarchyChangeSet())
        let idle = try nothing.validated(from: shape, to: shape)
        #expect(!idle.isEmpty && idle.edits.isEmpty)
        // Two moves where one would do: what the composition of two updates would not have.
        var wordy = HierarchyChangeSet()
        wordy.moveItem(at: ItemPath(section: 0, item: 1), to: ItemPath(section: 0, item: 0))
        wordy.moveItem(at: ItemPath(section: 0, item: 2), to: ItemPath(section: 0, item: 1))
        let update = try wordy.validated(from: shape, to: shape)
        for others in [idle, try empty.validated(from: shape, to: shape)] {
            for parts in [[others, update], [update, others], [others, update, others]] {
                let sum = try #require(try ValidatedChangeSet(composing: parts))
                #expect(sum.picture == update.picture)
            }
            #expect(try others.composed(with: idle).edits.isEmpty)
        }
    }

    @Test func composingThreeSmallUpdatesIsAssociative() throws {
        let updates = SmallUpdates.ofOneEdit
        var thinning = Thinning(1_009, full: 67)
        var count = 0
        for first in updates.all {
            for second in updates[from: first.newShape] {
                for third in updates[from: second.newShape] where thinning.takesNext() {
                    let left = try first.composed(with: second).composed(with: third)
                    let right = try first.composed(with: second.composed(with: third))
                    let atOnce = try ValidatedChangeSet(composing: [first, second, third])
                    let parts = [first, second, third]
                    let sums = [left, right, try #require(atOnce)]
                    for sum in sums {
                        let inTurn = AlgebraModel(after: parts)
                        if AlgebraModel(after: [sum]).survivors != inTurn.survivors {
                            Issue.record("\(sum.picture) for \(parts.map(\.picture))")
                            return
                        }
                    }
                    if let fault = fault(of: sums[2], composing: parts) {
                        Issue.record("\(fault)")
                        return
                    }
                    count += 1
                }
            }
        }
        #expect(count > 300)
    }

    @Test func composingManyRandomUpdatesEqualsApplyingThemInTurn() throws {
        for seed in 0..<Effort.number(150, usually: 20) {
            var random = RandomUpdates(seed: UInt64(seed))
            random.rarity = 3 + seed % 12
            let start = random.shape(sections: 5, items: 6)
            var composition = ChangeSetComposition(from: start)
            var parts: [ValidatedChangeSet] = []
            var shape = start
            for _ in 0..<12 {
                let update = try random.next(from: shape)
                parts.append(update)
                try composition.append(update)
                shape = update.newShape
                let sum = composition.update
                var inTurn = AlgebraModel(after: parts)
                #expect(sum.fault == nil, "seed \(seed)")
                #expect(AlgebraModel(after: [sum]).survivors == inTurn.survivors, "seed \(seed)")
                // Where many moved within a section, trying every choice takes too long.
                inTurn.sections.removeAll { $0.items.count > 12 }
                if inTurn.sections.count == shape.numberOfSections,
                    parts.count(where: \.changesSomething) > 1
                {
                    #expect(AlgebraModel.Tally(sum) == inTurn.leastTally(), "seed \(seed)")
                }
            }
        }
    }

    @Test func largeUpdatesAreComposedLikeSmallOnes() throws {
        for seed in 0..<Effort.number(12, usually: 4) {
            var random = RandomUpdates(seed: UInt64(seed))
            random.rarity = [2, 5, 20, 100][seed % 4]
            var shape = HierarchyShape([1_000, 40, 0, 300])
            var parts: [ValidatedChangeSet] = []
            for _ in 0..<4 {
                parts.append(try random.next(from: shape))
                shape = parts[parts.count - 1].newShape
            }
            let sum = try #require(try ValidatedChangeSet(composing: parts))
            #expect(sum.fault == nil, "seed \(seed)")
            #expect(
                AlgebraModel(after: [sum]).survivors == AlgebraModel(after: parts).survivors,
                "seed \(seed)"
            )
        }
    }

    @Test func anUpdateThatEditsNothingIsTheIdentity() throws {
        for update in SmallUpdates.ofTwoEdits.all {
            let before = try HierarchyChangeSet().validated(
                from: update.oldShape,
                to: update.oldShape
            )
            let after = try HierarchyChangeSet().validated(
                from: update.newShape,
                to: update.newShape
            )
            #expect(try before.composed(with: update).picture == update.picture)
            #expect(try update.composed(with: after).picture == update.picture)
        }
    }

    @Test func updatesThatDoNotMeetAreRejected() throws {
        let first = try HierarchyChangeSet([.insertItems([path(0, 0)], .automatic)])
            .validated(from: [1], to: [2])
        let other = try HierarchyChangeSet([.deleteItems([path(0, 0)], .automatic)])
            .validated(from: [3], to: [2])
        let wider = try HierarchyChangeSet().validated(from: [2, 0], to: [2, 0])
        #expect(
            refusal { () throws(HierarchyUpdateError) in try first.composed(with: other) }?.code
                == .itemCount
        )
        #expect(
            refusal { () throws(HierarchyUpdateError) in try first.composed(with: wider) }?.code
                == .sectionCount
        )
        var composition = ChangeSetComposition(from: [1])
        try composition.append(first)
        #expect(refusal { () throws(HierarchyUpdateError) in try composition.append(other) } != nil)
        #expect(composition.update.picture == first.picture)
        #expect(try ValidatedChangeSet(composing: [] as [ValidatedChangeSet]) == nil ? true : false)
    }

    @Test func reloadingEverythingAbsorbsWhatIsAround() throws {
        let insert = try HierarchyChangeSet([.insertItems([path(0, 0)], .fade)])
            .validated(from: [1], to: [2])
        let reload = try HierarchyChangeSet([.reloadData(.top)]).validated(from: [2], to: [0, 3])
        let delete = try HierarchyChangeSet([.deleteItems([path(1, 0)], .fade)])
            .validated(from: [0, 3], to: [0, 2])
        let expected = try HierarchyChangeSet([.reloadData(.top)]).validated(from: [1], to: [0, 2])
        let sum = try #require(try ValidatedChangeSet(composing: [insert, reload, delete]))
        #expect(sum.isReloadData)
        #expect(sum.picture == expected.picture)
    }
}
