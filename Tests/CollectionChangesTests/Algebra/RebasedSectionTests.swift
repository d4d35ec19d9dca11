import CollectionChanges
import Testing

/// What becomes of edits of whole sections, and of what goes with them, over those of others.
@Suite struct RebasedSectionTests {
    private enum Edit: CaseIterable {
        case nothing, delete, move, reload

        /// Of the second of four sections; a move by `mine` goes elsewhere than one by the other.
        func update(_ isMine: Bool) throws -> ValidatedChangeSet {
            let four: HierarchyShape = [1, 2, 3, 4]
            let (operations, new): ([HierarchyChangeSet.Operation], HierarchyShape) =
                switch self {
                case .nothing: ([.insertItems([path(3, 0)], .none)], [1, 2, 3, 5])
                case .delete: ([.deleteSections([1], .none)], [1, 3, 4])
                case .move where isMine: ([.moveSection(1, toSection: 3, .none)], [1, 3, 4, 2])
                case .move: ([.moveSection(1, toSection: 0, .none)], [2, 1, 3, 4])
                case .reload: ([.reloadSections([1], .none)], [1, 7, 3, 4])
                }
            return try HierarchyChangeSet(operations).validated(from: four, to: new)
        }
    }

    @Test(arguments: [RebaseOrder.earlier, .later])
    func editsOfOneSectionAreNamedWhereTheyAreNotDone(_ order: RebaseOrder) throws {
        for mine in Edit.allCases where mine != .nothing {
            for theirs in Edit.allCases {
                let update = try mine.update(true)
                let rebased = try update.rebased(over: theirs.update(false), as: order)
                let reason: DroppedEdit.Reason? =
                    switch (mine, theirs) {
                    case (.delete, .delete): .removedAlready
                    case (_, .delete): .gone
                    case (.move, .move), (.reload, .reload): order == .earlier ? .overruled : nil
                    default: nil
                    }
                let expected = reason.map {
                    DroppedEdit(.edit(.removeSection(update.sectionRemovals[0])), $0)
                }
                let dropped = rebased.dropped.first { dropped in
                    if case .edit(.removeSection) = dropped.subject { true } else { false }
                }
                #expect(dropped == expected, "\(mine) over \(theirs)")
                #expect(rebased.dropped.count == (reason == nil ? 0 : 1), "\(mine) over \(theirs)")
            }
        }
    }

    @Test func supplementaryReloadsFollowTheirSections() throws {
        // In the sections of 1, 3 and 4 items, by where they are afterwards.
        let mine = try HierarchyChangeSet([
            .reloadSupplementaries(.header, in: [1, 3], .fade),
            .reloadSupplementaries(.footer, in: [0], .top),
            .moveSection(3, toSection: 0, .none),
        ]).validated(from: [1, 2, 3, 4], to: [4, 1, 2, 3])
        let theirs = try HierarchyChangeSet([
            .deleteSections([1], .none), .insertSections([0, 1], .none),
            .moveSection(2, toSection: 2, .none),
        ]).validated(from: [1, 2, 3, 4], to: [9, 8, 3, 1, 4])
        let rebased = try mine.rebased(over: theirs)
        #expect(rebased.dropped.isEmpty)
        let counts = rebased.update.newShape.itemCounts
        let found = rebased.update.supplementaryReloads.map {
            "\($0.kind) of \(counts[$0.newSection]) \($0.animation.rawValue)"
        }
        #expect(
            found.sorted()
                == [
                    "\(SupplementaryKind.footer) of 4 \(AnimationOption.top.rawValue)",
                    "\(SupplementaryKind.header) of 1 \(AnimationOption.fade.rawValue)",
                    "\(SupplementaryKind.header) of 3 \(AnimationOption.fade.rawValue)",
                ].sorted()
        )
        // Only of what is gone it is said.
        let other = try HierarchyChangeSet([.deleteSections([0, 3], .none)])
            .validated(from: [1, 2, 3, 4], to: [2, 3])
        let rest = try mine.rebased(over: other)
        let named = rest.dropped.compactMap { dropped in
            if case .supplementaryReload(let reload) = dropped.subject {
                reload.newSection
            } else {
                nil
            }
        }
        #expect(named.sorted() == [0, 1])
        #expect(rest.update.supplementaryReloads.map(\.newSection) == [1])
    }

    @Test func whatIsDeletedKeepsItsOptionWhereverItIsNow() throws {
        let mine = try HierarchyChangeSet([
            .deleteSections([0], .top), .deleteSections([2], .bottom),
            .deleteItems([path(1, 1)], .fade), .deleteItems([path(1, 0)], .automatic),
        ]).validated(from: [2, 3, 1], to: [1])
        let theirs = try HierarchyChangeSet([
            .moveItem(at: path(2, 0), to: path(1, 0), .leading),
            .moveItem(at: path(1, 1), to: path(0, 0), .leading),
        ]).validated(from: [2, 3, 1], to: [3, 3, 0])
        let update = try mine.rebased(over: theirs).update
        #expect(update.newShape == [1])
        #expect(update.sectionRemovals.map(\.section) == [2, 0])
        #expect(update.sectionRemovals.map(\.animation) == [.bottom, .top])
        // The first was moved there out of the last section.
        let options = update.itemRemovals.filter { $0.path.section == 1 }
            .map { "\($0.path.item) \($0.animation)" }
        #expect(
            options == ["1 \(AnimationOption.automatic)", "0 \(AnimationOption.bottom)"]
        )
    }

    @Test func newSectionsAndMovedOnesKeepTheirOptions() throws {
        let mine = try HierarchyChangeSet([
            .insertSections([0], .top), .moveSection(0, toSection: 2, .fade),
            .reloadSections([2], .bottom),
        ]).validated(from: [1, 2, 3], to: [5, 2, 1, 6])
        let theirs = try HierarchyChangeSet([.insertItems([path(1, 0)], .none)])
            .validated(from: [1, 2, 3], to: [1, 3, 3])
        let update = try mine.rebased(over: theirs).update
        #expect(update.newShape == [5, 3, 1, 6])
        let options = update.sectionInsertions.map { "\($0.role) \($0.section) \($0.animation)" }
        #expect(
            options == [
                "insert 0 \(AnimationOption.top)", "move 2 \(AnimationOption.fade)",
                "reload 3 \(AnimationOption.bottom)",
            ]
        )
    }

    @Test func aChainKnowsNothingOfWhatWasNeverThere() throws {
        let first = try HierarchyChangeSet([.insertSections([1, 2], .none)])
            .validated(from: [1], to: [1, 0, 0])
        let second = try HierarchyChangeSet([.deleteSections([0, 1], .none)])
            .validated(from: [1, 0, 0], to: [0])
        let chain = try ChangeSetChain([first, second])
        for section in [-1, 1, 2, 3] {
            #expect(chain.fate(ofSection: section) == nil, "\(section)")
        }
        #expect(chain.fate(ofSection: 0) != nil)
        for item in [path(0, 0), path(1, 0), path(-1, 0), path(0, -1)] {
            #expect(chain.origin(ofItem: item) == nil, "\(item)")
        }
    }
}
