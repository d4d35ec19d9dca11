import CollectionSnapshots

/// One edit of an outline.
enum OutlineOperation: Hashable, Sendable {
    case append([Int], to: Int?)
    case insert([Int], Int, isAfter: Bool)
    case insertOutline(Int, Int, isAfter: Bool)
    case delete([Int])
    case deleteAll
    case replaceChildren(Int, Int)
    case expand([Int])
    case collapse([Int])
}

extension SectionSnapshot<Int> {
    /// - Parameter others: the outlines that the operation's numbers refer to.
    mutating func apply(
        _ operation: OutlineOperation,
        _ others: [SectionSnapshot<Int>]
    ) throws(SnapshotError) {
        switch operation {
        case .append(let items, let parent): try append(items, to: parent)
        case .insert(let items, let anchor, false): try insert(items, before: anchor)
        case .insert(let items, let anchor, true): try insert(items, after: anchor)
        case .insertOutline(let other, let anchor, false):
            try insert(others[other], before: anchor)
        case .insertOutline(let other, let anchor, true): try insert(others[other], after: anchor)
        case .delete(let items): try delete(items)
        case .deleteAll: deleteAll()
        case .replaceChildren(let parent, let other):
            try replace(childrenOf: parent, using: others[other])
        case .expand(let items): try expand(items)
        case .collapse(let items): try collapse(items)
        }
    }
}

/// An outline as printed rows: each item before its children, with its level.
struct OutlineModel: Equatable {
    struct Row: Equatable {
        var id: Int
        var level: Int
        var isExpanded = false
    }

    var rows: [Row] = []

    func index(_ item: Int) -> Int? { rows.firstIndex { $0.id == item } }

    /// Returns the index after the last descendant of the row at `index`.
    func end(_ index: Int) -> Int {
        rows[(index + 1)...].firstIndex { $0.level <= rows[index].level } ?? rows.count
    }

    func parent(_ index: Int) -> Int? {
        rows[..<index].lastIndex { $0.level < rows[index].level }
    }

    func isVisible(_ index: Int) -> Bool {
        var index = index
        while let parent = parent(index) {
            guard rows[parent].isExpanded else { return false }
            index = parent
        }
        return true
    }

    func part(_ item: Int, includingParent: Bool) -> OutlineModel {
        guard let index = index(item) else { return OutlineModel() }
        var part = OutlineModel(rows: Array(rows[index..<end(index)]))
        if !includingParent { part.rows.removeFirst() }
        let level = rows[index].level + (includingParent ? 0 : 1)
        for row in part.rows.indices { part.rows[row].level -= level }
        return part
    }

    private func raised(_ other: OutlineModel, _ level: Int) -> [Row] {
        other.rows.map { Row(id: $0.id, level: $0.level + level, isExpanded: $0.isExpanded) }
    }

    /// Returns the fault if new items occur twice or already exist.
    private func fault(ofNew items: [Int]) -> SnapshotFault? {
        let existing = items.filter { index($0) != nil }
        return SnapshotFault(.duplicateOutlineItems, duplicatesAmong: items)
            ?? (existing.isEmpty ? nil : SnapshotFault(.duplicateOutlineItems, existing))
    }

    /// Applies the operation, or returns the fault and changes nothing.
    mutating func apply(
        _ operation: OutlineOperation,
        _ others: [OutlineModel]
    ) -> SnapshotFault? {
        switch operation {
        case .append(let items, let parent):
            if let fault = fault(ofNew: items) { return fault }
            var (place, level) = (rows.count, 0)
            if let parent {
                guard let index = index(parent) else {
                    return SnapshotFault(.unknownOutlineItem, [parent])
                }
                (place, level) = (end(index), rows[index].level + 1)
            }
            rows.insert(contentsOf: items.map { Row(id: $0, level: level) }, at: place)
        case .insert(let items, let anchor, let isAfter):
            if let fault = fault(ofNew: items) { return fault }
            return insert(
                OutlineModel(rows: items.map { Row(id: $0, level: 0) }),
                nextTo: anchor,
                isAfter
            )
        case .insertOutline(let other, let anchor, let isAfter):
            if let fault = fault(ofNew: others[other].rows.map(\.id)) { return fault }
            return insert(others[other], nextTo: anchor, isAfter)
        case .delete(let items):
            let fault = SnapshotFault(.duplicateOutlineItems, duplicatesAmong: items)
            if let fault { return fault }
            for item in items {
                if let index = index(item) { rows.removeSubrange(index..<end(index)) }
            }
        case .deleteAll: rows = []
        case .replaceChildren(let parent, let other):
            guard let index = index(parent) else {
                return SnapshotFault(.unknownOutlineItem, [parent])
            }
            var rest = self
            rest.rows.removeSubrange((index + 1)..<end(index))
            if let fault = rest.fault(ofNew: others[other].rows.map(\.id)) { return fault }
            rest.rows.insert(
                contentsOf: raised(others[other], rows[index].level + 1),
                at: index + 1
            )
            self = rest
        case .expand(let items): return setExpanded(true, items)
        case .collapse(let items): return setExpanded(false, items)
        }
        return nil
    }

    private mutating func insert(
        _ other: OutlineModel,
        nextTo anchor: Int,
        _ isAfter: Bool
    ) -> SnapshotFault? {
        guard let index = index(anchor) else {
            return SnapshotFault(.unknownOutlineItem, [anchor])
        }
        rows.insert(
            contentsOf: raised(other, rows[index].level),
            at: isAfter ? end(index) : index
        )
        return nil
    }

    private mutating func setExpanded(_ isExpanded: Bool, _ items: [Int]) -> SnapshotFault? {
        let unknown = items.filter { index($0) == nil }
        if !unknown.isEmpty { return SnapshotFault(.unknownOutlineItem, unknown) }
        for item in items { rows[index(item)!].isExpanded = isExpanded }
        return nil
    }

    /// Returns the first query that the outline and the model disagree about, or `nil`.
    func difference(from outline: SectionSnapshot<Int>, querying items: Range<Int>) -> String? {
        if outline.items != rows.map(\.id) { return "items \(outline.items)" }
        if outline.count != rows.count { return "count" }
        if outline.rootItems != rows.filter({ $0.level == 0 }).map(\.id) { return "roots" }
        let visible = rows.indices.filter { isVisible($0) }.map { rows[$0].id }
        if outline.visibleItems != visible {
            return "visible \(outline.visibleItems), not \(visible)"
        }
        for item in items {
            let index = index(item)
            let children = index.map { index in
                rows.indices.filter { parent($0) == index }.map { rows[$0].id }
            }
            if outline.contains(item) != (index != nil) { return "contains \(item)" }
            if outline.index(of: item) != index { return "index of \(item)" }
            if outline.level(of: item) != index.map({ rows[$0].level }) {
                return "level of \(item)"
            }
            if outline.parent(of: item) != index.flatMap({ parent($0) }).map({ rows[$0].id }) {
                return "parent of \(item)"
            }
            if outline.childItems(of: item) != children ?? [] { return "children of \(item)" }
            if outline.isExpanded(item) != (index.map { rows[$0].isExpanded } ?? false) {
                return "expansion of \(item)"
            }
            if outline.isVisible(item) != (index.map { isVisible($0) } ?? false) {
                return "visibility of \(item)"
            }
        }
        return nil
    }
}
