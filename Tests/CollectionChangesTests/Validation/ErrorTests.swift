import TestSupport
import Testing

@testable import CollectionChanges

/// The contents of a rejection besides its code and place: texts, arithmetic, and a hint at the
/// likely mistake.
@Suite struct ErrorTests {
    private func fault(
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ text: String,
        _ profile: ValidationProfile = .standard
    ) -> HierarchyUpdateError? {
        rejection(of: try record(text).validated(from: old, to: new, profile: profile))
    }

    // MARK: Texts

    @Test(arguments: ValidationProfile.allCases)
    func everyDescriptionHasAShortFirstLineAndAllDetails(_ profile: ValidationProfile) {
        var codes: Set<String> = []
        for seed in UInt64(0)..<1_500 {
            var records = RandomRecords(seed: seed)
            let draw = records.mutated()
            let error = rejection(
                of: try draw.changes.validated(from: draw.old, to: draw.new, profile: profile)
            )
            guard var error else { continue }
            codes.insert(error.code.rawValue)
            error.dataSourceName = "Feed"
            let (summary, lines) = (error.summary, error.description.split(separator: "\n"))
            let end =
                summary == error.message
                ? "[\(error.code.rawValue)]" : "[\(error.code.rawValue)] \(error.message)"
            var expected = ["Before: \(draw.old)", "After: \(draw.new)", "Data source: Feed", end]
            if let operation = error.operation, let index = error.operationIndex {
                expected.insert("At fault: operation \(index), \(operation)", at: 0)
            }
            if let hint = error.hint {
                expected.insert("\(error.namesMistake ? "Likely cause: " : "")\(hint).", at: 0)
            }
            let isRight =
                !summary.isEmpty && summary.count < 100 && !summary.contains("\n")
                && lines.map(String.init) == [summary] + expected
            if !isRight { Issue.record("seed \(seed): \(error)") }
        }
        #expect(codes.count > (profile == .texture ? 9 : 20), "\(codes.sorted())")
    }

    @Test func aSummaryDescribesWhyAPlaceDoesNotExist() {
        let rows: [(HierarchyShape, String, String)] = [
            ([2], "D0.-1", "item -1 of section 0 is deleted, but indexes start at 0"),
            ([0], "D0.0", "is deleted, but section 0 has no items before the update"),
            ([1], "R0.1", "is reloaded, but section 0 has only 1 item before the update"),
            ([2], "C0.2", "is reconfigured, but section 0 has only 2 items before the update"),
            ([2], "I0.2", "is inserted, but section 0 has only 2 items after the update"),
            ([2], "M0.2>0.0", "is moved, but section 0 has only 2 items before the update"),
            ([2], "M0.0>0.2", "is moved to item 2 of section 0, but section 0 has only 2 items"),
            ([2], "DS-1", "section -1 is deleted, but indexes start at 0"),
            ([], "RS0", "is reloaded, but there are no sections before the update"),
            ([2], "IS1", "is inserted, but there is only 1 section after the update"),
            ([2, 2], "H2", "reloaded, but there are only 2 sections after the update"),
            ([2], "D0.0 R0.0", "item 0 of section 0 is reloaded, and deleted alone or with its"),
            ([2], "RS0 MS0>0", "section 0 is both reloaded and moved"),
            ([3], "M0.0>0.1 M0.2>0.1", "two items are moved to one place, item 1 of section 0"),
            ([2], "DS0", "sections: 1 before + 0 inserted - 1 deleted = 0, but there are 1"),
            ([3, 1], "M0.0>1.0", "section 0: 3 before + 0 inserted - 0 deleted + 0 moved in - 1"),
        ]
        for (shape, text, summary) in rows {
            let found = fault(shape, shape, text)?.summary ?? "accepted"
            #expect(found.contains(summary), "\(text): \(found)")
        }
        // The largest numbers, and a text with several lines.
        let far = ItemPath(section: .max, item: .max)
        var changes = HierarchyChangeSet()
        changes.reloadSupplementaries(ofKind: SupplementaryKind(rawValue: "a\nb"), in: [.max])
        changes.moveItem(at: far, to: far)
        let error = rejection(of: try changes.validated(from: [1], to: [1]))
        #expect(error?.summary.count ?? 0 < 100)
        #expect(HierarchyUpdateError(.itemCount, "one\ntwo").summary == "one two")
        let long = HierarchyShape(Array(repeating: .max, count: 17))
        let bare = HierarchyUpdateError(.itemCount, "Here", oldShape: long)
        #expect("\(bare)" == "Here\nBefore: 17 sections with too many items\n[itemCount]")
    }

    @Test func sumsOutOfRangeAreClamped() {
        let rows: [(before: Int, inserted: Int, deleted: Int, in: Int, out: Int, expected: Int)] = [
            (9, 5, 3, 2, 1, 12), (-1, 0, .max, 0, 1, .min), (.min, 0, 1, 0, 0, .min),
            (0, .max, 0, 1, 0, .max), (1, .max, 0, 0, 0, .max),
        ]
        for row in rows {
            let sum = CountArithmetic(
                before: row.before,
                after: 0,
                inserted: row.inserted,
                deleted: row.deleted,
                movedIn: row.in,
                movedOut: row.out
            )
            #expect(sum.expected == row.expected, "\(row)")
        }
    }

    // MARK: Hints

    @Test(arguments: [ValidationProfile.standard, .strict])
    func theHintForAMissingPlaceNamesTheViolatedRule(_ profile: ValidationProfile) {
        let rows: [(String, String, String)] = [
            ("DS7", "deleteSectionRange", "indexes before the update"),
            ("RS7", "deleteSectionRange", "indexes before the update"),
            ("D7.0", "deleteItemSectionRange", "before the update"),
            ("D0.7", "deleteItemRange", "paths before the update"),
            ("R0.7", "deleteItemRange", "paths before the update"),
            ("IS7", "insertSectionRange", "after the whole update"),
            ("I7.0", "insertItemSectionRange", "after the whole update"),
            ("I0.7", "insertItemRange", "after the whole update"),
            ("MS7>0", "moveSectionSourceRange", "from an index before"),
            ("MS0>7", "moveSectionTargetRange", "to an index after"),
            ("M0.7>0.0", "moveItemSourceRange", "from a path before the update"),
            ("M0.0>0.7", "moveItemTargetRange", "to a path after it"),
            ("C0.7", "reconfigureItemRange", "before the update"),
            ("CS7", "reconfigureSectionRange", "before the update"),
            ("H7", "supplementarySectionRange", "after the update"),
        ]
        for (text, code, hint) in rows {
            let error = fault([2, 2], [2, 2], text, profile)
            let isRight = error?.code.rawValue == code && error?.hint?.contains(hint) == true
            #expect(isRight, "\(text): \(error?.description ?? "accepted")")
        }
    }

    /// One record for each known mistake, with its hint.
    @Test func theHintForAKnownMistakeNamesItAndTheRemedy() {
        let rows: [(HierarchyShape, HierarchyShape, String, String)] = [
            ([2], [3], "", "The data source changed but nothing was recorded. Record every"),
            ([2], [3], "R0.0", "nothing was recorded that changes counts"),
            ([2], [2], "D0.0", "Edits were recorded but no count of the data source changed"),
            ([3], [2], "D0.1 D0.1", "The edit was recorded twice"),
            ([3, 1], [1, 1], "D0.0 D0.0", "Each edit was recorded as if the previous ones"),
            ([3, 1], [1, 9], "D0.0 D0.0 RS1", "Each edit was recorded as if"),
            ([3, 1, 2], [1, 1, 2], "MS0>1 D1.0 D1.0", "Each edit was recorded as if"),
            (
                [1, 1, 1], [1, 2], "DS0 I2.0", "This is an old index; inserts and move targets need"
            ),
            ([1, 1, 1], [1, 2], "DS0 I2.0", "section 2 is section 1 after the update"),
            ([1, 1, 1], [1, 2], "DS2 I2.0", "; section 2 is deleted"),
            ([1, 2], [1, 1, 1], "D2.0 IS0", "This is a new index; deletes, reloads and move"),
            ([1, 2], [1, 1, 1], "D2.0 IS0", "section 2 was section 1 before the update"),
            ([1, 1, 1], [2, 1], "DS0 MS2>0 I2.0", "section 2 is section 0 after the update"),
            ([2], [1], "D0.2", "The index is one too high: the last before the update is 1"),
            ([2], [3], "I0.3", "The index is one too high: the last after the update is 2"),
            ([1, 2, 3], [3, 1, 2], "MS3>0", "one too high: the last before the update is 2"),
            ([1, 2, 3], [2, 3, 1], "MS0>3", "one too high: the last after the update is 2"),
            ([2, 2], [1, 2], "D0.0 D1.7", "recorded but did not happen in the data source"),
            ([3, 1], [3, 1, 2], "I2.1", "Section 2 is new. Record insertSections([2])"),
            ([1], [1, 2, 2], "I1.0+2.0", "Sections 1, 2 are new. Record insertSections([1, 2])"),
            ([2, 3], [3], "D0.0+0.1", "Section 0 was deleted with its items. Record delete"),
            ([2, 2], [2, 3], "I0.0", "The edits recorded for section 0 happened in section 1"),
            ([2, 2], [2, 1], "D0.0", "The edits recorded for section 0 happened in section 1"),
            ([2, 2], [3, 3], "I0.0", "Section 1 went from 2 to 3 items but nothing was recorded"),
            ([1, 2], [2], "DS1", "The section is 0, not 1; the counts add up with 0"),
            ([3], [5], "I0.0", "The counts show 2 added, but 1 was recorded"),
            ([5], [3], "D0.0", "The counts show 2 removed, but 1 was recorded"),
            ([4], [7], "D0.0 I0.0", "3 more added, or 3 fewer removed, than were recorded"),
        ]
        for (old, new, text, hint) in rows {
            let error = fault(old, new, text)
            let isRight = error?.hint?.contains(hint) == true && error?.namesMistake == true
            #expect(isRight, "\(text): \(error?.description ?? "accepted")")
        }
        // The hint appears only if following it makes the counts balance.
        #expect(fault([3, 1], [5, 3, 2], "I2.1")?.hint?.contains("is new") == false)
        #expect(fault([2, 3], [0], "D0.0+0.1")?.hint?.contains("was deleted with its") == false)
        // Texture's own hints differ, and impossible shapes get no hint.
        #expect(fault([2], [3], "", .texture)?.namesMistake == false)
        for count in [-1, 1 << 40] {
            #expect(fault([count], [count], "CS0")?.namesMistake == false)
        }
    }

    /// A hint fits the counts: recording the missing edits or removing the superfluous ones makes
    /// them balance.
    @Test func noHintContradictsTheCounts() {
        var found: Set<String> = []
        for seed in UInt64(0)..<Effort.number(6_000, usually: 3_000) {
            var records = RandomRecords(seed: seed)
            var draw = records.mutated()
            if seed.isMultiple(of: 3) {
                // A valid record with one missing operation.
                draw = records.valid(sections: 3, items: 3)
                let index = Int(seed % 7)
                guard index < draw.changes.operations.count else { continue }
                var operations = draw.changes.operations
                operations.remove(at: index)
                draw.changes = HierarchyChangeSet(operations)
            }
            let error = rejection(of: try draw.changes.validated(from: draw.old, to: draw.new))
            guard let error, let mistake = LikelyMistake(behind: error, draw.changes) else {
                continue
            }
            found.insert(Mirror(reflecting: mistake).children.first?.label ?? "\(mistake)")
            if !fits(mistake, error, draw) { Issue.record("seed \(seed): \(mistake), \(error)") }
        }
        #expect(found.count > 9, "\(found.sorted())")
    }

    private func fits(
        _ mistake: LikelyMistake,
        _ error: HierarchyUpdateError,
        _ draw: RandomRecords.Draw
    ) -> Bool {
        let (old, new, operations) = (draw.old, draw.new, draw.changes.operations)
        func isValid(_ operations: [HierarchyChangeSet.Operation]) -> Bool {
            (try? HierarchyChangeSet(operations).validated(from: old, to: new)) != nil
        }
        func exists(in shape: HierarchyShape) -> Bool {
            error.path.map(shape.contains) ?? shape.itemCounts.indices.contains(error.section ?? -1)
        }
        switch mistake {
        case .nothingRecorded(let isEmpty): return old != new && operations.isEmpty == isEmpty
        case .modelUnchanged: return old == new && !operations.isEmpty
        case .otherSide(let isOldExpected, _):
            return !exists(in: isOldExpected ? old : new) && exists(in: isOldExpected ? new : old)
        case .onePastTheEnd(let last, let isOld):
            let own = isOld ? old : new
            let count = error.path.flatMap { own.numberOfItems(inSection: $0.section) }
            return last + 1 == count ?? own.numberOfSections
        case .sectionsNotInserted(let sections):
            return isValid(operations + [.insertSections(sections, .automatic)])
        case .sectionsNotDeleted(let sections):
            return isValid(operations + [.deleteSections(sections, .automatic)])
        case .otherSection(let recorded, let fits):
            return operations.indices.contains { index in
                var changed = operations
                switch changed[index] {
                case .insertSections([recorded], let option):
                    changed[index] = .insertSections([fits], option)
                case .deleteSections([recorded], let option):
                    changed[index] = .deleteSections([fits], option)
                default: return false
                }
                return isValid(changed)
            }
        case .inOtherSection(let recorded, let happened):
            return recorded != happened && old.numberOfSections == new.numberOfSections
        case .untouchedSection(let section, let before, let after):
            return before != after && new.itemCounts[section] == after
        case .miscounted(let sum): return sum.expected != sum.after && error.arithmetic == sum
        case .recordedTwice, .readInSequence, .superfluous: return !operations.isEmpty
        }
    }
}
