import CollectionChanges
import TestSupport
import Testing

/// Rebases two updates of one state over each other and compares the results with a model of the
/// merged state.
@Suite struct RebasingTests {
    /// Returns the first fault of the diamond of two updates of one state, with `mine` as the later
    /// one.
    private func fault(_ mine: ValidatedChangeSet, _ theirs: ValidatedChangeSet) throws -> String? {
        let rebased = try mine.rebased(over: theirs)
        let other = try theirs.rebased(over: mine, as: .earlier)
        func fault(_ text: String) -> String {
            """
            \(text)\nmine \(mine.picture)\ntheirs \(theirs.picture)\nrebased \(rebased.update.picture)
            dropped \(rebased.dropped)\nother \(other.update.picture)\ndropped \(other.dropped)
            """
        }
        for side in [rebased.update, other.update] {
            if let text = side.fault() { return fault(text) }
        }
        let mineFirst = MergeModel(mine, then: other.update, isMineFirst: true)
        let theirsFirst = MergeModel(theirs, then: rebased.update, isMineFirst: false)
        if !mineFirst.matches(theirsFirst) { return fault("\(mineFirst) is not \(theirsFirst)") }
        let expected = MergeModel.merged(mine, theirs)
        if !mineFirst.matches(expected) { return fault("\(mineFirst) instead of \(expected)") }
        for (isMine, found) in [(true, rebased.dropped), (false, other.dropped)] {
            let expected = MergeModel.dropped(mine, theirs, ofMine: isMine)
            if found != expected { return fault("drops \(found), not \(expected)") }
        }
        let wrong =
            RebasedOptions(mine: mine, theirs: theirs, rebased: rebased, other: other.update).fault
            ?? RebasedOptions(mine: theirs, theirs: mine, rebased: other, other: rebased.update)
            .fault
        return wrong.map(fault)
    }

    @Test func smallUpdatesOfOneStateConverge() throws {
        let updates = SmallUpdates.ofTwoEdits
        var thinning = Thinning(307, full: 101)
        var count = 0
        for mine in updates.all {
            // Rebased over an update without edits, an update stays the same.
            let unchanged = ValidatedChangeSet.unchanged(mine.oldShape)
            let alone = try mine.rebased(over: unchanged)
            let rest = try unchanged.rebased(over: mine).update
            if alone.update.picture != mine.picture || !alone.dropped.isEmpty || !rest.isEmpty {
                Issue.record("\(mine.picture)")
                return
            }
            for theirs in updates[from: mine.oldShape] where thinning.takesNext() {
                if let fault = try fault(mine, theirs) {
                    Issue.record("\(fault)")
                    return
                }
                count += 1
            }
        }
        #expect(count > 1_000)
    }

    /// The two updates have different options, and the sections different indexes.
    @Test func randomUpdatesOfOneStateConverge() throws {
        for seed in 0..<Effort.number(2_000, usually: 400) {
            var random = RandomRecords(seed: UInt64(seed), rarity: 2 + seed % 9)
            let shape =
                seed.isMultiple(of: 80)
                ? HierarchyShape([300, 0, 50, 7]) : random.shape(sections: 5, items: 8)
            let mine = try random.next(from: shape, options: 1)
            random.rarity = 2 + seed % 7
            let theirs = try random.next(from: shape, options: 2)
            if let fault = try fault(mine, theirs) {
                Issue.record("seed \(seed): \(fault.prefix(4_000))")
                return
            }
        }
    }

    // MARK: Cases

    @Test func droppedEditsAreListedInOrderWithTheirReasons() throws {
        let mine = try record("D0.0 R0.1 M0.2>1.0 M0.3>0.0 I1.1 C1.0 H1")
            .validated(from: [5, 1], to: [3, 3])
        let theirs = try record("D0.0+0.1 DS1 M0.3>0.2").validated(from: [5, 1], to: [3])
        #expect(
            try mine.rebased(over: theirs, as: .earlier).dropped.map(\.description) == [
                "remove item 0 - 3 (move with 0 - 0): overruled",
                "remove item 0 - 2 (move with 1 - 0): targetGone",
                "remove item 0 - 1 (reload with 0 - 1): gone",
                "remove item 0 - 0 (delete): removedAlready",
                "insert item 1 - 1 (insert): targetGone", "reconfigure item 1 - 0: gone",
                "reload header of section 1: gone",
            ]
        )
    }

    @Test func reloadingEverythingDropsAndListsEachOtherEditOnce() throws {
        let three: HierarchyShape = [3, 1, 1]
        let mine = try record("D0.0 M0.1>0.0 I0.2 C0.2 DS1 IS1 RS2 H0")
            .validated(from: three, to: [3, 4, 2])
        let reload = try record("X/5").validated(from: three, to: [2])
        let rebased = try mine.rebased(over: reload)
        #expect(rebased.update.isEmpty && rebased.update.newShape == [2])
        #expect(
            rebased.dropped.map(\.description) == [
                "remove item 0 - 1 (move with 0 - 0): gone", "remove item 0 - 0 (delete): gone",
                "remove section 2 (reload with 2): gone", "remove section 1 (delete): gone",
                "insert section 1 (insert, 4 new): gone", "insert item 0 - 2 (insert): gone",
                "reconfigure item 0 - 2: gone", "reload header of section 0: gone",
            ]
        )
        for order in [RebaseOrder.earlier, .later] {
            let kept = try reload.rebased(over: mine, as: order)
            let expected = try record("X/5").validated(from: [3, 4, 2], to: [2])
            #expect(kept.update.picture == expected.picture && kept.dropped.isEmpty)
        }
        let other = try record("X/5").validated(from: three, to: [5])
        #expect(try reload.rebased(over: other).update.newShape == [2])
        let earlier = try reload.rebased(over: other, as: .earlier)
        #expect(earlier.update.isEmpty && earlier.update.newShape == [5])
        #expect(
            earlier.dropped.count == 4 && earlier.dropped.allSatisfy { $0.reason == .overruled }
        )
    }

    @Test func updatesOfDifferentStatesAreRejected() throws {
        let mine = try record("I0.0").validated(from: [1], to: [2])
        let theirs = try record("I0.0").validated(from: [2], to: [3])
        let error = rejection(of: try mine.rebased(over: theirs))
        #expect(error?.code == .itemCount)
        let limits = ShapeLimits(sections: .max, items: .max)
        let most = try record("I0.0").validated(from: [.max - 1], to: [.max], limits: limits)
        let sum = rejection(of: try most.rebased(over: most))
        #expect(sum?.code == .tooManyItems)
    }
}

/// Checks the options of an update that was rebased over another, edit by edit, against its
/// documentation.
private struct RebasedOptions {
    let mine: ValidatedChangeSet
    let theirs: ValidatedChangeSet
    let rebased: RebasedChangeSet
    /// Leads from the state after `mine` to the merged state.
    let other: ValidatedChangeSet

    /// The first edit with a wrong option, or the first missing one; `nil` if there is none.
    var fault: String? {
        if mine.isReloadData || theirs.isReloadData { return nil }
        let update = rebased.update
        for edit in update.itemRemovals where edit.animation != option(ofRemoval: edit) {
            return "\(edit) instead of \(option(ofRemoval: edit) as Any)"
        }
        for edit in update.itemInsertions {
            let half = update.itemRemovals.first { $0.path == edit.associatedWith }
            let own = other.oldPath(for: edit.path).flatMap { path in
                mine.itemInsertions.first { $0.path == path }
            }
            let expected = edit.role == .insert ? own?.animation : half?.animation
            if edit.animation != expected { return "\(edit) instead of \(expected as Any)" }
        }
        for edit in update.sectionRemovals where edit.animation != option(ofRemoval: edit) {
            return "\(edit) instead of \(option(ofRemoval: edit) as Any)"
        }
        for edit in update.sectionInsertions {
            let half = update.sectionRemovals.first { $0.section == edit.associatedWith }
            let own = other.oldSection(for: edit.section).flatMap { section in
                mine.sectionInsertions.first { $0.section == section }
            }
            let expected = edit.role == .insert ? own?.animation : half?.animation
            if edit.animation != expected { return "\(edit) instead of \(expected as Any)" }
        }
        return updateFault
    }

    private func option(ofRemoval edit: ItemEdit) -> AnimationOption? {
        let oldPath = theirs.oldPath(for: edit.path)
        let own = mine.itemRemovals.first { $0.path == oldPath }
        let isDone =
            own.map { own in
                !rebased.dropped.contains { $0.subject == .edit(.removeItem(own)) }
            } ?? false
        guard edit.role == .move else {
            // Its own option, or that of the section that contained it at the start.
            return own?.animation ?? oldPath.flatMap { mine.animation(ofOldSection: $0.section) }
        }
        if let own, own.role == .move, isDone { return own.animation }
        // The item returns from a section that `mine` removes, or makes room for an item that
        // `mine` moved.
        let section = theirs.oldSection(for: edit.path.section)
        let gone = mine.sectionRemovals.first { $0.section == section && $0.role != .move }
        return gone?.animation ?? .automatic
    }

    private func option(ofRemoval edit: SectionEdit) -> AnimationOption? {
        let own = mine.sectionRemovals.first { $0.section == theirs.oldSection(for: edit.section) }
        return edit.role == .move ? own?.animation ?? .automatic : own?.animation
    }

    /// Reconfigurations and reloads of supplementary elements must occur once with their options,
    /// or be dropped.
    private var updateFault: String? {
        let (update, subjects) = (rebased.update, rebased.dropped.map(\.subject))
        let kept = mine.reconfigurations.filter { !subjects.contains(.reconfiguration($0)) }
        for edit in kept {
            let path = theirs.newPath(for: edit.oldPath)
            let found = update.reconfigurations.filter { $0.oldPath == path }
            if found.map(\.animation) != [edit.animation] { return "\(edit) became \(found)" }
        }
        if update.reconfigurations.count != kept.count { return "\(update.reconfigurations)" }
        var reloads: [SupplementaryReload] = []
        for var reload in mine.supplementaryReloads
        where !subjects.contains(.supplementaryReload(reload)) {
            // Theirs may reload the section, which is then removed and inserted over mine.
            let old = mine.oldSection(for: reload.newSection)
            let reloaded = old.flatMap { theirs.newSection(for: $0) }
                .flatMap { update.newSection(for: $0) }
            guard let section = other.newSection(for: reload.newSection) ?? reloaded else {
                return "\(reload) is lost"
            }
            // An inserted section loads all supplementary elements anyway.
            let isInserted = update.sectionInsertions.contains {
                $0.section == section && $0.role == .insert
            }
            if isInserted, !theirs.edits.isEmpty { continue }
            reload.newSection = section
            reloads.append(reload)
        }
        reloads.sort { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
        return update.supplementaryReloads == reloads ? nil : "\(update.supplementaryReloads)"
    }
}
