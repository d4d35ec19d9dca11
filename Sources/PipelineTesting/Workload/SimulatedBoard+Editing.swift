import CollectionSnapshots

extension SimulatedBoard {
    /// A state made from the newest by some edits, or from nothing.
    func nextState(_ random: inout SeededGenerator) -> State {
        var state = applied.last?.state.snapshot ?? CollectionSnapshot()
        if random.isTrue(oneIn: 6) { state = CollectionSnapshot() }
        // As an application would, who has not asked what was accepted.
        if random.isTrue(oneIn: 2) { state.removeAllMarks() }
        var isShort = false
        do {
            for _ in 0..<(1 + random.next(below: 4)) { try edit(&state, &random) }
            if random.isTrue(oneIn: 10), let section = state.sectionIdentifiers.last {
                // Whose model is asked for, and is not there.
                itemCount += 1
                try state.appendItems([itemCount - 1], toSection: section)
                isShort = true
            }
        } catch {
            note("Whole Or Nothing", "an edit of a snapshot failed: \(error)")
        }
        return State(state, isShort: isShort)
    }

    private func edit(_ state: inout State.Snapshot, _ random: inout SeededGenerator) throws {
        let items = state.itemIdentifiers
        func someItem() -> Int? { items.isEmpty ? nil : items[random.next(below: items.count)] }
        func freshItems(_ count: Int) -> [Int] {
            itemCount += count
            return Array(itemCount - count..<itemCount)
        }
        guard let section = state.sectionIdentifiers.randomElement(using: &random) else {
            return try state.appendSections([random.next(below: 3), 3 + random.next(below: 3)])
        }
        switch random.next(below: 10) {
        case 0, 1: try state.appendItems(freshItems(2), toSection: section)
        case 2: try someItem().map { try state.deleteItems([$0]) }
        case 3: try someItem().map { try state.appendItems([$0], toSection: section) }
        case 4, 5: try someItem().map { try state.reloadItems([$0]) }
        case 6: try someItem().map { try state.reconfigureItems([$0]) }
        case 7:
            let new = 6 + random.next(below: 1_000)
            if !state.containsSection(new) {
                try state.insertSections([new], beforeSection: section)
            }
        case 8 where random.isTrue(oneIn: 3): try state.deleteSections([section])
        case 9 where random.isTrue(oneIn: 4):
            try state.appendItems(freshItems(Self.itemLimit), toSection: section)
        default:
            let first = state.sectionIdentifiers[0]
            if first != section { try state.moveSection(section, beforeSection: first) }
        }
    }
}
