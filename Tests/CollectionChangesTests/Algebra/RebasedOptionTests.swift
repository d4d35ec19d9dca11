import CollectionChanges
import TestSupport
import Testing

/// With which options, and by which of the possible edits, an update does its part over another.
@Suite struct RebasedOptionTests {
    private func update(
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ operations: HierarchyChangeSet.Operation...
    ) throws -> ValidatedChangeSet {
        try HierarchyChangeSet(operations).validated(from: old, to: new)
    }

    @Test func updatesInPlaceFollowTheirItems() throws {
        let mine = try update([1, 1], [1, 1], .reconfigureItems([path(0, 0)], .fade))
        let theirs = try update([1, 1], [2, 1], .insertItems([path(0, 0)], .none))
        let rebased = try mine.rebased(over: theirs)
        #expect(rebased.dropped.isEmpty)
        #expect(
            rebased.update.reconfigurations == [
                ItemReconfiguration(oldPath: path(0, 1), newPath: path(0, 1), animation: .fade)
            ]
        )
    }

    @Test func deletesAndUpdatesInPlaceKeepTheirOptionsOverRandomUpdates() throws {
        for seed in 0..<Effort.number(600, usually: 80) {
            var random = RandomUpdates(seed: UInt64(seed))
            random.animations = [.automatic, .fade, .top]
            random.rarity = 2 + seed % 6
            let shape = random.shape(sections: 4, items: 6)
            let (mine, theirs) = (try random.next(from: shape), try random.next(from: shape))
            for order in [RebaseOrder.earlier, .later] {
                let rebased = try mine.rebased(over: theirs, as: order)
                let dropped = rebased.dropped.map(\.subject)
                for edit in mine.reconfigurations where !dropped.contains(.reconfiguration(edit)) {
                    let path = theirs.newPath(for: edit.oldPath)
                    let found = rebased.update.reconfigurations.first { $0.oldPath == path }
                    #expect(found?.animation == edit.animation, "seed \(seed), \(edit.oldPath)")
                }
                for edit in mine.itemRemovals where edit.role == .delete {
                    guard let path = theirs.newPath(for: edit.path) else { continue }
                    let found = rebased.update.itemRemovals.first { $0.path == path }
                    // Nil where it goes with its section.
                    if let found {
                        #expect(found.role == .delete, "seed \(seed), \(path)")
                        #expect(found.animation == edit.animation, "seed \(seed), \(path)")
                    }
                }
            }
        }
    }

    @Test func neighboursThatAreDeletedKeepTheirOwnOptions() throws {
        let mine = try update(
            [3],
            [1],
            .deleteItems([path(0, 0)], .fade),
            .deleteItems([path(0, 1)], .automatic)
        )
        let theirs = try update([3], [4], .insertItems([path(0, 3)], .none))
        let rebased = try mine.rebased(over: theirs).update
        #expect(rebased.itemRemovals.map(\.path) == [path(0, 1), path(0, 0)])
        #expect(rebased.itemRemovals.map(\.animation) == [.automatic, .fade])
    }

    @Test func whatIsDeletedInASectionThatMovesKeepsItsOption() throws {
        let mine = try update(
            [2, 1],
            [1, 1],
            .deleteItems([path(0, 0)], .fade),
            .moveSection(0, toSection: 1, .top)
        )
        let theirs = try update([2, 1], [2, 2], .insertItems([path(1, 0)], .none))
        let rebased = try mine.rebased(over: theirs).update
        #expect(rebased.itemRemovals.map(\.animation) == [.fade])
        #expect(rebased.sectionRemovals.map(\.role) == [.move])
        #expect(rebased.sectionRemovals.map(\.animation) == [.top])
    }

    @Test func whatMineMovedIsWhatMoves() throws {
        // Of two that change places either could.
        let mine = try update([2, 0], [2, 0], .moveItem(at: path(0, 0), to: path(0, 1), .fade))
        let theirs = try update([2, 0], [2, 1], .insertItems([path(1, 0)], .none))
        let rebased = try mine.rebased(over: theirs).update
        #expect(rebased.itemRemovals.map(\.path) == [path(0, 0)])
        #expect(rebased.itemRemovals.map(\.animation) == [.fade])
    }

    @Test func whatTheirsMovedStaysWhereTheyMovedItTo() throws {
        let mine = try update([2, 1], [2, 1], .moveItem(at: path(0, 0), to: path(0, 1), .fade))
        let theirs = try update(
            [2, 1],
            [2, 0],
            .moveItem(at: path(1, 0), to: path(0, 1), .none),
            .deleteItems([path(0, 1)], .none)
        )
        let rebased = try mine.rebased(over: theirs).update
        #expect(rebased.itemRemovals.map(\.path) == [path(0, 0)])
        #expect(rebased.itemRemovals.map(\.associatedWith) == [path(0, 1)])
        #expect(rebased.itemRemovals.map(\.animation) == [.fade])
    }

    @Test func aReloadThatIsOverruledMovesNothing() throws {
        let mine = try update(
            [1, 1],
            [3, 1],
            .moveSection(0, toSection: 1, .fade),
            .reloadSections([1], .top)
        )
        let theirs = try update([1, 1], [1, 4], .reloadSections([1], .none))
        let rebased = try mine.rebased(over: theirs, as: .earlier).update
        #expect(rebased.newShape == [4, 1])
        #expect(rebased.sectionRemovals.map(\.section) == [0])
        #expect(rebased.sectionRemovals.map(\.role) == [.move])
        #expect(rebased.sectionRemovals.map(\.animation) == [.fade])
    }

    /// What they moved into a section that mine deletes moves back, with that section's option.
    @Test(arguments: [0, 1])
    func whatComesBackOutOfADeletedSectionHasItsOption(_ deleted: Int) throws {
        let kept = 1 - deleted
        let shape: HierarchyShape = deleted == 0 ? [1, 2] : [2, 1]
        let mine = try update(shape, [2], .deleteSections([deleted], .top))
        let theirs = try update(
            shape,
            deleted == 0 ? [2, 1] : [1, 2],
            .moveItem(at: path(kept, 0), to: path(deleted, 0), .none)
        )
        let rebased = try mine.rebased(over: theirs).update
        #expect(rebased.newShape == [2])
        #expect(rebased.itemRemovals.map(\.path) == [path(deleted, 0)])
        #expect(rebased.itemRemovals.map(\.associatedWith) == [path(0, 0)])
        #expect(rebased.itemRemovals.map(\.animation) == [.top])
        #expect(rebased.sectionRemovals.map(\.animation) == [.top])
    }

    @Test func moreItemsThanThereAreIntegersAreRejected() throws {
        let (old, new): (HierarchyShape, HierarchyShape) = ([Int.max - 1], [Int.max])
        let insertion = HierarchyChangeSet([.insertItems([path(0, 0)], .none)])
        let limits = ShapeLimits(sections: .max, items: .max)
        let mine = try insertion.validated(from: old, to: new, limits: limits)
        let error = refusal { () throws(HierarchyUpdateError) in try mine.rebased(over: mine) }
        #expect(error?.code == .tooManyItems)
    }

    // MARK: What is dropped

    @Test func aMoveOfWhatIsGoneIsNamedAsThat() throws {
        let mine = try update([2], [2], .moveItem(at: path(0, 0), to: path(0, 1), .fade))
        let theirs = try update([2], [1], .deleteItems([path(0, 0)], .none))
        for order in [RebaseOrder.earlier, .later] {
            let rebased = try mine.rebased(over: theirs, as: order)
            #expect(rebased.update.isEmpty)
            #expect(
                rebased.dropped == [DroppedEdit(.edit(.removeItem(mine.itemRemovals[0])), .gone)]
            )
        }
    }

    @Test func aReloadOfAllDropsEveryEditAndNamesEachOnce() throws {
        let mine = try update(
            [3, 1, 1],
            [3, 4, 2],
            .deleteItems([path(0, 0)], .none),
            .moveItem(at: path(0, 1), to: path(0, 0), .none),
            .insertItems([path(0, 2)], .none),
            .reconfigureItems([path(0, 2)], .none),
            .deleteSections([1], .none),
            .insertSections([1], .none),
            .reloadSections([2], .none),
            .reloadSupplementaries(.header, in: [0], .none)
        )
        let theirs = try update([3, 1, 1], [2], .reloadData(.none))
        #expect(mine.itemRemovals.count == 2 && mine.sectionRemovals.count == 2)
        var expected: [DroppedEdit.Subject] = []
        expected += mine.itemRemovals.map { .edit(.removeItem($0)) }
        expected += mine.sectionRemovals.map { .edit(.removeSection($0)) }
        for edit in mine.sectionInsertions where edit.role == .insert {
            expected.append(.edit(.insertSection(edit)))
        }
        for edit in mine.itemInsertions where edit.role == .insert {
            expected.append(.edit(.insertItem(edit)))
        }
        expected += mine.reconfigurations.map { .reconfiguration($0) }
        expected += mine.supplementaryReloads.map { .supplementaryReload($0) }
        let rebased = try mine.rebased(over: theirs)
        #expect(rebased.update.isEmpty && rebased.update.newShape == [2])
        #expect(rebased.dropped.count == 8)
        #expect(rebased.dropped.map(\.subject) == expected)
        #expect(rebased.dropped.allSatisfy { $0.reason == .gone })
    }

    @Test func aReloadOfNothingDropsTheOtherToo() throws {
        let mine = try update([], [1], .insertSections([0], .none))
        let theirs = try update([], [], .reloadData(.none))
        let rebased = try mine.rebased(over: theirs)
        #expect(rebased.update.isEmpty && rebased.update.newShape == [])
        #expect(
            rebased.dropped
                == [DroppedEdit(.edit(.insertSection(mine.sectionInsertions[0])), .gone)]
        )
    }
}
