// Builds the update that leads from the state after `theirs` to the merged state.

extension ChangeMerge {
    func rebasedUpdate() throws(HierarchyUpdateError) -> ValidatedChangeSet {
        let isTouched = touchedSections()
        var options = OptionCodes()
        var traced: [TracedSection] = []
        var counts: [Int] = []
        for section in sections {
            var result = emptySection(section, &options)
            let isAfterTheirs = section.content == .kept ? !minePrevails : section.content != .mine
            if isAfterTheirs, !isTouched[section.theirs] {
                counts.append(theirs.update.newShape.itemCounts[section.theirs])
            } else {
                var writer = MergeWriter(self, options)
                writer.write(section)
                options = writer.options
                let stretches = writer.stretches()
                counts.append(try MergeWriter.count(stretches))
                result.items = StretchRope(stretches)
            }
            traced.append(result)
        }
        let newSections = sections.indices.filter { sections[$0].mine >= 0 }
        let byMine = newSections.sorted { sections[$0].mine < sections[$1].mine }
        for reload in mine.update.supplementaryReloads {
            let position = byMine.sortedPosition(of: reload.newSection) { sections[$0].mine }
            if let position { traced[byMine[position]].reload(reload.kind, reload.animation) }
        }
        let shape = HierarchyShape(counts)
        var state = TracedState(from: theirs.update.newShape, to: shape, sections: traced)
        state.options = options
        noteRemovals(&state)
        return state.changeSet()
    }

    private func emptySection(_ section: Section, _ options: inout OptionCodes) -> TracedSection {
        var result = TracedSection(untouched: section.theirs)
        guard section.mine >= 0 else { return result }
        let isMine = section.content == .mine || section.content == .kept && minePrevails
        result.isReplaced = isMine && section.theirs >= 0
        let edit = mine.update.sectionInsertion(at: section.mine)
        if let edit, edit.role != .reload || isMine {
            result.arrival = options.code(of: edit.animation)
        }
        return result
    }

    /// Returns, for each section after `theirs`, whether `mine` changes any of its items.
    private func touchedSections() -> [Bool] {
        var result = Array(repeating: false, count: theirs.oldSections.count)
        func touch(_ oldPath: ItemPath) {
            let section = theirs.update.newPath(for: oldPath)?.section
            if let section { result[section] = true }
        }
        for edit in mine.update.itemRemovals { touch(edit.path) }
        for reconfiguration in mine.update.reconfigurations { touch(reconfiguration.oldPath) }
        for section in sections where section.theirs >= 0 && section.mine >= 0 {
            let arriving = mine.arriving.positions(inSection: section.mine) { $0.path.section }
            if !arriving.isEmpty { result[section.theirs] = true }
        }
        for edit in theirs.arriving {
            guard let oldPath = edit.associatedWith else { continue }
            // `mine` empties the section that `theirs` moved the item out of, so the item is
            // deleted from its current section.
            if mine.empties(oldPath.section) { result[edit.path.section] = true }
            // The target of this move is not in the merged state, so the item returns to its own
            // section.
            if !theirs.participates[edit.path.section], theirs.newSections[oldPath.section] >= 0 {
                result[theirs.newSections[oldPath.section]] = true
            }
        }
        return result
    }

    /// Records the animation options of the deletions in `mine`, for the items and sections that
    /// still exist.
    private func noteRemovals(_ state: inout TracedState) {
        for edit in mine.update.itemRemovals
        where edit.role == .delete && edit.animation != .automatic {
            guard let path = theirs.update.newPath(for: edit.path) else { continue }
            let item = ItemStretch(oldSection: path.section, oldItem: path.item, count: 1)
            state.removals.note(item, edit.animation)
        }
        for edit in mine.update.sectionRemovals where edit.role == .delete {
            let section = theirs.newSections[edit.section]
            if section >= 0 { state.removals.note(section: section, edit.animation) }
        }
        for edit in theirs.arriving {
            guard let oldPath = edit.associatedWith, mine.empties(oldPath.section),
                let animation = mine.update.animation(ofOldItem: oldPath)
            else { continue }
            let path = edit.path
            let item = ItemStretch(oldSection: path.section, oldItem: path.item, count: 1)
            state.removals.note(item, animation)
        }
    }

    // MARK: Dropped edits

    func droppedEdits() -> [DroppedEdit] {
        var result: [DroppedEdit] = []
        func drop(_ edit: HierarchyEdit, _ reason: DroppedEdit.Reason?) {
            if let reason { result.append(DroppedEdit(.edit(edit), reason)) }
        }
        for edit in mine.update.itemRemovals { drop(.removeItem(edit), reason(edit)) }
        for edit in mine.update.sectionRemovals { drop(.removeSection(edit), reason(edit)) }
        for edit in mine.arriving where edit.role == .insert {
            let isIn = mine.participates[edit.path.section]
            drop(.insertItem(edit), isIn ? nil : .targetGone)
        }
        for reconfiguration in mine.update.reconfigurations {
            var isGone = theirs.replaces(reconfiguration.oldPath)
            if case .gone = placement(of: reconfiguration.oldPath) { isGone = true }
            if isGone { result.append(DroppedEdit(.reconfiguration(reconfiguration), .gone)) }
        }
        for reload in mine.update.supplementaryReloads {
            let old = mine.oldSections[reload.newSection]
            if old >= 0, theirs.roles[old] == .delete {
                result.append(DroppedEdit(.supplementaryReload(reload), .gone))
            }
        }
        return result
    }

    private func reason(_ edit: ItemEdit) -> DroppedEdit.Reason? {
        var isGone = false
        if case .gone = theirs.effect(on: edit.path) { isGone = true }
        switch edit.role {
        case .delete, .insert:
            if case .movesAsTheirs = placement(of: edit.path) { return .overruled }
            return isGone ? .removedAlready : nil
        case .reload:
            if case .gone = placement(of: edit.path) { return .gone }
            return nil
        case .move:
            if isGone { return .gone }
            if let target = edit.associatedWith, !mine.participates[target.section] {
                return .targetGone
            }
            if case .movesAsMine = placement(of: edit.path) { return nil }
            return .overruled
        }
    }

    private func reason(_ edit: SectionEdit) -> DroppedEdit.Reason? {
        let other = theirs.roles[edit.section]
        if other == .delete { return edit.role == .delete ? .removedAlready : .gone }
        if kept.contains(edit.section) { return .overruled }
        let isOverruled = edit.role != .delete && other == edit.role && !minePrevails
        return isOverruled ? .overruled : nil
    }
}
