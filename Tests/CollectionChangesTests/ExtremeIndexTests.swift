import CollectionChanges
import TestSupport
import Testing

/// Calls `body` with every pair of operations that use out-of-range indexes or very large sets.
func withEveryPairOfExtremeOperations(_ body: (HierarchyChangeSet) -> Void) {
    let extremes = [Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max]
    var operations: [HierarchyChangeSet.Operation] = []
    let here = path(0, 0)
    for (position, index) in extremes.enumerated() {
        for path in [path(index, index), path(index, 0), path(0, index)] {
            operations += [
                .deleteItems([path, path], .none), .insertItems([path], .none),
                .reloadItems([path], .none), .reconfigureItems([path], .none),
                .moveItem(at: path, to: here, .none), .moveItem(at: here, to: path, .none),
            ]
        }
        operations += [
            .moveSection(index, toSection: 0, .none), .moveSection(0, toSection: index, .none),
        ]
        for end in extremes[position...] {
            let sections = SectionSet(index...end)
            operations += [
                .deleteSections(sections, .none), .insertSections(sections, .none),
                .reloadSections(sections, .none), .reconfigureSections(sections, .none),
                .reloadSupplementaries(.header, in: sections, .none),
            ]
        }
    }
    for (position, first) in operations.enumerated() {
        for second in operations[position...] { body(HierarchyChangeSet([first, second])) }
    }
}

/// Any integer may occur anywhere: the result is a typed error, never a trap, and arrives fast.
@Suite(.endsHangs) struct ExtremeIndexTests {
    @Test(arguments: ValidationProfile.allCases)
    func everyPairOfExtremeOperationsIsAcceptedOrRejected(profile: ValidationProfile) {
        var thinning = Thinning(23)
        let shapes: [HierarchyShape] = [[], profile == .texture ? [2] : [0], [2, 1], [1, 0]]
        withEveryPairOfExtremeOperations { changes in
            guard thinning.takesNext() else { return }
            for old in shapes {
                for new in shapes {
                    do throws(HierarchyUpdateError) {
                        let update = try changes.validated(from: old, to: new, profile: profile)
                        // An accepted update must also be applicable.
                        let arrays = old.itemCounts.map { Array(repeating: 0, count: $0) }
                        let result = update.applyUnchecked(to: arrays) { _ in 1 }
                        if result.map(\.count) != new.itemCounts {
                            Issue.record("\(changes.operations) gives \(result), not \(new)")
                        }
                    } catch {
                        // The arithmetic must not trap either.
                        _ = error.arithmetic?.expected
                        if error.description.isEmpty { Issue.record("no description") }
                    }
                }
            }
        }
    }

    @Test func mappingsReturnNilForExtremes() throws {
        let update = try record("MS0>1 M0.0>0.0 R1.0").validated(from: [2, 1], to: [2, 1])
        for extreme in [Int.min, Int.min + 1, -1, Int.max - 1, Int.max] {
            #expect(update.newSection(for: extreme) == nil)
            #expect(update.oldSection(for: extreme) == nil)
            for path in [path(extreme, 0), path(0, extreme)] {
                #expect(update.newPath(for: path) == nil && update.oldPath(for: path) == nil)
                #expect(update.animation(ofOldItem: path) == nil)
                #expect(update.animation(ofNewItem: path) == nil)
            }
        }
    }

    @Test func hugeSectionsCostNothing() throws {
        let limits = ShapeLimits(sections: .max, items: .max)
        let error = rejection(
            of: try record("I0.0").validated(from: [.max], to: [1], limits: limits)
        )
        #expect(error?.code == .itemCount && error?.arithmetic?.expected != 1)
        var endless = HierarchyChangeSet()
        endless.insertSections(SectionSet(0...Int.max))
        endless.deleteSections(SectionSet(0...Int.max))
        let range = rejection(of: try endless.validated(from: [1], to: [1], profile: .texture))
        #expect(range?.code == .deleteSectionRange)
        let last = path(0, .max - 1)
        let update = try record("M0.\(Int.max - 1)>0.0")
            .validated(from: [.max], to: [.max], limits: limits)
        #expect(update.newPath(for: last) == path(0, 0))
        #expect(update.oldPath(for: last) == path(0, .max - 2))
        let reloaded = try record("X").validated(from: [.max], to: [1, .max - 1], limits: limits)
        #expect(reloaded.sectionInsertions.map(\.newItemCount) == [1, .max - 1])
    }
}
