import CollectionChanges
import Testing

/// Which of several faults of one phase is reported, in both of UIKit's profiles.
@Suite struct StandardFaultTests {
    private typealias Operation = HierarchyChangeSet.Operation

    private struct Case {
        var code: HierarchyUpdateError.Code
        var section: Int?
        var item: Int?
        var index: Int?
        var operations: [Operation]

        init(
            _ code: HierarchyUpdateError.Code,
            section: Int,
            item: Int? = nil,
            index: Int? = nil,
            _ operations: [Operation]
        ) {
            (self.code, self.section, self.item) = (code, section, item)
            (self.index, self.operations) = (index, operations)
        }
    }

    private func check(_ cases: [Case], from old: HierarchyShape, to new: HierarchyShape) {
        for expected in cases {
            for profile in [ValidationProfile.standard, .strict] {
                let error = refusal { () throws(HierarchyUpdateError) in
                    try HierarchyChangeSet(expected.operations)
                        .validated(from: old, to: new, profile: profile)
                }
                #expect(error?.code == expected.code, "\(expected.operations)")
                #expect(error?.section == expected.section, "\(expected.operations)")
                #expect(error?.path?.item == expected.item, "\(expected.operations)")
                if let index = expected.index {
                    #expect(error?.operationIndex == index, "\(expected.operations)")
                }
            }
        }
    }

    @Test func lowestReloadConflictIsReportedAndAnItemBeforeItsSection() {
        let items = [path(0, 1), path(1, 0)]
        check(
            [
                Case(
                    .deleteAndReloadItem,
                    section: 0,
                    item: 1,
                    [.deleteItems(items, .none), .reloadItems(items, .none)]
                ),
                Case(
                    .deleteAndReloadSection,
                    section: 0,
                    [.deleteSections([0, 2], .none), .reloadSections([0, 2], .none)]
                ),
                Case(
                    .deleteAndReloadSection,
                    section: 0,
                    [
                        .deleteSections([0], .none), .reloadSections([0], .none),
                        .deleteItems([path(1, 0)], .none), .reloadItems([path(1, 0)], .none),
                    ]
                ),
                Case(
                    .deleteAndReloadItem,
                    section: 0,
                    item: 2,
                    [
                        .deleteSections([0], .none), .reloadSections([0], .none),
                        .reloadItems([path(0, 2)], .none),
                    ]
                ),
                // The third is the first that names the section.
                Case(
                    .deleteAndReloadSection,
                    section: 5,
                    index: 2,
                    [
                        .reloadSections([3], .none), .deleteSections([4, 5, 6], .none),
                        .reloadSections([3, 5, 8], .none),
                    ]
                ),
            ],
            from: [3, 3, 3],
            to: [3, 3, 3]
        )
    }

    @Test func sectionsThatDoNotExistAreNamedFromTheirOwnSide() {
        check(
            [
                Case(.deleteSectionRange, section: -5, [.deleteSections([-5, 0], .none)]),
                Case(.deleteSectionRange, section: -2, [.deleteSections([-5, -2, 0], .none)]),
                Case(.deleteSectionRange, section: -1, [.deleteSections([-2, -1, 0, 1], .none)]),
                Case(.deleteSectionRange, section: 8, [.deleteSections([3, 8], .none)]),
                Case(.insertSectionRange, section: 3, [.insertSections([3, 8], .none)]),
                Case(.insertSectionRange, section: 4, [.insertSections([2, 4, 8], .none)]),
                Case(.insertSectionRange, section: -5, [.insertSections([-5, -2], .none)]),
            ],
            from: [3, 3, 3],
            to: [3, 3, 3]
        )
    }

    @Test func negativeItemIsOutOfRange() {
        check(
            [
                Case(.deleteItemRange, section: 0, item: -1, [.deleteItems([path(0, -1)], .none)]),
                Case(.deleteItemRange, section: 0, item: -1, [.reloadItems([path(0, -1)], .none)]),
                Case(.insertItemRange, section: 0, item: -1, [.insertItems([path(0, -1)], .none)]),
                Case(
                    .moveItemSourceRange,
                    section: 0,
                    item: -1,
                    [.moveItem(at: path(0, -1), to: path(0, 0), .none)]
                ),
                Case(
                    .moveItemTargetRange,
                    section: 0,
                    item: -1,
                    [.moveItem(at: path(0, 0), to: path(0, -1), .none)]
                ),
            ],
            from: [3],
            to: [3]
        )
    }

    @Test func movesAreJudgedAscendingAndItemsBeforeTheirSection() {
        let item = Operation.moveItem(at: path(5, 0), to: path(0, 0), .none)
        check(
            [
                Case(
                    .moveItemSourceSectionRange,
                    section: 5,
                    item: 0,
                    [.moveSection(5, toSection: 0, .none), item]
                ),
                Case(
                    .moveSectionSourceRange,
                    section: 4,
                    [.moveSection(4, toSection: 0, .none), item]
                ),
                Case(
                    .moveItemSourceSectionRange,
                    section: 5,
                    item: 0,
                    [.moveSection(6, toSection: 0, .none), item]
                ),
            ],
            from: [3, 3, 3],
            to: [3, 3, 3]
        )
    }

    @Test func targetsOfCrossingMovesAreFound() {
        check(
            [
                Case(
                    .insertAndMoveSection,
                    section: 1,
                    [
                        .moveSection(0, toSection: 3, .none), .moveSection(2, toSection: 1, .none),
                        .insertSections([1], .none),
                    ]
                ),
                Case(
                    .moveTwoSectionsToOnePlace,
                    section: 2,
                    index: 2,
                    [
                        .moveSection(0, toSection: 2, .none), .moveSection(1, toSection: 0, .none),
                        .moveSection(2, toSection: 2, .none),
                    ]
                ),
                Case(
                    .insertAndMoveItem,
                    section: 0,
                    item: 1,
                    [
                        .moveItem(at: path(0, 0), to: path(0, 3), .none),
                        .moveItem(at: path(0, 2), to: path(0, 1), .none),
                        .insertItems([path(0, 1)], .none),
                    ]
                ),
                Case(
                    .moveTwoItemsToOnePlace,
                    section: 0,
                    item: 2,
                    index: 2,
                    [
                        .moveItem(at: path(0, 0), to: path(0, 2), .none),
                        .moveItem(at: path(0, 1), to: path(0, 0), .none),
                        .moveItem(at: path(0, 2), to: path(0, 2), .none),
                    ]
                ),
            ],
            from: [4, 4, 4],
            to: [4, 4, 4, 4]
        )
    }

    @Test func lowestMissingUpdateInPlaceIsReported() {
        check(
            [
                Case(
                    .reconfigureItemRange,
                    section: 0,
                    item: 5,
                    index: 0,
                    [.reconfigureItems([path(0, 9), path(0, 5), path(0, 7)], .none)]
                ),
                Case(
                    .reconfigureSectionRange,
                    section: 5,
                    index: 1,
                    [.reconfigureSections([9], .none), .reconfigureSections([5], .none)]
                ),
            ],
            from: [3],
            to: [3]
        )
    }

    @Test func oneKindInNeighbouringSectionsIsReloadedInBoth() throws {
        var changes = HierarchyChangeSet()
        changes.reloadSupplementaries(ofKind: .header, in: [0, 1])
        let update = try changes.validated(from: [1, 1], to: [1, 1])
        #expect(update.supplementaryReloads.map(\.newSection) == [0, 1])
    }

    @Test func itemsPutIntoReloadedSectionsAreAbsorbed() throws {
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [path(0, 1), path(2, 0), path(3, 0)])
        changes.insertSections([0])
        changes.reloadSections([1])
        let update = try changes.validated(from: [1, 1, 1], to: [2, 1, 9, 2])
        #expect(update.itemInsertions.map(\.path) == [path(3, 0)])
        #expect(update.sectionInsertions.map(\.freshItemCount) == [2, 9])

        var other = HierarchyChangeSet()
        other.reloadSections([0])
        other.insertSections([2])
        other.insertItems(at: [path(0, 1), path(2, 0)])
        #expect(try other.validated(from: [1, 1], to: [5, 1, 3]).itemInsertions.isEmpty)
    }

    @Test func otherHalfThatIsNotThereIsMissed() {
        let cases: [([HierarchyEdit], String)] = [
            (
                [
                    .removeSection(SectionEdit(section: 2, role: .delete)),
                    .insertSection(SectionEdit(section: 1, role: .move, associatedWith: 3)),
                ],
                "must have its other half at 3, but there is none"
            ),
            (
                [
                    .removeItem(ItemEdit(path: path(0, 0), role: .delete)),
                    .insertItem(
                        ItemEdit(path: path(0, 1), role: .move, associatedWith: path(0, 2))
                    ),
                ],
                "must have its other half at 0 - 2, but there is none"
            ),
        ]
        for (edits, text) in cases {
            let error = refusal { () throws(HierarchyUpdateError) in
                try ValidatedChangeSet(checking: edits, from: [3, 0, 0, 0], to: [3, 0, 0, 0])
            }
            #expect(error?.code == .editUnlinked)
            #expect(error?.operationIndex == 1)
            #expect(error?.message.contains(text) == true)
        }
    }

    @Test func shapesOfEditsFromOutsideAreJudgedBeforeTheirLinks() {
        let unlinked = HierarchyEdit.removeItem(ItemEdit(path: path(0, 0), role: .insert))
        for (old, new) in [([9], [1]), ([1], [9])] {
            let error = refusal { () throws(HierarchyUpdateError) in
                try ValidatedChangeSet(
                    checking: [unlinked],
                    from: HierarchyShape(old),
                    to: HierarchyShape(new),
                    limits: ShapeLimits(items: 8)
                )
            }
            #expect(error?.code == .tooManyItems)
        }
    }
}
