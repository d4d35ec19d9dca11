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

    init(
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
            $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
        },
        AdapterRow(24, [["a", "b"]], [["a", "b"]]) {
            $0.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 1))
        },
        AdapterRow(
            15,
            [["a", "b", "c", "d"]],
            [["d", "a", "c"]],
            strict: .insertAndMoveItem,
            "attempt to perform an insert and a move to the same index path"
        ) {
            $0.deleteItems(at: [ItemPath(0, 1)])
            $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(at: ItemPath(0, 3), to: ItemPath(0, 0))
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
            $0.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            13,
            [["a"], ["b"]],
            [["b"], ["a"]],
            .deleteAndMoveSection,
            "attempt to perform a delete and a move from the same section (1)"
        ) {
            $0.reloadSections([1])
            $0.moveSection(1, toSection: 0)
        },
        AdapterRow(
            17,
            [["a", "b"]],
            [["b"]],
            .deleteAndMoveItem,
            "attempt to perform a delete and a move from the same index path"
        ) {
            $0.deleteItems(at: [ItemPath(0, 1)])
            $0.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            18,
            [["a"], ["b"]],
            [["b"]],
            .deleteAndMoveSection,
            "attempt to perform a delete and a move from the same section (1)"
        ) {
            $0.deleteSections([1])
            $0.moveSection(1, toSection: 0)
        },
        AdapterRow(
            19,
            [["a", "b"]],
            [["b", "a", "x"]],
            .insertAndMoveItem,
            "attempt to perform an insert and a move to the same index path"
        ) {
            $0.insertItems(at: [ItemPath(0, 0)])
            $0.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        AdapterRow(
            20,
            [["a"], ["b"]],
            [["b"], ["a"], ["x"]],
            .insertAndMoveSection,
            "attempt to perform an insert and a move to the same section (0)"
        ) {
            $0.insertSections([0])
            $0.moveSection(1, toSection: 0)
        },
        AdapterRow(
            21,
            [["a", "b", "c"]],
            [["b", "a", "c"]],
            .moveItemToTwoPlaces,
            "attempt to move item at index path"
        ) {
            $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 2))
        },
        AdapterRow(
            21,
            [["a"], ["b"], ["c"]],
            [["b"], ["a"], ["c"]],
            .moveSectionToTwoPlaces,
            "attempt to move section 0 to both section 1 and section 2"
        ) {
            $0.moveSection(0, toSection: 1)
            $0.moveSection(0, toSection: 2)
        },
        AdapterRow(
            23,
            [["a", "b", "c"]],
            [["b", "a", "c"]],
            .moveTwoItemsToOnePlace,
            "attempt to move both item at index path"
        ) {
            $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            $0.moveItem(at: ItemPath(0, 2), to: ItemPath(0, 1))
        },
        AdapterRow(29, [["a"], ["b", "c"]], [["a"]], .deleteAndReloadItem) {
            $0.deleteSections([1])
            $0.reloadItems(at: [ItemPath(1, 0)])
        },
    ]
}
