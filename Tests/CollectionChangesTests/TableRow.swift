import CollectionChanges

/// One way to do what a row of the table describes.
struct TableRow: CustomStringConvertible, Sendable {
    var number: Int
    var old: HierarchyShape
    var new: HierarchyShape
    var changes: HierarchyChangeSet
    var standard: Verdict
    var strict: Verdict

    var description: String { "row \(number), \(old) to \(new), \(changes.operations)" }

    struct Verdict: Sendable {
        var code: HierarchyUpdateError.Code?
        var text = ""

        static let ok = Verdict()

        static func raises(_ code: HierarchyUpdateError.Code, _ text: String) -> Verdict {
            Verdict(code: code, text: text)
        }
    }

    /// `strict` is like `standard` unless a verdict of its own is given.
    init(
        _ number: Int,
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ standard: Verdict,
        strict: Verdict? = nil,
        _ record: (inout HierarchyChangeSet) -> Void
    ) {
        self.number = number
        self.old = old
        self.new = new
        self.standard = standard
        self.strict = strict ?? standard
        changes = HierarchyChangeSet()
        record(&changes)
    }

    static let all = deletesAndInserts + reloads + conflicts + moves + crossSections + counts

    private static let deletesAndInserts = [
        TableRow(1, [2], [2], .ok) {
            $0.deleteItems(at: [path(0, 0)])
            $0.insertItems(at: [path(0, 0)])
        },
        TableRow(1, [2], [2], .ok) {
            $0.insertItems(at: [path(0, 1)])
            $0.deleteItems(at: [path(0, 0)])
        },
        TableRow(
            2,
            [2],
            [1],
            .raises(
                .deleteItemRange,
                "attempt to delete item 5 from section 0 which only contains 2 items before"
                    + " the update"
            )
        ) { $0.deleteItems(at: [path(0, 5)]) },
        TableRow(
            2,
            [2],
            [1],
            .raises(
                .deleteItemSectionRange,
                "attempt to delete item 0 from section 3, but there are only 1 sections before the"
                    + " update"
            )
        ) { $0.deleteItems(at: [path(3, 0)]) },
        TableRow(
            3,
            [2],
            [],
            .raises(
                .deleteSectionRange,
                "attempt to delete section 1, but there are only 1 sections before the update"
            )
        ) { $0.deleteSections([1]) },
        TableRow(
            4,
            [2],
            [3],
            .raises(
                .insertItemSectionRange,
                "attempt to insert item 0 into section 1, but there are only 1 sections after the"
                    + " update"
            )
        ) { $0.insertItems(at: [path(1, 0)]) },
        TableRow(
            5,
            [2],
            [3],
            .raises(
                .insertItemRange,
                "attempt to insert item 3 into section 0, but there are only 3 items in section 0"
                    + " after the update"
            )
        ) { $0.insertItems(at: [path(0, 3)]) },
        TableRow(
            6,
            [2],
            [2, 1],
            .raises(
                .insertSectionRange,
                "attempt to insert section 2 but there are only 2 sections after the update"
            )
        ) { $0.insertSections([2]) },
        TableRow(7, [3], [1], .raises(.duplicateDeleteItem, "item 1 from section 0 twice")) {
            $0.deleteItems(at: [path(0, 1), path(0, 1)])
        },
        TableRow(7, [3], [2], .raises(.duplicateDeleteItem, "item 1 from section 0 twice")) {
            $0.deleteItems(at: [path(0, 1)])
            $0.deleteItems(at: [path(0, 1)])
        },
        TableRow(7, [3, 1], [1], .raises(.duplicateDeleteSection, "section 0 twice")) {
            $0.deleteSections([0])
            $0.deleteSections([0])
        },
        TableRow(8, [1], [3], .raises(.duplicateInsertItem, "item 1 into section 0 twice")) {
            $0.insertItems(at: [path(0, 1), path(0, 1)])
        },
        TableRow(8, [1], [1, 1], .raises(.duplicateInsertSection, "section 1 twice")) {
            $0.insertSections([1])
            $0.insertSections([1])
        },
    ]

    private static let reloads = [
        TableRow(9, [2], [2], .ok) { $0.reloadItems(at: [path(0, 1), path(0, 1)]) },
        TableRow(9, [2], [5], .ok) {
            $0.reloadSections([0])
            $0.reloadSections([0])
        },
        TableRow(
            10,
            [2],
            [1],
            .raises(
                .deleteAndReloadItem,
                "attempt to delete and reload the same index path (0 - 1)"
            )
        ) {
            $0.reloadItems(at: [path(0, 1)])
            $0.deleteItems(at: [path(0, 1)])
        },
        TableRow(
            11,
            [2],
            [],
            .raises(
                .deleteAndReloadSection,
                "attempt to delete and reload the same index path (0"
            )
        ) {
            $0.reloadSections([0])
            $0.deleteSections([0])
        },
        TableRow(
            12,
            [2],
            [2],
            .raises(
                .deleteAndMoveItem,
                "attempt to perform a delete and a move from the same index path (0 - 0)"
            )
        ) {
            $0.reloadItems(at: [path(0, 0)])
            $0.moveItem(at: path(0, 0), to: path(0, 1))
        },
        TableRow(
            13,
            [2, 2],
            [2, 2],
            .raises(
                .deleteAndMoveSection,
                "attempt to perform a delete and a move from the same section (1)"
            )
        ) {
            $0.reloadSections([1])
            $0.moveSection(1, toSection: 0)
        },
        TableRow(14, [3], [3], .ok) {
            $0.reloadItems(at: [path(0, 1)])
            $0.deleteItems(at: [path(0, 0)])
            $0.insertItems(at: [path(0, 2)])
        },
        TableRow(
            15,
            [0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0],
            .ok,
            strict: .raises(
                .insertAndMoveSection,
                "attempt to perform an insert and a move to the same section (4)"
            )
        ) {
            $0.moveSection(2, toSection: 4)
            $0.reloadSections([3])
            $0.deleteSections([4])
            $0.insertSections([2])
        },
        TableRow(
            15,
            [4],
            [3],
            .ok,
            strict: .raises(
                .insertAndMoveItem,
                "attempt to perform an insert and a move to the same index path (0 - 1)"
            )
        ) {
            $0.deleteItems(at: [path(0, 1)])
            $0.moveItem(at: path(0, 0), to: path(0, 1))
            $0.moveItem(at: path(0, 3), to: path(0, 0))
            $0.reloadItems(at: [path(0, 2)])
        },
        TableRow(
            16,
            [2],
            [2],
            .raises(
                .deleteItemRange,
                "attempt to delete item 2 from section 0 which only contains 2 items before"
                    + " the update"
            )
        ) { $0.reloadItems(at: [path(0, 2)]) },
    ]

    private static let conflicts = [
        TableRow(
            17,
            [2],
            [2],
            .raises(
                .deleteAndMoveItem,
                "attempt to perform a delete and a move from the same index path (0 - 1)"
            )
        ) {
            $0.deleteItems(at: [path(0, 1)])
            $0.moveItem(at: path(0, 1), to: path(0, 0))
        },
        TableRow(
            18,
            [2, 1],
            [2],
            .raises(
                .deleteAndMoveSection,
                "attempt to perform a delete and a move from the same section (0)"
            )
        ) {
            $0.deleteSections([0])
            $0.moveSection(0, toSection: 0)
        },
        TableRow(
            19,
            [2],
            [3],
            .raises(
                .insertAndMoveItem,
                "attempt to perform an insert and a move to the same index path (0 - 2)"
            )
        ) {
            $0.insertItems(at: [path(0, 2)])
            $0.moveItem(at: path(0, 0), to: path(0, 2))
        },
        TableRow(
            20,
            [2, 1],
            [2, 1, 1],
            .raises(
                .insertAndMoveSection,
                "attempt to perform an insert and a move to the same section (2)"
            )
        ) {
            $0.insertSections([2])
            $0.moveSection(0, toSection: 2)
        },
    ]

    private static let moves = [
        TableRow(
            21,
            [3],
            [3],
            .raises(
                .moveItemToTwoPlaces,
                "attempt to move item at index path 0 - 0 to both 0 - 1 and 0 - 2"
            )
        ) {
            $0.moveItem(at: path(0, 0), to: path(0, 2))
            $0.moveItem(at: path(0, 0), to: path(0, 1))
        },
        TableRow(
            21,
            [1, 1, 1],
            [1, 1, 1],
            .raises(
                .moveSectionToTwoPlaces,
                "attempt to move section 0 to both section 1 and section 2"
            )
        ) {
            $0.moveSection(0, toSection: 1)
            $0.moveSection(0, toSection: 2)
        },
        TableRow(22, [2], [2], .ok) {
            $0.moveItem(at: path(0, 0), to: path(0, 1))
            $0.moveItem(at: path(0, 0), to: path(0, 1))
        },
        TableRow(22, [2, 1], [1, 2], .ok) {
            $0.moveSection(0, toSection: 1)
            $0.moveSection(0, toSection: 1)
        },
        TableRow(
            23,
            [3],
            [3],
            .raises(
                .moveTwoItemsToOnePlace,
                "attempt to move both item at index path 0 - 0 and 0 - 2 to 0 - 1"
            )
        ) {
            $0.moveItem(at: path(0, 0), to: path(0, 1))
            $0.moveItem(at: path(0, 2), to: path(0, 1))
        },
        TableRow(
            23,
            [1, 1, 1],
            [1, 1, 1],
            .raises(
                .moveTwoSectionsToOnePlace,
                "attempt to move both section 0 and section 2 to section 1"
            )
        ) {
            $0.moveSection(0, toSection: 1)
            $0.moveSection(2, toSection: 1)
        },
        TableRow(24, [2], [2], .ok) { $0.moveItem(at: path(0, 1), to: path(0, 1)) },
        TableRow(24, [2, 1], [2, 1], .ok) { $0.moveSection(1, toSection: 1) },
        TableRow(
            25,
            [2],
            [2],
            .raises(
                .moveItemSourceSectionRange,
                "attempt to move index path (1 - 0) from a section that does not exist - there are"
                    + " only 1 sections before the update"
            )
        ) { $0.moveItem(at: path(1, 0), to: path(0, 0)) },
        TableRow(
            25,
            [2],
            [2],
            .raises(
                .moveItemSourceRange,
                "attempt to move index path (0 - 2) that does not exist - there are only 2 items in"
                    + " section 0 before the update"
            )
        ) { $0.moveItem(at: path(0, 2), to: path(0, 0)) },
        TableRow(
            25,
            [2],
            [2],
            .raises(
                .moveSectionSourceRange,
                "attempt to move section 1, but there are only 1 sections before the update"
            )
        ) { $0.moveSection(1, toSection: 0) },
        TableRow(
            26,
            [2],
            [2],
            .raises(
                .moveItemTargetSectionRange,
                "attempt to move index path (0 - 0) to index path (1 - 0) in section that does not"
                    + " exist - there are only 1 sections after the update"
            )
        ) { $0.moveItem(at: path(0, 0), to: path(1, 0)) },
        TableRow(
            26,
            [2],
            [2],
            .raises(
                .moveItemTargetRange,
                "attempt to move index path (0 - 0) to index path (0 - 2) that does not exist -"
                    + " there are only 2 items in section 0 after the update"
            )
        ) { $0.moveItem(at: path(0, 0), to: path(0, 2)) },
        TableRow(
            26,
            [2],
            [2],
            .raises(
                .moveSectionTargetRange,
                "attempt to to move section 0 to section 1, but there are only 1 sections after"
                    + " the update"
            )
        ) { $0.moveSection(0, toSection: 1) },
    ]

    private static let crossSections = [
        TableRow(27, [2, 1], [1], .ok) {
            $0.deleteSections([0])
            $0.deleteItems(at: [path(0, 1)])
        },
        // UIKit does not look; this library checks every path.
        TableRow(
            27,
            [2, 1],
            [1],
            .raises(
                .deleteItemRange,
                "attempt to delete item 2 from section 0 which only contains 2 items before"
                    + " the update"
            )
        ) {
            $0.deleteSections([0])
            $0.deleteItems(at: [path(0, 2)])
        },
        TableRow(28, [1], [1, 2], .ok) {
            $0.insertSections([1])
            $0.insertItems(at: [path(1, 1)])
        },
        TableRow(
            28,
            [1],
            [1, 2],
            .raises(
                .insertItemRange,
                "attempt to insert item 2 into section 1, but there are only 2 items in section 1"
                    + " after the update"
            )
        ) {
            $0.insertSections([1])
            $0.insertItems(at: [path(1, 2)])
        },
        TableRow(
            29,
            [2, 1],
            [1],
            .raises(
                .deleteAndReloadItem,
                "attempt to delete and reload the same index path (0 - 1)"
            )
        ) {
            $0.deleteSections([0])
            $0.reloadItems(at: [path(0, 1)])
        },
        TableRow(
            30,
            [2, 1],
            [2],
            .ok,
            strict: .raises(
                .moveOutOfDeletedSection,
                "cannot move an item from a deleted section (0)"
            )
        ) {
            $0.deleteSections([0])
            $0.moveItem(at: path(0, 1), to: path(0, 0))
        },
        TableRow(
            31,
            [2],
            [1, 3],
            .ok,
            strict: .raises(
                .moveIntoInsertedSection,
                "cannot move an item into a newly inserted section (1)"
            )
        ) {
            $0.insertSections([1])
            $0.moveItem(at: path(0, 1), to: path(1, 2))
        },
        TableRow(
            32,
            [2, 1],
            [5, 2],
            .ok,
            strict: .raises(
                .moveOutOfDeletedSection,
                "cannot move an item from a deleted section (0)"
            )
        ) {
            $0.reloadSections([0])
            $0.moveItem(at: path(0, 1), to: path(1, 0))
        },
        TableRow(
            32,
            [2, 1],
            [5, 0],
            .ok,
            strict: .raises(
                .moveIntoInsertedSection,
                "cannot move an item into a newly inserted section (0)"
            )
        ) {
            $0.reloadSections([0])
            $0.moveItem(at: path(1, 0), to: path(0, 4))
        },
        TableRow(33, [2, 1], [1, 1], .ok) {
            $0.moveSection(0, toSection: 1)
            $0.deleteItems(at: [path(0, 0)])
        },
        TableRow(34, [2, 1], [1, 3], .ok) {
            $0.moveSection(0, toSection: 1)
            $0.insertItems(at: [path(1, 1)])
        },
        TableRow(35, [2, 1], [1, 2], .ok) {
            $0.moveSection(0, toSection: 1)
            $0.moveItem(at: path(0, 0), to: path(1, 1))
        },
        TableRow(35, [2, 1, 1], [1, 1, 2], .ok) {
            $0.moveSection(1, toSection: 0)
            $0.moveItem(at: path(0, 0), to: path(2, 1))
        },
        // Early UIKit sees one section number at both ends, and no item that leaves.
        TableRow(
            35,
            [2, 2],
            [3, 1],
            .ok,
            strict: .raises(
                .itemCount,
                "Invalid update: invalid number of items in section 0. The number of items contained"
                    + " in an existing section after the update (3) must be equal to the number of"
                    + " items contained in that section before the update (2), plus or minus the"
                    + " number of items inserted or deleted from that section (0 inserted, 0"
                    + " deleted) and plus or minus the number of items moved into or out of that"
                    + " section (0 moved in, 0 moved out)"
            )
        ) {
            $0.moveSection(0, toSection: 1)
            $0.moveItem(at: path(0, 0), to: path(0, 0))
        },
        TableRow(36, [1, 2], [3], .ok) {
            $0.deleteSections([0])
            $0.insertItems(at: [path(0, 2)])
        },
        TableRow(37, [2, 1], [5, 1], .ok) {
            $0.reloadSections([0])
            $0.deleteItems(at: [path(0, 1)])
            $0.insertItems(at: [path(0, 4)])
            $0.reloadItems(at: [path(0, 0)])
        },
    ]

    private static let counts = [
        TableRow(
            38,
            [2],
            [2, 0],
            .raises(
                .sectionCount,
                "Invalid update: invalid number of sections. The number of sections contained in"
                    + " the collection view after the update (2) must be equal to the number of"
                    + " sections contained in the collection view before the update (1), plus or"
                    + " minus the number of sections inserted or deleted (0 inserted, 0 deleted)"
            )
        ) { _ in },
        TableRow(
            38,
            [2],
            [3],
            .raises(
                .itemCount,
                "Invalid update: invalid number of items in section 0. The number of items contained"
                    + " in an existing section after the update (3) must be equal to the number of"
                    + " items contained in that section before the update (2), plus or minus the"
                    + " number of items inserted or deleted from that section (0 inserted, 0"
                    + " deleted) and plus or minus the number of items moved into or out of that"
                    + " section (0 moved in, 0 moved out)"
            )
        ) { _ in },
        TableRow(38, [2], [2], .ok) { _ in },
        TableRow(
            39,
            [1],
            [1],
            .raises(
                .sectionCount,
                "before the update (1), plus or minus the number of sections inserted or deleted"
                    + " (0 inserted, 1 deleted)"
            )
        ) { $0.deleteSections([0]) },
        TableRow(
            39,
            [2, 1],
            [2, 1],
            .raises(
                .itemCount,
                "(0 inserted, 1 deleted) and plus or minus the number of items moved into or out of"
                    + " that section (0 moved in, 1 moved out)"
            )
        ) {
            $0.deleteItems(at: [path(0, 1)])
            $0.moveItem(at: path(0, 0), to: path(1, 0))
        },
    ]
}
