// Applying an update to an existing state.

extension WireUpdate {
    /// A change set with its contents.
    struct Step {
        let changeSet: ValidatedChangeSet
        let contents: PublishedContents
    }

    /// Returns the insertions, removals and moves of the update; `nil` if it has none.
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
        for case .new(let section) in insertedSections.map(\.source) {
            contents.insertedSections.append(
                PublishedContents.InsertedSection(section: section.section, items: section.items)
            )
        }
        for case .new(let item) in insertedItems.map(\.source) {
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
            throw mismatch(error.summary)
        }
    }

    /// Returns the in-place changes of the update; `nil` if it has none.
    ///
    /// Complexity: O(k log n + s) for k changes.
    ///
    /// - Parameter state: The state after the edits.
    func changes(
        in state: PublishedState,
        within limits: ShapeLimits
    ) throws(ReplicaError) -> Step? {
        if changedItems.isEmpty, changedSections.isEmpty { return nil }
        var contents = PublishedContents()
        for change in changedItems {
            guard let old = state.item(at: change.newPath) else {
                throw mismatch("item \(change.newPath) is changed, but does not exist")
            }
            let item = PublishedItem(number: old.number, payload: change.payload)
            contents.changedItems.append(item)
        }
        for change in changedSections {
            guard let old = state.section(at: change.newIndex) else {
                throw mismatch("section \(change.newIndex) is changed, but does not exist")
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
            throw mismatch(error.summary)
        }
    }

    private func mismatch(_ fault: String) -> ReplicaError {
        ReplicaError(.mismatch, "the update to \(to) must fit the state at \(from): \(fault)")
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

    /// Returns the number of items in each section after the edits. If an insertion has an index
    /// that does not exist, the edits do not fit this shape, and validation finds that.
    ///
    /// No sum overflows: each one counts elements that are in memory already, in the state or in
    /// the message.
    private func shape(after old: HierarchyShape) throws(ReplicaError) -> HierarchyShape {
        var oldCounts = old.itemCounts
        for path in removedItems {
            guard old.contains(path) else {
                throw mismatch("item \(path) is removed, but does not exist")
            }
            oldCounts[path.section] -= 1
        }
        if let last = removedSections.first, last >= oldCounts.count {
            throw mismatch("section \(last) is removed, but does not exist")
        }
        let gone = Set(removedSections)
        var staying = oldCounts.indices.lazy.filter { !gone.contains($0) }.makeIterator()
        var counts: [Int] = []
        for insertion in insertedSections {
            while counts.count < insertion.newIndex, let index = staying.next() {
                counts.append(oldCounts[index])
            }
            switch insertion.source {
            case .new(let section): counts.append(section.items.count)
            // A section that moves is one of the removed sections, which were checked above.
            case .old(let oldIndex): counts.append(oldCounts[oldIndex])
            }
        }
        while let index = staying.next() { counts.append(oldCounts[index]) }
        for path in insertedItems.lazy.map(\.newPath) {
            guard path.section < counts.count else {
                throw mismatch("item \(path) is inserted, but its section does not exist")
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
        case .new(let section):
            .insertSection(
                SectionEdit(section: newIndex, role: .insert, newItemCount: section.items.count)
            )
        }
    }
}

extension WireUpdate.ItemInsertion {
    fileprivate var edit: HierarchyEdit {
        switch source {
        case .old(let oldPath):
            .insertItem(ItemEdit(path: newPath, role: .move, associatedWith: oldPath))
        case .new:
            .insertItem(ItemEdit(path: newPath, role: .insert))
        }
    }
}

// Checks of an update by itself, before anything is known about the state that it applies to.

extension WireUpdate {
    /// The targets of moves.
    struct Moves {
        /// The new path of each moved item, by its old path.
        var items: [ItemPath: ItemPath] = [:]
        /// The new index of each moved section, by its old index.
        var sections: [Int: Int] = [:]
    }

    /// Returns the moves of the message, if it is valid by itself.
    ///
    /// Complexity: O(k) time and memory for a message of k parts.
    func checked() throws(ReplicaError) -> Moves {
        try checkOrder()
        try checkNumbers()
        let moves = try moves()
        try checkWholeSections(moves)
        return moves
    }

    private func checkOrder() throws(ReplicaError) {
        try check(removedItems.reversed(), "removed items")
        try check(removedSections.reversed(), "removed sections")
        try check(insertedSections.map(\.newIndex), "inserted sections")
        try check(insertedItems.map(\.newPath), "inserted items")
        try check(changedItems.map(\.newPath), "changed items")
        try check(changedSections.map(\.newIndex), "changed sections")
    }

    /// Checks that the places in a list are in range and ascend, without duplicates.
    private func check(
        _ places: some Collection<some ListedPlace>,
        _ list: String
    ) throws(ReplicaError) {
        for (place, next) in zip(places, places.dropFirst()) where place >= next {
            throw ReplicaError(
                .unreadable,
                "\(list) must be in order and unique, but \(place) and \(next) are not"
            )
        }
        for place in places where !place.isPossible {
            throw ReplicaError(.unreadable, "\(list) must have indexes from 0, but one is \(place)")
        }
    }

    private func checkNumbers() throws(ReplicaError) {
        var numbers = WireNumbers()
        for insertion in insertedSections {
            if case .new(let section) = insertion.source { try numbers.insert(section) }
        }
        for insertion in insertedItems {
            if case .new(let item) = insertion.source { try numbers.insert(item) }
        }
    }

    private func moves() throws(ReplicaError) -> Moves {
        var moves = Moves()
        for insertion in insertedItems {
            guard case .old(let oldPath) = insertion.source else { continue }
            if moves.items.updateValue(insertion.newPath, forKey: oldPath) != nil {
                throw ReplicaError(.unreadable, "item \(oldPath) must move to only one place")
            }
        }
        for insertion in insertedSections {
            guard case .old(let oldIndex) = insertion.source else { continue }
            if moves.sections.updateValue(insertion.newIndex, forKey: oldIndex) != nil {
                throw ReplicaError(.unreadable, "section \(oldIndex) must move to only one place")
            }
        }
        guard removedItems.count(where: { moves.items[$0] != nil }) == moves.items.count,
            removedSections.count(where: { moves.sections[$0] != nil }) == moves.sections.count
        else {
            throw ReplicaError(.unreadable, "a move must start at a removed place")
        }
        return moves
    }

    /// Checks that the message does not list items that are removed or inserted together with their
    /// section.
    private func checkWholeSections(_ moves: Moves) throws(ReplicaError) {
        let gone = Set(removedSections.filter { moves.sections[$0] == nil })
        for path in removedItems where gone.contains(path.section) && moves.items[path] == nil {
            throw ReplicaError(.unreadable, "item \(path) must be removed with its section")
        }
        let kept = Set(moves.sections.values)
        let inserted = Set(insertedSections.map(\.newIndex)).subtracting(kept)
        for insertion in insertedItems where inserted.contains(insertion.newPath.section) {
            guard case .new = insertion.source else { continue }
            throw ReplicaError(
                .unreadable,
                "item \(insertion.newPath) must be inserted with its section"
            )
        }
    }
}

/// An index or a path in a message.
private protocol ListedPlace: Comparable, Sendable {
    /// Whether the indexes are in range.
    var isPossible: Bool { get }
}

extension Int: ListedPlace {
    fileprivate var isPossible: Bool { (0...WireMessage.greatestInteger).contains(self) }
}

extension ItemPath: ListedPlace {
    fileprivate var isPossible: Bool { section.isPossible && item.isPossible }
}
