@testable import CollectionChanges

/// Whether a hint fits the numbers of what was rejected, said in another way than it was found.
struct MistakeCheck {
    let draw: RandomRecords.Draw
    let error: HierarchyUpdateError

    private typealias Operation = HierarchyChangeSet.Operation

    static func name(of mistake: LikelyMistake) -> String {
        Mirror(reflecting: mistake).children.first?.label ?? mistake.description
    }

    func fits(_ mistake: LikelyMistake) -> Bool {
        let (old, new) = (draw.old, draw.new)
        let operations = draw.changes.operations
        switch mistake {
        case .nothingRecorded(let isEmpty):
            return old != new && operations.isEmpty == isEmpty
        case .modelUnchanged: return old == new && !operations.isEmpty
        case .recordedTwice, .superfluous: return isValidWithoutOne
        case .readInSequence: return leadsToNewShapeOneByOne
        case .otherSide(let isOldExpected, let counterpart):
            let (own, other) = isOldExpected ? (old, new) : (new, old)
            guard !exists(in: own), exists(in: other) else { return false }
            guard case .section(let section, onOtherSide: let there) = counterpart else {
                return true
            }
            return own.itemCounts.indices.contains(section) && error.section == there
        case .onePastTheEnd(let last, let isOld):
            let own = isOld ? old : new
            let count = error.path.flatMap { own.numberOfItems(inSection: $0.section) }
            return last + 1 == count ?? own.numberOfSections
        case .otherSection(let recorded, let fits):
            return operations.indices.contains { index in
                [
                    Operation.insertSections([recorded], .automatic): Operation.insertSections(
                        [fits],
                        .automatic
                    ),
                    .deleteSections([recorded], .automatic): .deleteSections([fits], .automatic),
                ]
                .contains { from, to in
                    var changed = operations
                    guard changed[index] == from else { return false }
                    changed[index] = to
                    return isValid(changed)
                }
            }
        case .sectionsNotInserted(let sections):
            return isValid(operations + [.insertSections(sections, .automatic)])
        case .sectionsNotDeleted(let sections):
            return isValid(operations + [.deleteSections(sections, .automatic)])
        case .inOtherSection(let recorded, let happened):
            return recorded != happened && old.numberOfSections == new.numberOfSections
                && old.itemCounts.reduce(0, +) + net == new.itemCounts.reduce(0, +)
        case .untouchedSection(let section, let before, let after):
            return before != after && new.itemCounts[section] == after
                && old.itemCounts[section] == before
        case .miscounted(let sum): return sum.expected != sum.after && error.arithmetic == sum
        }
    }

    private func exists(in shape: HierarchyShape) -> Bool {
        error.path.map(shape.contains) ?? shape.itemCounts.indices.contains(error.section ?? -1)
    }

    /// Inserts less deletes.
    private var net: Int {
        draw.changes.operations.reduce(0) { sum, operation in
            switch operation {
            case .insertItems(let paths, _): sum + paths.count
            case .deleteItems(let paths, _): sum - paths.count
            default: sum
            }
        }
    }

    /// With any one mention of any place left out.
    private var isValidWithoutOne: Bool {
        let operations = draw.changes.operations
        return operations.indices.contains { index in
            func tries(_ replacements: [Operation]) -> Bool {
                replacements.contains { replacement in
                    var changed = operations
                    changed[index] = replacement
                    return isValid(changed)
                }
            }
            func without(_ paths: [ItemPath]) -> [[ItemPath]] {
                paths.indices.map { skipped in
                    paths.indices.filter { $0 != skipped }.map { paths[$0] }
                }
            }
            func without(_ sections: SectionSet) -> [SectionSet] {
                sections.map { skipped in SectionSet(sections.filter { $0 != skipped }) }
            }
            switch operations[index] {
            case .deleteItems(let paths, _):
                return tries(without(paths).map { .deleteItems($0, .automatic) })
            case .insertItems(let paths, _):
                return tries(without(paths).map { .insertItems($0, .automatic) })
            case .reloadItems(let paths, _):
                return tries(without(paths).map { .reloadItems($0, .automatic) })
            case .deleteSections(let sections, _):
                return tries(without(sections).map { .deleteSections($0, .automatic) })
            case .insertSections(let sections, _):
                return tries(without(sections).map { .insertSections($0, .automatic) })
            case .reloadSections(let sections, _):
                return tries(without(sections).map { .reloadSections($0, .automatic) })
            default: return tries([.insertItems([], .automatic)])
            }
        }
    }

    /// Validated one after the other, with shapes in between that each operation leads to by itself.
    private var leadsToNewShapeOneByOne: Bool {
        // The counts of sections that come are free; without them each step's shape follows from the edit.
        var known = draw.old
        var isKnown = true
        for operation in draw.changes.operations {
            var counts = known.itemCounts
            switch operation {
            case .insertItems(let paths, _):
                for path in paths where counts.indices.contains(path.section) {
                    counts[path.section] += 1
                }
            case .deleteItems(let paths, _):
                for path in paths where counts.indices.contains(path.section) {
                    counts[path.section] -= 1
                }
            case .moveItem(let from, let to, _):
                if counts.indices.contains(from.section) { counts[from.section] -= 1 }
                if counts.indices.contains(to.section) { counts[to.section] += 1 }
            case .reloadItems, .reconfigureItems: break
            case .deleteSections(let sections, _):
                for section in sections.reversed() where section < counts.count {
                    counts.remove(at: section)
                }
            case .moveSection(let from, let to, _):
                guard counts.indices.contains(from), counts.indices.contains(to) else {
                    return false
                }
                counts.insert(counts.remove(at: from), at: to)
            default:
                isKnown = false
            }
            if !isKnown { return true }
            let next = HierarchyShape(counts)
            guard (try? HierarchyChangeSet([operation]).validated(from: known, to: next)) != nil
            else {
                return false
            }
            known = next
        }
        return known == draw.new
    }

    private func isValid(_ operations: [Operation]) -> Bool {
        (try? HierarchyChangeSet(operations).validated(from: draw.old, to: draw.new)) != nil
    }
}
