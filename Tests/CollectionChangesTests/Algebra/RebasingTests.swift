import CollectionChanges
import TestSupport
import Testing

@Suite struct RebasingTests {
    /// What is wrong with the diamond of two updates of one state, mine being the later one.
    private func fault(_ mine: ValidatedChangeSet, _ theirs: ValidatedChangeSet) throws -> String? {
        let rebased = try mine.rebased(over: theirs)
        let other = try theirs.rebased(over: mine, as: .earlier)
        func fault(_ text: String) -> String {
            """
            \(text)\nmine \(mine.picture)\ntheirs \(theirs.picture)\nrebased \(rebased.update.picture)
            dropped \(rebased.dropped)\nother \(other.update.picture)\ndropped \(other.dropped)
            """
        }
        for side in [rebased.update, other.update] {
            if let text = side.fault { return fault(text) }
        }
        let here = MergeModel(mine, then: other.update, isMineFirst: true)
        let there = MergeModel(theirs, then: rebased.update, isMineFirst: false)
        if !here.mayBe(there) { return fault("\(here) is not \(there)") }
        let expected = MergeModel.merged(mine, theirs)
        if !here.mayBe(expected) { return fault("\(here) is not expected \(expected)") }
        if let lost = MergeModel.lost(mine, theirs, rebased.dropped, expected) {
            return fault("\(lost) is neither done nor named, or both")
        }
        return nil
    }

    @Test func smallUpdatesOfOneStateMeetAgain() throws {
        let updates = SmallUpdates.ofTwoEdits
        var thinning = Thinning(307, full: 101)
        var count = 0
        for mine in updates.all {
            for theirs in updates[from: mine.oldShape] where thinning.takesNext() {
                if let fault = try fault(mine, theirs) {
                    Issue.record("\(fault)")
                    return
                }
                count += 1
            }
        }
        #expect(count > 1_000)
    }

    @Test func singleEditsOfOneStateMeetAgain() throws {
        let updates = SmallUpdates.ofOneEdit
        var thinning = Thinning(13)
        for mine in updates.all {
            for theirs in updates[from: mine.oldShape] where thinning.takesNext() {
                if let fault = try fault(mine, theirs) {
                    Issue.record("\(fault)")
                    return
                }
            }
        }
    }

    @Test func randomUpdatesOfOneStateMeetAgain() throws {
        for seed in 0..<Effort.number(1_000, usually: 150) {
            var random = RandomUpdates(seed: UInt64(seed))
            random.rarity = 2 + seed % 9
            let shape = random.shape(sections: 5, items: 8)
            let (mine, theirs) = (try random.next(from: shape), try random.next(from: shape))
            #expect(try fault(mine, theirs) == nil, "seed \(seed)")
        }
    }

    @Test func largeUpdatesOfOneStateMeetAgain() throws {
        for seed in 0..<Effort.number(16, usually: 3) {
            var random = RandomUpdates(seed: UInt64(seed))
            let shape = HierarchyShape([600, 0, 50, 7])
            random.rarity = 3 + seed % 3 * 20
            let mine = try random.next(from: shape)
            random.rarity = 3 + seed % 4 * 15
            let theirs = try random.next(from: shape)
            #expect(try fault(mine, theirs) == nil, "seed \(seed)")
        }
    }

    @Test func anUpdateOverOneThatEditsNothingIsItself() throws {
        for update in SmallUpdates.ofOneEdit.all {
            let nothing = try HierarchyChangeSet().validated(
                from: update.oldShape,
                to: update.oldShape
            )
            let rebased = try update.rebased(over: nothing)
            #expect(rebased.update.picture == update.picture)
            #expect(rebased.dropped.isEmpty)
            #expect(try nothing.rebased(over: update).update.isEmpty)
        }
    }

    @Test func insertionsAtOneGapKeepTheStatedOrder() throws {
        let mine = try HierarchyChangeSet([.insertItems([path(0, 1), path(0, 2)], .automatic)])
            .validated(from: [2], to: [4])
        let theirs = try HierarchyChangeSet([.insertItems([path(0, 1)], .automatic)])
            .validated(from: [2], to: [3])
        let later = try mine.rebased(over: theirs)
        #expect(later.update.itemInsertions.map(\.path) == [path(0, 2), path(0, 3)])
        let earlier = try mine.rebased(over: theirs, as: .earlier)
        #expect(earlier.update.itemInsertions.map(\.path) == [path(0, 1), path(0, 2)])
    }

    @Test func whatIsNotDoneIsNamedWithTheReason() throws {
        let mine = try HierarchyChangeSet([
            .deleteItems([path(0, 0)], .automatic),
            .reloadItems([path(0, 1)], .automatic),
            .moveItem(at: path(0, 2), to: path(1, 0), .automatic),
            .moveItem(at: path(0, 3), to: path(0, 0), .automatic),
            .insertItems([path(1, 1)], .automatic),
            .reconfigureItems([path(1, 0)], .automatic),
            .reloadSupplementaries(.header, in: [1], .automatic),
        ]).validated(from: [5, 1], to: [3, 3])
        let theirs = try HierarchyChangeSet([
            .deleteItems([path(0, 0), path(0, 1)], .automatic),
            .deleteSections([1], .automatic),
            .moveItem(at: path(0, 3), to: path(0, 2), .automatic),
        ]).validated(from: [5, 1], to: [3])
        let rebased = try mine.rebased(over: theirs, as: .earlier)
        let removals = mine.itemRemovals
        #expect(
            rebased.dropped == [
                DroppedEdit(.edit(.removeItem(removals[0])), .overruled),
                DroppedEdit(.edit(.removeItem(removals[1])), .targetGone),
                DroppedEdit(.edit(.removeItem(removals[2])), .gone),
                DroppedEdit(.edit(.removeItem(removals[3])), .removedAlready),
                DroppedEdit(.edit(.insertItem(mine.itemInsertions[3])), .targetGone),
                DroppedEdit(.reconfiguration(mine.reconfigurations[0]), .gone),
                DroppedEdit(.supplementaryReload(mine.supplementaryReloads[0]), .gone),
            ]
        )
        #expect(rebased.update.isEmpty)
        #expect(
            "\(rebased.dropped[3])" == "remove item 0 - 0 (delete): removedAlready"
        )
    }

    @Test func reloadingEverythingDropsTheOther() throws {
        let edit = try HierarchyChangeSet([.insertItems([path(0, 0)], .fade)])
            .validated(from: [1], to: [2])
        let reload = try HierarchyChangeSet([.reloadData(.top)]).validated(from: [1], to: [0, 3])
        let other = try HierarchyChangeSet([.reloadData(.top)]).validated(from: [1], to: [5])
        let dropped = try edit.rebased(over: reload)
        #expect(dropped.update.isEmpty && dropped.update.newShape == [0, 3])
        #expect(dropped.dropped.map(\.reason) == [.gone])
        let kept = try reload.rebased(over: edit, as: .earlier)
        #expect(kept.update.isReloadData && kept.update.oldShape == [2])
        #expect(kept.update.sectionInsertions.map(\.animation) == [.top, .top])
        #expect(try reload.rebased(over: other).update.newShape == [0, 3])
        #expect(try reload.rebased(over: other, as: .earlier).update.isEmpty)
        #expect(
            try reload.rebased(over: other, as: .earlier).dropped.allSatisfy {
                $0.reason == .overruled
            }
        )
    }

    @Test func updatesOfDifferentStatesAreRejected() throws {
        let mine = try HierarchyChangeSet([.insertItems([path(0, 0)], .fade)])
            .validated(from: [1], to: [2])
        let theirs = try HierarchyChangeSet([.insertItems([path(0, 0)], .fade)])
            .validated(from: [2], to: [3])
        #expect(
            refusal { () throws(HierarchyUpdateError) in try mine.rebased(over: theirs) }?.code
                == .itemCount
        )
    }

    @Test func optionsStayWithTheirEdits() throws {
        let mine = try HierarchyChangeSet([
            .deleteItems([path(0, 0)], .fade),
            .insertItems([path(0, 0)], .top),
            .reconfigureItems([path(0, 1)], .bottom),
            .reloadItems([path(0, 2)], .leading),
            .moveItem(at: path(1, 0), to: path(0, 3), .trailing),
            .deleteSections([2], .none),
        ]).validated(from: [3, 3, 1], to: [4, 2])
        let theirs = try HierarchyChangeSet([
            .insertSections([0], .automatic), .insertItems([path(1, 0)], .automatic),
        ]).validated(from: [3, 3, 1], to: [2, 4, 3, 1])
        let update = try mine.rebased(over: theirs).update
        #expect(update.itemRemovals.map(\.animation) == [.trailing, .leading, .fade])
        #expect(update.itemInsertions.map(\.animation) == [.top, .leading, .trailing])
        #expect(update.reconfigurations.map(\.animation) == [.bottom])
        #expect(update.sectionRemovals.map(\.animation) == [AnimationOption.none])
    }
}
