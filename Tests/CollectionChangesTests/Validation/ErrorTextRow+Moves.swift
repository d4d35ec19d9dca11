import CollectionChanges

// Faults of moves.

extension ErrorTextRow {
    static let moves = [
        ErrorTextRow(
            "moveSectionSourceRange",
            [.moveSection(2, toSection: 0, .none)],
            [1, 1],
            [1, 1],
            text:
                """
                section 2 is moved, but there are only 2 sections before the update
                Likely: The index is one too high: the last before the update is 1. A move goes \
                from an index before the update to an index after it
                At fault: operation 0, moveSection from 2 to 0
                Before: { 2 sections with item counts: [1, 1] }
                After: { 2 sections with item counts: [1, 1] }
                [moveSectionSourceRange] attempt to move section 2, but there are only 2 sections \
                before the update
                """
        ),
        ErrorTextRow(
            "moveSectionTargetRange",
            [.moveSection(0, toSection: -1, .none)],
            [1, 1],
            [1, 1],
            text:
                """
                a section is moved to -1, but indexes start at 0
                Hint: A move goes from an index before the update to an index after it
                At fault: operation 0, moveSection from 0 to -1
                Before: { 2 sections with item counts: [1, 1] }
                After: { 2 sections with item counts: [1, 1] }
                [moveSectionTargetRange] attempt to to move section 0 to section -1, but there are \
                only 2 sections after the update
                """
        ),
        ErrorTextRow(
            "moveItemSourceSectionRange",
            [.moveItem(at: path(1, 0), to: path(0, 0), .none)],
            [1],
            [1],
            text:
                """
                item 0 of section 1 is moved, but there is only 1 section before the update
                Likely: The index is one too high: the last before the update is 0. A move goes \
                from a path before the update to a path after it
                At fault: operation 0, moveItem from (1 - 0) to (0 - 0)
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [moveItemSourceSectionRange] attempt to move index path (1 - 0) from a section that \
                does not exist - there are only 1 sections before the update
                """
        ),
        ErrorTextRow(
            "moveItemSourceRange",
            [.moveItem(at: path(0, -1), to: path(0, 0), .none)],
            [1],
            [1],
            text:
                """
                item -1 of section 0 is moved, but indexes start at 0
                Hint: A move goes from a path before the update to a path after it
                At fault: operation 0, moveItem from (0 - -1) to (0 - 0)
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [moveItemSourceRange] attempt to move index path (0 - -1) that does not exist - \
                there are only 1 items in section 0 before the update
                """
        ),
        ErrorTextRow(
            "moveItemTargetSectionRange",
            [.moveItem(at: path(0, 0), to: path(1, 0), .none)],
            [1],
            [1],
            text:
                """
                an item is moved to item 0 of section 1, but there is only 1 section after the \
                update
                Likely: The index is one too high: the last after the update is 0. A move goes from \
                a path before the update to a path after it
                At fault: operation 0, moveItem from (0 - 0) to (1 - 0)
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [moveItemTargetSectionRange] attempt to move index path (0 - 0) to index path (1 - \
                0) in section that does not exist - there are only 1 sections after the update
                """
        ),
        ErrorTextRow(
            "moveItemTargetRange",
            [.moveItem(at: path(0, 0), to: path(0, 2), .none)],
            [2],
            [2],
            text:
                """
                an item is moved to item 2 of section 0, but section 0 has only 2 items after the \
                update
                Likely: The index is one too high: the last after the update is 1. A move goes from \
                a path before the update to a path after it
                At fault: operation 0, moveItem from (0 - 0) to (0 - 2)
                Before: { 1 section with item counts: [2] }
                After: { 1 section with item counts: [2] }
                [moveItemTargetRange] attempt to move index path (0 - 0) to index path (0 - 2) that \
                does not exist - there are only 2 items in section 0 after the update
                """
        ),
        ErrorTextRow(
            "moveSectionToTwoPlaces",
            [.moveSection(0, toSection: 1, .none), .moveSection(0, toSection: 2, .none)],
            [1, 1, 1],
            [1, 1, 1],
            text:
                """
                section 0 is moved to two places
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 0, moveSection from 0 to 1
                Before: { 3 sections with item counts: [1, 1, 1] }
                After: { 3 sections with item counts: [1, 1, 1] }
                [moveSectionToTwoPlaces] attempt to move section 0 to both section 1 and section 2
                """
        ),
        ErrorTextRow(
            "moveItemToTwoPlaces",
            [
                .moveItem(at: path(0, 0), to: path(0, 1), .none),
                .moveItem(at: path(0, 0), to: path(0, 2), .none),
            ],
            [3],
            [3],
            text:
                """
                item 0 of section 0 is moved to two places
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 0, moveItem from (0 - 0) to (0 - 1)
                Before: { 1 section with item counts: [3] }
                After: { 1 section with item counts: [3] }
                [moveItemToTwoPlaces] attempt to move item at index path 0 - 0 to both 0 - 1 and 0 \
                - 2
                """
        ),
        ErrorTextRow(
            "moveTwoSectionsToOnePlace",
            [.moveSection(0, toSection: 2, .none), .moveSection(1, toSection: 2, .none)],
            [1, 1, 1],
            [1, 1, 1],
            text:
                """
                two sections are moved to one place, section 2
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 1, moveSection from 1 to 2
                Before: { 3 sections with item counts: [1, 1, 1] }
                After: { 3 sections with item counts: [1, 1, 1] }
                [moveTwoSectionsToOnePlace] attempt to move both section 0 and section 1 to section \
                2
                """
        ),
        ErrorTextRow(
            "moveTwoItemsToOnePlace",
            [
                .moveItem(at: path(0, 0), to: path(0, 2), .none),
                .moveItem(at: path(0, 1), to: path(0, 2), .none),
            ],
            [3],
            [3],
            text:
                """
                two items are moved to one place, item 2 of section 0
                Likely: Each edit was recorded as if those before it were done; old indexes are \
                those before the whole batch, new ones those after it
                At fault: operation 1, moveItem from (0 - 1) to (0 - 2)
                Before: { 1 section with item counts: [3] }
                After: { 1 section with item counts: [3] }
                [moveTwoItemsToOnePlace] attempt to move both item at index path 0 - 0 and 0 - 1 to \
                0 - 2
                """
        ),
        ErrorTextRow(
            "moveOutOfDeletedSection",
            [.deleteSections([1], .none), .moveItem(at: path(1, 0), to: path(0, 0), .none)],
            [0, 2],
            [1],
            .strict,
            text:
                """
                item 0 of section 1 is moved, but its section is deleted or reloaded
                At fault: operation 1, moveItem from (1 - 0) to (0 - 0)
                Before: { 2 sections with item counts: [0, 2] }
                After: { 1 section with item counts: [1] }
                [moveOutOfDeletedSection] cannot move an item from a deleted section (1)
                """
        ),
        ErrorTextRow(
            "moveIntoInsertedSection",
            [.insertSections([1], .none), .moveItem(at: path(0, 0), to: path(1, 0), .none)],
            [1],
            [0, 1],
            .strict,
            text:
                """
                an item is moved to item 0 of section 1, which is inserted or reloaded
                At fault: operation 1, moveItem from (0 - 0) to (1 - 0)
                Before: { 1 section with item counts: [1] }
                After: { 2 sections with item counts: [0, 1] }
                [moveIntoInsertedSection] cannot move an item into a newly inserted section (1)
                """
        ),
    ]
}
