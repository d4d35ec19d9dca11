import TestSupport
import Testing

@testable import CollectionChanges

@Suite struct SurvivingRunTests {
    @Test(arguments: ValidationProfile.allCases)
    func everySmallSurvivalGivesTheEditsOfValidation(_ profile: ValidationProfile) throws {
        var thinning = Thinning(29, full: 5)
        let shapes = everyShape(sections: 2, itemsEach: 3, items: 3)
        for old in shapes {
            for new in shapes {
                let isSmall = old.paths.count + new.paths.count <= 3
                for sections in everyPartialInjection(
                    old.numberOfSections,
                    into: new.numberOfSections
                ) {
                    for items in everyPartialInjection(old.paths.count, into: new.paths.count)
                    where isSmall || thinning.takesNext() {
                        let survival = Survival(old, new, sections, items)
                        for updates in 0..<3 { try check(survival, updates, profile) }
                    }
                }
            }
        }
    }

    /// Sections of any size, including sizes whose weights overflow.
    @Test(arguments: [5_000, 1 << 55, 1 << 62 + 100])
    func aSectionOfAnySizeMovesOnlyItemsOutOfOrder(_ count: Int) {
        let places = [(0, count - 1, 1), (1, 0, count - 1)]
        let update = ValidatedChangeSet(
            survivors: places.map { run(from: path(0, $0), to: path(0, $1), $2) },
            sections: [SurvivingSection(oldSection: 0, newSection: 0)],
            from: HierarchyShape([count]),
            to: HierarchyShape([count])
        )
        #expect(update.edits.count == 2 && update.newPath(for: path(0, 0)) == path(0, count - 1))
        #expect(update.newPath(for: path(0, 4)) == path(0, 3))
    }

    /// UIKit places a reload as if nothing moved: `strict` splits a reload that would meet a move,
    /// and no others.
    @Test func onlyStrictSplitsReloadsAndOnlyThoseThatMeetAMove() {
        func roles(_ items: [Int], _ replaced: Int, _ profile: ValidationProfile) -> [EditRole] {
            let (old, new) = (HierarchyShape([items.count]), HierarchyShape([items.count]))
            let update = ValidatedChangeSet(
                survivors: Survival(old, new, [0], items).runs,
                sections: [SurvivingSection(oldSection: 0, newSection: 0)],
                from: old,
                to: new,
                replaced: [path(0, replaced)],
                profile: profile
            )
            #expect(update.fault(in: profile) == nil)
            return update.itemRemovals.map(\.role)
        }
        #expect(roles([1, 2, 0], 0, .standard) == [.move, .reload])
        #expect(roles([1, 2, 0], 0, .strict) == [.move, .delete])
        #expect(roles([1, 2, 3, 4, 5, 0], 2, .strict) == [.move, .reload])
        #expect(roles([1, 0, 2, 3, 4, 5], 4, .strict) == [.reload, .move])
        #expect(roles([0, 1, 2], 1, .texture) == [.delete])
    }

    // MARK: Checking

    /// - Parameter updates: 0 for none; 1 replaces survivors at even positions and reconfigures
    ///   every third; 2 also replaces the first section.
    private func check(
        _ survival: Survival,
        _ updates: Int,
        _ profile: ValidationProfile
    ) throws {
        let survivors = survival.survivors
        let replaced = updates == 0 ? [] : survivors.enumerated().filter { $0.offset % 2 == 0 }
        let replacedPaths = replaced.map(\.element.old)
        let reconfigured = updates == 0 ? [] : survivors.enumerated().filter { $0.offset % 3 == 1 }
        let update = ValidatedChangeSet(
            survivors: survival.runs,
            sections: survival.survivingSections(replacingFirst: updates == 2),
            from: survival.old,
            to: survival.new,
            reconfigured: reconfigured.map(\.element.old),
            replaced: replacedPaths,
            profile: profile
        )
        let text = "\(profile) \(survival), updates \(updates)"
        if let difference = update.fault(in: profile) {
            Issue.record("\(text): \(Array(update.edits)) differ: \(difference)")
            return
        }
        try checkIdentities(update, survival, Set(replacedPaths), profile, text)
        if profile == .standard {
            let least = survival.leastItemMoves(replaced: Set(replacedPaths), update)
            let itemMoves = update.itemRemovals.count { $0.role == .move }
            #expect(itemMoves == least, "\(text)")
            let sectionMoves = update.sectionRemovals.count { $0.role == .move }
            let kept = survival.survivingSections(replacingFirst: updates == 2)
                .filter { !$0.isReplaced }.map(\.newSection)
            #expect(sectionMoves == kept.count - lengthOfLongestIncreasing(kept), "\(text)")
            let updated = reconfigured.map(\.element.old).filter { !replacedPaths.contains($0) }
            #expect(Set(update.reconfigurations.map(\.oldPath)) == Set(updated), "\(text)")
        }
    }

    private func checkIdentities(
        _ update: ValidatedChangeSet,
        _ survival: Survival,
        _ replaced: Set<ItemPath>,
        _ profile: ValidationProfile,
        _ text: String
    ) throws {
        let start = survival.old.itemCounts.enumerated().map { section, count in
            (0..<count).map { Origin.old(ItemPath(section: section, item: $0)) }
        }
        let result = try update.apply(to: start) { .inserted($0) }
        var formerPaths: [ItemPath: ItemPath] = [:]
        for (old, new) in survival.survivors where !replaced.contains(old) {
            formerPaths[new] = old
        }
        for new in survival.new.paths {
            let found = result[new.section][new.item]
            let wanted = formerPaths[new].map(Origin.old) ?? .inserted(new)
            let mayBeNew =
                profile != .standard
                && formerPaths[new].map { old in
                    profile == .texture
                        || update.survivingSection(of: old.section) == nil
                        || update.formerSection(of: new.section) == nil
                        || (old.section == new.section
                            && update.survivingSection(of: old.section) != new.section)
                } == true
            #expect(
                found == wanted || (mayBeNew && found == .inserted(new)),
                "\(text): at \(new), found \(found), expected \(wanted)"
            )
        }
    }
}

/// The sections and items that survive, one by one.
struct Survival: CustomStringConvertible {
    var old: HierarchyShape
    var new: HierarchyShape
    /// By old section, and by position among the old paths; -1 if it does not survive.
    var sections: [Int]
    var items: [Int]

    init(_ old: HierarchyShape, _ new: HierarchyShape, _ sections: [Int], _ items: [Int]) {
        (self.old, self.new, self.sections, self.items) = (old, new, sections, items)
    }

    var description: String { "\(old) to \(new), sections \(sections), items \(items)" }

    var survivors: [(old: ItemPath, new: ItemPath)] {
        let (oldPaths, newPaths) = (old.paths, new.paths)
        return items.indices.filter { items[$0] >= 0 }.map { (oldPaths[$0], newPaths[items[$0]]) }
    }

    func survivingSections(replacingFirst: Bool) -> [SurvivingSection] {
        sections.indices.filter { sections[$0] >= 0 }.map {
            SurvivingSection(
                oldSection: $0,
                newSection: sections[$0],
                isReplaced: replacingFirst && $0 == 0
            )
        }
    }

    /// The surviving runs, as long as possible.
    var runs: [SurvivingRun] {
        var runs: [SurvivingRun] = []
        for (old, new) in survivors {
            if let last = runs.last, last.oldPath(at: last.count) == old,
                last.newPath(at: last.count) == new
            {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(run(from: old, to: new, 1))
            }
        }
        return runs
    }

    /// Returns the fewest item moves for the sections of `update`.
    func leastItemMoves(replaced: Set<ItemPath>, _ update: ValidatedChangeSet) -> Int {
        var moves = 0
        var staying: [Int: [Int]] = [:]
        for (old, new) in survivors where !replaced.contains(old) {
            if update.survivingSection(of: old.section) == new.section {
                staying[old.section, default: []].append(new.item)
            } else {
                moves += 1
            }
        }
        return moves + staying.values.map { $0.count - lengthOfLongestIncreasing($0) }.reduce(0, +)
    }
}

/// Every way to map some of `count` old elements to distinct new ones of `targets`; -1 for those
/// that do not survive.
private func everyPartialInjection(_ count: Int, into targets: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return everyPartialInjection(count - 1, into: targets).flatMap { rest in
        ((-1)..<targets).filter { $0 < 0 || !rest.contains($0) }.map { rest + [$0] }
    }
}

private func run(from old: ItemPath, to new: ItemPath, _ count: Int) -> SurvivingRun {
    SurvivingRun(
        oldSection: old.section,
        oldItem: old.item,
        newSection: new.section,
        newItem: new.item,
        count: count
    )
}
