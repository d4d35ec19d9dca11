import CollectionChanges
import Testing

/// What comes with a rejection beside its code.
@Suite struct ErrorContentTests {
    private typealias Code = HierarchyUpdateError.Code
    private static let shape: HierarchyShape = [2, 2]

    /// The typical mistake of each is to have used the numbers of the other side.
    static let misplaced: [(operation: HierarchyChangeSet.Operation, code: String, hint: String)] =
        [
            (.deleteSections([7], .none), "deleteSectionRange", "indexes before the update"),
            (.reloadSections([7], .none), "deleteSectionRange", "indexes before the update"),
            (.deleteItems([path(7, 0)], .none), "deleteItemSectionRange", "before the update"),
            (.deleteItems([path(0, 7)], .none), "deleteItemRange", "paths before the update"),
            (.reloadItems([path(0, 7)], .none), "deleteItemRange", "paths before the update"),
            (.insertSections([7], .none), "insertSectionRange", "after the whole update"),
            (.insertItems([path(7, 0)], .none), "insertItemSectionRange", "after the whole update"),
            (.insertItems([path(0, 7)], .none), "insertItemRange", "after the whole update"),
            (
                .moveSection(7, toSection: 0, .none), "moveSectionSourceRange",
                "from an index before"
            ),
            (.moveSection(0, toSection: 7, .none), "moveSectionTargetRange", "to an index after"),
            (
                .moveItem(at: path(0, 7), to: path(0, 0), .none), "moveItemSourceRange",
                "from a path before the update"
            ),
            (
                .moveItem(at: path(0, 0), to: path(0, 7), .none), "moveItemTargetRange",
                "to a path after it"
            ),
            (.reconfigureItems([path(0, 7)], .none), "reconfigureItemRange", "before the update"),
            (.reconfigureSections([7], .none), "reconfigureSectionRange", "before the update"),
            (
                .reloadSupplementaries(.header, in: [7], .none), "supplementarySectionRange",
                "after the update"
            ),
        ]

    @Test(arguments: misplaced.indices, [ValidationProfile.standard, .strict])
    func aPlaceThatDoesNotExistComesWithAHintAtTheOtherSide(
        _ row: Int,
        _ profile: ValidationProfile
    ) {
        let (operation, code, hint) = Self.misplaced[row]
        let error = fault([operation], to: Self.shape, profile)
        #expect(error?.code.rawValue == code)
        #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "no hint")")
        #expect(error?.section != nil && error?.operationIndex == 0)
    }

    @Test(arguments: ValidationProfile.allCases)
    func aConflictAndAnUnrecordedChangeComeWithAHintToo(_ profile: ValidationProfile) {
        // The original has no such conflict: there the reload has no target.
        if profile != .texture {
            let conflict = fault(
                [.deleteItems([path(0, 0)], .none), .reloadItems([path(0, 0)], .none)],
                to: [1, 2],
                profile
            )
            #expect(conflict?.hint?.contains("Leave out the reload") == true)
        }
        for changed in [HierarchyShape([3, 2]), [2, 2, 2]] {
            let hint = fault([], to: changed, profile)?.hint
            #expect(hint?.hasPrefix("The data source changed but nothing was recorded") == true)
        }
    }

    @Test func theDescriptionHasEverythingThatIsKnown() throws {
        var error = try #require(fault([.deleteItems([path(1, 7)], .none)], to: [2, 1], .standard))
        error.dataSourceName = "Feed"
        let text = error.description
        #expect(text.hasPrefix("item 7 of section 1 is deleted, but section 1 has only 2 items"))
        #expect(text.hasSuffix("[deleteItemRange] \(error.message)"))
        for part in [
            "At fault: operation 0, deleteItems at (1 - 7)", "Data source: Feed",
            "Before: { 2 sections with item counts: [2, 2] }",
            "After: { 2 sections with item counts: [2, 1] }",
            "Hint: Deletes and reloads use the paths before the update",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(error.path == path(1, 7) && error.section == 1)
    }

    /// Where counts do not add up, the sums say what was expected.
    @Test func theSumsAreThoseOfTheSectionAtFault() throws {
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [path(0, 0), path(0, 1)])
        changes.deleteItems(at: [path(0, 3)])
        changes.moveItem(at: path(0, 0), to: path(1, 0))
        changes.moveItem(at: path(1, 0), to: path(0, 2))
        changes.moveItem(at: path(1, 1), to: path(0, 3))
        let error = refusal { () throws(HierarchyUpdateError) in
            try changes.validated(from: [5, 2], to: [9, 1])
        }
        let sums = try #require(error?.arithmetic)
        #expect(error?.code == .itemCount && error?.section == 0)
        #expect((sums.before, sums.after) == (5, 9))
        #expect((sums.inserted, sums.deleted, sums.movedIn, sums.movedOut) == (2, 1, 2, 1))
        #expect(sums.expected == 7)
    }

    private func fault(
        _ operations: [HierarchyChangeSet.Operation],
        to new: HierarchyShape,
        _ profile: ValidationProfile
    ) -> HierarchyUpdateError? {
        refusal { () throws(HierarchyUpdateError) in
            try HierarchyChangeSet(operations)
                .validated(from: Self.shape, to: new, profile: profile)
        }
    }
}
