// Builds the one update that leads from the start to the current state, with as few moves as
// possible.

extension TracedState {
    /// Returns the update that leads from the start to the current state.
    ///
    /// Complexity: O(r log r + e + s) for r stretches, e resulting edits and s sections.
    func changeSet() -> ValidatedChangeSet {
        let effects = SectionEffects(sections, oldCount: oldShape.numberOfSections)
        var items = TracedItems(self, effects)
        items.placeAll()
        let edits = ValidatedChangeSet.Edits(
            itemRemovals: items.removals(),
            sectionRemovals: sectionRemovals(effects),
            sectionInsertions: sectionInsertions(effects, items.arrivalCounts),
            itemInsertions: items.insertions
        )
        let reloads = supplementaryReloads(effects)
        if edits.isEmpty, items.reconfigurations.isEmpty, reloads.isEmpty {
            return .unchanged(oldShape)
        }
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            edits: edits,
            reconfigurations: items.reconfigurations,
            supplementaryReloads: reloads,
            sections: sectionMapping(edits)
        )
        return ValidatedChangeSet(storage)
    }

    private func sectionRemovals(_ effects: SectionEffects) -> [SectionEdit] {
        // For each old index: the new index of the section; `sections.count` if it is deleted.
        var places = Array(repeating: sections.count, count: oldShape.numberOfSections)
        for (newSection, section) in sections.enumerated() where section.oldSection >= 0 {
            places[section.oldSection] = newSection
        }
        var edits: [SectionEdit] = []
        for (oldSection, place) in places.enumerated().reversed() {
            func append(_ role: EditRole, _ associatedWith: Int?, _ animation: AnimationOption) {
                edits.append(
                    SectionEdit(
                        section: oldSection,
                        role: role,
                        associatedWith: associatedWith,
                        animation: animation
                    )
                )
            }
            guard place < sections.count else {
                append(.delete, nil, removals.animation(ofSection: oldSection))
                continue
            }
            let animation = options.option(of: sections[place].arrival)
            switch effects.effects[place] {
            case .stays: continue
            case .moves: append(.move, place, animation)
            case .isReloaded: append(.reload, place, animation)
            case .isInserted: append(.delete, nil, animation)
            }
        }
        return edits
    }

    private func sectionInsertions(
        _ effects: SectionEffects,
        _ arrivalCounts: [Int: Int]
    ) -> [SectionEdit] {
        var edits: [SectionEdit] = []
        for (newSection, effect) in effects.effects.enumerated() where effect != .stays {
            let section = sections[newSection]
            let role: EditRole =
                switch effect {
                case .isInserted: .insert
                case .isReloaded: .reload
                case .moves, .stays: .move
                }
            let count = newShape.itemCounts[newSection] - (arrivalCounts[newSection] ?? 0)
            edits.append(
                SectionEdit(
                    section: newSection,
                    role: role,
                    associatedWith: role == .insert ? nil : section.oldSection,
                    newItemCount: role == .move ? 0 : count,
                    animation: options.option(of: section.arrival)
                )
            )
        }
        return edits
    }

    /// Returns the reloads of supplementary elements, except in inserted sections, whose elements
    /// are requested anyway.
    private func supplementaryReloads(_ effects: SectionEffects) -> [SupplementaryReload] {
        var result: [SupplementaryReload] = []
        for (newSection, section) in sections.enumerated()
        where !section.supplementaryReloads.isEmpty && effects.effects[newSection] != .isInserted {
            for var reload in section.supplementaryReloads.sorted(by: { $0.kind < $1.kind }) {
                reload.newSection = newSection
                result.append(reload)
            }
        }
        return result
    }

    private func sectionMapping(_ edits: ValidatedChangeSet.Edits) -> IndexMapping {
        let removed = edits.sectionRemovals.reversed().filter { $0.role != .reload }
        let inserted = edits.sectionInsertions.filter { $0.role != .reload }
        let moves = removed.compactMap { edit -> IndexMapping.Move? in
            guard let newIndex = edit.associatedWith else { return nil }
            return IndexMapping.Move(oldIndex: edit.section, newIndex: newIndex)
        }
        return IndexMapping(
            oldCount: oldShape.numberOfSections,
            newCount: newShape.numberOfSections,
            removed: removed.map { $0.section },
            inserted: inserted.map { $0.section },
            moves: moves
        )
    }
}

/// A builder of the first and the fourth run from the items of a state between updates.
private struct TracedItems {
    private let state: TracedState
    private let effects: TracedState.SectionEffects
    private var removalOptions: RemovalOptions

    /// The fourth run of edits.
    private(set) var insertions: [ItemEdit] = []
    /// The reconfigurations, ascending by new path.
    private(set) var reconfigurations: [ItemReconfiguration] = []
    /// For each new section that does not survive: the number of items that are inserted one by
    /// one.
    private(set) var arrivalCounts: [Int: Int] = [:]

    /// The original stretches that still exist or are reloaded in place, ascending by old path.
    /// Stretches out of that order are in `strays`.
    private var survivors: [Survivor] = []
    private var strays: [Survivor] = []

    private struct Survivor {
        var oldSection: Int
        var oldItem: Int
        var count: Int
        var newPath: ItemPath
        /// The role of the stretch's edits; `nil` if the stretch stays.
        var role: EditRole?
        var arrival: UInt32

        var oldPath: ItemPath { ItemPath(section: oldSection, item: oldItem) }
    }

    init(_ state: TracedState, _ effects: TracedState.SectionEffects) {
        self.state = state
        self.effects = effects
        removalOptions = state.removals
    }

    /// Decides which items stay and which move, and builds all results that are ordered by new
    /// path.
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
        let isNew = !section.isKept
        var newItem = 0
        for (position, stretch) in stretches.enumerated() {
            let path = ItemPath(section: newSection, item: newItem)
            newItem += stretch.count
            let stays = stretch.oldSection == section.home && !(moving?[position] ?? false)
            if stretch.isNew || !stretch.isKept && !stays {
                // An item that was reloaded and then moved is deleted and inserted.
                removalOptions.note(stretch, state.options.option(of: stretch.history.arrival))
                if !isNew { insert(stretch, at: path) }
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
            if isNew { arrivalCounts[newSection, default: 0] += stretch.count }
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

    /// Returns the first run of edits.
    mutating func removals() -> [ItemEdit] {
        sortSurvivors()
        var result: [ItemEdit] = []
        result.reserveCapacity(insertions.count)
        var remaining = survivors.count
        for oldSection in touchedSections().reversed() {
            let options = removalOptions.items(ofSection: oldSection)
            let isKept = effects.keptSections[oldSection] >= 0
            // All removals from this item on have been written.
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

    /// Returns the old sections from which single items may be removed, in ascending order: the
    /// origins of survivors, and the kept sections with changed items.
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

/// The choice of the stretches of a section that have to move so that all others can stay.
private struct MoveChoice {
    /// For each position in the section: whether the stretch moves; `nil` if all can stay.
    let moving: [Bool]?

    private struct Candidate {
        var oldItem: Int
        var position: Int
    }

    init(_ stretches: [ItemStretch], home: Int) {
        guard home >= 0 else {
            moving = nil
            return
        }
        var inOrder: [Candidate] = []
        var strays: [Candidate] = []
        var total = 0
        var isInOrder = true
        var end = 0
        for (position, stretch) in stretches.enumerated() where stretch.oldSection == home {
            let candidate = Candidate(oldItem: stretch.oldItem, position: position)
            total += stretch.count
            isInOrder = isInOrder && stretch.oldItem >= end
            end = stretch.oldItem + stretch.count
            // Stretches that never moved are already in order, so only the others need sorting.
            if stretch.history.arrival == 0,
                inOrder.last.map({ $0.oldItem < stretch.oldItem }) ?? true
            {
                inOrder.append(candidate)
            } else {
                strays.append(candidate)
            }
        }
        if isInOrder {
            moving = nil
            return
        }
        strays.sort { $0.oldItem < $1.oldItem }
        let ascending = merged(inOrder, strays) { $0.oldItem < $1.oldItem }
        moving = Self.choose(stretches, ascending.map(\.position), total: total)
    }

    /// Returns, by position, whether the stretch has to move.
    ///
    /// - Parameters:
    ///   - stretches: All stretches of the section, in order.
    ///   - ascending: The positions of the section's own stretches, ascending by old item.
    ///   - total: The number of items in these stretches.
    private static func choose(
        _ stretches: [ItemStretch],
        _ ascending: [Int],
        total: Int
    ) -> [Bool] {
        var ranks = Array(repeating: -1, count: stretches.count)
        for (rank, position) in ascending.enumerated() { ranks[position] = rank }
        let weights = StayingWeights(total: total)
        var order = HeaviestIncreasingSubsequence(bound: ascending.count, capacity: ascending.count)
        // Adjacent stretches that are still in their original sequence stay or move together, so
        // they count as one element.
        var groups: [(lastRank: Int, weight: UInt64, end: Int)] = []
        for (position, rank) in ranks.enumerated() where rank >= 0 {
            let stretch = stretches[position]
            let isUnmoved = stretch.history.arrival == 0
            let keeping = weights.kept + (isUnmoved ? weights.unmoved : 0)
            let weight = UInt64(stretch.count) * (stretch.isKept ? keeping : weights.replaced)
            let last = groups.count - 1
            if last >= 0, groups[last].lastRank + 1 == rank {
                groups[last].lastRank = rank
                groups[last].weight += weight
                groups[last].end = position + 1
            } else {
                groups.append((rank, weight, position + 1))
            }
        }
        for group in groups { order.append(group.lastRank, weight: group.weight) }
        var moving = ranks.map { $0 >= 0 }
        order.finish { number in
            let start = number == 0 ? 0 : groups[number - 1].end
            for position in start..<groups[number].end { moving[position] = false }
        }
        return moving
    }
}

/// Returns two ascending arrays merged into one.
func merged<Element>(
    _ left: [Element],
    _ right: [Element],
    _ isBefore: (Element, Element) -> Bool
) -> [Element] {
    if right.isEmpty { return left }
    var result: [Element] = []
    result.reserveCapacity(left.count + right.count)
    var position = 0
    for element in left {
        while position < right.count, isBefore(right[position], element) {
            result.append(right[position])
            position += 1
        }
        result.append(element)
    }
    result += right[position...]
    return result
}

/// The weights for choosing the elements that stay if some must move.
///
/// The ranks are: first, keep as many kept elements in place as possible, so that there are as few
/// moves as possible; second, keep replaced elements in place, so that they can be reloaded; third,
/// keep elements in place that never moved.
struct StayingWeights {
    let kept: UInt64
    let replaced: UInt64
    /// The additional weight of an element that never moved; it is added to `kept`.
    let unmoved: UInt64

    /// Creates weights for a total number of items.
    ///
    /// - Parameter total: The maximum number of items. If a word cannot hold the sums of three
    ///   ranks, the last two ranks have the same weight. For still larger totals, only the number
    ///   of staying items matters.
    init(total: Int) {
        let rank = UInt64(total) + 1
        if total < 1 << 20 {
            (kept, replaced, unmoved) = (rank * rank, rank, 1)
        } else if total < 1 << 30 {
            (kept, replaced, unmoved) = (2 * rank, 1, 1)
        } else {
            (kept, replaced, unmoved) = (1, 1, 0)
        }
    }
}
