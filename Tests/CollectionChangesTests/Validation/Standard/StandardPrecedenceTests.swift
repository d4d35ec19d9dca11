import CollectionChanges
import Testing

/// Of several faults the first is reported, in UIKit's order, however they were recorded.
@Suite struct StandardPrecedenceTests {
    private static let shape: HierarchyShape = [3, 3, 3]

    /// One fault of each phase, in the order of the phases.
    private static let phases:
        [(code: HierarchyUpdateError.Code, operations: [HierarchyChangeSet.Operation])] = [
            (
                .deleteAndReloadItem,
                [.deleteItems([path(0, 0)], .none), .reloadItems([path(0, 0)], .none)]
            ),
            (.deleteItemRange, [.deleteItems([path(0, 9)], .none)]),
            (.insertItemRange, [.insertItems([path(0, 9)], .none)]),
            (.moveItemTargetRange, [.moveItem(at: path(0, 1), to: path(0, 9), .none)]),
            (.reconfigureItemRange, [.reconfigureItems([path(0, 9)], .none)]),
            (.sectionCount, [.insertSections([1], .none)]),
            (.itemCount, [.deleteItems([path(2, 1)], .none)]),
        ]

    @Test(arguments: [ValidationProfile.standard, .strict])
    func earlierPhaseIsReportedOfEveryTwo(profile: ValidationProfile) {
        for (index, first) in Self.phases.enumerated() {
            #expect(code(first.operations, profile) == first.code)
            for second in Self.phases[(index + 1)...] {
                let both = first.operations + second.operations
                #expect(code(both, profile) == first.code, "with \(second.code)")
                #expect(code(both.reversed(), profile) == first.code, "with \(second.code)")
            }
        }
    }

    @Test func deletesAreJudgedDescendingAndSectionsBeforeTheirItems() {
        let cases: [(operations: [HierarchyChangeSet.Operation], section: Int, item: Int?)] = [
            ([.deleteItems([path(0, 9), path(1, 9)], .none)], 1, 9),
            ([.deleteItems([path(1, 9), path(1, 8)], .none)], 1, 9),
            ([.reloadItems([path(1, 9)], .none), .deleteItems([path(0, 9)], .none)], 1, 9),
            ([.deleteItems([path(7, 0)], .none), .deleteSections([7], .none)], 7, nil),
            ([.deleteItems([path(7, 0)], .none), .deleteSections([6], .none)], 7, 0),
            ([.deleteItems([path(2, 9)], .none), .reloadSections([4, 8], .none)], 8, nil),
            ([.deleteSections([-3, -1], .none), .deleteItems([path(-2, 0)], .none)], -1, nil),
            ([.deleteSections([-3], .none), .deleteItems([path(-2, 0)], .none)], -2, 0),
        ]
        for (operations, section, item) in cases {
            let error = fault(operations)
            #expect(error?.section == section, "\(operations)")
            #expect(error?.path?.item == item, "\(operations)")
        }
    }

    @Test func insertsAreJudgedAscendingAndSectionsAfterTheirItems() {
        let cases: [(operations: [HierarchyChangeSet.Operation], section: Int, item: Int?)] = [
            ([.insertItems([path(1, 9), path(0, 9)], .none)], 0, 9),
            ([.insertItems([path(1, 9), path(1, 8)], .none)], 1, 8),
            ([.insertSections([7], .none), .insertItems([path(7, 0)], .none)], 7, 0),
            ([.insertSections([6], .none), .insertItems([path(7, 0)], .none)], 6, nil),
            ([.insertSections([4, 8], .none)], 4, nil),
            ([.insertSections([-3, -1], .none), .insertItems([path(-2, 0)], .none)], -3, nil),
        ]
        for (operations, section, item) in cases {
            let error = fault(operations)
            #expect(error?.section == section, "\(operations)")
            #expect(error?.path?.item == item, "\(operations)")
        }
    }

    @Test func itemCountsAreJudgedAscendingByNewSection() throws {
        var changes = HierarchyChangeSet()
        changes.moveSection(0, toSection: 2)
        do {
            _ = try changes.validated(from: [3, 3, 3], to: [3, 4, 5])
            Issue.record("accepted")
        } catch {
            #expect(error.code == .itemCount)
            #expect(error.section == 1)
            #expect(error.arithmetic?.before == 3)
            #expect(error.arithmetic?.after == 4)
        }
    }

    @Test func faultNamesItsOperation() {
        let error = fault([
            .reloadItems([path(0, 0)], .none), .deleteItems([path(0, 1), path(2, 5)], .none),
        ])
        #expect(error?.operationIndex == 1)
        #expect(error?.path == path(2, 5))
    }

    @Test func conflictOfMissingSectionsIsAConflict() {
        let error = fault([
            .deleteSections([4, 5, 6], .none), .deleteItems([path(0, 9)], .none),
            .reloadSections([3, 5, 8], .none),
        ])
        #expect(error?.code == .deleteAndReloadSection)
        #expect(error?.section == 5)
        #expect(error?.operationIndex == 2)
    }

    private func code(
        _ operations: [HierarchyChangeSet.Operation],
        _ profile: ValidationProfile
    ) -> HierarchyUpdateError.Code? {
        fault(operations, profile)?.code
    }

    private func fault(
        _ operations: [HierarchyChangeSet.Operation],
        _ profile: ValidationProfile = .standard
    ) -> HierarchyUpdateError? {
        refusal { () throws(HierarchyUpdateError) in
            try HierarchyChangeSet(operations)
                .validated(from: Self.shape, to: Self.shape, profile: profile)
        }
    }
}
