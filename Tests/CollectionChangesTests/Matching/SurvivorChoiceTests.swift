import Testing

@testable import CollectionChanges

/// What stays, what moves, and what is replaced out of its place.
@Suite struct SurvivorChoiceTests {
    // MARK: Sections

    @Test(arguments: ValidationProfile.allCases)
    func sectionsThatAreReplacedGiveWayToThoseThatAreNot(_ profile: ValidationProfile) {
        for count in 1...4 {
            let shape = HierarchyShape(Array(repeating: 0, count: count))
            for order in everyPartialInjection(count, into: count) where !order.contains(-1) {
                for mask in 0..<(1 << count) {
                    let sections = order.indices.map {
                        SurvivingSection(
                            oldSection: $0,
                            newSection: order[$0],
                            isReplaced: mask & (1 << $0) != 0
                        )
                    }
                    let update = ValidatedChangeSet(
                        survivors: [],
                        sections: sections,
                        from: shape,
                        to: shape,
                        profile: profile
                    )
                    let best = mostStaying(sections)
                    let moves = sections.count { !$0.isReplaced } - best.kept
                    let reloads = update.sectionRemovals.count { $0.role == .reload }
                    let text = "\(order), replaced \(mask)"
                    switch profile {
                    case .standard:
                        #expect(update.sectionMoveCount == moves, "\(text)")
                        #expect(reloads == best.replaced, "\(text)")
                    case .strict:
                        #expect(update.sectionMoveCount == moves, "\(text)")
                        #expect(reloads == (moves == 0 ? best.replaced : 0), "\(text)")
                    default:
                        #expect(update.sectionMoveCount == 0 && reloads == 0, "\(text)")
                    }
                }
            }
        }
    }

    /// How many can stay in order, by trying all choices: the most that are not replaced, and then the most.
    private func mostStaying(_ sections: [SurvivingSection]) -> (kept: Int, replaced: Int) {
        var best = (kept: 0, replaced: 0)
        for mask in 0..<(1 << sections.count) {
            let chosen = sections.indices.filter { mask & (1 << $0) != 0 }.map { sections[$0] }
            let places = chosen.map(\.newSection)
            guard zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else { continue }
            let kept = chosen.count { !$0.isReplaced }
            if (kept, chosen.count - kept) > best { best = (kept, chosen.count - kept) }
        }
        return best
    }

    @Test func equalSectionsAreMatchedByOccurrence() throws {
        let update = try ValidatedChangeSet(
            fromIdentifiers: [("a", [1]), ("b", [2]), ("a", [3])],
            to: [("a", [1]), ("a", [3]), ("a", [4])]
        )
        #expect(update.survivingSection(of: 0) == 0)
        #expect(update.survivingSection(of: 1) == nil)
        // What stands opposite at the end comes before the others.
        #expect(update.survivingSection(of: 2) == 2)
        #expect(update.sectionInsertions.map(\.section) == [1])
    }

    // MARK: Reloads

    /// The update of one section, by old item the new one or -1; ahead of it go sections that end.
    private func update(
        _ items: [Int],
        count: Int,
        replaced: [Int],
        _ profile: ValidationProfile,
        endedSections: Int = 0
    ) -> ValidatedChangeSet {
        let old = HierarchyShape(Array(repeating: 1, count: endedSections) + [items.count])
        let new = HierarchyShape([count])
        let ended = Array(repeating: -1, count: endedSections)
        let survival = Survival(old, new, ended + [0], ended + items)
        return ValidatedChangeSet(
            survivors: survival.runs,
            sections: survival.survivingSections(replacingFirst: false),
            from: old,
            to: new,
            replaced: replaced.map { path(endedSections, $0) },
            profile: profile
        )
    }

    private func roles(_ update: ValidatedChangeSet) -> [EditRole] {
        update.itemRemovals.map(\.role)
    }

    @Test func aReloadIsSplitOnlyInStrictAndOnlyWhereItMeetsAMove() {
        // The last comes first, where UIKit puts the reload of the first.
        #expect(roles(update([1, 2, 0], count: 3, replaced: [0], .standard)) == [.move, .reload])
        #expect(roles(update([1, 2, 0], count: 3, replaced: [0], .strict)) == [.move, .delete])
        // UIKit puts the reload where another item stays.
        let shifted = update([1, 2, 3, 4, 5, 0], count: 6, replaced: [2], .strict)
        #expect(roles(shifted) == [.move, .reload])
        #expect(shifted.difference(fromValidationIn: .strict) == nil)
    }

    @Test func deletesShiftWhereAReloadIsPut() {
        let shifted = update([-1, 4, 0, 1, 2, 3, 5, 6], count: 7, replaced: [5], .strict)
        #expect(roles(shifted) == [.delete, .move, .delete])
        #expect(shifted.difference(fromValidationIn: .strict) == nil)
    }

    @Test func sectionsThatEndShiftWhereAReloadIsPut() {
        let swapped = [1, 0, 2, 3, 4, 5]
        for ended in 0...2 {
            let far = update(swapped, count: 6, replaced: [4], .strict, endedSections: ended)
            #expect(roles(far) == [.reload, .move])
            #expect(far.difference(fromValidationIn: .strict) == nil)
        }
    }

    @Test func reloadsThatBringEachOtherBeforeAMoveAreSplitInFourRounds() {
        // The last eight come first. Each split puts the next reload where the last of them is.
        let items = (0..<32).map { ($0 + 8) % 32 }
        for chain in 1...5 {
            let replaced = Array(7..<(7 + chain)) + [14]
            let update = update(items, count: 32, replaced: replaced, .strict)
            let deleted = update.itemRemovals.filter { $0.role == .delete }.map(\.path.item)
            let reloaded = update.itemRemovals.filter { $0.role == .reload }.map(\.path.item)
            // The one that is far from all is split too where there is no end after four.
            let isEnded = chain < 4
            #expect(deleted.reversed() == (isEnded ? replaced.dropLast() : replaced))
            #expect(reloaded == (isEnded ? [14] : []))
            #expect(update.itemMoveCount == 8)
            #expect(update.difference(fromValidationIn: .strict) == nil)
        }
    }

    @Test func textureReloadsNothing() {
        let update = update([0, 1, 2], count: 3, replaced: [1], .texture)
        #expect(roles(update) == [.delete])
        #expect(update.itemInsertions.map(\.role) == [.insert])
    }

    @Test func whatIsUpdatedInPlaceIsNotReloaded() throws {
        let old = (0..<9).map { Row(id: $0, revision: 0) }
        let new = (0..<9).map { Row(id: $0, revision: 1) }
        let update = try ValidatedChangeSet(from: old, to: new)
        #expect(update.edits.isEmpty)
        #expect(!update.isEmpty)
        #expect(update.reconfigurations.map(\.newPath) == (0..<9).map { path(0, $0) })
    }

    @Test func whatDoesNotSurviveIsNeitherUpdatedNorReplaced() {
        func update(_ reconfigured: [Int], _ replaced: [Int]) -> ValidatedChangeSet {
            ValidatedChangeSet(
                survivors: [
                    SurvivingRun(oldSection: 0, oldItem: 1, newSection: 0, newItem: 0, count: 1),
                    SurvivingRun(oldSection: 0, oldItem: 3, newSection: 0, newItem: 1, count: 1),
                ],
                sections: [SurvivingSection(oldSection: 0, newSection: 0)],
                from: [5],
                to: [2],
                reconfigured: reconfigured.map { path(0, $0) },
                replaced: replaced.map { path(0, $0) }
            )
        }
        let updated = update([0, 1, 2, 3, 4], [])
        #expect(updated.reconfigurations.map(\.oldPath) == [path(0, 1), path(0, 3)])
        #expect(updated.reconfigurations.map(\.newPath) == [path(0, 0), path(0, 1)])
        #expect(!updated.isEmpty)
        let replaced = update([], [0, 1, 2, 4])
        #expect(roles(replaced) == [.delete, .delete, .reload, .delete])
        #expect(!replaced.isEmpty)
    }

    // MARK: Numbers

    @Test func editsHaveNoMoreMemoryThanThereAreEdits() {
        // The first section ends, the last is new, and the halves of the others are exchanged.
        func run(_ old: Int, _ oldItem: Int, _ new: Int, _ newItem: Int) -> SurvivingRun {
            SurvivingRun(
                oldSection: old,
                oldItem: oldItem,
                newSection: new,
                newItem: newItem,
                count: 50
            )
        }
        let update = ValidatedChangeSet(
            survivors: [run(1, 0, 0, 0), run(1, 50, 1, 50), run(2, 0, 1, 0), run(2, 50, 0, 50)],
            sections: [
                SurvivingSection(oldSection: 1, newSection: 0),
                SurvivingSection(oldSection: 2, newSection: 1),
            ],
            from: [100, 100, 100],
            to: [100, 100, 100]
        )
        #expect(update.itemRemovals.count == 100)
        #expect(update.itemRemovals.capacity < 110)
        #expect(update.itemInsertions.count == 100)
        #expect(update.itemInsertions.capacity < 110)
    }

    @Test func aSectionOfAnySizeMovesOnlyWhatIsOutOfOrder() {
        let count = 1 << 55
        let places = [count - 2, count - 3, 0, count - 1]
        let runs = places.enumerated().map {
            SurvivingRun(oldSection: 0, oldItem: $0, newSection: 0, newItem: $1, count: 1)
        }
        let rest = SurvivingRun(
            oldSection: 0,
            oldItem: 4,
            newSection: 0,
            newItem: 1,
            count: count - 4
        )
        let update = ValidatedChangeSet(
            survivors: runs + [rest],
            sections: [SurvivingSection(oldSection: 0, newSection: 0)],
            from: HierarchyShape([count]),
            to: HierarchyShape([count])
        )
        #expect(update.itemRemovals.map(\.path.item) == [3, 1, 0])
        #expect(update.itemInsertions.map(\.path.item) == [count - 3, count - 2, count - 1])
        #expect(update.itemMoveCount == 3)
        for (item, place) in places.enumerated() {
            #expect(update.newPath(for: path(0, item)) == path(0, place))
        }
        #expect(update.newPath(for: path(0, 5)) == path(0, 2))
        #expect(update.newPath(for: path(0, count - 1)) == path(0, count - 4))
    }

    @Test func aSectionThatNoWeightCanHoldIsPlannedAllTheSame() {
        let count = 1 << 62 + 100
        func run(_ oldItem: Int, _ newItem: Int, _ count: Int) -> SurvivingRun {
            SurvivingRun(
                oldSection: 0,
                oldItem: oldItem,
                newSection: 0,
                newItem: newItem,
                count: count
            )
        }
        let update = ValidatedChangeSet(
            survivors: [run(0, count - 3, 3), run(3, count - 4, 1), run(4, 0, count - 4)],
            sections: [SurvivingSection(oldSection: 0, newSection: 0)],
            from: HierarchyShape([count]),
            to: HierarchyShape([count]),
            replaced: [path(0, 0), path(0, 1), path(0, 2)]
        )
        #expect(roles(update) == [.move, .delete, .delete, .delete])
        #expect(update.newPath(for: path(0, 4)) == path(0, 0))
    }
}
