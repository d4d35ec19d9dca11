extension ValidatedChangeSet {
    /// Makes the update after which exactly `runs` and `sections` are still there, with the fewest moves.
    ///
    /// Of the items whose section survives, as many stay in place as can, and so of the sections; the others move. An
    /// item that goes to another section always moves. What is in no run is deleted or inserted, or is covered by the
    /// edit of its section. The update is the one that validation in `profile` gives for the same edits.
    ///
    /// Some survivors cannot be kept in every profile, and are deleted and inserted: in `strict` those that go out of
    /// a deleted or replaced section or into an inserted or replaced one, and those that go from a section to another
    /// that now has its number; in `texture` all that would move. A replaced item is reloaded where it stays and, in
    /// `strict`, where no move is in the way; else it is deleted and inserted, and so is a replaced section.
    ///
    /// Complexity: O((r + k) log r + s) for r runs, k edits and s sections.
    ///
    /// - Parameters:
    ///   - runs: what survives, ascending by old path; disjoint on both sides, and within the shapes.
    ///   - sections: what survives, ascending by old index; distinct on both sides, and within the shapes. Runs out of
    ///     or into sections that are replaced or not listed are of items that move.
    ///   - reconfigured: the old paths of survivors that are updated in place, ascending and distinct.
    ///   - replaced: the old paths of survivors that are replaced by fresh ones, ascending and distinct; these are not
    ///     updated in place.
    @usableFromInline
    package init(
        survivors runs: [SurvivingRun],
        sections: [SurvivingSection],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        reconfigured: [ItemPath] = [],
        replaced: [ItemPath] = [],
        animation: AnimationOption = .automatic,
        profile: ValidationProfile = .standard
    ) {
        self.init(
            SurvivorPlan(
                runs,
                sections,
                replaced: replaced,
                from: oldShape,
                to: newShape,
                profile.survivalRules
            ),
            from: oldShape,
            to: newShape,
            reconfigured: reconfigured,
            animation
        )
    }

    init<Run: SurvivorRun>(
        _ plan: SurvivorPlan<Run>,
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        reconfigured: [ItemPath],
        _ animation: AnimationOption
    ) {
        let arrivals = plan.arrivals()
        var removals = plan.itemRemovals(animation)
        var insertions = plan.itemInsertions(arrivals, animation)
        plan.splitReloads(&removals, &insertions)
        let edits = Edits(
            itemRemovals: removals,
            sectionRemovals: plan.sections.removals(animation),
            sectionInsertions: plan.sections.insertions(
                newShape.itemCounts,
                filled: plan.filledFreshSections,
                animation
            ),
            itemInsertions: insertions
        )
        let reconfigurations = plan.reconfigurations(reconfigured, animation)
        self.init(
            Storage(
                oldShape: oldShape,
                newShape: newShape,
                isEmpty: edits.isEmpty && reconfigurations.isEmpty,
                edits: edits,
                reconfigurations: reconfigurations,
                sections: plan.sections.mapping
            )
        )
    }
}

extension SurvivorPlan {
    /// The items at `oldPaths`, ascending, that are still there and not replaced, ascending by new path.
    fileprivate func reconfigurations(
        _ oldPaths: [ItemPath],
        _ animation: AnimationOption
    ) -> [ItemReconfiguration] {
        var result: [ItemReconfiguration] = []
        result.reserveCapacity(oldPaths.count)
        var position = 0
        for oldPath in oldPaths {
            while position < runs.count,
                runs[position].oldPath(at: runs[position].count) <= oldPath
            {
                position += 1
            }
            guard position < runs.count, runs[position].oldPath(at: 0) <= oldPath,
                fates[position] == .stays || fates[position] == .moves
            else { continue }
            let newPath = runs[position].newPath(at: oldPath.item - runs[position].oldItem)
            result.append(
                ItemReconfiguration(oldPath: oldPath, newPath: newPath, animation: animation)
            )
        }
        return result.sorted { $0.newPath < $1.newPath }
    }
}

/// Neighbours that stay neighbours: `count` items from `oldPath` on are those from `newPath` on.
///
/// A run lies in one section on either side; it says that its items are the same before and after, not whether
/// they stay or move. Nothing is checked.
@usableFromInline
package struct SurvivingRun: SurvivorRun, Hashable, Sendable {
    @usableFromInline package var oldSection: Int
    @usableFromInline package var oldItem: Int
    @usableFromInline package var newSection: Int
    @usableFromInline package var newItem: Int
    @usableFromInline package var count: Int

    @inlinable
    package init(oldSection: Int, oldItem: Int, newSection: Int, newItem: Int, count: Int) {
        self.oldSection = oldSection
        self.oldItem = oldItem
        self.newSection = newSection
        self.newItem = newItem
        self.count = count
    }
}

/// Neighbours that stay neighbours, in whatever form they are held.
///
/// Plans are made of plain runs, whose indexes may be any, and of compact ones, of which there may be millions. They are
/// compiled for each.
protocol SurvivorRun {
    var oldSection: Int { get }
    var oldItem: Int { get }
    var newSection: Int { get }
    var newItem: Int { get }
    var count: Int { get }

    init(oldSection: Int, oldItem: Int, newSection: Int, newItem: Int, count: Int)
}

extension SurvivorRun {
    var oldItems: Range<Int> { oldItem..<(oldItem + count) }

    func oldPath(at offset: Int) -> ItemPath {
        ItemPath(section: oldSection, item: oldItem + offset)
    }

    func newPath(at offset: Int) -> ItemPath {
        ItemPath(section: newSection, item: newItem + offset)
    }

    /// The part of the run that has some of its old items.
    func part(_ oldItems: Range<Int>) -> Self {
        Self(
            oldSection: oldSection,
            oldItem: oldItems.lowerBound,
            newSection: newSection,
            newItem: newItem + (oldItems.lowerBound - oldItem),
            count: oldItems.count
        )
    }
}
