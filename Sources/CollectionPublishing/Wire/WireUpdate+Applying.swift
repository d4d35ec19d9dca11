// What an update does to a state that is there.

extension WireUpdate {
    /// One change set with what it brings.
    struct Step {
        let changeSet: ValidatedChangeSet
        let contents: PublishedContents
    }

    /// What comes, goes and moves; nil where nothing does.
    ///
    /// Complexity: O(k log k + s) for k edits and s sections.
    func edits(
        _ moves: Moves,
        from oldShape: HierarchyShape,
        within limits: ShapeLimits
    ) throws(ReplicaError) -> Step? {
        let edits = edits(moves)
        if edits.isEmpty { return nil }
        let newShape = try shape(after: oldShape)
        var contents = PublishedContents()
        for case .fresh(let section) in insertedSections.map(\.source) {
            contents.freshSections.append(
                PublishedContents.FreshSection(section: section.section, items: section.items)
            )
        }
        for case .fresh(let item) in insertedItems.map(\.source) {
            contents.insertedItems.append(item)
        }
        do throws(HierarchyUpdateError) {
            let changeSet = try ValidatedChangeSet(
                checking: edits,
                from: oldShape,
                to: newShape,
                limits: limits
            )
            return Step(changeSet: changeSet, contents: contents)
        } catch {
            throw misfit(error.summary)
        }
    }

    /// What shows something else than in `state`, where the edits have led to; nil where nothing does.
    ///
    /// Complexity: O(k log n + s) for k changes.
    func changes(
        in state: PublishedState,
        within limits: ShapeLimits
    ) throws(ReplicaError) -> Step? {
        if changedItems.isEmpty, changedSections.isEmpty { return nil }
        var contents = PublishedContents()
        for change in changedItems {
            guard let old = state.item(at: change.newPath) else {
                throw misfit("item \(change.newPath) changes, and there is none")
            }
            let item = PublishedItem(number: old.number, payload: change.payload)
            contents.changedItems.append(item)
        }
        for change in changedSections {
            guard let old = state.section(at: change.newIndex) else {
                throw misfit("section \(change.newIndex) changes, and there is none")
            }
            let section = PublishedSection(number: old.number, payload: change.payload)
            contents.changedSections.append(
                PublishedContents.ChangedSection(newIndex: change.newIndex, section: section)
            )
        }
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: changedItems.map(\.newPath))
        changes.reloadSupplementaries(
            ofKind: .header,
            in: SectionSet(changedSections.map(\.newIndex))
        )
        do throws(HierarchyUpdateError) {
            let changeSet = try changes.validated(
                from: state.shape,
                to: state.shape,
                limits: limits
            )
            return Step(changeSet: changeSet, contents: contents)
        } catch {
            throw misfit(error.summary)
        }
    }

    private func misfit(_ fault: String) -> ReplicaError {
        ReplicaError(.misfit, "the update to \(to) must fit the state at \(from): \(fault)")
    }

    // MARK: Edits

    private func edits(_ moves: Moves) -> [HierarchyEdit] {
        var edits: [HierarchyEdit] = []
        for path in removedItems {
            let newPath = moves.items[path]
            let role: EditRole = newPath == nil ? .delete : .move
            edits.append(.removeItem(ItemEdit(path: path, role: role, associatedWith: newPath)))
        }
        for index in removedSections {
            let newIndex = moves.sections[index]
            let role: EditRole = newIndex == nil ? .delete : .move
            edits.append(
                .removeSection(SectionEdit(section: index, role: role, associatedWith: newIndex))
            )
        }
        return edits + insertedSections.map(\.edit) + insertedItems.map(\.edit)
    }

    /// How many items there are in each section afterwards, if the places of insertions are there: where they are not,
    /// the edits do not fit this shape, which validation finds.
    ///
    /// No sum overflows: each counts what is in memory already, there or in the message.
    private func shape(after old: HierarchyShape) throws(ReplicaError) -> HierarchyShape {
        var oldCounts = old.itemCounts
        for path in removedItems {
            guard old.contains(path) else { throw misfit("item \(path) goes, and there is none") }
            oldCounts[path.section] -= 1
        }
        if let last = removedSections.first, last >= oldCounts.count {
            throw misfit("section \(last) goes, and there is none")
        }
        let gone = Set(removedSections)
        var staying = oldCounts.indices.lazy.filter { !gone.contains($0) }.makeIterator()
        var counts: [Int] = []
        for insertion in insertedSections {
            while counts.count < insertion.newIndex, let index = staying.next() {
                counts.append(oldCounts[index])
            }
            switch insertion.source {
            case .fresh(let section): counts.append(section.items.count)
            // It is one of those that go, which are there.
            case .old(let oldIndex): counts.append(oldCounts[oldIndex])
            }
        }
        while let index = staying.next() { counts.append(oldCounts[index]) }
        for path in insertedItems.lazy.map(\.newPath) {
            guard path.section < counts.count else {
                throw misfit("item \(path) comes, and there is no such section")
            }
            counts[path.section] += 1
        }
        return HierarchyShape(counts)
    }
}

extension WireUpdate.SectionInsertion {
    fileprivate var edit: HierarchyEdit {
        switch source {
        case .old(let oldIndex):
            .insertSection(SectionEdit(section: newIndex, role: .move, associatedWith: oldIndex))
        case .fresh(let section):
            .insertSection(
                SectionEdit(section: newIndex, role: .insert, freshItemCount: section.items.count)
            )
        }
    }
}

extension WireUpdate.ItemInsertion {
    fileprivate var edit: HierarchyEdit {
        switch source {
        case .old(let oldPath):
            .insertItem(ItemEdit(path: newPath, role: .move, associatedWith: oldPath))
        case .fresh:
            .insertItem(ItemEdit(path: newPath, role: .insert))
        }
    }
}
