import CollectionChanges
import Testing

/// A state that several users change. Each has a history, which observes the changes of the
/// others.
package struct EditedDocument {
    package struct Item: Hashable {
        package let id: Int
        package var revision = 0
    }

    package typealias State = [[Item]]

    /// The context of an update: the states around it.
    package struct Change {
        var before: State
        var after: State
    }

    package private(set) var state: State = []
    package var histories: [ChangeHistory<Change>]
    package var random: SeededNumbers
    /// By user: the items that would exist if only the others had made changes.
    package private(set) var withoutUser: [Set<Int>]
    /// The user who inserted each item first; -1 for the initial items.
    private var creators: [Int: Int] = [:]
    /// By user: the items that the user updated or restored.
    package private(set) var updatedByUser: [Set<Int>]
    private var nextID = 0

    package init(seed: UInt64, users: Int = 1, limit: Int = 100, counts: [Int] = [3, 0, 4]) {
        random = SeededNumbers(seed: seed)
        histories = Array(repeating: ChangeHistory(limit: limit), count: users)
        (withoutUser, updatedByUser) = ([], Array(repeating: [], count: users))
        state = counts.map { count in (0..<count).map { _ in makeItem() } }
        withoutUser = Array(repeating: ids, count: users)
        for id in ids { creators[id] = -1 }
    }

    private mutating func makeItem() -> Item {
        nextID += 1
        return Item(id: nextID)
    }

    package var shape: HierarchyShape { HierarchyShape(state.map(\.count)) }
    package var ids: Set<Int> { Set(state.joined().map(\.id)) }

    /// Draws an update that changes something.
    package mutating func randomUpdate(rate: Double = 0.2) throws -> ValidatedChangeSet {
        while true {
            let drawn = RandomUpdate(from: shape, &random, rate: rate)
            let update = try drawn.changes.validated(from: shape, to: drawn.newShape)
            if !Self.changesNothing(update) { return update }
        }
    }

    private static func changesNothing(_ update: ValidatedChangeSet) -> Bool {
        update.edits.isEmpty && update.reconfigurations.isEmpty
            && update.supplementaryReloads.isEmpty && !update.isReloadData
    }

    /// The items as texts, with one mark for each revision.
    package var texts: [[String]] {
        state.map { $0.map { "\($0.id)" + String(repeating: "'", count: $0.revision) } }
    }

    /// Applies an update; reconfigured items get another revision.
    package mutating func submit(_ update: ValidatedChangeSet, by user: Int = 0) throws {
        let before = state
        state = try Self.apply(update, to: state, makeItem: { _ in makeItem() }) { item in
            Item(id: item.id, revision: item.revision + 1)
        }
        try histories[user].record(update, Change(before: before, after: state))
        try notifyOthers(user, before) { history throws in try history.observe(update) }
    }

    private mutating func notifyOthers(
        _ user: Int,
        _ before: State,
        _ observe: (inout ChangeHistory<Change>) throws -> Void
    ) throws {
        let old = Set(before.joined().map(\.id))
        for item in Set(state.joined()).subtracting(before.joined()) {
            if creators[item.id] == nil {
                creators[item.id] = user
            } else {
                updatedByUser[user].insert(item.id)
            }
        }
        for other in histories.indices where other != user {
            try observe(&histories[other])
            withoutUser[other].subtract(old.subtracting(ids))
            let new = ids.subtracting(old).filter { creators[$0] != other }
            withoutUser[other].formUnion(new)
        }
    }

    private static func apply(
        _ update: ValidatedChangeSet,
        to state: State,
        makeItem: (ItemPath) throws -> Item,
        updated: (Item) throws -> Item
    ) throws -> State {
        var items = try update.apply(to: state, makeItem: makeItem)
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            items[path.section][path.item] = try updated(items[path.section][path.item])
        }
        return items
    }

    /// Performs a step both as a whole and part by part.
    ///
    /// - Returns: Whether a step was available.
    package mutating func perform(
        _ direction: HistoryStep<Change>.Direction,
        by user: Int = 0
    ) throws -> Bool {
        let history = histories[user]
        let now = state
        func isRestored(
            _ change: Change,
            _ path: ItemPath,
            _ content: HistoryStep<Change>.Content
        ) -> Bool {
            let left = change.after[path.section][path.item]
            switch content {
            case .current(let path): return now[path.section][path.item] == left
            case .former(let former, let path):
                return former.before[path.section][path.item] == left
            }
        }
        let found =
            direction == .undo
            ? try history.undoStep(isRestored: isRestored)
            : try history.redoStep(isRestored: isRestored)
        guard let step = found else { return false }
        try #require(step.direction == direction && step.update.oldShape == shape)
        try #require(!Self.changesNothing(step.update), "a step without an effect is skipped")
        let before = state
        func source(_ path: ItemPath) throws -> Item {
            let origin = try #require(step.origin(of: path), "\(path)")
            return step.parts[origin.part].context.before[origin.path.section][origin.path.item]
        }
        var whole = try step.update.apply(to: state, makeItem: source)
        for path in step.update.reconfigurations.map(\.newPath) {
            whole[path.section][path.item] = try source(path)
        }
        // Checks the source of every item in the new state, including items that existed
        // before.
        for (section, items) in whole.enumerated() {
            for (number, item) in items.enumerated() {
                let path = ItemPath(section, number)
                switch step.source(of: path, before: step.parts.count) {
                case .old(let old): try #require(before[old.section][old.item] == item)
                case .part(let origin):
                    let context = step.parts[origin.part].context.before
                    try #require(context[origin.path.section][origin.path.item] == item)
                case nil: Issue.record("\(path) has no source")
                }
            }
        }
        var contexts: [Change] = []
        for part in step.parts {
            let before = state
            func item(_ path: ItemPath) throws -> Item {
                let origin = try #require(part.origin(of: path), "\(path)")
                return part.context.before[origin.section][origin.item]
            }
            state = try part.update.apply(to: state, makeItem: item)
            for path in part.update.reconfigurations.map(\.newPath) {
                state[path.section][path.item] = try item(path)
            }
            contexts.append(Change(before: before, after: state))
        }
        try #require(whole == state)
        try histories[user].perform(step, contexts)
        try notifyOthers(user, before) { history throws in try history.observe(step) }
        return true
    }
}
