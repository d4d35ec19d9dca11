/// The items of a state between updates on their way to the first and the fourth run.
struct TracedItems {
    private let state: TracedState
    private let fates: TracedState.SectionFates
    private var removalOptions: RemovalOptions

    /// The fourth run.
    private(set) var insertions: [ItemEdit] = []
    /// Ascending by new path.
    private(set) var reconfigurations: [ItemReconfiguration] = []
    /// By new section, for those that do not survive: how many items are put into it one by one.
    private(set) var arrivalCounts: [Int: Int] = [:]

    /// Every stretch of the start that is still there, or is reloaded in its place, ascending by old path; those
    /// that come out of that order apart.
    private var survivors: [Survivor] = []
    private var strays: [Survivor] = []

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
        removalOptions = state.removals
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
                // What was reloaded and then moved is deleted and inserted.
                removalOptions.note(stretch, state.options.option(of: stretch.history.arrival))
                if !isFresh { insert(stretch, at: path) }
                continue
            }
            let role: EditRole? =
                if stretch.isKept { stays ? nil : .move } else { .reload }
            append(
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

    private mutating func append(_ survivor: Survivor) {
        if survivor.role != .move, survivors.last.map({ $0.oldPath < survivor.oldPath }) ?? true {
            survivors.append(survivor)
        } else {
            strays.append(survivor)
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
        var remaining = survivors.count
        for oldSection in touchedSections().reversed() {
            let options = removalOptions.items(ofSection: oldSection)
            let isKept = fates.keptSections[oldSection] >= 0
            // What lies from here on is written.
            var end = state.oldShape.itemCounts[oldSection]
            while remaining > 0, survivors[remaining - 1].oldSection == oldSection {
                remaining -= 1
                let survivor = survivors[remaining]
                if isKept {
                    let start = survivor.oldItem + survivor.count
                    delete(start..<end, of: oldSection, options, &result)
                }
                remove(survivor, &result)
                end = survivor.oldItem
            }
            if isKept { delete(0..<end, of: oldSection, options, &result) }
        }
        return result
    }

    private func delete(
        _ items: Range<Int>,
        of oldSection: Int,
        _ options: RemovalOptions.Items,
        _ result: inout [ItemEdit]
    ) {
        for item in items.reversed() {
            let path = ItemPath(section: oldSection, item: item)
            let animation = options.animation(of: item)
            result.append(ItemEdit(path: path, role: .delete, animation: animation))
        }
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
        if strays.isEmpty { return }
        strays.sort { $0.oldPath < $1.oldPath }
        survivors = merged(survivors, strays) { $0.oldPath < $1.oldPath }
    }

    /// Old sections out of which single items may go, ascending: where survivors come from, and those that are
    /// kept with other items.
    private func touchedSections() -> [Int] {
        var sections = state.sections.filter { $0.items != nil && $0.isKept }.map(\.oldSection)
        for survivor in survivors where sections.last != survivor.oldSection {
            sections.append(survivor.oldSection)
        }
        sections.sort()
        var result: [Int] = []
        for section in sections where result.last != section { result.append(section) }
        return result
    }
}
