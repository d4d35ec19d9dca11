extension ValidatedChangeSet {
    /// Creates the update after which exactly `runs` and `sections` survive, with the fewest moves.
    ///
    /// As many sections as possible stay in place, and so do as many items as possible of surviving
    /// sections; the others move. An item whose section changes always moves. An item in no run is
    /// deleted or inserted, or is covered by the edit of its section. The update is the one that
    /// validation in `profile` returns for the same edits.
    ///
    /// Some survivors cannot be kept in every profile; they are deleted and inserted. In `strict`
    /// these are items that leave a deleted or replaced section, items that enter an inserted or
    /// replaced one, and items that move to another section that now has the number of the old one.
    /// In `texture` these are all items and sections that would move. A replaced item is reloaded
    /// if it stays in place and, in `strict`, if no move interferes. Otherwise it is deleted and
    /// inserted, and so is a replaced section.
    ///
    /// Complexity: O((r + k) log r + s) for r runs, k edits and s sections.
    ///
    /// - Parameters:
    ///   - runs: The runs that survive, ascending by old path; disjoint on both sides, and within
    ///     the shapes.
    ///   - sections: The sections that survive, ascending by old index; distinct on both sides, and
    ///     within the shapes. Items of runs that leave or enter a replaced or unlisted section
    ///     move.
    ///   - oldShape: The shape before the update.
    ///   - newShape: The shape after the update.
    ///   - reconfigured: The old paths of survivors that are updated in place, ascending and
    ///     distinct.
    ///   - replaced: The old paths of survivors that are replaced by new items, ascending and
    ///     distinct; these are not updated in place.
    ///   - animation: The animation of every edit.
    ///   - profile: The profile in which the update is valid.
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
                filled: plan.filledInsertedSections,
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
    /// Returns the reconfigurations, ascending by new path, of those items at `oldPaths` that
    /// survive and are not replaced. The paths ascend.
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
                effects[position] == .stays || effects[position] == .moves
            else { continue }
            let newPath = runs[position].newPath(at: oldPath.item - runs[position].oldItem)
            result.append(
                ItemReconfiguration(oldPath: oldPath, newPath: newPath, animation: animation)
            )
        }
        return result.sorted { $0.newPath < $1.newPath }
    }
}

/// A run of neighbouring items that stay neighbours: the `count` items from the old path on are the
/// `count` items from the new path on.
///
/// A run lies in one section on each side. It states that its items are the same before and after,
/// not whether they stay or move. Nothing is checked.
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

    package init(from oldPath: ItemPath, to newPath: ItemPath, count: Int) {
        (oldSection, oldItem) = (oldPath.section, oldPath.item)
        (newSection, newItem) = (newPath.section, newPath.item)
        self.count = count
    }
}

extension [SurvivingRun] {
    /// The runs ascending by old path, with neighbours that continue each other joined.
    package var joined: [SurvivingRun] {
        var joined: [SurvivingRun] = []
        joined.reserveCapacity(count)
        for run in sorted(by: { $0.oldPath(at: 0) < $1.oldPath(at: 0) }) {
            if let last = joined.last, last.oldPath(at: last.count) == run.oldPath(at: 0),
                last.newPath(at: last.count) == run.newPath(at: 0)
            {
                joined[joined.count - 1].count += run.count
            } else {
                joined.append(run)
            }
        }
        return joined
    }
}

/// A run of neighbouring items that stay neighbours, in any representation.
///
/// Plans are made of plain runs, whose indexes may be any integers, and of compact runs, of which
/// there may be millions. The code is specialized for each.
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

    /// Returns the part of the run that contains the given old items.
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
