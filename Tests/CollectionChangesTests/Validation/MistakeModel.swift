@testable import CollectionChanges

/// Which mistake is to be named, found by trying: the first in the order of the rules with which the record,
/// changed as it says, is accepted.
struct MistakeModel {
    typealias Operation = HierarchyChangeSet.Operation

    let operations: [Operation]
    let old: HierarchyShape
    let new: HierarchyShape
    let error: HierarchyUpdateError

    var mistake: LikelyMistake? {
        let code = error.code.rawValue
        if code == "sectionCount" { return ofSectionCount }
        if code == "itemCount" { return ofItemCount }
        if code == "supplementarySectionRange" { return nil }
        if code.hasSuffix("Range") { return ofPlace }
        if code.hasPrefix("duplicate"), isValid(changing(to: nil)) { return .recordedTwice }
        return code.contains("Reload") || !isSequence ? nil : .readInSequence
    }

    func isValid(_ operations: [Operation]) -> Bool {
        (try? HierarchyChangeSet(operations).validated(from: old, to: new)) != nil
    }

    private func changesCounts(_ operation: Operation) -> Bool {
        switch operation {
        case .deleteItems(let paths, _), .insertItems(let paths, _): !paths.isEmpty
        case .deleteSections(let sections, _), .insertSections(let sections, _),
            .reloadSections(let sections, _):
            !sections.isEmpty
        case .moveItem, .moveSection: true
        default: false
        }
    }

    // MARK: Places

    private var ofPlace: LikelyMistake? {
        if isSequence { return .readInSequence }
        let isInsert = error.code.rawValue.contains("insert") || isTarget
        let (own, other) = isInsert ? (new, old) : (old, new)
        let others = own.itemCounts.indices.flatMap { section in
            (0..<max(1, own.itemCounts[section])).map { path(section, $0) }
        }
        let isMisplaced = others.contains { other in
            // In a section that is there the item is wrong, else the section.
            guard let path = error.path else { return isValid(changing(to: other)) }
            return own.itemCounts.indices.contains(path.section)
                ? path.section == other.section && isValid(changing(to: other))
                : isValid(changing(to: ItemPath(section: other.section, item: path.item)))
        }
        guard isMisplaced else {
            if isInsert, old == new { return .modelUnchanged }
            return changesCounts(operations[error.operationIndex!]) && isValid(changing(to: nil))
                ? .superfluous : nil
        }
        let section = error.section!
        if error.path.map(other.contains) ?? other.itemCounts.indices.contains(section) {
            return .otherSide(isOldExpected: !isInsert, counterpart(isInsert))
        }
        if let path = error.path, own.itemCounts.indices.contains(section) {
            let last = own.itemCounts[section] - 1
            return path.item == last + 1 ? .onePastTheEnd(last: last, isOld: !isInsert) : nil
        }
        let last = own.numberOfSections - 1
        return section == last + 1 ? .onePastTheEnd(last: last, isOld: !isInsert) : nil
    }

    private var isTarget: Bool { error.code.rawValue.contains("Target") }

    /// The operations with the place at fault replaced, or left out.
    private func changing(to place: ItemPath?) -> [Operation] {
        let index = error.operationIndex!
        func paths(_ paths: [ItemPath]) -> [ItemPath] {
            let position = paths.firstIndex(of: error.path!)!
            return paths[..<position] + [place].compactMap(\.self) + paths[(position + 1)...]
        }
        func sections(_ sections: SectionSet) -> SectionSet {
            SectionSet(
                sections.filter { $0 != error.section! } + (place.map { [$0.section] } ?? [])
            )
        }
        let changed: Operation? =
            switch operations[index] {
            case .deleteItems(let all, let animation): .deleteItems(paths(all), animation)
            case .insertItems(let all, let animation): .insertItems(paths(all), animation)
            case .reloadItems(let all, let animation): .reloadItems(paths(all), animation)
            case .reconfigureItems(let all, let animation): .reconfigureItems(paths(all), animation)
            case .deleteSections(let all, let animation): .deleteSections(sections(all), animation)
            case .insertSections(let all, let animation): .insertSections(sections(all), animation)
            case .reloadSections(let all, let animation): .reloadSections(sections(all), animation)
            case .reconfigureSections(let all, let animation):
                .reconfigureSections(sections(all), animation)
            case .moveItem(let from, let to, let animation):
                place.map {
                    isTarget
                        ? .moveItem(at: from, to: $0, animation)
                        : .moveItem(at: $0, to: to, animation)
                }
            case .moveSection(let from, let to, let animation):
                place.map {
                    isTarget
                        ? .moveSection(from, toSection: $0.section, animation)
                        : .moveSection($0.section, toSection: to, animation)
                }
            default: nil
            }
        return operations[..<index] + [changed].compactMap(\.self) + operations[(index + 1)...]
    }

    /// From what validation makes of the edits of sections alone, between shapes without items.
    private func counterpart(_ isInsert: Bool) -> LikelyMistake.Counterpart? {
        let own = isInsert ? new : old
        guard let path = error.path, !own.itemCounts.indices.contains(path.section) else {
            return nil
        }
        let edits = operations.filter { operation in
            switch operation {
            case .deleteSections, .insertSections, .moveSection: true
            default: false
            }
        }
        let update = try? HierarchyChangeSet(edits).validated(
            from: HierarchyShape(old.itemCounts.map { _ in 0 }),
            to: HierarchyShape(new.itemCounts.map { _ in 0 })
        )
        guard let mapping = update?.sectionMapping else { return nil }
        let section =
            isInsert
            ? mapping.newIndex(for: path.section) : mapping.oldIndex(for: path.section)
        guard let section else { return .missing(path.section) }
        return isValid(changing(to: ItemPath(section: section, item: path.item)))
            ? .section(section, onOtherSide: path.section) : nil
    }

    // MARK: One after the other

    /// Each operation is accepted by itself, between the shapes that those before and those after it lead to.
    var isSequence: Bool { operations.count > 1 && leads(operations[...], from: old.itemCounts) }

    private func leads(_ rest: ArraySlice<Operation>, from counts: [Int]) -> Bool {
        guard let operation = rest.first else { return counts == new.itemCounts }
        return after(operation, counts).contains { next in
            let step = try? HierarchyChangeSet([operation])
                .validated(from: HierarchyShape(counts), to: HierarchyShape(next))
            return step != nil && leads(rest.dropFirst(), from: next)
        }
    }

    /// What the operation may lead to: sections that come have any number of items.
    private func after(_ operation: Operation, _ counts: [Int]) -> [[Int]] {
        var next = counts
        func add(_ paths: [ItemPath], _ step: Int) {
            for path in paths where next.indices.contains(path.section) {
                next[path.section] = max(0, next[path.section] + step)
            }
        }
        var free: [Int] = []
        switch operation {
        case .insertItems(let paths, _): add(paths, 1)
        case .deleteItems(let paths, _): add(paths, -1)
        case .moveItem(let from, let to, _):
            add([from], -1)
            add([to], 1)
        case .deleteSections(let sections, _):
            next = counts.indices.filter { !sections.contains($0) }.map { counts[$0] }
        case .insertSections(let sections, _):
            for section in sections where 0...next.count ~= section { next.insert(0, at: section) }
            free = sections.filter(next.indices.contains)
        case .reloadSections(let sections, _): free = sections.filter(next.indices.contains)
        case .moveSection(let from, let to, _):
            guard next.indices.contains(from), next.indices.contains(to) else { return [] }
            next.insert(next.remove(at: from), at: to)
        default: break
        }
        // As many as there are in the end, and a few more that others may delete.
        let most = (new.itemCounts.max() ?? 0) + 3
        return free.reduce([next]) { shapes, section in
            shapes.flatMap { shape in
                (0...most).map { count in
                    var shape = shape
                    shape[section] = count
                    return shape
                }
            }
        }
    }
}
