import CollectionChanges
import TestSupport
import Testing

/// Edits from outside the library: only those that validation could have made are accepted.
@Suite struct EditCheckingTests {
    @Test func editsArePrintedInWords() throws {
        let update = try record("C0.1 M0.0>0.1 RS1 H1").validated(from: [2, 2], to: [2, 3])
        #expect(update.itemRemovals.map { "\($0)" } == ["0 - 0 (move with 0 - 1)"])
        #expect(update.sectionInsertions.map { "\($0)" } == ["1 (reload with 1, 3 new)"])
        #expect(update.reconfigurations.map { "\($0)" } == ["0 - 1 (then 0 - 0)"])
        #expect(
            update.supplementaryReloads.map { "\($0)" } == [
                "\(SupplementaryKind.header) of section 1"
            ]
        )
    }

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
        rejection(of: try ValidatedChangeSet(checking: edits, from: old, to: new))
    }

    // MARK: Random updates

    @Test func onlyEditsOfValidUpdatesAreAccepted() throws {
        var (accepted, rejected) = (0, 0)
        for seed in UInt64(0)..<Effort.number(1_000, usually: 150) {
            let update = try randomUpdate(seed)
            let (old, new, edits) = (update.oldShape, update.newShape, Array(update.edits))
            let checked = try ValidatedChangeSet(checking: edits, from: old, to: new)
            let isSame =
                Array(checked.edits) == edits && checked.oldShape == old && checked.newShape == new
                && checked.sectionMapping == update.sectionMapping
                && old.paths.allSatisfy { checked.newPath(for: $0) == update.newPath(for: $0) }
                && new.paths.allSatisfy { checked.oldPath(for: $0) == update.oldPath(for: $0) }
            if !isSame { Issue.record("seed \(seed): wrong update") }
            for index in edits.indices {
                func check(_ edits: [HierarchyEdit], _ position: Int, _ name: String) {
                    let error = fault(edits, old, new)
                    if error?.code == .editOutOfOrder, error?.operationIndex == position,
                        error?.oldShape == old, error?.newShape == new
                    {
                        return
                    }
                    Issue.record("seed \(seed), \(name) \(index): \(error?.message ?? "accepted")")
                }
                var twice = edits
                twice.insert(edits[index], at: index)
                check(twice, index + 1, "twice")
                if index + 1 < edits.count {
                    var swapped = edits
                    swapped.swapAt(index, index + 1)
                    check(swapped, index + 1, "swapped")
                }
                var fewer = edits
                fewer.remove(at: index)
                if fault(fewer, old, new) == nil { Issue.record("seed \(seed): without \(index)") }
                for variant in edits[index].variants {
                    var changed = edits
                    changed[index] = variant
                    // Any changed edit is either rejected or part of the resulting update.
                    let checked = try? ValidatedChangeSet(checking: changed, from: old, to: new)
                    if let checked {
                        accepted += 1
                        if Array(checked.edits) != changed {
                            Issue.record("seed \(seed): \(variant)")
                        }
                    } else {
                        rejected += 1
                    }
                }
            }
        }
        // Deletes and inserts may have any animation, and some of them any place.
        #expect(accepted > 0 && rejected > accepted)
    }

    // MARK: Order

    @Test func editsOutOfOrderAreNamedEvenInAnEndlessSequence() throws {
        let runs = edits("-0.0d -0d +0i +0.0i")
        for (first, earlier) in runs.enumerated() {
            for later in runs[first...] {
                let error = fault([later, earlier], [1], [1])
                #expect(error?.code == .editOutOfOrder && error?.operationIndex == 1)
            }
        }
        let error = fault(edits("-0.0d -0.2d"), [3], [1])
        #expect(error?.path == path(0, 2) && error?.section == 0)
        #expect(
            error?.message
                == "edit 1 is out of order: after remove item 0 - 0 (delete), expected an item"
                + " removed below 0 - 0, or a later run, but found remove item 0 - 2 (delete)"
        )
        let endless = fault(sequence(first: runs[0]) { $0 }, [1], [])
        #expect(endless?.code == .editOutOfOrder && endless?.operationIndex == 1)
    }

    // MARK: Links

    @Test func faultsOfLinksAndOfValidationNameTheirEdit() {
        let rows: [(HierarchyShape, HierarchyShape, String, Int?, String, String)] = [
            ([2, 2], [2, 2], "-0.0i", 0, "editUnlinked", "must be a delete"),
            ([2, 2], [2, 2], "+0.0d", 0, "editUnlinked", "must be an insert"),
            ([2], [2], "-0i", 0, "editUnlinked", "must be a delete"),
            ([2], [2], "+0d", 0, "editUnlinked", "be an insert"),
            ([2], [2], "-0.0d0.0", 0, "editUnlinked", "but has 0 - 0"),
            ([2], [2], "+0i1", 0, "editUnlinked", "but has 1"),
            ([2], [2], "-0.0m", 0, "editUnlinked", "must have an associated edit, but has none"),
            ([2], [2], "-0.0m0.1", 0, "editUnlinked", "but there is none"),
            ([2], [2], "+0.0m0.1", 0, "editUnlinked", "but there is none"),
            ([2], [2], "-0.0m0.1 +0.1r0.0", 0, "editUnlinked", "but that is a reload with 0 - 0"),
            ([1, 1], [1, 1], "-1m0 +0m1 +1m1", 2, "editUnlinked", "but that is a move with 0"),
            (
                [3], [3], "-0.0d +0.1m0.2", 1, "editUnlinked",
                "must have its other half at 0 - 2, but there is none"
            ),
            (
                [1, 2], [2, 1, 3], "-1m0 +0m1 +2i*2", 2, "editUnlinked",
                "must have 3 new items, but has 2"
            ),
            (
                [1, 2], [2, 1], "-1m0*1 +0m1", 0, "editUnlinked",
                "must have 0 new items, but has 1"
            ),
            ([2], [2], "-0.1m0.0 -0.0d +0.0m0.1 +0.7i", 3, "insertItemRange", "only 2 items"),
            ([2], [2], "-0.0d", nil, "itemCount", "0 inserted, 1 deleted"),
            ([2], [3], "", nil, "itemCount", "must be equal"),
            // The edit of the section covers it, or the section inserts all items that are not
            // moved into it.
            ([2], [], "-0.1d -0d", 0, "editMismatch", "edit 0 must be remove section 0 (delete)"),
            ([], [2], "+0i*1 +0.1i", 0, "editMismatch", "insert section 0 (insert, 2 new)"),
            (
                [2], [2], "-0.0r0.1 +0.1r0.0", 0, "editMismatch",
                "must be remove item 0 - 0 (reload with 0 - 0)"
            ),
            ([2], [2], "-0.0m0.1/2 +0.1m0.0/5", 1, "editMismatch", "must be insert item"),
        ]
        for (old, new, text, index, code, reason) in rows {
            let error = fault(edits(text), old, new)
            let isRight =
                error?.code.rawValue == code && error?.operationIndex == index
                && error?.message.contains(reason) == true
            #expect(isRight, "\(text): \(error?.message ?? "accepted")")
        }
    }

    @Test func extremeIndexesAreErrors() {
        for extreme in [Int.min, -1, 5, Int.max] {
            var rows = [
                "-\(extreme)d", "+\(extreme)i*\(extreme)", "-0m\(extreme) +\(extreme)m0",
                "-\(extreme)r0 +0r\(extreme)*1",
            ]
            for path in ["\(extreme).0", "0.\(extreme)", "\(extreme).\(extreme)"] {
                rows += [
                    "-\(path)d", "+\(path)i", "-\(path)r0.0 +0.0r\(path)",
                    "-0.0m\(path) +\(path)m0.0",
                ]
            }
            for row in rows where fault(edits(row), [1], [1]) == nil { Issue.record("\(row)") }
        }
        // Shapes are checked before links.
        for (old, new) in [([9], [1]), ([1], [9])] as [(HierarchyShape, HierarchyShape)] {
            let (wrong, limits) = (edits("-0.0i"), ShapeLimits(items: 8))
            let error = rejection(
                of: try ValidatedChangeSet(checking: wrong, from: old, to: new, limits: limits)
            )
            #expect(error?.code == .tooManyItems)
        }
    }

    @Test func theEditsOfAFullReloadAreAcceptedAsDeletesAndInserts() throws {
        let update = try record("X").validated(from: [1, 2], to: [3])
        let checked = try ValidatedChangeSet(checking: update.edits, from: [1, 2], to: [3])
        #expect(Array(checked.edits) == Array(update.edits) && !checked.isReloadData)
        #expect(try ValidatedChangeSet(checking: [], from: [2], to: [2]).isEmpty)
    }
}

extension HierarchyEdit {
    private static var itemChanges: [(inout ItemEdit) -> Void] {
        [
            { $0.path.item += 1 }, { $0.path.item -= 1 }, { $0.path.section += 1 },
            { $0.associatedWith = $0.associatedWith == nil ? $0.path : nil },
            { $0.associatedWith?.item += 1 }, { $0.associatedWith?.section -= 1 },
            { $0.animation = .leading }, { $0.role = .delete }, { $0.role = .insert },
            { $0.role = .reload }, { $0.role = .move },
        ]
    }

    private static var sectionChanges: [(inout SectionEdit) -> Void] {
        [
            { $0.section += 1 }, { $0.section -= 1 }, { $0.associatedWith? += 1 },
            { $0.associatedWith = $0.associatedWith == nil ? $0.section : nil },
            { $0.newItemCount += 1 }, { $0.newItemCount -= 1 }, { $0.animation = .leading },
            { $0.role = .delete }, { $0.role = .insert }, { $0.role = .reload },
            { $0.role = .move },
        ]
    }

    /// The edits that differ from this one in one property.
    fileprivate var variants: [HierarchyEdit] {
        func all<Edit: Equatable>(_ edit: Edit, _ changes: [(inout Edit) -> Void]) -> [Edit] {
            changes.map { change in
                var variant = edit
                change(&variant)
                return variant
            }.filter { $0 != edit }
        }
        return switch self {
        case .removeItem(let edit): all(edit, Self.itemChanges).map { .removeItem($0) }
        case .removeSection(let edit): all(edit, Self.sectionChanges).map { .removeSection($0) }
        case .insertSection(let edit): all(edit, Self.sectionChanges).map { .insertSection($0) }
        case .insertItem(let edit): all(edit, Self.itemChanges).map { .insertItem($0) }
        }
    }
}
