import PipelineTestSupport
import SimulatedView

/// One row of the table of what may be combined in an update, with the models before and after it.
struct AdapterRow: CustomStringConvertible, Sendable {
    typealias Code = HierarchyUpdateError.Code

    let number: Int
    let old: [[String]]
    let new: [[String]]
    let changes: HierarchyChangeSet
    /// nil where it is accepted.
    let standard: Code?
    let strict: Code?
    let text: String

    var description: String { "row \(number): \(old) to \(new)" }

    private init(
        _ number: Int,
        _ old: [[String]],
        _ new: [[String]],
        _ standard: Code? = nil,
        strict: Code? = nil,
        _ text: String = "",
        _ record: (inout HierarchyChangeSet) -> Void
    ) {
        (self.number, self.old, self.new, self.text) = (number, old, new, text)
        self.standard = standard
        self.strict = strict ?? standard
        var changes = HierarchyChangeSet()
        record(&changes)
        self.changes = changes
    }

    static let all = single + conflicts + ranges + sections + counts

    private static let single = [
        AdapterRow(1, [["a", "b"]], [["x", "b"]]) {
            $0.insertItems(at: [ItemPath(0, 0)])
            $0.deleteItems(at: [ItemPath(0, 0)])
        },
        AdapterRow(9, [["a", "b"]], [["a", "b"]]) {
            $0.reloadItems(at: [ItemPath(0, 1), ItemPath(0, 1)])
        },
        AdapterRow(14, [["a", "b", "c"]], [["x", "b"]]) {
            $0.reloadItems(at: [ItemPath(0, 1)])
            $0.insertItems(at: [ItemPath(0, 0)])
            $0.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 2)])
        },
        AdapterRow(22, [["a", "b"]], [["b", "a"]]) {
            $0.moveItem(from: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(from: ItemPath(0, 0), to: ItemPath(0, 1))
        },
        AdapterRow(24, [["a", "b"]], [["a", "b"]]) {
            $0.moveItem(from: ItemPath(0, 1), to: ItemPath(0, 1))
        },
        AdapterRow(
            15,
            [["a", "b", "c", "d"]],
            [["d", "a", "c"]],
            strict: .insertAndMoveItem,
            "attempt to perform an insert and a move to the same index path"
        ) {
            $0.deleteItems(at: [ItemPath(0, 1)])
            $0.moveItem(from: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(from: ItemPath(0, 3), to: ItemPath(0, 0))
            $0.reloadItems(at: [ItemPath(0, 2)])
        },
    ]

    private static let conflicts = [
        AdapterRow(7, [["a", "b", "c"]], [["a"]], .duplicateDeleteItem) {
            $0.deleteItems(at: [ItemPath(0, 1), ItemPath(0, 1)])
        },
        AdapterRow(8, [["a"]], [["a", "b", "c"]], .duplicateInsertItem) {
            $0.insertItems(at: [ItemPath(0, 1), ItemPath(0, 1)])
        },
        AdapterRow(
            10,
            [["a", "b"]],
            [["a"]],
            .deleteAndReloadItem,
            "attempt to delete and reload the same index path"
        ) {
            $0.reloadItems(at: [ItemPath(0, 1)])
            $0.deleteItems(at: [ItemPath(0, 1)])
        },
        AdapterRow(
            11,
            [["a"], ["b"]],
            [["a"]],
            .deleteAndReloadSection,
            "attempt to delete and reload the same index path"
        ) {
            $0.reloadSections([1])
            $0.deleteSections([1])
        },
        AdapterRow(
            12,
            [["a", "b"]],
            [["b", "a"]],
            .deleteAndMoveItem,
            "attempt to perform a delete and a move from the same index path"
        ) {
            $0.reloadItems(at: [ItemPath(0, 1)])
            $0.moveItem(from: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            13,
            [["a"], ["b"]],
            [["b"], ["a"]],
            .deleteAndMoveSection,
            "attempt to perform a delete and a move from the same section (1)"
        ) {
            $0.reloadSections([1])
            $0.moveSection(1, to: 0)
        },
        AdapterRow(
            17,
            [["a", "b"]],
            [["b"]],
            .deleteAndMoveItem,
            "attempt to perform a delete and a move from the same index path"
        ) {
            $0.deleteItems(at: [ItemPath(0, 1)])
            $0.moveItem(from: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            18,
            [["a"], ["b"]],
            [["b"]],
            .deleteAndMoveSection,
            "attempt to perform a delete and a move from the same section (1)"
        ) {
            $0.deleteSections([1])
            $0.moveSection(1, to: 0)
        },
        AdapterRow(
            19,
            [["a", "b"]],
            [["b", "a", "x"]],
            .insertAndMoveItem,
            "attempt to perform an insert and a move to the same index path"
        ) {
            $0.insertItems(at: [ItemPath(0, 0)])
            $0.moveItem(from: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            20,
            [["a"], ["b"]],
            [["b"], ["a"], ["x"]],
            .insertAndMoveSection,
            "attempt to perform an insert and a move to the same section (0)"
        ) {
            $0.insertSections([0])
            $0.moveSection(1, to: 0)
        },
        AdapterRow(
            21,
            [["a", "b", "c"]],
            [["b", "a", "c"]],
            .moveItemToTwoPlaces,
            "attempt to move item at index path"
        ) {
            $0.moveItem(from: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(from: ItemPath(0, 0), to: ItemPath(0, 2))
        },
        AdapterRow(
            21,
            [["a"], ["b"], ["c"]],
            [["b"], ["a"], ["c"]],
            .moveSectionToTwoPlaces,
            "attempt to move section 0 to both section 1 and section 2"
        ) {
            $0.moveSection(0, to: 1)
            $0.moveSection(0, to: 2)
        },
        AdapterRow(
            23,
            [["a", "b", "c"]],
            [["b", "a", "c"]],
            .moveTwoItemsToOnePlace,
            "attempt to move both item at index path"
        ) {
            $0.moveItem(from: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(from: ItemPath(0, 2), to: ItemPath(0, 1))
        },
        AdapterRow(29, [["a"], ["b", "c"]], [["a"]], .deleteAndReloadItem) {
            $0.deleteSections([1])
            $0.reloadItems(at: [ItemPath(1, 0)])
        },
    ]

    private static let ranges = [
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
        ) { $0.moveItem(from: ItemPath(0, 2), to: ItemPath(0, 0)) },
        AdapterRow(
            25,
            [["a"]],
            [["a"]],
            .moveSectionSourceRange,
            "attempt to move section 1, but there are only 1 sections before the update"
        ) { $0.moveSection(1, to: 0) },
        AdapterRow(
            26,
            [["a", "b"]],
            [["a", "b"]],
            .moveItemTargetRange,
            "that does not exist - there are only 2 items in section 0 after the update"
        ) { $0.moveItem(from: ItemPath(0, 0), to: ItemPath(0, 2)) },
        AdapterRow(
            26,
            [["a"]],
            [["a"]],
            .moveSectionTargetRange,
            "attempt to to move section 0 to section 1, but there are only 1 sections after the update"
        ) { $0.moveSection(0, to: 1) },
    ]

    private static let sections = [
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
            $0.moveItem(from: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            31,
            [["a", "b"]],
            [["b", "x"], ["a"]],
            strict: .moveIntoInsertedSection,
            "cannot move an item into a newly inserted section (0)"
        ) {
            $0.insertSections([0])
            $0.moveItem(from: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(33, [["a", "b"], ["c"]], [["c"], ["b"]]) {
            $0.moveSection(0, to: 1)
            $0.deleteItems(at: [ItemPath(0, 0)])
        },
        AdapterRow(34, [["a"], ["c"]], [["c"], ["x", "a"]]) {
            $0.moveSection(0, to: 1)
            $0.insertItems(at: [ItemPath(1, 0)])
        },
        // Early UIKit counts by section numbers, which are the same here.
        AdapterRow(35, [["a", "b"], ["c"]], [["b", "c"], ["a"]], strict: .itemCount) {
            $0.moveSection(0, to: 1)
            $0.moveItem(from: ItemPath(0, 1), to: ItemPath(0, 0))
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

    private static let counts = [
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
