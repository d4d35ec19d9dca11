import CollectionChanges
import Testing

/// What only `strict` rejects, one habit of UIKit at a time; `standard` accepts it all where the
/// numbers come out.
@Suite struct StrictProfileTests {
    private static let naiveHint =
        "UIKit ignores moves when it places a reload; reload in a second update"

    private func fault(
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ operations: HierarchyChangeSet.Operation...,
        profile: ValidationProfile = .strict
    ) -> HierarchyUpdateError? {
        refusal { () throws(HierarchyUpdateError) in
            try HierarchyChangeSet(operations).validated(from: old, to: new, profile: profile)
        }
    }

    @Test func reloadedSectionBeyondTheEndIsAnInsertFaultOnlyBesideMoves() {
        let reload = HierarchyChangeSet.Operation.reloadSections([1], .none)
        #expect(fault([0, 0], [0], reload)?.code == .sectionCount)
        let error = fault([0, 0], [0], .moveSection(0, toSection: 0, .none), reload)
        #expect(error?.code == .insertSectionRange)
        #expect(error?.section == 1 && error?.operationIndex == 1)
        #expect(
            error?.message
                == "attempt to insert section 1 but there are only 1 sections after the update"
        )
        #expect(error?.hint == Self.naiveHint)
    }

    @Test func reloadsBesideMovesElsewhereAreAccepted() {
        #expect(
            fault(
                [1, 2, 3],
                [1, 2, 9],
                .moveSection(0, toSection: 0, .none),
                .reloadSections([2], .none)
            ) == nil
        )
        #expect(
            fault(
                [3],
                [3],
                .moveItem(at: path(0, 0), to: path(0, 0), .none),
                .reloadItems([path(0, 2)], .none)
            ) == nil
        )
    }

    @Test func placeOfAReloadedSectionCountsDeletesBelowIt() {
        let error = fault(
            [0, 0, 0],
            [0, 0],
            .deleteSections([0], .none),
            .moveSection(2, toSection: 0, .none),
            .reloadSections([1], .none)
        )
        #expect(error?.code == .insertAndMoveSection)
        #expect(error?.section == 0 && error?.operationIndex == 2)
    }

    @Test func reloadedItemWithoutAPlaceIsAnInsertFaultOnlyBesideMoves() {
        let alone = fault([2], [1], .reloadItems([path(0, 1)], .none))
        #expect(alone?.code == .itemCount)
        let error = fault(
            [1, 2],
            [2, 1],
            .moveSection(0, toSection: 1, .none),
            .reloadItems([path(1, 1)], .none)
        )
        #expect(error?.code == .insertItemRange)
        #expect(error?.path == path(1, 1) && error?.operationIndex == 1)
        #expect(
            error?.message
                == "attempt to insert item 1 into section 1, but there are only 1 items in"
                + " section 1 after the update"
        )
        #expect(error?.hint == Self.naiveHint)
    }

    @Test func reloadedItemOfAMissingSectionHasNoItemsAroundIt() {
        let error = fault(
            [1, 1],
            [1],
            .moveSection(0, toSection: 0, .none),
            .reloadItems([path(1, 0)], .none)
        )
        #expect(error?.code == .insertItemRange)
        #expect(error?.message.contains("there are only 0 items in section 1 after") == true)
    }

    @Test func reloadedItemInASectionThatIsElsewhereDoesNotCancelOut() {
        let operations: [HierarchyChangeSet.Operation] = [
            .moveSection(0, toSection: 1, .none), .reloadItems([path(0, 0)], .none),
        ]
        #expect(fault([1, 1], [1, 1], operations[0], operations[1], profile: .standard) == nil)
        let error = fault([1, 1], [1, 1], operations[0], operations[1])
        #expect(error?.code == .itemCount)
        #expect(error?.section == 1)
        #expect(
            error?.arithmetic == CountArithmetic(before: 1, after: 1, inserted: 0, deleted: 1)
        )
        #expect(error?.hint == Self.naiveHint)
    }

    /// The item leaves its section, whatever the numbers at both ends.
    @Test func itemMovedOutBesideSuchAReloadIsCounted() {
        let error = fault(
            [2, 1],
            [2, 1],
            .moveSection(0, toSection: 1, .none),
            .reloadItems([path(0, 0)], .none),
            .moveItem(at: path(0, 1), to: path(0, 1), .none)
        )
        #expect(error?.code == .itemCount)
        #expect(error?.section == 1)
        #expect(
            error?.arithmetic
                == CountArithmetic(before: 2, after: 1, inserted: 0, deleted: 1, movedOut: 1)
        )
    }

    @Test func itemsAreCountedWithReloadedSectionsWhereUIKitPutsThem() {
        let move = HierarchyChangeSet.Operation.moveSection(3, toSection: 1, .none)
        let reload = HierarchyChangeSet.Operation.reloadSections([2], .none)
        #expect(fault([1, 2, 3, 4], [1, 4, 2, 9], move, reload, profile: .standard) == nil)
        let error = fault([1, 2, 3, 4], [1, 4, 2, 9], move, reload)
        #expect(error?.code == .itemCount)
        #expect(error?.section == 3)
        #expect(error?.arithmetic?.before == 2 && error?.arithmetic?.after == 9)
        #expect(error?.hint == Self.naiveHint)
        #expect(fault([1, 2, 3, 4], [1, 4, 2, 2], move, reload) == nil)
    }

    /// The item leaves its section for another of the same number.
    @Test func moveBetweenSectionsOfOneNumberIsNotCounted() {
        let section = HierarchyChangeSet.Operation.moveSection(0, toSection: 1, .none)
        let item = HierarchyChangeSet.Operation.moveItem(at: path(1, 0), to: path(1, 0), .none)
        #expect(fault([1, 2], [1, 2], section, item, profile: .standard) == nil)
        let error = fault([1, 2], [1, 2], section, item)
        #expect(error?.code == .itemCount)
        #expect(error?.section == 0)
        #expect(
            error?.arithmetic == CountArithmetic(before: 2, after: 1, inserted: 0, deleted: 0)
        )
        #expect(error?.hint?.hasPrefix("Early UIKit compares the numbers of sections") == true)
    }
}
