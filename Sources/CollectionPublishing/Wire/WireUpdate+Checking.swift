// What an update must be by itself, before anything is known of the state that it is for.

extension WireUpdate {
    /// Where what moves goes to.
    struct Moves {
        /// New paths by old ones.
        var items: [ItemPath: ItemPath] = [:]
        /// New indexes by old ones.
        var sections: [Int: Int] = [:]
    }

    /// Whether the message makes sense by itself; what moves where then.
    ///
    /// Complexity: O(k), and as much memory, for a message of k parts.
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

    /// Places must be such, and in the order of their list, each once.
    private func check(
        _ places: some Collection<some ListedPlace>,
        _ list: String
    ) throws(ReplicaError) {
        for (place, next) in zip(places, places.dropFirst()) where place >= next {
            throw ReplicaError(
                .unreadable,
                "\(list) must be in order, each once, but there are \(place) and \(next)"
            )
        }
        for place in places where !place.isPossible {
            throw ReplicaError(.unreadable, "\(list) must have indexes from 0, but one is \(place)")
        }
    }

    private func checkNumbers() throws(ReplicaError) {
        var numbers = WireNumbers()
        for insertion in insertedSections {
            if case .fresh(let section) = insertion.source { try numbers.insert(section) }
        }
        for insertion in insertedItems {
            if case .fresh(let item) = insertion.source { try numbers.insert(item) }
        }
    }

    private func moves() throws(ReplicaError) -> Moves {
        var moves = Moves()
        for insertion in insertedItems {
            guard case .old(let oldPath) = insertion.source else { continue }
            if moves.items.updateValue(insertion.newPath, forKey: oldPath) != nil {
                throw ReplicaError(.unreadable, "item \(oldPath) must move to one place")
            }
        }
        for insertion in insertedSections {
            guard case .old(let oldIndex) = insertion.source else { continue }
            if moves.sections.updateValue(insertion.newIndex, forKey: oldIndex) != nil {
                throw ReplicaError(.unreadable, "section \(oldIndex) must move to one place")
            }
        }
        guard removedItems.count(where: { moves.items[$0] != nil }) == moves.items.count,
            removedSections.count(where: { moves.sections[$0] != nil }) == moves.sections.count
        else {
            throw ReplicaError(.unreadable, "what moves must be removed from its old place")
        }
        return moves
    }

    /// What goes or comes with its section is not listed by itself.
    private func checkWholeSections(_ moves: Moves) throws(ReplicaError) {
        let gone = Set(removedSections.filter { moves.sections[$0] == nil })
        for path in removedItems where gone.contains(path.section) && moves.items[path] == nil {
            throw ReplicaError(.unreadable, "item \(path) must be removed with its section")
        }
        let kept = Set(moves.sections.values)
        let fresh = Set(insertedSections.map(\.newIndex)).subtracting(kept)
        for insertion in insertedItems where fresh.contains(insertion.newPath.section) {
            guard case .fresh = insertion.source else { continue }
            throw ReplicaError(
                .unreadable,
                "item \(insertion.newPath) must be inserted with its section"
            )
        }
    }
}

/// An index or a path of a message.
private protocol ListedPlace: Comparable, Sendable {
    /// Whether there could be such a place.
    var isPossible: Bool { get }
}

extension Int: ListedPlace {
    fileprivate var isPossible: Bool { (0...WireMessage.greatestInteger).contains(self) }
}

extension ItemPath: ListedPlace {
    fileprivate var isPossible: Bool { section.isPossible && item.isPossible }
}
