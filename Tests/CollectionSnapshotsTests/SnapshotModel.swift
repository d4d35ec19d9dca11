import CollectionChanges
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
    case removeAllMarks
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
        case .removeAllMarks: removeAllMarks()
        }
    }
}

/// The content of an error, without its texts.
struct SnapshotFault: Equatable {
    var code: SnapshotError.Code
    var identifiers: [String]

    init<ID>(_ code: SnapshotError.Code, _ identifiers: [ID]) {
        self.code = code
        // An error has at most 100 identifiers.
        self.identifiers = identifiers.prefix(100).map { "\($0)" }
    }

    init(_ error: SnapshotError) {
        self.init(error.code, error.identifiers)
    }

    /// Makes the fault for duplicates, each named once in the order of their second occurrences;
    /// `nil` if there are none.
    init?<ID: Hashable>(_ code: SnapshotError.Code, duplicatesAmong ids: [ID]) {
        var (seen, twice): (Set<ID>, [ID]) = ([], [])
        for id in ids where !seen.insert(id).inserted && !twice.contains(id) { twice.append(id) }
        if twice.isEmpty { return nil }
        self.init(code, twice)
    }
}

/// A snapshot as arrays, which is obviously correct.
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

    private mutating func detach(_ items: [Int]) {
        for index in sections.indices { sections[index].items.removeAll { items.contains($0) } }
    }

    private mutating func removeStaleMarks() {
        let items = allItems
        reloadedItems.removeAll { !items.contains($0) }
        reconfiguredItems.removeAll { !items.contains($0) }
        let ids = sections.map(\.id)
        reloadedSections.removeAll { !ids.contains($0) }
    }

    private mutating func insert(_ items: [Int], nextTo anchor: Int, isAfter: Bool) {
        detach(items)
        for index in sections.indices {
            guard let place = sections[index].items.firstIndex(of: anchor) else { continue }
            sections[index].items.insert(contentsOf: items, at: place + (isAfter ? 1 : 0))
        }
    }

    /// Applies the operation, or returns the fault and changes nothing.
    mutating func apply(_ operation: SnapshotOperation) -> SnapshotFault? {
        switch operation {
        case .appendItems(let items):
            if let fault = SnapshotFault(.duplicateItems, duplicatesAmong: items) { return fault }
            guard let last = sections.last else { return SnapshotFault(.noSections, [Int]()) }
            detach(items)
            sections[index(last.id)!].items += items
        case .appendItemsToSection(let items, let section):
            if let fault = SnapshotFault(.duplicateItems, duplicatesAmong: items) { return fault }
            guard let index = index(section) else {
                return SnapshotFault(.unknownDestination, [section])
            }
            detach(items)
            sections[index].items += items
        case .insertItems(let items, let anchor, let isAfter):
            if let fault = SnapshotFault(.duplicateItems, duplicatesAmong: items) { return fault }
            if items.contains(anchor) { return SnapshotFault(.destinationAmongItems, [anchor]) }
            guard allItems.contains(anchor) else {
                return SnapshotFault(.unknownDestination, [anchor])
            }
            insert(items, nextTo: anchor, isAfter: isAfter)
        case .deleteItems(let items):
            if let fault = SnapshotFault(.duplicateItems, duplicatesAmong: items) { return fault }
            detach(items)
            removeStaleMarks()
        case .deleteAllItems: self = SnapshotModel()
        case .moveItem(let item, let target, let isAfter):
            if item == target { return SnapshotFault(.itemMovedToItself, [item]) }
            guard allItems.contains(item) else { return SnapshotFault(.unknownMovedItem, [item]) }
            guard allItems.contains(target) else {
                return SnapshotFault(.unknownMoveTarget, [target])
            }
            insert([item], nextTo: target, isAfter: isAfter)
        case .reloadItems(let items):
            if let fault = SnapshotFault(.duplicateItems, duplicatesAmong: items) { return fault }
            let unknown = items.filter { !allItems.contains($0) }
            if !unknown.isEmpty { return SnapshotFault(.unknownReloadedItem, unknown) }
            reloadedItems += items.filter { !reloadedItems.contains($0) }
            reconfiguredItems.removeAll { items.contains($0) }
        case .reconfigureItems(let items):
            if let fault = SnapshotFault(.duplicateItems, duplicatesAmong: items) { return fault }
            let unknown = items.filter { !allItems.contains($0) }
            if !unknown.isEmpty { return SnapshotFault(.unknownReconfiguredItem, unknown) }
            reconfiguredItems += items.filter {
                !reloadedItems.contains($0) && !reconfiguredItems.contains($0)
            }
        default: return applyToSections(operation)
        }
        return nil
    }

    private mutating func applyToSections(_ operation: SnapshotOperation) -> SnapshotFault? {
        func existing(_ ids: [String]) -> SnapshotFault? {
            let present = ids.filter { index($0) != nil }
            return present.isEmpty ? nil : SnapshotFault(.existingSections, present)
        }
        switch operation {
        case .appendSections(let ids):
            let fault = SnapshotFault(.duplicateSections, duplicatesAmong: ids) ?? existing(ids)
            if let fault { return fault }
            sections += ids.map { ($0, []) }
        case .insertSections(let ids, let anchor, let isAfter):
            if let fault = SnapshotFault(.duplicateSections, duplicatesAmong: ids) { return fault }
            if ids.contains(anchor) { return SnapshotFault(.destinationAmongSections, [anchor]) }
            guard let place = index(anchor) else {
                return SnapshotFault(.unknownSectionAnchor, [anchor])
            }
            if let fault = existing(ids) { return fault }
            sections.insert(contentsOf: ids.map { ($0, []) }, at: place + (isAfter ? 1 : 0))
        case .deleteSections(let ids):
            if let fault = SnapshotFault(.duplicateSections, duplicatesAmong: ids) { return fault }
            sections.removeAll { ids.contains($0.id) }
            removeStaleMarks()
        case .moveSection(let id, let target, let isAfter):
            if id == target { return SnapshotFault(.sectionMovedToItself, [id]) }
            guard let old = index(id) else { return SnapshotFault(.unknownMovedSection, [id]) }
            guard index(target) != nil else {
                return SnapshotFault(.unknownSectionMoveTarget, [target])
            }
            let section = sections.remove(at: old)
            sections.insert(section, at: index(target)! + (isAfter ? 1 : 0))
        case .reloadSections(let ids):
            if let fault = SnapshotFault(.duplicateSections, duplicatesAmong: ids) { return fault }
            let unknown = ids.filter { index($0) == nil }
            if !unknown.isEmpty { return SnapshotFault(.unknownReloadedSection, unknown) }
            reloadedSections += ids.filter { !reloadedSections.contains($0) }
        case .removeAllMarks:
            (reloadedSections, reloadedItems, reconfiguredItems) = ([], [], [])
        default: break
        }
        return nil
    }

    /// Returns this model with those marks of another whose items and sections exist here.
    func addingMarks(of other: SnapshotModel) -> SnapshotModel {
        var model = self
        _ = model.apply(.reloadItems(other.reloadedItems.filter(allItems.contains)))
        for id in other.reloadedSections {
            let here = index(id).map { sections[$0].items } ?? []
            let left = other.sections[other.index(id)!].items.filter { !here.contains($0) }
            _ = model.apply(.reloadItems(left.filter(allItems.contains)))
        }
        _ = model.apply(.reconfigureItems(other.reconfiguredItems.filter(allItems.contains)))
        _ = model.apply(.reloadSections(other.reloadedSections.filter { index($0) != nil }))
        return model
    }

    /// Returns the first query that the snapshot and the model disagree about, or `nil`.
    func difference(from snapshot: Snapshot, querying items: [Int], _ sectionIDs: [String])
        -> String?
    {
        if snapshot.sectionIdentifiers != sections.map(\.id) {
            return "sections \(snapshot.sectionIdentifiers), not \(sections.map(\.id))"
        }
        if snapshot.itemIdentifiers != allItems {
            return "items \(snapshot.itemIdentifiers), not \(allItems)"
        }
        if snapshot.shape.itemCounts != sections.map(\.items.count)
            || snapshot.numberOfItems != allItems.count
            || snapshot.numberOfSections != sections.count
        {
            return "shape"
        }
        if snapshot.reloadedItemIdentifiers != reloadedItems
            || snapshot.reconfiguredItemIdentifiers != reconfiguredItems
            || snapshot.reloadedSectionIdentifiers != reloadedSections
        {
            return "marks"
        }
        let numbered = sections.enumerated().flatMap { section, content in
            content.items.enumerated().map { ($1, ItemPath(section: section, item: $0)) }
        }
        for item in items {
            let path = numbered.first { $0.0 == item }?.1
            if snapshot.path(of: item) != path { return "path of \(item)" }
            if snapshot.indexOfItem(item) != allItems.firstIndex(of: item) {
                return "index of \(item)"
            }
            if snapshot.containsItem(item) != (path != nil) { return "contains \(item)" }
            let section = path.map { sections[$0.section].id }
            if snapshot.sectionIdentifier(containingItem: item) != section {
                return "section of \(item)"
            }
        }
        for (item, path) in numbered where snapshot.itemIdentifier(at: path) != item {
            return "item at \(path)"
        }
        for section in -1...sections.count {
            let isPresent = sections.indices.contains(section)
            if snapshot.sectionIdentifier(at: section) != (isPresent ? sections[section].id : nil) {
                return "section at \(section)"
            }
            for item in [-1, isPresent ? sections[section].items.count : 0]
            where snapshot.itemIdentifier(at: ItemPath(section: section, item: item)) != nil {
                return "an item beyond section \(section)"
            }
        }
        for id in sectionIDs {
            let index = index(id)
            if snapshot.indexOfSection(id) != index
                || snapshot.containsSection(id) != (index != nil)
            {
                return "index of \(id)"
            }
            do throws(SnapshotError) {
                let content = try snapshot.itemIdentifiers(inSection: id)
                let count = try snapshot.numberOfItems(inSection: id)
                if content != index.map({ sections[$0].items }) || count != content.count {
                    return "items in \(id)"
                }
            } catch {
                let fault = SnapshotFault(.unknownSection, [id])
                if index != nil || SnapshotFault(error) != fault { return "\(error)" }
            }
        }
        return nil
    }
}
