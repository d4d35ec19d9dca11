@testable import CollectionChanges

/// A rejected record, and its whole description.
struct ErrorTextRow: Sendable, CustomStringConvertible {
    let code: String
    let error: HierarchyUpdateError?
    let text: String

    var description: String { code }

    /// A record between two shapes.
    init(
        _ code: String,
        _ operations: [HierarchyChangeSet.Operation],
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ profile: ValidationProfile = .standard,
        text: String
    ) {
        self.code = code
        self.text = text
        error = refusal { () throws(HierarchyUpdateError) in
            try HierarchyChangeSet(operations).validated(from: old, to: new, profile: profile)
        }
    }

    /// Any other fault.
    init(_ code: String, _ text: String, _ body: () throws(HierarchyUpdateError) -> Void) {
        self.code = code
        self.text = text
        error = refusal(of: body)
    }

    static let limits = ShapeLimits(sections: 2, items: 5)

    static func check(_ edits: [HierarchyEdit]) throws(HierarchyUpdateError) {
        _ = try ValidatedChangeSet(checking: edits, from: [2], to: [2])
    }

    static let all =
        shapes + conflicts + deletes + inserts + moves + counts + edits + texture
}

extension ErrorTextRow {
    static let shapes = [
        ErrorTextRow(
            "negativeSectionCount",
            """
            The number of sections must not be negative, but the data source answered -1
            [negativeSectionCount]
            """
        ) { () throws(HierarchyUpdateError) in
            throw HierarchyUpdateError(
                .negativeSectionCount,
                "The number of sections must not be negative, but the data source answered -1"
            )
        },
        ErrorTextRow(
            "negativeItemCount",
            [],
            [1],
            [1, -3],
            text:
                """
                section 1: the data source answered -3 items
                Hint: A count is at least 0; answer 0 where there is nothing
                Before: { 1 section with item counts: [1] }
                After: { 2 sections with item counts: [1, -3] }
                [negativeItemCount] The number of items in section 1 must not be negative, but the \
                data source answered -3
                """
        ),
        ErrorTextRow(
            "tooManySections",
            """
            The number of sections must be at most 2, but the data source has 3
            Hint: Raise the limits, or offer fewer at a time
            After: { 3 sections with item counts: [1, 1, 1] }
            [tooManySections]
            """
        ) { () throws(HierarchyUpdateError) in try limits.check([1, 1, 1]) },
        ErrorTextRow(
            "tooManyItems",
            """
            5 items are the limit, but the sections up to 1 have 6
            Hint: Raise the limits, or offer fewer at a time
            After: { 2 sections with item counts: [3, 3] }
            [tooManyItems] The number of items in all sections must be at most 5, but the \
            sections up to 1 already have 6
            """
        ) { () throws(HierarchyUpdateError) in try limits.check([3, 3]) },
    ]

    static let counts = [
        ErrorTextRow(
            "reconfigureItemRange",
            [.reconfigureItems([path(0, 1)], .none)],
            [1],
            [1],
            text:
                """
                item 1 of section 0 is reconfigured, but section 0 has only 1 item before the update
                Likely: The index is one too high: the last before the update is 0. \
                Reconfigurations use the paths before the update
                At fault: operation 0, reconfigureItems at (0 - 1)
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [reconfigureItemRange] attempt to reconfigure item at index path (0 - 1) that does \
                not exist before the update: { 1 section with item counts: [1] }
                """
        ),
        ErrorTextRow(
            "reconfigureSectionRange",
            [.reconfigureSections([1], .none)],
            [1],
            [1],
            text:
                """
                section 1 is reconfigured, but there is only 1 section before the update
                Likely: The index is one too high: the last before the update is 0. \
                Reconfigurations use the indexes before the update
                At fault: operation 0, reconfigureSections {1}
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [reconfigureSectionRange] attempt to reconfigure section 1, but there are only 1 \
                sections before the update
                """
        ),
        ErrorTextRow(
            "supplementarySectionRange",
            [.reloadSupplementaries(.header, in: [1], .none)],
            [1],
            [1],
            text:
                """
                supplementaries of section 1 are reloaded, but there is only 1 section after the \
                update
                Hint: Reloads of supplementary elements use the indexes after the update
                At fault: operation 0, reloadSupplementaries of kind header in {1}
                Before: { 1 section with item counts: [1] }
                After: { 1 section with item counts: [1] }
                [supplementarySectionRange] attempt to reload supplementary elements of kind header \
                in section 1, but there are only 1 sections after the update
                """
        ),
        ErrorTextRow(
            "sectionCount",
            [.insertItems([path(1, 0)], .none)],
            [1],
            [1, 1],
            text:
                """
                sections: 1 before + 0 inserted - 0 deleted = 1, but there are 2
                Likely: Section 1 is new; record insertSections([1]), and it comes with its items
                Before: { 1 section with item counts: [1] }
                After: { 2 sections with item counts: [1, 1] }
                [sectionCount] Invalid update: invalid number of sections. The number of sections \
                contained in the collection view after the update (2) must be equal to the number \
                of sections contained in the collection view before the update (1), plus or minus \
                the number of sections inserted or deleted (0 inserted, 0 deleted)
                """
        ),
        ErrorTextRow(
            "itemCount",
            [.insertItems([path(0, 0)], .none)],
            [3, 1],
            [5, 1],
            text:
                """
                section 0: 3 before + 1 inserted - 0 deleted = 4, but there are 5
                Likely: The counts say that 2 came, but 1 was recorded; record every change of the \
                model once, in the batch that makes it
                Before: { 2 sections with item counts: [3, 1] }
                After: { 2 sections with item counts: [5, 1] }
                [itemCount] Invalid update: invalid number of items in section 0. The number of \
                items contained in an existing section after the update (5) must be equal to the \
                number of items contained in that section before the update (3), plus or minus the \
                number of items inserted or deleted from that section (1 inserted, 0 deleted) and \
                plus or minus the number of items moved into or out of that section (0 moved in, 0 \
                moved out)
                """
        ),
    ]

    static let edits = [
        ErrorTextRow(
            "editOutOfOrder",
            """
            edit 1 is out of order: insert item 0 - 0 (insert) after insert item 0 - 1 (insert)
            Hint: Items are removed descending, then sections descending; sections are inserted \
            ascending, then items ascending; each place once
            Before: { 1 section with item counts: [2] }
            After: { 1 section with item counts: [2] }
            [editOutOfOrder] edit 1 is out of order: after insert item 0 - 1 (insert) must come \
            an item inserted above 0 - 1, but insert item 0 - 0 (insert) was found
            """
        ) { () throws(HierarchyUpdateError) in
            try check([
                .insertItem(ItemEdit(path: path(0, 1), role: .insert)),
                .insertItem(ItemEdit(path: path(0, 0), role: .insert)),
            ])
        },
        ErrorTextRow(
            "editUnlinked",
            """
            edit 0 must have its other half at 0 - 1, but there is none
            Hint: Deletes are removed and inserts inserted, without an associated edit; of a \
            reload or move there are two halves with each other's place as associated edit
            Before: { 1 section with item counts: [2] }
            After: { 1 section with item counts: [2] }
            [editUnlinked] edit 0, remove item 0 - 0 (move with 0 - 1), must have its other \
            half at 0 - 1, but there is none
            """
        ) { () throws(HierarchyUpdateError) in
            try check([
                .removeItem(ItemEdit(path: path(0, 0), role: .move, associatedWith: path(0, 1)))
            ])
        },
        ErrorTextRow(
            "editMismatch",
            """
            edit 0 must be remove item 0 - 0 (reload with 0 - 0)
            Hint: Deletes and reloads in sections that are removed for good, and inserts in \
            fresh ones, are left out; a reload stays in its place; both halves of an edit have \
            one animation
            Before: { 1 section with item counts: [2] }
            After: { 1 section with item counts: [2] }
            [editMismatch] edit 0 must be remove item 0 - 0 (reload with 0 - 0), but is remove \
            item 0 - 0 (reload with 0 - 1)
            """
        ) { () throws(HierarchyUpdateError) in
            try check([
                .removeItem(ItemEdit(path: path(0, 0), role: .reload, associatedWith: path(0, 1))),
                .insertItem(ItemEdit(path: path(0, 1), role: .reload, associatedWith: path(0, 0))),
            ])
        },
    ]
}
