import CollectionChanges
import TestSupport
import Testing

@Suite struct RecordingTests {
    // MARK: Methods

    /// Records the operations that it receives, or rejects them.
    private final class Recorder: SingleEditing {
        struct Rejection: Error, Equatable {
            let operation: HierarchyChangeSet.Operation
        }

        var changes = HierarchyChangeSet()
        var rejects = false

        func submit(_ operation: HierarchyChangeSet.Operation) throws(Rejection) {
            if rejects { throw Rejection(operation: operation) }
            changes.record(operation)
        }
    }

    /// A record and single edits have the same methods for the same operations, with an option and
    /// without.
    @Test func everyNamedMethodRecordsItsOperation() throws {
        let recorder = Recorder()
        var changes = HierarchyChangeSet()
        #expect(changes.isEmpty)
        let (first, second) = (path(0, 1), path(2, 3))
        for animation in [AnimationOption.automatic, .fade] {
            try recorder.insertItems(at: [first], animation: animation)
            changes.insertItems(at: [first], animation: animation)
            try recorder.deleteItems(at: [second], animation: animation)
            changes.deleteItems(at: [second], animation: animation)
            try recorder.reloadItems(at: [first, second], animation: animation)
            changes.reloadItems(at: [first, second], animation: animation)
            try recorder.reconfigureItems(at: [first], animation: animation)
            changes.reconfigureItems(at: [first], animation: animation)
            try recorder.moveItem(at: first, to: second, animation: animation)
            changes.moveItem(at: first, to: second, animation: animation)
            try recorder.insertSections([1], animation: animation)
            changes.insertSections([1], animation: animation)
            try recorder.deleteSections([2], animation: animation)
            changes.deleteSections([2], animation: animation)
            try recorder.reloadSections([3], animation: animation)
            changes.reloadSections([3], animation: animation)
            try recorder.reconfigureSections([4], animation: animation)
            changes.reconfigureSections([4], animation: animation)
            try recorder.moveSection(5, toSection: 6, animation: animation)
            changes.moveSection(5, toSection: 6, animation: animation)
            try recorder.reloadSupplementaries(ofKind: .header, in: [7], animation: animation)
            changes.reloadSupplementaries(ofKind: .header, in: [7], animation: animation)
        }
        let words = "I0.1 D2.3 R0.1+2.3 C0.1 M0.1>2.3 IS1 DS2 RS3 CS4 MS5>6 H7".split(
            separator: " "
        )
        let both =
            words.joined(separator: " ") + " " + words.map { "\($0)/2" }.joined(separator: " ")
        #expect(changes == record(both) && recorder.changes == changes)
        changes.reloadData(animation: .fade)
        #expect(changes.operations.last == .reloadData(.fade))
        recorder.rejects = true
        do {
            try recorder.deleteSections([1])
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == Recorder.Rejection(operation: .deleteSections([1], .automatic)))
        }
        let paths = (0..<9).map { path(0, $0) }
        let text = "\(HierarchyChangeSet.Operation.deleteItems(paths, .none))"
        #expect(text.hasPrefix("deleteItems at (0 - 0) (0 - 1)") && text.hasSuffix("… 1 more"))
    }

    @Test(arguments: ValidationProfile.allCases)
    func reloadDataDropsAllOtherEdits(profile: ValidationProfile) throws {
        let text = profile == .texture ? "D9.9 X/2 IS7" : "D9.9 X IS7 X/2"
        let update = try record(text).validated(from: [1, 2], to: [3], profile: profile)
        let option = AnimationOption.fade
        #expect(update.isReloadData && !update.isEmpty)
        #expect(
            Array(update.edits) == [
                .removeSection(SectionEdit(section: 1, role: .delete, animation: option)),
                .removeSection(SectionEdit(section: 0, role: .delete, animation: option)),
                .insertSection(
                    SectionEdit(section: 0, role: .insert, newItemCount: 3, animation: option)
                ),
            ]
        )
        let result = try update.apply(to: [["a"], ["b", "c"]]) { "\($0)" }
        #expect(result == [["0 - 0", "0 - 1", "0 - 2"]])
        #expect(update.newPath(for: path(0, 0)) == nil && update.oldPath(for: path(0, 0)) == nil)
        #expect(update.newSection(for: 0) == nil && update.oldSection(for: 0) == nil)
        #expect(update.animation(ofOldItem: path(1, 1)) == option)
        #expect(update.animation(ofNewItem: path(0, 2)) == option)
        #expect(MemoryLayout.size(ofValue: update) == MemoryLayout<UnsafeRawPointer>.size)
    }

    // MARK: Decomposed moves

    /// Decomposing the moves of a valid record keeps it valid; moved elements lose their identity,
    /// and nothing else changes.
    @Test func decomposedMovesLoseOnlyTheirIdentity() throws {
        let decomposed = record("M0.0>1.0/2 R0.1+1.0 C0.2 CS0+2 MS0>1/5").decomposingMoves()
        #expect(decomposed == record("D0.0/2 I1.0/2 R1.0 C CS2 DS0/5 IS1/5"))
        for seed in UInt64(0)..<200 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid(updates: true)
            let whole = try draw.changes.validated(from: draw.old, to: draw.new)
            let taken = draw.changes.decomposingMoves()
            let apart = try taken.validated(from: draw.old, to: draw.new)
            let moved = Set(whole.sectionRemovals.filter { $0.role == .move }.map(\.section))
            let isRight = draw.old.paths.allSatisfy { old in
                let isMoved =
                    moved.contains(old.section)
                    || whole.itemRemovals.contains { $0.path == old && $0.role == .move }
                return apart.newPath(for: old) == (isMoved ? nil : whole.newPath(for: old))
            }
            #expect(isRight && taken.decomposingMoves() == taken, "seed \(seed)")
        }
    }

    // MARK: Groups

    @Test(arguments: ValidationProfile.allCases)
    func editsWithOneOptionFormAGroupEvenAcrossGaps(_ profile: ValidationProfile) throws {
        let items = try record("D0.0+0.1+0.3/2 D0.2/5 I1.0+1.2/5 I1.1/2")
            .validated(from: [9, 0], to: [5, 3], profile: profile)
        #expect(items.itemRemovalGroups.map { $0.map(\.path.item) } == [[3], [2], [1, 0]])
        #expect(items.itemInsertionGroups.map { $0.map(\.path.item) } == [[0], [1], [2]])
        let sections = try record("DS0+1+3/2 DS2/5 IS0+4/2 IS2/5")
            .validated(from: [1, 1, 1, 1, 5, 5], to: [1, 5, 1, 5, 1], profile: profile)
        #expect(sections.sectionRemovalGroups.map { $0.map(\.section) } == [[3], [2], [1, 0]])
        #expect(sections.sectionInsertionGroups.map { $0.map(\.section) } == [[0], [2], [4]])
        let gap = try record("D0.9+0.0/2").validated(from: [10], to: [8], profile: profile)
        #expect(gap.itemRemovalGroups.count == 1 && gap.itemInsertionGroups.isEmpty)
    }

    // MARK: Long records

    /// Counts around the one from which lists are sorted differently.
    @Test(arguments: [10, 63, 64, 65, 300, 3_000], [(3, 1_000_000), (70_000, 60), (300, 300)])
    func anyNumberOfEditsIsOrdered(count: Int, shape: (sections: Int, items: Int)) throws {
        var random = SeededNumbers(seed: UInt64(count))
        var paths: Set<ItemPath> = []
        while paths.count < count {
            paths.insert(path(random.next(below: shape.sections), random.next(below: shape.items)))
        }
        let sorted = paths.sorted()
        var (deletes, inserts) = (HierarchyChangeSet(), HierarchyChangeSet())
        for path in sorted.shuffled(using: &random) {
            deletes.deleteItems(at: [path])
            inserts.insertItems(at: [path])
        }
        let long = HierarchyShape(Array(repeating: shape.items, count: shape.sections))
        var counts = long.itemCounts
        for path in paths { counts[path.section] -= 1 }
        let (short, limits) = (HierarchyShape(counts), ShapeLimits(items: .max))
        for profile in ValidationProfile.allCases {
            let validated = {
                (changes: HierarchyChangeSet, old: HierarchyShape, new: HierarchyShape) in
                try changes.validated(from: old, to: new, profile: profile, limits: limits)
            }
            let shrinking = try validated(deletes, long, short)
            let growing = try validated(inserts, short, long)
            #expect(shrinking.itemRemovals.map(\.path) == sorted.reversed(), "\(profile)")
            #expect(growing.itemInsertions.map(\.path) == sorted, "\(profile)")
        }
    }

    @Test func theFirstFaultOfManyPathsNamesItsOperation() {
        let extremes = [
            Int.min, Int.min + 1, -(1 << 40), -65_537, -256, -1, Int.max - 1, Int.max, 1 << 40,
        ]
        var random = SeededNumbers(seed: 2)
        for count in [60, 200] {
            let paths = (0..<count).map { _ in
                path(
                    extremes.randomElement(using: &random)!,
                    extremes.randomElement(using: &random)!
                )
            }
            for profile in [ValidationProfile.standard, .strict] {
                func fault(_ operation: HierarchyChangeSet.Operation) -> ItemPath? {
                    rejection(
                        of: try HierarchyChangeSet([operation])
                            .validated(from: [1], to: [1], profile: profile)
                    )?.path
                }
                #expect(fault(.deleteItems(paths, .none)) == paths.max())
                #expect(fault(.insertItems(paths, .none)) == paths.min())
            }
        }
        var paths = (0..<200).map { path(0, ($0 * 7_919) % 1_000) }
        paths.append(paths[120])
        let error = rejection(
            of: try HierarchyChangeSet(paths.map { .deleteItems([$0], .none) })
                .validated(from: [1_000], to: [800])
        )
        // In descending order, the duplicate recorded last is checked first.
        #expect(error?.code == .duplicateDeleteItem && error?.path == paths[120])
        #expect(error?.operationIndex == 200)
    }

    @Test(arguments: [1, 15, 16, 17, 33, 100])
    func everyCountThatDoesNotBalanceIsFound(sections: Int) {
        let counts = Array(repeating: 3, count: sections)
        let moved = record("DS0 IS\(sections / 2)")
        let edited = record("D\(sections / 3).0 I\(sections / 3).1")
        for changes in [HierarchyChangeSet(), moved, edited] {
            for section in 0..<sections {
                var wrong = counts
                wrong[section] += 1
                if section + 9 < sections { wrong[section + 9] += 1 }
                let error = rejection(
                    of: try changes.validated(
                        from: HierarchyShape(counts),
                        to: HierarchyShape(wrong)
                    )
                )
                // An inserted section may have any count.
                let isInserted = changes == moved && section == sections / 2
                let next = section + 9 < sections ? section + 9 : nil
                let expected = isInserted ? next : section
                let code = expected == nil ? nil : HierarchyUpdateError.Code.itemCount
                #expect(error?.section == expected && error?.code == code, "\(section)")
            }
        }
    }
}
