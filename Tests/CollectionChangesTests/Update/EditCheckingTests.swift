import CollectionChanges
import TestSupport
import Testing

/// Edits from outside: only what validation would have given comes through.
@Suite struct EditCheckingTests {
    // MARK: Random updates

    @Test func editsOfValidUpdatesComeThrough() throws {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 250) {
            let update = try randomUpdate(seed)
            let checked: ValidatedChangeSet
            do {
                checked = try ValidatedChangeSet(
                    checking: update.edits,
                    from: update.oldShape,
                    to: update.newShape
                )
            } catch {
                Issue.record("seed \(seed): \(error)")
                continue
            }
            let isSame =
                Array(checked.edits) == Array(update.edits)
                && checked.oldShape == update.oldShape && checked.newShape == update.newShape
                && checked.sectionMapping == update.sectionMapping
                && update.oldShape.paths.allSatisfy {
                    checked.newPath(for: $0) == update.newPath(for: $0)
                }
                && update.newShape.paths.allSatisfy {
                    checked.oldPath(for: $0) == update.oldPath(for: $0)
                }
            if !isSame { Issue.record("seed \(seed): another update") }
        }
    }

    @Test func everySwapOfNeighboursIsRejectedAtTheSecond() throws {
        for seed in UInt64(0)..<300 {
            let update = try randomUpdate(seed)
            for index in update.edits.indices.dropLast() {
                var edits = Array(update.edits)
                edits.swapAt(index, index + 1)
                expect(
                    .editOutOfOrder,
                    at: index + 1,
                    edits,
                    update,
                    "seed \(seed), swap \(index)"
                )
            }
        }
    }

    @Test func everyRepetitionIsRejected() throws {
        for seed in UInt64(0)..<100 {
            let update = try randomUpdate(seed)
            for index in update.edits.indices {
                var edits = Array(update.edits)
                edits.insert(edits[index], at: index)
                expect(
                    .editOutOfOrder,
                    at: index + 1,
                    edits,
                    update,
                    "seed \(seed), twice \(index)"
                )
            }
        }
    }

    @Test func everyOmissionIsRejected() throws {
        for seed in UInt64(0)..<200 {
            let update = try randomUpdate(seed)
            for index in update.edits.indices {
                var edits = Array(update.edits)
                edits.remove(at: index)
                if fault(edits, update.oldShape, update.newShape) == nil {
                    Issue.record("seed \(seed): accepted without \(update.edits[index])")
                }
            }
        }
    }

    /// Whatever is changed in one edit, either it is rejected or it is what the update now says.
    @Test func whatIsAcceptedIsKeptToTheLetter() throws {
        var accepted = 0
        var refused = 0
        for seed in UInt64(0)..<120 {
            let update = try randomUpdate(seed)
            for index in update.edits.indices {
                for variant in update.edits[index].variants {
                    var edits = Array(update.edits)
                    edits[index] = variant
                    do {
                        let checked = try ValidatedChangeSet(
                            checking: edits,
                            from: update.oldShape,
                            to: update.newShape
                        )
                        accepted += 1
                        if Array(checked.edits) != edits {
                            Issue.record("seed \(seed): \(variant) became something else")
                        }
                    } catch {
                        refused += 1
                        if error.oldShape != update.oldShape { Issue.record("no shape") }
                    }
                }
            }
        }
        // Deletes and inserts may have any animation, and some of them any place.
        #expect(accepted > 0 && refused > accepted)
    }

    // MARK: Order

    @Test func outOfOrderNamesWhatMayFollow() throws {
        let edits: [HierarchyEdit] = [
            .removeItem(ItemEdit(path: path(0, 1), role: .delete)),
            .removeItem(ItemEdit(path: path(0, 2), role: .delete)),
        ]
        let error = try #require(fault(edits, [3], [1]))
        #expect(error.code == .editOutOfOrder)
        #expect(error.operationIndex == 1)
        #expect(error.path == path(0, 2))
        #expect(
            error.message
                == "edit 1 is out of order: after remove item 0 - 1 (delete) must come an item"
                + " removed below 0 - 1, or a later run, but remove item 0 - 2 (delete) was"
                + " found"
        )
        #expect(error.oldShape == [3] && error.newShape == [1])
    }

    @Test func earlierRunCannotFollowALaterOne() {
        let runs: [HierarchyEdit] = [
            .removeItem(ItemEdit(path: path(0, 0), role: .delete)),
            .removeSection(SectionEdit(section: 0, role: .delete)),
            .insertSection(SectionEdit(section: 0, role: .insert)),
            .insertItem(ItemEdit(path: path(0, 0), role: .insert)),
        ]
        for (first, earlier) in runs.enumerated() {
            for later in runs[first...] {
                #expect(fault([later, earlier], [1], [1])?.operationIndex == 1)
                #expect(fault([later, earlier], [1], [1])?.code == .editOutOfOrder)
            }
        }
    }

    @Test func endlessSequenceIsRejectedAtTheSecondEdit() {
        let edit = HierarchyEdit.removeItem(ItemEdit(path: path(0, 0), role: .delete))
        let error = fault(sequence(first: edit) { $0 }, [1], [])
        #expect(error?.code == .editOutOfOrder)
        #expect(error?.operationIndex == 1)
    }

    // MARK: Links

    @Test func brokenLinksAreRejected() {
        let cases: [(edits: [HierarchyEdit], index: Int, text: String)] = [
            ([.removeItem(ItemEdit(path: path(0, 0), role: .insert))], 0, "must be a delete"),
            ([.insertItem(ItemEdit(path: path(0, 0), role: .delete))], 0, "must be an insert"),
            ([.removeSection(SectionEdit(section: 0, role: .insert))], 0, "must be a delete"),
            ([.insertSection(SectionEdit(section: 0, role: .delete))], 0, "must be an insert"),
            (
                [
                    .removeItem(
                        ItemEdit(path: path(0, 0), role: .delete, associatedWith: path(0, 0))
                    )
                ],
                0, "must have no associated edit, but has 0 - 0"
            ),
            (
                [.insertSection(SectionEdit(section: 0, role: .insert, associatedWith: 1))],
                0, "must have no associated edit, but has 1"
            ),
            (
                [.removeItem(ItemEdit(path: path(0, 0), role: .move))],
                0, "must name its other half, but names none"
            ),
            (
                [.insertSection(SectionEdit(section: 0, role: .reload, freshItemCount: 2))],
                0, "must name its other half, but names none"
            ),
            (
                [.removeItem(ItemEdit(path: path(0, 0), role: .move, associatedWith: path(0, 1)))],
                0, "must have its other half at 0 - 1, but there is none"
            ),
            (
                [.insertItem(ItemEdit(path: path(0, 0), role: .move, associatedWith: path(0, 1)))],
                0, "must have its other half at 0 - 1, but there is none"
            ),
            (
                [
                    .removeItem(
                        ItemEdit(path: path(0, 0), role: .move, associatedWith: path(0, 1))
                    ),
                    .insertItem(
                        ItemEdit(path: path(0, 1), role: .reload, associatedWith: path(0, 0))
                    ),
                ],
                0, "must have its other half at 0 - 1, but that is a reload with 0 - 0"
            ),
            (
                [
                    .removeItem(
                        ItemEdit(path: path(0, 1), role: .move, associatedWith: path(0, 1))
                    ),
                    .removeItem(
                        ItemEdit(path: path(0, 0), role: .move, associatedWith: path(0, 1))
                    ),
                    .insertItem(
                        ItemEdit(path: path(0, 1), role: .move, associatedWith: path(0, 0))
                    ),
                ],
                0, "must have its other half at 0 - 1, but that is a move with 0 - 0"
            ),
            (
                [
                    .removeSection(SectionEdit(section: 1, role: .move, associatedWith: 0)),
                    .insertSection(SectionEdit(section: 0, role: .move, associatedWith: 1)),
                    .insertSection(SectionEdit(section: 1, role: .move, associatedWith: 1)),
                ],
                2, "must have its other half at 1, but that is a move with 0"
            ),
        ]
        for (edits, index, text) in cases {
            let error = fault(edits, [2, 2], [2, 2])
            #expect(error?.code == .editUnlinked, "\(edits)")
            #expect(error?.operationIndex == index, "\(edits)")
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "accepted")")
        }
    }

    @Test func wrongNumberOfFreshItemsIsRejected() {
        func sections(_ removed: Int, _ inserted: Int, _ moved: Int) -> [HierarchyEdit] {
            [
                .removeSection(
                    SectionEdit(section: 1, role: .move, associatedWith: 0, freshItemCount: removed)
                ),
                .insertSection(
                    SectionEdit(section: 0, role: .move, associatedWith: 1, freshItemCount: moved)
                ),
                .insertSection(SectionEdit(section: 2, role: .insert, freshItemCount: inserted)),
            ]
        }
        #expect(fault(sections(0, 3, 0), [1, 2], [2, 1, 3]) == nil)
        for (edits, index) in [
            (sections(1, 3, 0), 0), (sections(0, 3, 2), 1), (sections(0, 2, 0), 2),
            (sections(0, -1, 0), 2), (sections(0, .max, 0), 2), (sections(.min, 3, 0), 0),
        ] {
            let error = fault(edits, [1, 2], [2, 1, 3])
            #expect(error?.code == .editUnlinked)
            #expect(error?.operationIndex == index)
        }
    }

    // MARK: Validation

    @Test func faultsOfValidationNameTheEdit() {
        let edits: [HierarchyEdit] = [
            .removeItem(ItemEdit(path: path(0, 1), role: .move, associatedWith: path(0, 0))),
            .removeItem(ItemEdit(path: path(0, 0), role: .delete)),
            .insertItem(ItemEdit(path: path(0, 0), role: .move, associatedWith: path(0, 1))),
            .insertItem(ItemEdit(path: path(0, 7), role: .insert)),
        ]
        let error = fault(edits, [2], [2])
        #expect(error?.code == .insertItemRange)
        #expect(error?.operationIndex == 3)
        #expect(fault(Array(edits.dropLast()), [2], [2])?.code == .itemCount)
        #expect(fault(Array(edits.dropLast()), [2], [1]) == nil)
    }

    @Test func absorbedEditsAreRejected() {
        let deleted: [HierarchyEdit] = [
            .removeItem(ItemEdit(path: path(0, 1), role: .delete)),
            .removeSection(SectionEdit(section: 0, role: .delete)),
        ]
        let error = fault(deleted, [2], [])
        #expect(error?.code == .editMismatch)
        #expect(error?.operationIndex == 0)
        #expect(
            error?.message
                == "edit 0 must be remove section 0 (delete), but is remove item 0 - 1 (delete)"
        )
        let inserted: [HierarchyEdit] = [
            .insertSection(SectionEdit(section: 0, role: .insert, freshItemCount: 1)),
            .insertItem(ItemEdit(path: path(0, 1), role: .insert)),
        ]
        // The section arrives with all that is not moved into it.
        #expect(fault(inserted, [], [2])?.code == .editMismatch)
        #expect(fault(inserted, [], [2])?.operationIndex == 0)
    }

    @Test func reloadElsewhereIsRejected() {
        let edits: [HierarchyEdit] = [
            .removeItem(ItemEdit(path: path(0, 0), role: .reload, associatedWith: path(0, 1))),
            .insertItem(ItemEdit(path: path(0, 1), role: .reload, associatedWith: path(0, 0))),
        ]
        let error = fault(edits, [2], [2])
        #expect(error?.code == .editMismatch)
        #expect(error?.operationIndex == 0)
    }

    @Test func halvesOfTwoAnimationsAreRejected() {
        let edits: [HierarchyEdit] = [
            .removeItem(
                ItemEdit(
                    path: path(0, 0),
                    role: .move,
                    associatedWith: path(0, 1),
                    animation: .fade
                )
            ),
            .insertItem(
                ItemEdit(path: path(0, 1), role: .move, associatedWith: path(0, 0), animation: .top)
            ),
        ]
        let error = fault(edits, [2], [2])
        #expect(error?.code == .editMismatch)
        #expect(error?.operationIndex == 1)
    }

    @Test func limitsHold() {
        let edits: [HierarchyEdit] = [
            .insertSection(SectionEdit(section: 0, role: .insert, freshItemCount: 9))
        ]
        #expect(fault(edits, [], [9]) == nil)
        do {
            _ = try ValidatedChangeSet(
                checking: edits,
                from: [],
                to: [9],
                limits: ShapeLimits(items: 8)
            )
            Issue.record("accepted")
        } catch {
            #expect(error.code == .tooManyItems)
        }
    }

    @Test func extremesAreErrors() {
        for extreme in [Int.min, -1, 5, Int.max] {
            for path in [path(extreme, 0), path(0, extreme), path(extreme, extreme)] {
                let inside = ItemPath(section: 0, item: 0)
                let items: [[HierarchyEdit]] = [
                    [.removeItem(ItemEdit(path: path, role: .delete))],
                    [.insertItem(ItemEdit(path: path, role: .insert))],
                    [
                        .removeItem(ItemEdit(path: path, role: .reload, associatedWith: inside)),
                        .insertItem(ItemEdit(path: inside, role: .reload, associatedWith: path)),
                    ],
                    [
                        .removeItem(ItemEdit(path: inside, role: .move, associatedWith: path)),
                        .insertItem(ItemEdit(path: path, role: .move, associatedWith: inside)),
                    ],
                ]
                for edits in items { #expect(fault(edits, [1], [1]) != nil) }
            }
            let sections: [[HierarchyEdit]] = [
                [.removeSection(SectionEdit(section: extreme, role: .delete))],
                [.insertSection(SectionEdit(section: extreme, role: .insert))],
                [
                    .insertSection(
                        SectionEdit(section: extreme, role: .insert, freshItemCount: extreme)
                    )
                ],
                [
                    .removeSection(SectionEdit(section: 0, role: .move, associatedWith: extreme)),
                    .insertSection(SectionEdit(section: extreme, role: .move, associatedWith: 0)),
                ],
                [
                    .removeSection(SectionEdit(section: extreme, role: .reload, associatedWith: 0)),
                    .insertSection(
                        SectionEdit(
                            section: 0,
                            role: .reload,
                            associatedWith: extreme,
                            freshItemCount: 1
                        )
                    ),
                ],
            ]
            for edits in sections { #expect(fault(edits, [1], [1]) != nil) }
        }
    }

    // MARK: Whole updates

    @Test func sampleOfTheDocumentationHolds() throws {
        let edits: [HierarchyEdit] = [
            .removeItem(ItemEdit(path: ItemPath(section: 0, item: 2), role: .delete)),
            .insertSection(SectionEdit(section: 1, role: .insert, freshItemCount: 5)),
        ]
        let update = try ValidatedChangeSet(checking: edits, from: [3, 1], to: [2, 5, 1])
        #expect(Array(update.edits) == edits)
        #expect(update.newSection(for: 1) == 2)
    }

    @Test func reloadOfEverythingComesThroughAsDeletesAndInserts() throws {
        var changes = HierarchyChangeSet()
        changes.reloadData()
        let update = try changes.validated(from: [1, 2], to: [3])
        let checked = try ValidatedChangeSet(checking: update.edits, from: [1, 2], to: [3])
        #expect(Array(checked.edits) == Array(update.edits))
        #expect(!checked.isReloadData)
    }

    @Test func noEditsNeedEqualShapes() throws {
        #expect(try ValidatedChangeSet(checking: [], from: [2], to: [2]).isEmpty)
        #expect(fault([], [2], [3])?.code == .itemCount)
        #expect(fault([], [2], [3])?.operationIndex == nil)
    }

    // MARK: Helpers

    private func randomUpdate(_ seed: UInt64) throws -> ValidatedChangeSet {
        var records = RandomRecords(seed: seed, animations: [.automatic, .fade, .top])
        let draw = records.valid(sections: 4, items: 4)
        return try draw.changes.validated(from: draw.old, to: draw.new)
    }

    private func fault(
        _ edits: some Sequence<HierarchyEdit>,
        _ old: HierarchyShape,
        _ new: HierarchyShape
    ) -> HierarchyUpdateError? {
        refusal { () throws(HierarchyUpdateError) in
            try ValidatedChangeSet(checking: edits, from: old, to: new)
        }
    }

    /// Records an issue unless the edits are rejected with `code` at `index`.
    private func expect(
        _ code: HierarchyUpdateError.Code,
        at index: Int,
        _ edits: [HierarchyEdit],
        _ update: ValidatedChangeSet,
        _ note: String
    ) {
        let error = fault(edits, update.oldShape, update.newShape)
        if error?.code == code, error?.operationIndex == index { return }
        Issue.record("\(note): \(error?.description ?? "accepted"), \(edits)")
    }
}

extension HierarchyEdit {
    /// Edits that differ in one property.
    fileprivate var variants: [HierarchyEdit] {
        let roles: [EditRole] = [.delete, .insert, .reload, .move]
        switch self {
        case .removeItem(let edit): return variants(of: edit, roles).map { .removeItem($0) }
        case .removeSection(let edit): return variants(of: edit, roles).map { .removeSection($0) }
        case .insertSection(let edit): return variants(of: edit, roles).map { .insertSection($0) }
        case .insertItem(let edit): return variants(of: edit, roles).map { .insertItem($0) }
        }
    }

    private func variants(of edit: ItemEdit, _ roles: [EditRole]) -> [ItemEdit] {
        var variants = roles.filter { $0 != edit.role }.map { role in
            ItemEdit(path: edit.path, role: role, associatedWith: edit.associatedWith)
        }
        func add(_ change: (inout ItemEdit) -> Void) {
            var variant = edit
            change(&variant)
            variants.append(variant)
        }
        add { $0.path.item += 1 }
        add { $0.path.item -= 1 }
        add { $0.path.section += 1 }
        add { $0.associatedWith = $0.associatedWith == nil ? $0.path : nil }
        add { $0.associatedWith?.item += 1 }
        add { $0.associatedWith?.section -= 1 }
        add { $0.animation = .leading }
        return variants.filter { $0 != edit }
    }

    private func variants(of edit: SectionEdit, _ roles: [EditRole]) -> [SectionEdit] {
        var variants = roles.filter { $0 != edit.role }.map { role in
            var variant = edit
            variant.role = role
            return variant
        }
        func add(_ change: (inout SectionEdit) -> Void) {
            var variant = edit
            change(&variant)
            variants.append(variant)
        }
        add { $0.section += 1 }
        add { $0.section -= 1 }
        add { $0.associatedWith = $0.associatedWith == nil ? $0.section : nil }
        add { $0.associatedWith? += 1 }
        add { $0.freshItemCount += 1 }
        add { $0.freshItemCount -= 1 }
        add { $0.animation = .leading }
        return variants.filter { $0 != edit }
    }
}
