import PipelineTestSupport
import SimulatedView

// Rows about paths that do not exist, sections with edits of their own, and sums.

extension AdapterRow {
    static let ranges = [
        AdapterRow(
            2,
            [["a", "b"]],
            [["a"]],
            .deleteItemRange,
            "attempt to delete item 5 from section 0 which only contains 2 items before the update"
        ) { $0.deleteItems(at: [ItemPath(0, 5)]) },
        AdapterRow(
            2,
            [["a", "b"]],
            [["a"]],
            .deleteItemSectionRange,
            "attempt to delete item 0 from section 3, but there are only 1 sections before the update"
        ) { $0.deleteItems(at: [ItemPath(3, 0)]) },
        AdapterRow(
            3,
            [["a"]],
            [],
            .deleteSectionRange,
            "attempt to delete section 1, but there are only 1 sections before the update"
        ) { $0.deleteSections([1]) },
        AdapterRow(
            4,
            [["a"]],
            [["a", "b"]],
            .insertItemSectionRange,
            "attempt to insert item 0 into section 1, but there are only 1 sections after the update"
        ) { $0.insertItems(at: [ItemPath(1, 0)]) },
        AdapterRow(
            5,
            [["a"]],
            [["a", "b"]],
            .insertItemRange,
            "attempt to insert item 2 into section 0, but there are only 2 items in section 0 after"
                + " the update"
        ) { $0.insertItems(at: [ItemPath(0, 2)]) },
        AdapterRow(
            6,
            [["a"]],
            [["a"], ["b"]],
            .insertSectionRange,
            "attempt to insert section 2 but there are only 2 sections after the update"
        ) { $0.insertSections([2]) },
        AdapterRow(
            16,
            [["a", "b"]],
            [["a", "b"]],
            .deleteItemRange,
            "attempt to delete item 2 from section 0 which only contains 2 items before the update"
        ) { $0.reloadItems(at: [ItemPath(0, 2)]) },
        AdapterRow(
            25,
            [["a", "b"]],
            [["a", "b"]],
            .moveItemSourceRange,
            "that does not exist - there are only 2 items in section 0 before the update"
        ) { $0.moveItem(at: ItemPath(0, 2), to: ItemPath(0, 0)) },
        AdapterRow(
            25,
            [["a"]],
            [["a"]],
            .moveSectionSourceRange,
            "attempt to move section 1, but there are only 1 sections before the update"
        ) { $0.moveSection(1, toSection: 0) },
        AdapterRow(
            26,
            [["a", "b"]],
            [["a", "b"]],
            .moveItemTargetRange,
            "that does not exist - there are only 2 items in section 0 after the update"
        ) { $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 2)) },
        AdapterRow(
            26,
            [["a"]],
            [["a"]],
            .moveSectionTargetRange,
            "attempt to to move section 0 to section 1, but there are only 1 sections after the update"
        ) { $0.moveSection(0, toSection: 1) },
    ]

    static let sections = [
        AdapterRow(27, [["a", "b"], ["c"]], [["c"]]) {
            $0.deleteItems(at: [ItemPath(0, 1)])
            $0.deleteSections([0])
        },
        AdapterRow(28, [["c"]], [["x", "y"], ["c"]]) {
            $0.insertItems(at: [ItemPath(0, 1)])
            $0.insertSections([0])
        },
        AdapterRow(
            30,
            [["a", "b"], ["c"]],
            [["b", "c"]],
            strict: .moveOutOfDeletedSection,
            "cannot move an item from a deleted section (0)"
        ) {
            $0.deleteSections([0])
            $0.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            31,
            [["a", "b"]],
            [["b", "x"], ["a"]],
            strict: .moveIntoInsertedSection,
            "cannot move an item into a newly inserted section (0)"
        ) {
            $0.insertSections([0])
            $0.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(33, [["a", "b"], ["c"]], [["c"], ["b"]]) {
            $0.moveSection(0, toSection: 1)
            $0.deleteItems(at: [ItemPath(0, 0)])
        },
        AdapterRow(34, [["a"], ["c"]], [["c"], ["x", "a"]]) {
            $0.moveSection(0, toSection: 1)
            $0.insertItems(at: [ItemPath(1, 0)])
        },
        // Early UIKit counts by section numbers, which are the same here.
        AdapterRow(35, [["a", "b"], ["c"]], [["b", "c"], ["a"]], strict: .itemCount) {
            $0.moveSection(0, toSection: 1)
            $0.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(36, [["a"], ["b"], ["c"]], [["b", "x"], ["c"]]) {
            $0.deleteSections([0])
            $0.insertItems(at: [ItemPath(0, 1)])
        },
        AdapterRow(37, [["a", "b"], ["c"]], [["x", "y", "z"], ["c"]]) {
            $0.reloadSections([0])
            $0.deleteItems(at: [ItemPath(0, 1)])
            $0.insertItems(at: [ItemPath(0, 2)])
        },
    ]

    static let counts = [
        AdapterRow(
            38,
            [["a"]],
            [["a"], ["b"]],
            .sectionCount,
            "Invalid update: invalid number of sections. The number of sections contained in the"
                + " collection view after the update (2) must be equal to the number of sections"
                + " contained in the collection view before the update (1), plus or minus the number"
                + " of sections inserted or deleted (0 inserted, 0 deleted)"
        ) { _ in },
        AdapterRow(
            39,
            [["a", "b"]],
            [["a", "b"]],
            .itemCount,
            "Invalid update: invalid number of items in section 0."
        ) { $0.deleteItems(at: [ItemPath(0, 1)]) },
        AdapterRow(
            39,
            [["a"], ["b"]],
            [["a"], ["b"]],
            .sectionCount,
            "(0 inserted, 1 deleted)"
        ) { $0.deleteSections([0]) },
        // What changes without a word in a section that no edit names is found, also where it shifts.
        AdapterRow(
            39,
            [["a"], ["b"], ["c"]],
            [["b"], ["c", "d"]],
            .itemCount,
            "Invalid update: invalid number of items in section 1."
        ) { $0.deleteSections([0]) },
    ]
}
