extension BeginnersMistake {
    /// The whole text that it leads to.
    var text: String {
        switch self {
        case .twoAddedAndOneRecorded:
            """
            section 0: 3 before + 1 inserted - 0 deleted = 4, but there are 5
            Likely: The counts say that 2 came, but 1 was recorded; record every change of \
            the model once, in the batch that makes it
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [5, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [itemCount] Invalid update: invalid number of items in section 0. The number of \
            items contained in an existing section after the update (5) must be equal to the \
            number of items contained in that section before the update (3), plus or minus \
            the number of items inserted or deleted from that section (1 inserted, 0 deleted) \
            and plus or minus the number of items moved into or out of that section (0 moved \
            in, 0 moved out)
            """
        case .nothingRecorded:
            """
            section 0: 3 before + 0 inserted - 0 deleted = 3, but there are 4
            Likely: The data source changed but nothing was recorded; record every change in \
            the batch that makes it
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [4, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [itemCount] Invalid update: invalid number of items in section 0. The number of \
            items contained in an existing section after the update (4) must be equal to the \
            number of items contained in that section before the update (3), plus or minus \
            the number of items inserted or deleted from that section (0 inserted, 0 deleted) \
            and plus or minus the number of items moved into or out of that section (0 moved \
            in, 0 moved out)
            """
        case .modelNotChanged:
            """
            section 0: 3 before + 1 inserted - 0 deleted = 4, but there are 3
            Likely: Edits were recorded but no count of the data source changed; change it before \
            the batch ends, and answer numberOfSections() where there is more than one
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [3, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [itemCount] Invalid update: invalid number of items in section 0. The number of \
            items contained in an existing section after the update (3) must be equal to the \
            number of items contained in that section before the update (3), plus or minus \
            the number of items inserted or deleted from that section (1 inserted, 0 deleted) \
            and plus or minus the number of items moved into or out of that section (0 moved \
            in, 0 moved out)
            """
        case .changedBeforeTheBatch:
            """
            section 1: 1 before + 0 inserted - 0 deleted = 1, but there are 2
            Likely: Section 1 went from 1 to 2 items and nothing was recorded for it, in this \
            batch or where the model changed before it
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [4, 2] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [itemCount] Invalid update: invalid number of items in section 1. The number of \
            items contained in an existing section after the update (2) must be equal to the \
            number of items contained in that section before the update (1), plus or minus \
            the number of items inserted or deleted from that section (0 inserted, 0 deleted) \
            and plus or minus the number of items moved into or out of that section (0 moved \
            in, 0 moved out)
            """
        case .insertBeyondTheEnd:
            """
            item 4 of section 0 is inserted, but section 0 has only 4 items after the update
            Likely: The index is one too high: the last after the update is 3. Inserts use \
            the paths after the whole update
            At fault: operation 0, insertItems at (0 - 4)
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [4, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [insertItemRange] attempt to insert item 4 into section 0, but there are only 4 \
            items in section 0 after the update
            """
        case .deleteBeyondTheEnd:
            """
            item 3 of section 0 is deleted, but section 0 has only 3 items before the update
            Likely: The index is one too high: the last before the update is 2. Deletes and \
            reloads use the paths before the update
            At fault: operation 0, deleteItems at (0 - 3)
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [2, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [deleteItemRange] attempt to delete item 3 from section 0 which only contains 3 \
            items before the update
            """
        case .deletedOneByOne:
            """
            item 0 of section 0 is deleted twice
            Likely: Each edit was recorded as if those before it were done; old indexes are \
            those before the whole batch, new ones those after it
            At fault: operation 1, deleteItems at (0 - 0)
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [1, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [duplicateDeleteItem] attempt to delete item 0 from section 0 twice
            """
        case .deletedTwice:
            """
            item 0 of section 0 is deleted twice
            Likely: It was recorded twice; with one of the two the counts come out. Deletes \
            and reloads use the paths before the update
            At fault: operation 0, deleteItems at (0 - 0) (0 - 0)
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [2, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [duplicateDeleteItem] attempt to delete item 0 from section 0 twice
            """
        case .reloadOfADeletedItem:
            """
            item 0 of section 0 is reloaded, and deleted alone or with its section
            Hint: Leave out the reload of an item that is deleted, alone or with its section
            At fault: operation 1, reloadItems at (0 - 0)
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [2, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [deleteAndReloadItem] attempt to delete and reload the same index path (0 - 0)
            """
        case .moveToADeletedSection:
            """
            an item is moved to item 0 of section 1, but there is only 1 section after the \
            update
            Likely: The index is one before the update; inserts and targets of moves need \
            that after it, and section 1 is deleted
            At fault: operation 1, moveItem from (0 - 0) to (1 - 0)
            Before: { 2 sections with item counts: [3, 1] }
            After: { 1 section with item counts: [3] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [moveItemTargetSectionRange] attempt to move index path (0 - 0) to index path (1 \
            - 0) in section that does not exist - there are only 1 sections after the update
            """
        case .newSectionNotRecorded:
            """
            sections: 2 before + 0 inserted - 0 deleted = 2, but there are 3
            Likely: Section 2 is new; record insertSections([2]), and it comes with its items
            Before: { 2 sections with item counts: [3, 1] }
            After: { 3 sections with item counts: [3, 1, 1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [sectionCount] Invalid update: invalid number of sections. The number of sections \
            contained in the collection view after the update (3) must be equal to the number \
            of sections contained in the collection view before the update (2), plus or minus \
            the number of sections inserted or deleted (0 inserted, 0 deleted)
            """
        case .sectionGoneButOnlyItsItemsRecorded:
            """
            sections: 2 before + 0 inserted - 0 deleted = 2, but there are 1
            Likely: Section 1 went with its items; record deleteSections([1]) as well
            Before: { 2 sections with item counts: [3, 1] }
            After: { 1 section with item counts: [3] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [sectionCount] Invalid update: invalid number of sections. The number of sections \
            contained in the collection view after the update (1) must be equal to the number \
            of sections contained in the collection view before the update (2), plus or minus \
            the number of sections inserted or deleted (0 inserted, 0 deleted)
            """
        default: otherText
        }
    }
}
