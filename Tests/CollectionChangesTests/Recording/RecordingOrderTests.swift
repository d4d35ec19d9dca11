import CollectionChanges
import Testing

/// Sections of one kind that are recorded one after the other, in every order.
@Suite struct RecordingOrderTests {
    private static let orders = [
        [1, 3, 5], [1, 5, 3], [3, 1, 5], [3, 5, 1], [5, 1, 3], [5, 3, 1],
    ]

    private func validated(
        _ operations: [HierarchyChangeSet.Operation],
        to count: Int
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        for operation in operations { changes.record(operation) }
        return try changes.validated(
            from: HierarchyShape(Array(repeating: 1, count: 7)),
            to: HierarchyShape(Array(repeating: 1, count: count))
        )
    }

    @Test(arguments: orders)
    func theUpdateIsTheSame(order: [Int]) throws {
        let sections = order.map { SectionSet($0) }
        let deletes = try validated(sections.map { .deleteSections($0, .none) }, to: 4)
        #expect(deletes.sectionRemovals.map(\.section) == [5, 3, 1])
        let reloads = try validated(sections.map { .reloadSections($0, .none) }, to: 7)
        #expect(reloads.sectionRemovals.map(\.section) == [5, 3, 1])
        #expect(reloads.sectionInsertions.map(\.section) == [1, 3, 5])
        let inserts = try validated(sections.map { .insertSections($0, .none) }, to: 10)
        #expect(inserts.sectionInsertions.map(\.section) == [1, 3, 5])
    }

    /// What is deleted is looked for among all that are, and the lowest conflict is told.
    @Test(arguments: orders, orders)
    func theConflictIsTheLowest(deletes: [Int], reloads: [Int]) {
        let error = refusal {
            () throws(HierarchyUpdateError) in
            try validated(
                deletes.map { .deleteSections([$0], .none) }
                    + reloads.map { .reloadSections([$0], .none) },
                to: 4
            )
        }
        #expect(error?.code == .deleteAndReloadSection)
        #expect(error?.section == 1)
        for section in deletes {
            let error = refusal {
                () throws(HierarchyUpdateError) in
                try validated(
                    deletes.map { .deleteSections([$0], .none) }
                        + [.reloadSections([section], .none)],
                    to: 4
                )
            }
            #expect(error?.section == section)
        }
    }
}
