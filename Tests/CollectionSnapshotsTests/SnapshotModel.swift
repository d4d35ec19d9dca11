import CollectionSnapshots

typealias Snapshot = CollectionSnapshot<String, Int>

/// One edit of a snapshot.
enum SnapshotOperation: Hashable, Sendable {
    case appendItems([Int])
    case appendItemsToSection([Int], String)
    case insertItems([Int], Int, isAfter: Bool)
    case deleteItems([Int])
    case deleteAllItems
    case moveItem(Int, Int, isAfter: Bool)
    case reloadItems([Int])
    case reconfigureItems([Int])
    case appendSections([String])
    case insertSections([String], String, isAfter: Bool)
    case deleteSections([String])
    case moveSection(String, String, isAfter: Bool)
    case reloadSections([String])
}

extension Snapshot {
    mutating func apply(_ operation: SnapshotOperation) throws(SnapshotError) {
        switch operation {
        case .appendItems(let items): try appendItems(items)
        case .appendItemsToSection(let items, let section):
            try appendItems(items, toSection: section)
        case .insertItems(let items, let anchor, false):
            try insertItems(items, beforeItem: anchor)
        case .insertItems(let items, let anchor, true): try insertItems(items, afterItem: anchor)
        case .deleteItems(let items): try deleteItems(items)
        case .deleteAllItems: deleteAllItems()
        case .moveItem(let item, let target, false): try moveItem(item, beforeItem: target)
        case .moveItem(let item, let target, true): try moveItem(item, afterItem: target)
        case .reloadItems(let items): try reloadItems(items)
        case .reconfigureItems(let items): try reconfigureItems(items)
        case .appendSections(let sections): try appendSections(sections)
        case .insertSections(let sections, let anchor, false):
            try insertSections(sections, beforeSection: anchor)
        case .insertSections(let sections, let anchor, true):
            try insertSections(sections, afterSection: anchor)
        case .deleteSections(let sections): try deleteSections(sections)
        case .moveSection(let section, let target, false):
            try moveSection(section, beforeSection: target)
        case .moveSection(let section, let target, true):
            try moveSection(section, afterSection: target)
        case .reloadSections(let sections): try reloadSections(sections)
        }
    }
}

/// A snapshot as arrays, obviously correct.
struct SnapshotModel: Equatable {
    var sections: [(id: String, items: [Int])] = []
    var reloadedSections: [String] = []
    var reloadedItems: [Int] = []
    var reconfiguredItems: [Int] = []

    static func == (left: SnapshotModel, right: SnapshotModel) -> Bool {
        left.sections.elementsEqual(right.sections) { $0.id == $1.id && $0.items == $1.items }
    }

    var allItems: [Int] { sections.flatMap(\.items) }

    private func index(_ section: String) -> Int? { sections.firstIndex { $0.id == section } }

    private func isUnique<ID: Hashable>(_ ids: [ID]) -> Bool { Set(ids).count == ids.count }

    private mutating func detach(_ items: [Int]) {
        for index in sections.indices { sections[index].items.removeAll { items.contains($0) } }
    }

    private mutating func forget() {
        let items = allItems
        reloadedItems.removeAll { !items.contains($0) }
        reconfiguredItems.removeAll { !items.contains($0) }
        let ids = sections.map(\.id)
        reloadedSections.removeAll { !ids.contains($0) }
    }

    private mutating func insert(_ items: [Int], beside anchor: Int, isAfter: Bool) {
        detach(items)
        for index in sections.indices {
            guard let place = sections[index].items.firstIndex(of: anchor) else { continue }
            sections[index].items.insert(contentsOf: items, at: place + (isAfter ? 1 : 0))
        }
    }

    /// The code of the fault, with nothing changed, or nil.
    mutating func apply(_ operation: SnapshotOperation) -> SnapshotError.Code? {
        switch operation {
        case .appendItems(let items):
            guard isUnique(items) else { return .duplicateItems }
            guard let last = sections.last else { return .noSections }
            detach(items)
            sections[sections.count - 1].items = sections[index(last.id)!].items + items
        case .appendItemsToSection(let items, let section):
            guard isUnique(items) else { return .duplicateItems }
            guard let index = index(section) else { return .unknownDestination }
            detach(items)
            sections[index].items += items
        case .insertItems(let items, let anchor, let isAfter):
            guard isUnique(items) else { return .duplicateItems }
            guard !items.contains(anchor) else { return .destinationAmongItems }
            guard allItems.contains(anchor) else { return .unknownDestination }
            insert(items, beside: anchor, isAfter: isAfter)
        case .deleteItems(let items):
            guard isUnique(items) else { return .duplicateItems }
            detach(items)
            forget()
        case .deleteAllItems: self = SnapshotModel()
        case .moveItem(let item, let target, let isAfter):
            guard item != target else { return .itemMovedToItself }
            guard allItems.contains(item) else { return .unknownMovedItem }
            guard allItems.contains(target) else { return .unknownMoveTarget }
            insert([item], beside: target, isAfter: isAfter)
        case .reloadItems(let items):
            guard isUnique(items) else { return .duplicateItems }
            guard items.allSatisfy(allItems.contains) else { return .unknownReloadedItem }
            reloadedItems += items.filter { !reloadedItems.contains($0) }
            reconfiguredItems.removeAll { items.contains($0) }
        case .reconfigureItems(let items):
            guard isUnique(items) else { return .duplicateItems }
            guard items.allSatisfy(allItems.contains) else { return .unknownReconfiguredItem }
            reconfiguredItems += items.filter {
                !reloadedItems.contains($0) && !reconfiguredItems.contains($0)
            }
        default: return applyToSections(operation)
        }
        return nil
    }

    private mutating func applyToSections(_ operation: SnapshotOperation) -> SnapshotError.Code? {
        switch operation {
        case .appendSections(let ids):
            guard isUnique(ids) else { return .duplicateSections }
            guard ids.allSatisfy({ index($0) == nil }) else { return .existingSections }
            sections += ids.map { ($0, []) }
        case .insertSections(let ids, let anchor, let isAfter):
            guard isUnique(ids) else { return .duplicateSections }
            guard !ids.contains(anchor) else { return .destinationAmongSections }
            guard let place = index(anchor) else { return .unknownSectionAnchor }
            guard ids.allSatisfy({ index($0) == nil }) else { return .existingSections }
            sections.insert(contentsOf: ids.map { ($0, []) }, at: place + (isAfter ? 1 : 0))
        case .deleteSections(let ids):
            guard isUnique(ids) else { return .duplicateSections }
            sections.removeAll { ids.contains($0.id) }
            forget()
        case .moveSection(let id, let target, let isAfter):
            guard id != target else { return .sectionMovedToItself }
            guard let old = index(id) else { return .unknownMovedSection }
            guard index(target) != nil else { return .unknownSectionMoveTarget }
            let section = sections.remove(at: old)
            sections.insert(section, at: index(target)! + (isAfter ? 1 : 0))
        case .reloadSections(let ids):
            guard isUnique(ids) else { return .duplicateSections }
            guard ids.allSatisfy({ index($0) != nil }) else { return .unknownReloadedSection }
            reloadedSections += ids.filter { !reloadedSections.contains($0) }
        default: break
        }
        return nil
    }
}
