import CollectionChanges

// Faults of what is deleted and inserted.

extension ErrorTextRow {
    static let conflicts = [
        ErrorTextRow(
            "deleteAndReloadItem",
            [.deleteItems([path(0, 1)], .none), .reloadItems([path(0, 1)], .none)],
            [3],
            [2],
            text:
                """
                item 1 of section 0 is reloaded, and deleted alone or with its section
                Hint: Leave out the reload of an item that is deleted, alone or with its section
                At fault: operation 1, reloadItems at (0 - 1)
                Before: { 1 section with item counts: [3] }
                After: { 1 section with item counts: [2] }
                [deleteAndReloadItem] attempt to delete and reload the same index path (0 - 1)
                """
        ),
        ErrorTextRow(
            "deleteAndReloadSection",
            [.deleteSections([1], .none), .reloadSections([1], .none)],
            [1, 1],
            [1],
            text:
                """
                section 1 is both deleted and reloaded
                Hint: Leave out the reload of a section that is deleted
                At fault: operation 1, reloadSections {1}
                Before: { 2 sections with item counts: [1, 1] }
                After: { 1 section with item counts: [1] }
                [deleteAndReloadSection] attempt to delete and reload the same index path (1)
                """
        ),
    ]

    static let deletes = [
        ErrorTextRow(
            "deleteSectionRange",
            [.deleteSections([2], .none)],
            [1, 1],
            [1],
            text:
                """
                section 2 is deleted, but there are only 2 sections before the update
                Likely: The index is one too high: the last before the update is 1. Deletes and \
                reloads use the indexes before the update
                At fault: operation 0, deleteSections {2}
                Before: { 2 sections with item counts: [1, 1] }
                After: { 1 section with item counts: [1] }
                [deleteSectionRange] attempt to delete section 2, but there are only 2 sections \
                before the update
                """
        ),
        ErrorTextRow(
            "deleteItemSectionRange",
            [.reloadItems([path(7, 0)], .none)],
            [1],
            [1],
            text:
                """
                item 0 of section 7 is reloaded, but there is only 1 section before the update
                Hint: Deletes and reloads use the paths before the update
                At fault: operation 0, reloadItems at (7 - 0)
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [deleteItemSectionRange] attempt to delete item 0 from section 7, but there are \
                only 1 sections before the update
                """
        ),
        ErrorTextRow(
            "deleteItemRange",
            [.deleteItems([path(0, 2)], .none)],
            [2],
            [1],
            text:
                """
                item 2 of section 0 is deleted, but section 0 has only 2 items before the update
                Likely: The index is one too high: the last before the update is 1. Deletes and \
                reloads use the paths before the update
                At fault: operation 0, deleteItems at (0 - 2)
                Before: { 1 section with item counts: [2] }
                After: { 1 section with item counts: [1] }
                [deleteItemRange] attempt to delete item 2 from section 0 which only contains 2 \
                items before the update
                """
        ),
        ErrorTextRow(
            "deleteAndMoveSection",
            [.deleteSections([1], .none), .moveSection(1, toSection: 0, .none)],
            [1, 1],
            [1],
            text:
                """
                section 1 is both deleted and moved
                Hint: What is moved is neither deleted nor reloaded; leave one of the two out
                At fault: operation 0, deleteSections {1}
                Before: { 2 sections with item counts: [1, 1] }
                After: { 1 section with item counts: [1] }
                [deleteAndMoveSection] attempt to perform a delete and a move from the same section \
                (1)
                """
        ),
        ErrorTextRow(
            "deleteAndMoveItem",
            [
                .deleteItems([path(0, 1)], .none),
                .moveItem(at: path(0, 1), to: path(0, 0), .none),
            ],
            [2],
            [1],
            text:
                """
                item 1 of section 0 is both deleted and moved
                Hint: What is moved is neither deleted nor reloaded; leave one of the two out
                At fault: operation 0, deleteItems at (0 - 1)
                Before: { 1 section with item counts: [2] }
                After: { 1 section with item counts: [1] }
                [deleteAndMoveItem] attempt to perform a delete and a move from the same index path \
                (0 - 1)
                """
        ),
        ErrorTextRow(
            "duplicateDeleteSection",
            [.deleteSections([0], .none), .deleteSections([0], .none)],
            [1, 1, 1],
            [1],
            text:
                """
                section 0 is deleted twice
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 1, deleteSections {0}
                Before: { 3 sections with item counts: [1, 1, 1] }
                After: { 1 section with item counts: [1] }
                [duplicateDeleteSection] attempt to delete section 0 twice
                """
        ),
        ErrorTextRow(
            "duplicateDeleteItem",
            [.deleteItems([path(0, 0)], .none), .deleteItems([path(0, 0)], .none)],
            [3],
            [2],
            text:
                """
                item 0 of section 0 is deleted twice
                Likely: It was recorded twice; with one of the two the counts come out. Deletes and \
                reloads use the paths before the update
                At fault: operation 1, deleteItems at (0 - 0)
                Before: { 1 section with item counts: [3] }
                After: { 1 section with item counts: [2] }
                [duplicateDeleteItem] attempt to delete item 0 from section 0 twice
                """
        ),
    ]

    static let inserts = [
        ErrorTextRow(
            "insertSectionRange",
            [.insertSections([1], .none)],
            [1],
            [1],
            text:
                """
                section 1 is inserted, but there is only 1 section after the update
                Likely: Edits were recorded but no count of the data source changed; change it before \
                the batch ends, and answer numberOfSections() where there is more than one. Inserts use the indexes after the whole update
                At fault: operation 0, insertSections {1}
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [insertSectionRange] attempt to insert section 1 but there are only 1 sections \
                after the update
                """
        ),
        ErrorTextRow(
            "insertItemSectionRange",
            [.insertItems([path(1, 0)], .none)],
            [1],
            [1],
            text:
                """
                item 0 of section 1 is inserted, but there is only 1 section after the update
                Likely: Edits were recorded but no count of the data source changed; change it before \
                the batch ends, and answer numberOfSections() where there is more than one. Inserts use the paths after the whole update
                At fault: operation 0, insertItems at (1 - 0)
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [insertItemSectionRange] attempt to insert item 0 into section 1, but there are \
                only 1 sections after the update
                """
        ),
        ErrorTextRow(
            "insertItemRange",
            [.insertItems([path(0, 3)], .none)],
            [2],
            [3],
            text:
                """
                item 3 of section 0 is inserted, but section 0 has only 3 items after the update
                Likely: The index is one too high: the last after the update is 2. Inserts use the \
                paths after the whole update
                At fault: operation 0, insertItems at (0 - 3)
                Before: { 1 section with item counts: [2] }
                After: { 1 section with item counts: [3] }
                [insertItemRange] attempt to insert item 3 into section 0, but there are only 3 \
                items in section 0 after the update
                """
        ),
        ErrorTextRow(
            "insertAndMoveSection",
            [.insertSections([0], .none), .moveSection(1, toSection: 0, .none)],
            [1, 1],
            [1, 1, 1],
            text:
                """
                section 0 is inserted, and another section is moved to the same place
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 0, insertSections {0}
                Before: { 2 sections with item counts: [1, 1] }
                After: { 3 sections with item counts: [1, 1, 1] }
                [insertAndMoveSection] attempt to perform an insert and a move to the same section \
                (0)
                """
        ),
        ErrorTextRow(
            "insertAndMoveItem",
            [
                .insertItems([path(0, 0)], .none),
                .moveItem(at: path(0, 1), to: path(0, 0), .none),
            ],
            [2],
            [3],
            text:
                """
                item 0 of section 0 is inserted, and another item is moved to the same place
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 0, insertItems at (0 - 0)
                Before: { 1 section with item counts: [2] }
                After: { 1 section with item counts: [3] }
                [insertAndMoveItem] attempt to perform an insert and a move to the same index path \
                (0 - 0)
                """
        ),
        ErrorTextRow(
            "duplicateInsertSection",
            [.insertSections([0], .none), .insertSections([0], .none)],
            [],
            [1, 1],
            text:
                """
                section 0 is inserted twice
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 0, insertSections {0}
                Before: { 0 sections with item counts: [] }
                After: { 2 sections with item counts: [1, 1] }
                [duplicateInsertSection] attempt to insert section 0 twice
                """
        ),
        ErrorTextRow(
            "duplicateInsertItem",
            [.insertItems([path(0, 0)], .none), .insertItems([path(0, 0)], .none)],
            [1],
            [3],
            text:
                """
                item 0 of section 0 is inserted twice
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 0, insertItems at (0 - 0)
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [3] }
                [duplicateInsertItem] attempt to insert item 0 into section 0 twice
                """
        ),
    ]
}
