import CollectionChanges

// The rules of a change set, implemented by brute force from the design and from UIKit's table: the
// faults of a record, or, without faults, its edits and the resulting arrays. The code is slow on
// purpose and shares only values with the code under test.

/// The origin of an element: its old path, or its new path if it is new.
enum Origin: Hashable, CustomStringConvertible {
    case old(ItemPath)
    case inserted(ItemPath)

    var description: String {
        switch self {
        case .old(let path): "\(path.section).\(path.item)"
        case .inserted(let path): "new \(path.section).\(path.item)"
        }
    }
}

/// One record between two shapes, split into lists.
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
    var sectionReconfigured: [Int] = []
    var sectionMoves: [(from: Int, to: Int)] = []
    var supplementaries: [SupplementaryReload] = []

    /// The claim of an operation about one place.
    enum Claim: Hashable {
        case removal(ItemPath), insertion(ItemPath), move(ItemPath, ItemPath), update(ItemPath)
        case sectionRemoval(Int), sectionInsertion(Int), sectionMove(Int, Int), sectionUpdate(Int)
        case supplementary(SupplementaryKind, Int)
    }

    /// The operations with each claim, and the option of the last one.
    var claims: [Claim: (operations: Set<Int>, option: AnimationOption)] = [:]

    /// A fault and its position in the order of checks: the phase, then the order within the phase.
    struct Fault {
        var phase: Int
        var order: [Int]
        var code: HierarchyUpdateError.Code
        var path: ItemPath?
        var section: Int?
        var claim: Claim?
        var arithmetic: CountArithmetic?
    }

    struct State: Equatable {
        /// The new arrays.
        var items: [[Origin]]
        /// From old to new; a reloaded element maps to its replacement.
        var paths: [ItemPath: ItemPath]
        var sections: [Int: Int]
    }

    init(_ changes: HierarchyChangeSet, from old: HierarchyShape, to new: HierarchyShape) {
        (self.old, self.new) = (old.itemCounts, new.itemCounts)
        for (index, operation) in changes.operations.enumerated() { add(operation, index) }
        reloads = unique(reloads)
        sectionReloads = unique(sectionReloads)
    }

    private mutating func add(_ operation: HierarchyChangeSet.Operation, _ index: Int) {
        func claim(_ claim: Claim, _ option: AnimationOption) {
            claims[claim, default: ([], option)].operations.insert(index)
            claims[claim]?.option = option
        }
        switch operation {
        case .deleteItems(let paths, let option):
            deletes += paths
            for path in paths { claim(.removal(path), option) }
        case .insertItems(let paths, let option):
            inserts += paths
            for path in paths { claim(.insertion(path), option) }
        case .reloadItems(let paths, let option):
            reloads += paths
            for path in paths { claim(.removal(path), option) }
        case .reconfigureItems(let paths, let option):
            reconfigured += paths
            for path in paths { claim(.update(path), option) }
        case .moveItem(let from, let to, let option):
            if !moves.contains(where: { $0 == (from, to) }) { moves.append((from, to)) }
            claim(.move(from, to), option)
        case .deleteSections(let sections, let option):
            sectionDeletes += sections
            for section in sections { claim(.sectionRemoval(section), option) }
        case .insertSections(let sections, let option):
            sectionInserts += sections
            for section in sections { claim(.sectionInsertion(section), option) }
        case .reloadSections(let sections, let option):
            sectionReloads += sections
            for section in sections { claim(.sectionRemoval(section), option) }
        case .reconfigureSections(let sections, let option):
            sectionReconfigured += sections
            for section in sections {
                claim(.sectionUpdate(section), option)
                for item in 0..<(size(old, section) ?? 0) {
                    claim(.update(ItemPath(section: section, item: item)), option)
                }
            }
        case .moveSection(let from, let to, let option):
            if !sectionMoves.contains(where: { $0 == (from, to) }) {
                sectionMoves.append((from, to))
            }
            claim(.sectionMove(from, to), option)
        case .reloadSupplementaries(let kind, let sections, let option):
            for section in sections {
                claim(.supplementary(kind, section), option)
                supplementaries.append(SupplementaryReload(kind: kind, newSection: section))
            }
        case .reloadData: fatalError("not part of the model")
        }
    }

    func option(_ claim: Claim) -> AnimationOption? { claims[claim]?.option }

    // MARK: Faults

    /// Every fault that may be reported: the first, and those with the same position.
    var firstFaults: [Fault] {
        var faults = removalFaults + insertionFaults + moveFaults + updateFaults
        if faults.isEmpty { faults = countFaults }
        func isBefore(_ left: Fault, _ right: Fault) -> Bool {
            left.phase == right.phase
                ? left.order.lexicographicallyPrecedes(right.order) : left.phase < right.phase
        }
        guard let first = faults.min(by: isBefore) else { return [] }
        return faults.filter { !isBefore(first, $0) }
    }

    private typealias Check = (HierarchyUpdateError.Code, Bool)

    private func faults(
        _ phase: Int,
        _ order: [Int],
        at path: ItemPath? = nil,
        in section: Int? = nil,
        _ claim: Claim,
        _ checks: Check...
    ) -> [Fault] {
        checks.filter(\.1).map { code, _ in
            Fault(
                phase: phase,
                order: order,
                code: code,
                path: path,
                section: path?.section ?? section,
                claim: claim
            )
        }
    }

    /// Faults of phases 0 and 1: reload conflicts, then deletes in descending order, a section
    /// before its items.
    private var removalFaults: [Fault] {
        let items = reloads.flatMap { path in
            let isDeleted = deletes.contains(path) || sectionDeletes.contains(path.section)
            return faults(0, [], at: path, .removal(path), (.deleteAndReloadItem, isDeleted))
        }
        let sections = sectionReloads.flatMap { section in
            let isDeleted = sectionDeletes.contains(section)
            let claim = Claim.sectionRemoval(section)
            return faults(0, [], in: section, claim, (.deleteAndReloadSection, isDeleted))
        }
        let deletedItems = (deletes + reloads).flatMap { path in
            faults(
                1,
                [-path.section, 1, -path.item],
                at: path,
                .removal(path),
                (.deleteItemSectionRange, size(old, path.section) == nil),
                (.deleteItemRange, isBeyond(path, old)),
                (.deleteAndMoveItem, moves.contains { $0.from == path }),
                (.duplicateDeleteItem, deletes.count { $0 == path } > 1)
            )
        }
        let deletedSections = (sectionDeletes + sectionReloads).flatMap { section in
            faults(
                1,
                [-section, 0, 0],
                in: section,
                .sectionRemoval(section),
                (.deleteSectionRange, size(old, section) == nil),
                (.deleteAndMoveSection, sectionMoves.contains { $0.from == section }),
                (.duplicateDeleteSection, sectionDeletes.count { $0 == section } > 1)
            )
        }
        return items + sections + deletedItems + deletedSections
    }

    /// Faults of phase 2: inserts in ascending order, a section after its items.
    private var insertionFaults: [Fault] {
        let items = inserts.flatMap { path in
            faults(
                2,
                [path.section, 0, path.item],
                at: path,
                .insertion(path),
                (.insertItemSectionRange, size(new, path.section) == nil),
                (.insertItemRange, isBeyond(path, new)),
                (.insertAndMoveItem, moves.contains { $0.to == path }),
                (.duplicateInsertItem, inserts.count { $0 == path } > 1)
            )
        }
        let sections = sectionInserts.flatMap { section in
            faults(
                2,
                [section, 1, 0],
                in: section,
                .sectionInsertion(section),
                (.insertSectionRange, size(new, section) == nil),
                (.insertAndMoveSection, sectionMoves.contains { $0.to == section }),
                (.duplicateInsertSection, sectionInserts.count { $0 == section } > 1)
            )
        }
        return items + sections
    }

    /// Faults of phase 3: sources in ascending order, the items of a section before the section,
    /// then targets.
    private var moveFaults: [Fault] {
        let items = moves.flatMap { from, to in
            let claim = Claim.move(from, to)
            let rank = [0, from.section, 0, from.item, to.section, to.item]
            let isFirst = moves.contains { $0.from == from && $0.to > to }
            let isSecond = moves.contains { $0.to == to && $0.from < from }
            let last = [1, 0, to.section, to.item, from.section, from.item]
            let sources = faults(
                3,
                rank + [0],
                at: from,
                claim,
                (.moveItemSourceSectionRange, size(old, from.section) == nil),
                (.moveItemSourceRange, isBeyond(from, old))
            )
            let targets = faults(
                3,
                rank + [1],
                at: to,
                claim,
                (.moveItemTargetSectionRange, size(new, to.section) == nil),
                (.moveItemTargetRange, isBeyond(to, new))
            )
            return sources + targets
                + faults(3, rank + [2], at: from, claim, (.moveItemToTwoPlaces, isFirst))
                + faults(3, last, at: to, claim, (.moveTwoItemsToOnePlace, isSecond))
        }
        let sections = sectionMoves.flatMap { from, to in
            let (claim, rank) = (Claim.sectionMove(from, to), [0, from, 1, 0, to, 0])
            let isFirst = sectionMoves.contains { $0.from == from && $0.to > to }
            let isSecond = sectionMoves.contains { $0.to == to && $0.from < from }
            let (source, target) = (size(old, from), size(new, to))
            return faults(3, rank + [0], in: from, claim, (.moveSectionSourceRange, source == nil))
                + faults(3, rank + [1], in: to, claim, (.moveSectionTargetRange, target == nil))
                + faults(3, rank + [2], in: from, claim, (.moveSectionToTwoPlaces, isFirst))
                + faults(
                    3,
                    [1, 1, to, from],
                    in: to,
                    claim,
                    (.moveTwoSectionsToOnePlace, isSecond)
                )
        }
        return items + sections
    }

    /// Faults of phase 4: updates in place, and supplementary elements.
    private var updateFaults: [Fault] {
        let items = reconfigured.flatMap { path in
            let (order, isWrong) = ([0, path.section, path.item], !exists(path, old))
            return faults(4, order, at: path, .update(path), (.reconfigureItemRange, isWrong))
        }
        let sections = sectionReconfigured.flatMap { section in
            let (claim, isWrong) = (Claim.sectionUpdate(section), size(old, section) == nil)
            return faults(4, [1, section], in: section, claim, (.reconfigureSectionRange, isWrong))
        }
        let others = supplementaries.flatMap { reload in
            let section = reload.newSection
            let (claim, count) = (Claim.supplementary(reload.kind, section), size(new, section))
            let order = [2, claims[claim]?.operations.min() ?? 0, section]
            return faults(4, order, in: section, claim, (.supplementarySectionRange, count == nil))
        }
        return items + sections + others
    }

    /// Faults of phases 5 and 6, if there are no others: the survivors do not fill the remaining
    /// slots.
    private var countFaults: [Fault] {
        guard let sections = sectionSlots else {
            let sum = CountArithmetic(
                before: old.count,
                after: new.count,
                inserted: sectionInserts.count,
                deleted: sectionDeletes.count
            )
            return [Fault(phase: 5, order: [], code: .sectionCount, arithmetic: sum)]
        }
        return sections.indices.filter { itemSlots(sections[$0], at: $0) == nil }.map { section in
            let oldSection = sections[section] ?? 0
            let sum = CountArithmetic(
                before: old[oldSection],
                after: new[section],
                inserted: inserts.count { $0.section == section },
                deleted: deletes.count { $0.section == oldSection },
                movedIn: moves.count { $0.to.section == section && $0.from.section != oldSection },
                movedOut: moves.count { $0.from.section == oldSection && $0.to.section != section }
            )
            return Fault(
                phase: 6,
                order: [section],
                code: .itemCount,
                section: section,
                arithmetic: sum
            )
        }
    }

    // MARK: State

    /// The arrays and mappings after the change; only for records without a fault.
    var state: State {
        guard let sections = sectionSlots else {
            fatalError("the survivors do not fill the sections")
        }
        var state = State(items: [], paths: [:], sections: [:])
        for (newSection, oldSection) in sections.enumerated() {
            guard let slots = itemSlots(oldSection, at: newSection) else {
                fatalError("the survivors do not fill section \(newSection)")
            }
            if let oldSection { state.sections[oldSection] = newSection }
            var origins: [Origin] = []
            for (item, oldPath) in slots.enumerated() {
                let newPath = ItemPath(section: newSection, item: item)
                if let oldPath { state.paths[oldPath] = newPath }
                if let oldPath, !reloads.contains(oldPath) {
                    origins.append(.old(oldPath))
                } else {
                    origins.append(.inserted(newPath))
                }
            }
            state.items.append(origins)
        }
        return state
    }

    /// For every new section, its old section, reloaded or not, or `nil` if it is inserted. `nil`
    /// as a whole if the survivors do not fill the remaining slots.
    private var sectionSlots: [Int?]? {
        let survivors = old.indices.filter { section in
            !sectionDeletes.contains(section) && !sectionMoves.contains { $0.from == section }
        }
        return slots(new.count, survivors, sectionMoves.map { ($0.to, $0.from) }, sectionInserts)
    }

    /// Returns the same for the items of a new section that was `oldSection`.
    private func itemSlots(_ oldSection: Int?, at newSection: Int) -> [ItemPath?]? {
        let arrivals = moves.filter { $0.to.section == newSection }.map { ($0.to.item, $0.from) }
        let inserted = inserts.filter { $0.section == newSection }.map(\.item)
        let count = new[newSection]
        guard let oldSection, !sectionReloads.contains(oldSection) else {
            // An inserted or reloaded section has new items in every slot without a moved one.
            let taken = Set(arrivals.map(\.0))
            return slots(count, [], arrivals, (0..<count).filter { !taken.contains($0) })
        }
        let survivors = (0..<old[oldSection]).map { ItemPath(section: oldSection, item: $0) }
            .filter { path in !deletes.contains(path) && !moves.contains { $0.from == path } }
        return slots(count, survivors, arrivals, inserted)
    }

    /// Fills the slots: moved and inserted elements in their places, survivors in the others in
    /// order.
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

// MARK: - Every UIKit release

extension ArrayModel {
    /// Whether no release of UIKit raises an exception, whichever cells are visible.
    ///
    /// Reloads become a delete and an insert at the places that UIKit computes, which ignore moves.
    /// UIKit omits reloads of items without a cell, so every subset must pass. Item operations in a
    /// reloaded section are absorbed (row 37).
    var isAcceptedByEveryUIKit: Bool {
        let reloadTargets = sectionReloads.map(naiveSection)
        let realTargets = state.sections.filter { sectionReloads.contains($0.key) }.values
        let gone = sectionDeletes + sectionReloads
        let inserted = sectionInserts + reloadTargets + realTargets
        for (from, to) in moves where gone.contains(from.section) || inserted.contains(to.section) {
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

    /// Whether the counts balance as in early UIKit, where an item moves in or out if the section
    /// numbers differ.
    private var isBalancedByNumbers: Bool {
        guard let sections = sectionSlots else { return false }
        for (newSection, oldSection) in sections.enumerated() {
            guard let oldSection else { continue }
            let leaving = moves.filter {
                $0.from.section == oldSection && $0.to.section != oldSection
            }
            let arriving = moves.filter {
                $0.to.section == newSection && $0.from.section != newSection
            }
            let sum =
                old[oldSection] - deletes.count { $0.section == oldSection } - leaving.count
                + inserts.count { $0.section == newSection } + arriving.count
            if sum != new[newSection] { return false }
        }
        return true
    }

    /// Returns the index minus the deletes before it, plus the inserts at or before the running
    /// index.
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

/// Whether the section exists but has no such item.
private func isBeyond(_ path: ItemPath, _ counts: [Int]) -> Bool {
    size(counts, path.section) != nil && !exists(path, counts)
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
