/// The items of a state between updates on their way to the first and the fourth run.
struct TracedItems {
    private let state: TracedState
    private let fates: TracedState.SectionFates

    /// The fourth run.
    private(set) var insertions: [ItemEdit] = []
    /// Ascending by new path.
    private(set) var reconfigurations: [ItemReconfiguration] = []
    /// By new section, for those that do not survive: how many items are put into it one by one.
    private(set) var arrivalCounts: [Int: Int] = [:]

    /// Every stretch of the start that is still there, or is reloaded in its place; first in new order.
    private var survivors: [Survivor] = []

    private struct Survivor {
        var oldSection: Int
        var oldItem: Int
        var count: Int
        var newPath: ItemPath
        /// Nil for those that stay.
        var role: EditRole?
        var arrival: UInt32

        var oldPath: ItemPath { ItemPath(section: oldSection, item: oldItem) }
    }

    init(_ state: TracedState, _ fates: TracedState.SectionFates) {
        self.state = state
        self.fates = fates
    }

    /// Decides what stays and what moves, and makes everything that goes by new paths.
    mutating func placeAll() {
        for (newSection, section) in state.sections.enumerated() {
            if let items = section.items { place(items.stretches, section, newSection) }
        }
    }

    private mutating func place(
        _ stretches: [ItemStretch],
        _ section: TracedSection,
        _ newSection: Int
    ) {
        let moving = MoveChoice(stretches, home: section.home).moving
        let isFresh = !section.isKept
        var newItem = 0
        for (position, stretch) in stretches.enumerated() {
            let path = ItemPath(section: newSection, item: newItem)
            newItem += stretch.count
            let stays = stretch.oldSection == section.home && !(moving?[position] ?? false)
            if stretch.isFresh || !stretch.isKept && !stays {
                if !isFresh { insert(stretch, at: path) }
                continue
            }
            let role: EditRole? =
                if stretch.isKept { stays ? nil : .move } else { .reload }
            survivors.append(
                Survivor(
                    oldSection: stretch.oldSection,
                    oldItem: stretch.oldItem,
                    count: stretch.count,
                    newPath: path,
                    role: role,
                    arrival: stretch.history.arrival
                )
            )
            if let role { insert(stretch, at: path, role, stretch.oldItem) }
            if isFresh { arrivalCounts[newSection, default: 0] += stretch.count }
            if stretch.history.state == .reconfigured { reconfigure(stretch, at: path) }
        }
    }

    private mutating func insert(
        _ stretch: ItemStretch,
        at path: ItemPath,
        _ role: EditRole = .insert,
        _ oldItem: Int? = nil
    ) {
        let animation = state.options.option(of: stretch.history.arrival)
        for offset in 0..<stretch.count {
            insertions.append(
                ItemEdit(
                    path: ItemPath(section: path.section, item: path.item + offset),
                    role: role,
                    associatedWith: oldItem.map {
                        ItemPath(section: stretch.oldSection, item: $0 + offset)
                    },
                    animation: animation
                )
            )
        }
    }

    private mutating func reconfigure(_ stretch: ItemStretch, at path: ItemPath) {
        let animation = state.options.option(of: stretch.history.update)
        for offset in 0..<stretch.count {
            reconfigurations.append(
                ItemReconfiguration(
                    oldPath: ItemPath(section: stretch.oldSection, item: stretch.oldItem + offset),
                    newPath: ItemPath(section: path.section, item: path.item + offset),
                    animation: animation
                )
            )
        }
    }

    // MARK: Removals

    /// The first run.
    mutating func removals() -> [ItemEdit] {
        sortSurvivors()
        var result: [ItemEdit] = []
        result.reserveCapacity(insertions.count)
        var remaining = survivors[...]
        for oldSection in touchedSections().reversed() {
            let isKept = fates.keptSections[oldSection] >= 0
            let options = state.removals.items(ofSection: oldSection)
            // What lies from here on is written.
            var end = state.oldShape.itemCounts[oldSection]
            func delete(from start: Int) {
                if !isKept { return }
                for item in (start..<end).reversed() {
                    let path = ItemPath(section: oldSection, item: item)
                    let animation = options.animation(of: item)
                    result.append(ItemEdit(path: path, role: .delete, animation: animation))
                }
            }
            while let survivor = remaining.last, survivor.oldSection == oldSection {
                remaining.removeLast()
                delete(from: survivor.oldItem + survivor.count)
                remove(survivor, &result)
                end = survivor.oldItem
            }
            delete(from: 0)
        }
        return result
    }

    private func remove(_ survivor: Survivor, _ result: inout [ItemEdit]) {
        guard let role = survivor.role else { return }
        let animation = state.options.option(of: survivor.arrival)
        let (path, newPath) = (survivor.oldPath, survivor.newPath)
        for offset in (0..<survivor.count).reversed() {
            result.append(
                ItemEdit(
                    path: ItemPath(section: path.section, item: path.item + offset),
                    role: role,
                    associatedWith: ItemPath(section: newPath.section, item: newPath.item + offset),
                    animation: animation
                )
            )
        }
    }

    private mutating func sortSurvivors() {
        let isSorted = zip(survivors, survivors.dropFirst()).allSatisfy { $0.oldPath < $1.oldPath }
        if !isSorted { survivors.sort { $0.oldPath < $1.oldPath } }
    }

    /// Old sections out of which single items may go, ascending: where survivors come from, and those that are
    /// kept with other items.
    private func touchedSections() -> [Int] {
        var sections = state.sections.lazy.filter { $0.items != nil && $0.isKept }.map(\.oldSection)
            .sorted()
        for survivor in survivors where sections.last != survivor.oldSection {
            sections.append(survivor.oldSection)
        }
        sections.sort()
        var result: [Int] = []
        for section in sections where result.last != section { result.append(section) }
        return result
    }
}

/// Which of the stretches that are at home in a section have to move so that the others need not.
struct MoveChoice {
    /// By position in the section; nil where all can stay.
    let moving: [Bool]?

    init(_ stretches: [ItemStretch], home: Int) {
        guard home >= 0, !Self.areInOrder(stretches, home) else {
            moving = nil
            return
        }
        let candidates = stretches.indices.filter { stretches[$0].oldSection == home }
        let ascending = candidates.sorted { stretches[$0].oldItem < stretches[$1].oldItem }
        var ranks = Array(repeating: 0, count: stretches.count)
        for (rank, position) in ascending.enumerated() { ranks[position] = rank }
        let total = candidates.reduce(0) { $0 + stretches[$1].count }
        // Keeping an item counts more than everything that only looks better: that what never moved stays, and
        // that what is replaced can be reloaded. Where a word could not hold the sum only keeping counts.
        let factor = total < 1 << 30 ? UInt64(2 * total + 1) : 1
        var order = HeaviestIncreasingSubsequence(
            bound: candidates.count,
            capacity: candidates.count
        )
        for position in candidates {
            let stretch = stretches[position]
            let count = UInt64(stretch.count)
            var weight = count
            if stretch.isKept {
                weight = count * factor
                if factor > 1, stretch.history.arrival == 0 { weight += count }
            }
            order.append(ranks[position], weight: weight)
        }
        var moving = Array(repeating: false, count: stretches.count)
        for position in candidates { moving[position] = true }
        order.finish { moving[candidates[$0]] = false }
        self.moving = moving
    }

    private static func areInOrder(_ stretches: [ItemStretch], _ home: Int) -> Bool {
        var end = 0
        for stretch in stretches where stretch.oldSection == home {
            if stretch.oldItem < end { return false }
            end = stretch.oldItem + stretch.count
        }
        return true
    }
}
