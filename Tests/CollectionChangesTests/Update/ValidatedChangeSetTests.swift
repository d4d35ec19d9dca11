import CollectionChanges
import Testing

@Suite struct ValidatedChangeSetTests {
    @Test func aChangeSetIsOneReference() {
        #expect(MemoryLayout<ValidatedChangeSet>.size == MemoryLayout<UnsafeRawPointer>.size)
    }

    @Test func theUsualLimitsAreTwoToTheTwentyFourth() {
        #expect(ShapeLimits().sections == 1 << 24 && ShapeLimits().items == 1 << 24)
    }

    /// First the sections, ascending and each ascending without what comes singly; then single items.
    @Test func freshItemsAreAskedForInTheOrderOfTheRuns() throws {
        for seed in UInt64(0)..<500 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid()
            let update = try draw.changes.validated(from: draw.old, to: draw.new)
            let single = Set(update.itemInsertions.map(\.path))
            var expected: [ItemPath] = []
            for edit in update.sectionInsertions where edit.role != .move {
                let items = 0..<draw.new.itemCounts[edit.section]
                expected += items.map { path(edit.section, $0) }.filter { !single.contains($0) }
            }
            expected += update.itemInsertions.filter { $0.role != .move }.map(\.path)
            var asked: [ItemPath] = []
            let old = draw.old.itemCounts.map { Array(repeating: "old", count: $0) }
            let new = try update.apply(to: old) { path in
                asked.append(path)
                return "new"
            }
            #expect(asked == expected, "seed \(seed)")
            #expect(new.map(\.count) == draw.new.itemCounts, "seed \(seed)")
        }
    }

    /// What `strict` adds are faults; of what it accepts it makes the same.
    @Test func whatStrictAcceptsStandardAcceptsAlike() throws {
        var (accepted, stricter) = (0, 0)
        for seed in UInt64(0)..<4_000 {
            var records = RandomRecords(seed: seed)
            let draw = seed % 2 == 0 ? records.valid() : records.spoilt()
            func verdict(_ profile: ValidationProfile) -> ValidatedChangeSet? {
                try? draw.changes.validated(from: draw.old, to: draw.new, profile: profile)
            }
            let (standard, strict) = (verdict(.standard), verdict(.strict))
            guard let strict else {
                stricter += standard == nil ? 0 : 1
                continue
            }
            accepted += 1
            guard let standard, Array(standard.edits) == Array(strict.edits),
                standard.reconfigurations == strict.reconfigurations
            else {
                Issue.record("seed \(seed): \(draw.changes.operations)")
                return
            }
        }
        #expect(accepted > 500 && stricter > 100, "\(accepted), \(stricter)")
    }

    @Test func anEditIsDescribedInWords() {
        let move = ItemEdit(path: path(0, 2), role: .move, associatedWith: path(1, 0))
        #expect(
            HierarchyEdit.removeItem(move).description
                == "remove item 0 - 2 (move with 1 - 0)"
        )
        let insert = SectionEdit(section: 3, role: .insert, freshItemCount: 5)
        #expect(
            HierarchyEdit.insertSection(insert).description == "insert section 3 (insert, 5 fresh)"
        )
    }

    /// Reloads and moves have two halves, which name each other; the others have none.
    @Test func halvesNameEachOther() throws {
        for seed in UInt64(0)..<500 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid()
            let update = try draw.changes.validated(from: draw.old, to: draw.new)
            let outs = Dictionary(uniqueKeysWithValues: update.itemRemovals.map { ($0.path, $0) })
            for edit in update.itemInsertions {
                let half = edit.associatedWith.flatMap { outs[$0] }
                let isLinked = half?.associatedWith == edit.path && half?.role == edit.role
                #expect(isLinked == (edit.role == .reload || edit.role == .move), "seed \(seed)")
            }
            let linked = update.itemRemovals.count { $0.associatedWith != nil }
            #expect(
                linked == update.itemInsertions.count { $0.associatedWith != nil },
                "seed \(seed)"
            )
            let moved = update.sectionInsertions.filter { $0.role == .move }
            #expect(moved.allSatisfy { $0.freshItemCount == 0 && $0.associatedWith != nil })
        }
    }
}
