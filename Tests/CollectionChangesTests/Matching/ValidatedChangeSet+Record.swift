@testable import CollectionChanges

extension ValidatedChangeSet {
    /// The operations that the edits come from. What a section's own edit covers is not among them.
    var record: HierarchyChangeSet {
        var changes = HierarchyChangeSet()
        if isReloadData { return HierarchyChangeSet([.reloadData(.automatic)]) }
        for edit in itemRemovals {
            switch edit.role {
            case .delete: changes.deleteItems(at: [edit.path], animation: edit.animation)
            case .reload: changes.reloadItems(at: [edit.path], animation: edit.animation)
            case .move:
                changes.moveItem(at: edit.path, to: edit.associatedWith!, animation: edit.animation)
            case .insert: fatalError("an insert among the removals")
            }
        }
        for edit in itemInsertions where edit.role == .insert {
            changes.insertItems(at: [edit.path], animation: edit.animation)
        }
        for edit in sectionRemovals {
            switch edit.role {
            case .delete: changes.deleteSections([edit.section], animation: edit.animation)
            case .reload: changes.reloadSections([edit.section], animation: edit.animation)
            case .move:
                changes.moveSection(
                    edit.section,
                    toSection: edit.associatedWith!,
                    animation: edit.animation
                )
            case .insert: fatalError("an insert among the removals")
            }
        }
        for edit in sectionInsertions where edit.role == .insert {
            changes.insertSections([edit.section], animation: edit.animation)
        }
        changes.reconfigureItems(at: reconfigurations.map(\.oldPath))
        return changes
    }

    /// How this differs from what validation makes of the same operations; nil where it does not.
    func difference(fromValidationIn profile: ValidationProfile) -> String? {
        do {
            let other = try record.validated(from: oldShape, to: newShape, profile: profile)
            if itemRemovals != other.itemRemovals { return "removals, not \(other.itemRemovals)" }
            if sectionRemovals != other.sectionRemovals {
                return "section removals, not \(other.sectionRemovals)"
            }
            if sectionInsertions != other.sectionInsertions {
                return "section insertions, not \(other.sectionInsertions)"
            }
            if itemInsertions != other.itemInsertions {
                return "insertions, not \(other.itemInsertions)"
            }
            if reconfigurations != other.reconfigurations {
                return "reconfigurations, not \(other.reconfigurations)"
            }
            if sectionMapping != other.sectionMapping { return "the mapping of sections" }
            return nil
        } catch {
            return "\(error)"
        }
    }

    var itemMoveCount: Int { itemRemovals.count { $0.role == .move } }
    var sectionMoveCount: Int { sectionRemovals.count { $0.role == .move } }
}

/// The length of the longest increasing subsequence, by trying all subsequences.
func longestIncreasing(_ keys: [Int]) -> Int {
    var best = 0
    for mask in 0..<(1 << keys.count) {
        let chosen = keys.indices.filter { mask & (1 << $0) != 0 }.map { keys[$0] }
        if zip(chosen, chosen.dropFirst()).allSatisfy({ $0 < $1 }) {
            best = max(best, chosen.count)
        }
    }
    return best
}

/// Every way to take some of `count` old things to distinct new ones of `targets`; -1 for those that end.
func everyPartialInjection(_ count: Int, into targets: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return everyPartialInjection(count - 1, into: targets).flatMap { rest in
        ((-1)..<targets).filter { $0 < 0 || !rest.contains($0) }.map { rest + [$0] }
    }
}
