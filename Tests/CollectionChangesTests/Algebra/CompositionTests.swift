import CollectionChanges
import TestSupport
import Testing

/// Compares compositions and inverses of updates with arrays to which the updates are applied one
/// by one.
@Suite struct CompositionTests {
    /// Returns the first fault of `sum` as the composition of `parts`.
    private func fault(of sum: ValidatedChangeSet, composing parts: [ValidatedChangeSet]) -> String?
    {
        let sequential = AlgebraModel(after: parts)
        let combined = AlgebraModel(after: [sum])
        let isOfSeveral = parts.count { !$0.isEmpty && !$0.changesNothing } > 1 && !sum.isReloadData
        var fault = sum.fault()
        if combined.survivors != sequential.survivors {
            fault = "gives \(combined), in sequence \(sequential)"
        }
        let effective = parts.filter { !$0.changesNothing }
        if effective.count == 1, sum.picture != effective[0].picture {
            fault = "is not the only update with an effect"
        }
        if isOfSeveral { fault = fault ?? sequential.optionFault(of: sum) }
        // If many items moved within a section, trying every choice takes too long.
        if isOfSeveral, !sequential.sections.contains(where: { $0.items.count > 12 }),
            AlgebraModel.Tally(sum) != sequential.leastTally()
        {
            fault = "has \(AlgebraModel.Tally(sum)), the minimum is \(sequential.leastTally())"
        }
        return fault.map { "\($0)\nfor \(parts.map(\.picture)), sum \(sum.picture)" }
    }

    @Test func composingTwoSmallUpdatesEqualsApplyingBoth() throws {
        let updates = SmallUpdates.ofTwoEdits
        var thinning = Thinning(1_009, full: 53)
        var count = 0
        for first in updates.all {
            for second in updates[from: first.newShape] where thinning.takesNext() {
                let sum = try first.composed(with: second)
                if let fault = fault(of: sum, composing: [first, second]) {
                    Issue.record("\(fault)")
                    return
                }
                count += 1
            }
        }
        #expect(count > 500)
    }

    /// Small states with few and many edits; checks every prefix.
    @Test func composingManyRandomUpdatesEqualsApplyingAll() throws {
        for seed in 0..<Effort.number(300, usually: 40) {
            var random = RandomRecords(seed: UInt64(seed), rarity: 2 + seed % 12)
            var shape = random.shape(sections: 5, items: 6)
            var composition = ChangeSetComposition(from: shape)
            var parts: [ValidatedChangeSet] = []
            for step in 0..<12 {
                let update = try random.next(from: shape, options: 1 + step)
                parts.append(update)
                try composition.append(update)
                shape = update.newShape
                if composition.newShape != shape { Issue.record("seed \(seed): shape") }
                if let fault = fault(of: composition.update, composing: parts) {
                    Issue.record("seed \(seed), step \(step): \(fault)")
                    return
                }
            }
        }
    }

    /// Long sections in many pieces, edited one by one and in batches. The number of pieces does
    /// not affect what is drawn.
    @Test func composingUpdatesOfLongSectionsEqualsApplyingAll() throws {
        for seed in 0..<Effort.number(24, usually: 6) {
            var random = RandomRecords(seed: UInt64(seed))
            var shape = HierarchyShape([400, 40, 0, 120])
            var parts: [ValidatedChangeSet] = []
            for step in 0..<14 {
                random.rarity = [3, 400, 20, 150][(seed + step) % 4]
                // With one option, neighbouring edits merge.
                let options = seed.isMultiple(of: 2) ? 0 : 1 + step
                parts.append(try random.next(from: shape, options: options))
                shape = parts[step].newShape
            }
            let sum = try #require(try ValidatedChangeSet(composing: parts))
            if let fault = fault(of: sum, composing: parts) {
                Issue.record("seed \(seed): \(fault.prefix(400))")
            }
        }
    }

    /// If one of two elements must pass the other, the one that moved does; one that returned to
    /// its neighbour did not move.
    @Test func aCompositionMovesWhatMovedAndNotItsNeighbours() throws {
        let rows: [(shapes: [HierarchyShape], records: [String], sum: String)] = [
            ([[3], [3], [3]], ["M0.0>0.1/2", "M0.1>0.2/5"], "M0.0>0.2/5"),
            ([[3], [3], [3]], ["M0.0>0.2/2", "M0.2>0.0/5"], ""),
            ([[2], [2], [2]], ["M0.1>0.0/2", "R0.1/5"], "D0.0/5 I0.1/5"),
            ([[3], [3], [3]], ["R0.0/2", "M0.0>0.2/5"], "D0.0/5 I0.2/5"),
            ([[1, 1], [1, 4], [4, 1]], ["RS1/2", "MS1>0/5"], "DS1/5 IS0/5"),
            ([[1], [1, 2], [1, 5]], ["IS1/2", "I1.0+1.1+1.2/5"], "IS1/2"),
            ([[1], [1], [4]], ["H0/2", "RS0/5"], "RS0/5 H0/2"),
        ]
        for (shapes, records, expected) in rows {
            let updates = try zip(records, zip(shapes, shapes.dropFirst())).map { text, ends in
                try record(text).validated(from: ends.0, to: ends.1)
            }
            let sum = try #require(try ValidatedChangeSet(composing: updates))
            #expect(HierarchyChangeSet(recording: sum) == record(expected), "\(records)")
        }
    }

    @Test func reloadingEverythingAbsorbsTheOtherUpdates() throws {
        let parts = [
            try record("I0.0/2").validated(from: [1], to: [2]),
            try record("X/5").validated(from: [2], to: [0, 3]),
            try record("D1.0/2").validated(from: [0, 3], to: [0, 2]),
            try record("D1.0/2").validated(from: [0, 2], to: [0, 1]),
        ]
        let sum = try #require(try ValidatedChangeSet(composing: parts))
        let expected = try record("X/5").validated(from: [1], to: [0, 1])
        #expect(sum.isReloadData && sum.picture == expected.picture)
        let inverse = try record("X/5").validated(from: [0, 1], to: [1])
        #expect(sum.inverted.isReloadData && sum.inverted.picture == inverse.picture)
    }

    @Test func updatesThatDoNotFollowAreRejectedAndChangeNothing() throws {
        let first = try record("I0.0").validated(from: [1], to: [2])
        let other = try record("I0.0").validated(from: [3], to: [4])
        let wider = try record("I0.0").validated(from: [2, 1], to: [3, 1])
        let error = rejection(of: try first.composed(with: other))
        #expect(error?.code == .itemCount && error?.section == 0)
        #expect(error?.oldShape == [3] && error?.newShape == [4])
        var composition = ChangeSetComposition(from: [1])
        try composition.append(first)
        let wide = rejection(of: try composition.append(wider))
        #expect(wide?.code == .sectionCount)
        #expect(composition.update.picture == first.picture && composition.newShape == [2])
        #expect(try ValidatedChangeSet(composing: [] as [ValidatedChangeSet]) == nil ? true : false)
    }

    // MARK: Inversion

    /// The inverse made by hand: every run reversed, with the same options.
    private func inverse(of update: ValidatedChangeSet) -> ArrayModel.Edits {
        func inverted(_ role: EditRole) -> EditRole {
            role == .delete ? .insert : role == .insert ? .delete : role
        }
        func inverted(_ edit: ItemEdit) -> ItemEdit {
            var edit = edit
            edit.role = inverted(edit.role)
            return edit
        }
        func inverted(_ edit: SectionEdit, newItems: Int) -> SectionEdit {
            var edit = edit
            (edit.role, edit.newItemCount) = (inverted(edit.role), newItems)
            return edit
        }
        var edits = ArrayModel.Edits(update)
        edits.itemRemovals = update.itemInsertions.reversed().map { inverted($0) }
        edits.itemInsertions = update.itemRemovals.reversed().map { inverted($0) }
        edits.sectionRemovals = update.sectionInsertions.reversed().map {
            inverted($0, newItems: 0)
        }
        edits.sectionInsertions = update.sectionRemovals.reversed().map { edit in
            let movedOut = update.itemRemovals.count { $0.path.section == edit.section }
            let count = update.oldShape.itemCounts[edit.section] - movedOut
            return inverted(edit, newItems: edit.role == .move ? 0 : count)
        }
        edits.reconfigurations = update.reconfigurations.map {
            ItemReconfiguration(oldPath: $0.newPath, newPath: $0.oldPath, animation: $0.animation)
        }.sorted { $0.newPath < $1.newPath }
        edits.supplementaryReloads = update.supplementaryReloads.compactMap { reload in
            guard let section = update.oldSection(for: reload.newSection) else { return nil }
            return SupplementaryReload(
                kind: reload.kind,
                newSection: section,
                animation: reload.animation
            )
        }.sorted { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
        return edits
    }

    private func inversionFault(of update: ValidatedChangeSet) throws -> String? {
        let back = update.inverted
        if ArrayModel.Edits(back) != inverse(of: update) { return "wrong inverse" }
        if let fault = back.fault() { return fault }
        let paths = update.newShape.paths.allSatisfy {
            back.newPath(for: $0) == update.oldPath(for: $0)
        }
        let others = update.oldShape.paths.allSatisfy {
            back.oldPath(for: $0) == update.newPath(for: $0)
        }
        if !paths || !others || back.newShape != update.oldShape { return "wrong paths" }
        // Moves, insertions and reloads leave nothing after the composition with their inverse.
        let removals = update.itemRemovals.map(\.role) + update.sectionRemovals.map(\.role)
        if removals.allSatisfy({ $0 == .move }), update.reconfigurations.isEmpty,
            update.supplementaryReloads.isEmpty
        {
            return try update.composed(with: back).isEmpty ? nil : "edits are left"
        }
        return nil
    }

    @Test func everyUpdateIsUndoneByItsInverseAndMatchesItsRecord() throws {
        for update in SmallUpdates.ofTwoEdits.all {
            if let fault = try inversionFault(of: update) ?? update.fault() {
                Issue.record("\(fault) for \(update.picture)")
                return
            }
        }
        for seed in 0..<Effort.number(800, usually: 200) {
            var random = RandomRecords(seed: UInt64(seed), rarity: 2 + seed % 7)
            let shape = random.shape(sections: 5, items: 7)
            let update = try random.next(from: shape, options: seed % 2)
            let fault = try inversionFault(of: update) ?? update.fault()
            #expect(fault == nil, "seed \(seed)")
        }
    }

    /// A record has the fewest possible operations, in ascending order.
    @Test func neighboursWithOneOptionShareAnOperationOfTheRecord() throws {
        let rows: [(HierarchyShape, HierarchyShape, String)] = [
            (
                [4, 1, 1, 2, 1, 3, 4], [0, 4, 3, 2],
                "D0.0/2 D0.1/5 D0.2+0.3/6 DS1/2 DS2/5 DS4/6 MS5>2/2 MS6>1/5"
            ),
            ([5], [2, 0, 0], "D0.0+0.1/2 D0.3/5 IS1+2/0 H0+2/2"),
            ([1, 1, 1, 1], [1, 1, 1, 1], "F0+1+2/2 H0+1+3/2"),
            ([1], [2], "X/5"),
        ]
        for (old, new, text) in rows {
            let update = try record(text).validated(from: old, to: new)
            #expect(HierarchyChangeSet(recording: update) == record(text))
        }
    }

    // MARK: Collections

    /// Other tests compare every update of arrays with the model; this one uses other collections
    /// and failures.
    @Test func anyCollectionIsEditedLikeAnArrayOrStaysUnchanged() throws {
        for seed in 0..<Effort.number(300, usually: 30) {
            var random = RandomRecords(seed: UInt64(seed))
            let shape = random.shape(sections: 5, items: 7)
            let update = try random.next(from: shape, options: 0)
            let arrays = update.oldShape.itemCounts.enumerated().map { section, count in
                (0..<count).map { path(section, $0) }
            }
            var slices = ContiguousArray(arrays.map { ArraySlice([path(9, 9)] + $0).dropFirst() })
            try update.apply(to: &slices) { path(-1 - $0.section, $0.item) }
            let expected = try update.apply(to: arrays) { path(-1 - $0.section, $0.item) }
            #expect(slices.map(Array.init) == expected, "seed \(seed)")
        }
        let update = try record("M0.0>1.2 I0.0").validated(from: [3, 2], to: [3, 3])
        var words = ["cat", "do"]
        try update.apply(to: &words) { _ in "b" }
        #expect(words == ["bat", "doc"])
        let wrong: [[String]] = [["cat"], ["cat", "do", ""], ["cat", "d"], ["c", "do"]]
        for var words in wrong {
            let before = words
            let error = #expect(throws: HierarchyUpdateError.self) {
                try update.apply(to: &words) { _ in
                    Issue.record("a new item was requested")
                    return "b"
                }
            }
            #expect(error?.code == (words.count == 2 ? .itemCount : .sectionCount))
            #expect(error?.oldShape == [3, 2] && words == before)
        }
        struct Failure: Error {}
        var others = ["cat", "do"]
        #expect(throws: Failure.self) { try update.apply(to: &others) { _ in throw Failure() } }
        #expect(others == ["cat", "do"])
    }
}

extension ValidatedChangeSet {
    /// Whether the update has no edits of any kind.
    var changesNothing: Bool {
        edits.isEmpty && reconfigurations.isEmpty && supplementaryReloads.isEmpty && !isReloadData
    }
}
