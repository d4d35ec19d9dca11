import CollectionChanges

// Faults that only the texture profile has.

extension ErrorTextRow {
    static let texture = [
        ErrorTextRow(
            "emptyItemOp",
            [.deleteItems([], .none)],
            [1],
            [1],
            .texture,
            text:
                """
                operation 0 names no item
                Hint: Leave out operations without items
                At fault: operation 0, deleteItems at none
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [emptyItemOp] Request to create _ASHierarchyItemChange with no items!
                """
        ),
        ErrorTextRow(
            "emptySectionOp",
            [.deleteSections([], .none)],
            [1],
            [1],
            .texture,
            text:
                """
                operation 0 names no section
                Hint: Leave out operations without sections
                At fault: operation 0, deleteSections {}
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [emptySectionOp] Request to create _ASHierarchySectionChange with no sections!
                """
        ),
        ErrorTextRow(
            "reloadDeletedSection",
            [.deleteSections([0], .none), .reloadSections([0], .none)],
            [1, 1],
            [1],
            .texture,
            text:
                """
                section 0 is reloaded, but has no place after the update
                Hint: Leave out the reload of a section that is deleted or moved
                At fault: operation 1, reloadSections {0}
                Before: { 2 sections with item counts: [1, 1] }
                After: { 1 section with item counts: [1] }
                [reloadDeletedSection] Request to reload and delete same section 0
                """
        ),
        ErrorTextRow(
            "reloadWithoutTarget",
            [.deleteSections([0], .none), .reloadItems([path(0, 0)], .none)],
            [1, 1],
            [1],
            .texture,
            text:
                """
                no item that operation 1 reloads has a place after the update
                Hint: None of the reloaded items is there after the update; leave out their reload
                At fault: operation 1, reloadItems at (0 - 0)
                Before: { 2 sections with item counts: [1, 1] }
                After: { 1 section with item counts: [1] }
                [reloadWithoutTarget] Request to create _ASHierarchyItemChange with no items!
                """
        ),
        ErrorTextRow(
            "reloadDataTwice",
            [.reloadData(.none), .reloadData(.none)],
            [1],
            [1],
            .texture,
            text:
                """
                operation 1 reloads everything a second time
                Hint: Record reloadData once; it covers everything
                At fault: operation 1, reloadData
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [reloadDataTwice] Attempt to reload data multiple times <description>
                """
        ),
    ]
}
