import CollectionChanges

// The rules of a change set, written down by brute force from the design and from UIKit's table:
// which faults a record has, and, where it has none, which element stands where afterwards. Nothing
// here is fast, and nothing is shared with the code under test but the values.

/// Where an element comes from: its old path, or nowhere, and then its new path names it.
enum Origin: Hashable, CustomStringConvertible {
    case old(ItemPath)
    case fresh(ItemPath)

    var description: String {
        switch self {
        case .old(let path): "\(path.section).\(path.item)"
        case .fresh(let path): "new \(path.section).\(path.item)"
        }
    }
}

/// One record, taken apart into lists, between two shapes.
struct ArrayModel {
    var old: [Int]
    var new: [Int]
    var deletes: [ItemPath] = []
    var inserts: [ItemPath] = []
    var reloads: [ItemPath] = []
    var reconfigured: [ItemPath] = []
    var moves: [(from: ItemPath, to: ItemPath)] = []
    var sectionDeletes: [Int] = []
    var sectionInserts: [Int] = []
    var sectionReloads: [Int] = []
    var sectionMoves: [(from: Int, to: Int)] = []

    /// A fault with its place in the order of checks: the phase, then the order within the phase.
    struct Fault {
        var phase: Int
        var order: [Int]
        var code: HierarchyUpdateError.Code
    }

    struct State: Equatable {
        /// The new arrays.
        var items: [[Origin]]
        /// Old to new, a reloaded thing mapping to its replacement.
        var paths: [ItemPath: ItemPath]
        var sections: [Int: Int]
    }

    init(_ changes: HierarchyChangeSet, from old: HierarchyShape, to new: HierarchyShape) {
        (self.old, self.new) = (old.itemCounts, new.itemCounts)
        for operation in changes.operations {
            switch operation {
            case .deleteItems(let paths, _): deletes += paths
            case .insertItems(let paths, _): inserts += paths
            case .reloadItems(let paths, _): reloads += paths
            case .reconfigureItems(let paths, _): reconfigured += paths
            case .moveItem(let from, let to, _):
                if !moves.contains(where: { $0 == (from, to) }) { moves.append((from, to)) }
            case .deleteSections(let sections, _): sectionDeletes += sections
            case .insertSections(let sections, _): sectionInserts += sections
            case .reloadSections(let sections, _): sectionReloads += sections
            case .moveSection(let from, let to, _):
                if !sectionMoves.contains(where: { $0 == (from, to) }) {
                    sectionMoves.append((from, to))
                }
            case .reconfigureSections, .reloadSupplementaries, .reloadData:
                fatalError("not part of the model")
            }
        }
        reloads = unique(reloads)
        sectionReloads = unique(sectionReloads)
    }

    // MARK: Faults

    /// Every code that may be reported: those of the first fault, or of faults equally first.
    var firstFaults: Set<HierarchyUpdateError.Code> {
        var faults = recordFaults
        if faults.isEmpty { faults = countFaults }
        func isBefore(_ left: Fault, _ right: Fault) -> Bool {
            left.phase == right.phase
                ? left.order.lexicographicallyPrecedes(right.order) : left.phase < right.phase
        }
        guard let first = faults.min(by: isBefore) else { return [] }
        return Set(faults.filter { !isBefore(first, $0) }.map(\.code))
    }

    /// Faults of phases 0 to 4: reload conflicts, deletes, inserts, moves, in-place updates.
    private var recordFaults: [Fault] {
        var faults: [Fault] = []
        func has(_ wrong: Bool, _ code: HierarchyUpdateError.Code, _ phase: Int, _ order: [Int]) {
            if wrong { faults.append(Fault(phase: phase, order: order, code: code)) }
        }
        for path in reloads {
            let isDeleted = deletes.contains(path) || sectionDeletes.contains(path.section)
            has(isDeleted, .deleteAndReloadItem, 0, [])
        }
        for section in sectionReloads {
            has(sectionDeletes.contains(section), .deleteAndReloadSection, 0, [])
        }
        for path in deletes + reloads {
            let order = [-path.section, 1, -path.item]
            let count = size(old, path.section)
            has(count == nil, .deleteItemSectionRange, 1, order)
            has(count != nil && !exists(path, old), .deleteItemRange, 1, order)
            has(moves.contains { $0.from == path }, .deleteAndMoveItem, 1, order)
            has(deletes.count { $0 == path } > 1, .duplicateDeleteItem, 1, order)
        }
        for section in sectionDeletes + sectionReloads {
            let order = [-section, 0, 0]
            has(size(old, section) == nil, .deleteSectionRange, 1, order)
            let isMoved = sectionMoves.contains { $0.from == section }
            has(isMoved, .deleteAndMoveSection, 1, order)
            let isTwice = sectionDeletes.count { $0 == section } > 1
            has(isTwice, .duplicateDeleteSection, 1, order)
        }
        for path in inserts {
            let order = [path.section, 0, path.item]
            let count = size(new, path.section)
            has(count == nil, .insertItemSectionRange, 2, order)
            has(count != nil && !exists(path, new), .insertItemRange, 2, order)
            has(moves.contains { $0.to == path }, .insertAndMoveItem, 2, order)
            has(inserts.count { $0 == path } > 1, .duplicateInsertItem, 2, order)
        }
        for section in sectionInserts {
            let order = [section, 1, 0]
            has(size(new, section) == nil, .insertSectionRange, 2, order)
            let isMoved = sectionMoves.contains { $0.to == section }
            has(isMoved, .insertAndMoveSection, 2, order)
            let isTwice = sectionInserts.count { $0 == section } > 1
            has(isTwice, .duplicateInsertSection, 2, order)
        }
        for (from, to) in moves {
            has(size(old, from.section) == nil, .moveItemSourceSectionRange, 3, [])
            let isFromBeyond = size(old, from.section) != nil && !exists(from, old)
            has(isFromBeyond, .moveItemSourceRange, 3, [])
            has(size(new, to.section) == nil, .moveItemTargetSectionRange, 3, [])
            let isToBeyond = size(new, to.section) != nil && !exists(to, new)
            has(isToBeyond, .moveItemTargetRange, 3, [])
            has(moves.count { $0.from == from } > 1, .moveItemToTwoPlaces, 3, [])
            has(moves.count { $0.to == to } > 1, .moveTwoItemsToOnePlace, 3, [])
        }
        for (from, to) in sectionMoves {
            has(size(old, from) == nil, .moveSectionSourceRange, 3, [])
            has(size(new, to) == nil, .moveSectionTargetRange, 3, [])
            has(sectionMoves.count { $0.from == from } > 1, .moveSectionToTwoPlaces, 3, [])
            has(sectionMoves.count { $0.to == to } > 1, .moveTwoSectionsToOnePlace, 3, [])
        }
        for path in reconfigured { has(!exists(path, old), .reconfigureItemRange, 4, []) }
        return faults
    }

    /// Faults of phases 5 and 6, where there are no others: the survivors do not fill what is left.
    private var countFaults: [Fault] {
        guard let sections = sectionSlots else {
            return [Fault(phase: 5, order: [], code: .sectionCount)]
        }
        return sections.indices.filter { itemSlots(sections[$0], at: $0) == nil }
            .map { Fault(phase: 6, order: [$0], code: .itemCount) }
    }

    // MARK: State

    /// What is where afterwards; only for records without a fault.
    var state: State {
        guard let sections = sectionSlots else { fatalError("the sections do not come out") }
        var state = State(items: [], paths: [:], sections: [:])
        for (newSection, oldSection) in sections.enumerated() {
            guard let slots = itemSlots(oldSection, at: newSection) else {
                fatalError("section \(newSection) does not come out")
            }
            if let oldSection { state.sections[oldSection] = newSection }
            var origins: [Origin] = []
            for (item, oldPath) in slots.enumerated() {
                let newPath = ItemPath(section: newSection, item: item)
                if let oldPath { state.paths[oldPath] = newPath }
                if let oldPath, !reloads.contains(oldPath) {
                    origins.append(.old(oldPath))
                } else {
                    origins.append(.fresh(newPath))
                }
            }
            state.items.append(origins)
        }
        return state
    }

    /// For every new section the old one that is there, itself or reloaded, and nil where there is
    /// an inserted one. Nil altogether if the survivors do not fill the slots that are left.
    private var sectionSlots: [Int?]? {
        let survivors = old.indices.filter { section in
            !sectionDeletes.contains(section) && !sectionMoves.contains { $0.from == section }
        }
        return slots(new.count, survivors, sectionMoves.map { ($0.to, $0.from) }, sectionInserts)
    }

    /// The same for the items of one new section that was `oldSection`.
    private func itemSlots(_ oldSection: Int?, at newSection: Int) -> [ItemPath?]? {
        let arrivals = moves.filter { $0.to.section == newSection }.map { ($0.to.item, $0.from) }
        let inserted = inserts.filter { $0.section == newSection }.map(\.item)
        let count = new[newSection]
        guard let oldSection, !sectionReloads.contains(oldSection) else {
            // An inserted or reloaded section is fresh wherever nothing is moved to.
            let taken = Set(arrivals.map(\.0))
            return slots(count, [], arrivals, (0..<count).filter { !taken.contains($0) })
        }
        let survivors = (0..<old[oldSection]).map { ItemPath(section: oldSection, item: $0) }
            .filter { path in !deletes.contains(path) && !moves.contains { $0.from == path } }
        return slots(count, survivors, arrivals, inserted)
    }

    /// Moved things take their places, new ones theirs, and survivors the rest in order.
    private func slots<Thing>(
        _ count: Int,
        _ survivors: [Thing],
        _ arrivals: [(Int, Thing)],
        _ inserted: [Int]
    ) -> [Thing?]? {
        var slots: [Thing?] = Array(repeating: nil, count: count)
        var free = Array(0..<count)
        for (place, thing) in arrivals {
            slots[place] = thing
            free.removeAll { $0 == place }
        }
        for place in inserted { free.removeAll { $0 == place } }
        guard free.count == survivors.count else { return nil }
        for (place, thing) in zip(free, survivors) { slots[place] = thing }
        return slots
    }
}

// MARK: - Every UIKit

extension ArrayModel {
    /// Whether no release of UIKit raises, whichever cells it shows.
    ///
    /// Reloads become a delete and an insert where UIKit, which ignores moves, puts
    /// them. UIKit leaves out reloads of items that have no cell, so every subset must pass. Item
    /// operations in a reloaded section are absorbed (row 37).
    var isAcceptedByEveryUIKit: Bool {
        let reloadTargets = sectionReloads.map(naiveSection)
        let realTargets = state.sections.filter { sectionReloads.contains($0.key) }.values
        let gone = sectionDeletes + sectionReloads
        let fresh = sectionInserts + reloadTargets + realTargets
        for (from, to) in moves where gone.contains(from.section) || fresh.contains(to.section) {
            return false
        }
        let expandable = reloads.filter { !sectionReloads.contains($0.section) }
        for mask in 0..<(1 << expandable.count) {
            var expanded = self
            expanded.reloads = []
            expanded.sectionReloads = []
            expanded.sectionDeletes += sectionReloads
            expanded.sectionInserts += reloadTargets
            for (index, path) in expandable.enumerated() where mask & (1 << index) != 0 {
                expanded.deletes.append(path)
                expanded.inserts.append(naivePath(path))
            }
            guard expanded.firstFaults.isEmpty, expanded.isBalancedByNumbers else { return false }
        }
        return true
    }

    /// The sums of early UIKit: an item is moved in or out when the section numbers differ.
    private var isBalancedByNumbers: Bool {
        guard let sections = sectionSlots else { return false }
        for (newSection, oldSection) in sections.enumerated() {
            guard let oldSection else { continue }
            let leaving = moves.filter {
                $0.from.section == oldSection && $0.to.section != oldSection
            }
            let coming = moves.filter {
                $0.to.section == newSection && $0.from.section != newSection
            }
            let sum =
                old[oldSection] - deletes.count { $0.section == oldSection } - leaving.count
                + inserts.count { $0.section == newSection } + coming.count
            if sum != new[newSection] { return false }
        }
        return true
    }

    /// Minus the deletes before it, plus the inserts at or before the running index.
    private func naiveSection(_ section: Int) -> Int {
        var result = section - sectionDeletes.count { $0 < section }
        for insert in sectionInserts.sorted() where insert <= result { result += 1 }
        return result
    }

    private func naivePath(_ path: ItemPath) -> ItemPath {
        let section = naiveSection(path.section)
        var item =
            path.item - deletes.count { $0.section == path.section && $0.item < path.item }
        for insert in inserts.sorted() where insert.section == section && insert.item <= item {
            item += 1
        }
        return ItemPath(section: section, item: item)
    }
}

private func size(_ counts: [Int], _ section: Int) -> Int? {
    section >= 0 && section < counts.count ? counts[section] : nil
}

private func exists(_ path: ItemPath, _ counts: [Int]) -> Bool {
    guard let count = size(counts, path.section) else { return false }
    return path.item >= 0 && path.item < count
}

private func unique<Value: Equatable>(_ values: [Value]) -> [Value] {
    var result: [Value] = []
    for value in values where !result.contains(value) { result.append(value) }
    return result
}
