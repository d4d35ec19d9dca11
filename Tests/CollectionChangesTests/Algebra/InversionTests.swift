import CollectionChanges
import TestSupport
import Testing

@Suite struct InversionTests {
    private func fault(of update: ValidatedChangeSet) -> String? {
        let inverse = update.inverted
        if let fault = inverse.fault { return fault }
        // What survives there and back is where it was, and all that survives one way survives the other.
        let back = AlgebraModel(after: [update, inverse])
        for (section, found) in back.sections.enumerated() {
            if let origin = found.origin, origin != section {
                return "section \(origin) at \(section)"
            }
            for (item, found) in found.items.enumerated() {
                if let origin = found.origin, origin != path(section, item) {
                    return "\(origin) at \(path(section, item))"
                }
                if !update.isReloadData,
                    (found.origin != nil) != (update.survivor(of: path(section, item)) != nil)
                {
                    return "\(path(section, item)) is lost, or found"
                }
            }
        }
        if back.shape != update.oldShape { return "another shape" }
        let twice = inverse.inverted
        if update.supplementaryReloads.isEmpty, update.hasEdits, twice.picture != update.picture {
            return "twice inverted \(twice.picture)"
        }
        for path in update.newShape.paths
        where inverse.newPath(for: path) != update.oldPath(for: path) {
            return "other paths"
        }
        for path in update.oldShape.paths
        where inverse.oldPath(for: path) != update.newPath(for: path) {
            return "other paths"
        }
        return nil
    }

    @Test func smallUpdatesAreUndoneByTheirInverse() {
        for update in SmallUpdates.ofTwoEdits.all {
            if let fault = fault(of: update) {
                Issue.record("\(fault) for \(update.picture)")
                return
            }
        }
    }

    @Test func randomUpdatesAreUndoneByTheirInverse() throws {
        for seed in 0..<Effort.number(800, usually: 120) {
            var random = RandomUpdates(seed: UInt64(seed))
            random.rarity = 2 + seed % 7
            random.animations = [.automatic, .fade, .top]
            let update = try random.next(from: random.shape(sections: 5, items: 7))
            #expect(fault(of: update) == nil, "seed \(seed)")
        }
    }

    @Test func whatMovesOrComesIsNothingAfterUndoing() throws {
        for update in SmallUpdates.ofTwoEdits.all {
            let roles = update.itemRemovals.map(\.role) + update.sectionRemovals.map(\.role)
            guard roles.allSatisfy({ $0 == .move }), update.reconfigurations.isEmpty else {
                continue
            }
            #expect(try update.composed(with: update.inverted).isEmpty)
        }
    }

    @Test func reconfigurationsAndReloadsOfHeadersAreUndoneInPlace() throws {
        let changes = HierarchyChangeSet([
            .moveItem(at: path(0, 2), to: path(0, 0), .top),
            .reconfigureItems([path(0, 2), path(0, 1)], .fade),
            .insertSections([0], .bottom),
            .reloadSupplementaries(.header, in: [0, 1], .none),
        ])
        // The section of the items is the second one afterwards.
        let update = try HierarchyChangeSet(
            changes.operations.map {
                if case .moveItem(let old, _, let animation) = $0 {
                    .moveItem(at: old, to: path(1, 0), animation)
                } else {
                    $0
                }
            }
        ).validated(from: [3], to: [2, 3])
        let inverse = update.inverted
        #expect(
            inverse.reconfigurations == [
                ItemReconfiguration(oldPath: path(1, 2), newPath: path(0, 1), animation: .fade),
                ItemReconfiguration(oldPath: path(1, 0), newPath: path(0, 2), animation: .fade),
            ]
        )
        #expect(
            inverse.supplementaryReloads == [
                SupplementaryReload(kind: .header, newSection: 0, animation: .none)
            ]
        )
        #expect(inverse.sectionRemovals.map(\.animation) == [.bottom])
    }

    @Test func reloadingEverythingInvertsToTheSame() throws {
        let update = try HierarchyChangeSet([.reloadData(.top)]).validated(from: [2], to: [0, 3])
        let expected = try HierarchyChangeSet([.reloadData(.top)]).validated(from: [0, 3], to: [2])
        #expect(update.inverted.picture == expected.picture)
        #expect(update.inverted.isReloadData)
    }
}

extension ValidatedChangeSet {
    fileprivate var hasEdits: Bool {
        !edits.isEmpty || !reconfigurations.isEmpty || !supplementaryReloads.isEmpty
    }

    /// Where an item is if it is still the same.
    fileprivate func survivor(of oldPath: ItemPath) -> ItemPath? {
        guard let newPath = newPath(for: oldPath) else { return nil }
        let isReload = itemInsertions.contains { $0.path == newPath && $0.role == .reload }
        return isReload ? nil : newPath
    }
}
