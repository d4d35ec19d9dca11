import CollectionChanges
import TestSupport
import Testing

/// Indexes that no collection has: each must give a verdict, in no more time than others.
@Suite(.endsHangs)
struct TextureValidatorExtremesTests: TextureProfileTests {
    private static let extremes = [Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max]

    /// Every operation with every extreme, and sets that reach from any extreme to any other.
    private var operations: [Operation] {
        var operations: [Operation] = []
        let here = path(0, 0)
        for (position, index) in Self.extremes.enumerated() {
            for other in [index, 0] {
                for path in [path(index, other), path(other, index)] {
                    operations += [
                        .deleteItems([path], .none), .insertItems([path], .none),
                        .reloadItems([path], .none), .reconfigureItems([path], .none),
                        .moveItem(at: path, to: here, .none),
                        .moveItem(at: here, to: path, .none),
                    ]
                }
            }
            operations += [
                .moveSection(index, toSection: 0, .none), .moveSection(0, toSection: index, .none),
            ]
            for end in Self.extremes[position...] {
                let sections = sections(index...end)
                operations += [
                    .deleteSections(sections, .none), .insertSections(sections, .none),
                    .reloadSections(sections, .none), .reconfigureSections(sections, .none),
                    .reloadSupplementaries(.header, in: sections, .none),
                ]
            }
        }
        return operations
    }

    @Test func everyPairOfExtremeOperationsGetsAVerdict() {
        let shapes: [HierarchyShape] = [[], [2], [1, 0]]
        let operations = operations
        var thinning = Thinning(23)
        for (position, first) in operations.enumerated() {
            for second in operations[position...] where thinning.takesNext() {
                for oldShape in shapes {
                    for newShape in shapes {
                        let set = HierarchyChangeSet([first, second])
                        do {
                            let update = try set.validated(
                                from: oldShape,
                                to: newShape,
                                profile: .texture
                            )
                            // What is accepted must also be applicable.
                            let old = oldShape.itemCounts.map { Array(repeating: 0, count: $0) }
                            let new = update.applyUnchecked(to: old) { _ in 1 }
                            if new.map(\.count) != newShape.itemCounts {
                                Issue.record("\(set.operations) gives \(new), not \(newShape)")
                            }
                        } catch {
                            // The sum must be readable too.
                            _ = error.arithmetic?.expected
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: extremes.filter { $0 < 0 || $0 > 1 })
    func extremeIndexesGetTheVerdictOfOthersOutOfRange(index: Int) {
        let here = path(0, 0)
        let outside = [path(0, index), path(index, 0)]
        for (path, suffix) in zip(outside, ["Range", "SectionRange"]) {
            #expect(
                verdict([.deleteItems([path], .none)], from: [1], to: [0]) == "deleteItem" + suffix
            )
            #expect(
                verdict([.insertItems([path], .none)], from: [1], to: [2]) == "insertItem" + suffix
            )
            #expect(
                verdict([.moveItem(at: here, to: path, .none)], from: [1], to: [1])
                    == "insertItem" + suffix
            )
        }
        let one = SectionSet(index)
        #expect(
            verdict([.deleteSections(one, .none)], from: [1], to: [1]) == "sectionCount"
        )
        #expect(
            verdict([.deleteSections(one, .none)], from: [1], to: []) == "deleteSectionRange"
        )
        #expect(
            verdict([.insertSections(one, .none)], from: [1], to: [1, 1]) == "insertSectionRange"
        )
        #expect(
            verdict([.reloadSections(one, .none)], from: [1], to: [1]) == "deleteSectionRange"
        )
    }

    @Test func setWithoutEndIsCountedAndNotListed() {
        let endless = sections(0...Int.max)
        let error = fault(
            [.insertSections(endless, .none), .reloadSections([0], .none)],
            from: [1],
            to: [1]
        )
        #expect(error?.code == .sectionCount)
        #expect(error?.arithmetic?.inserted == Int.max)
        #expect(error?.arithmetic?.expected == Int.max)
        // As many at either end, so that the number of sections comes out.
        let both: [Operation] = [
            .insertSections(endless, .none), .deleteSections(endless, .none),
        ]
        #expect(verdict(both, from: [1], to: [1]) == "deleteSectionRange")
    }

    /// Ten thousand sets of ten thousand sections each: a hundred million, if they were listed.
    @Test func manyLongSetsCostTheirRuns() throws {
        let shape = HierarchyShape(Array(repeating: 1, count: 10_000))
        let operations = (0..<10_000).flatMap { number -> [Operation] in
            let animation = AnimationOption(rawValue: number)
            return [
                .reloadSections(sections(0...(9_999 - number)), animation),
                .reconfigureSections(sections(0...(9_999 - number)), animation),
                .reloadSupplementaries(.header, in: sections(0...9_999), animation),
            ]
        }
        let result = try update(operations, from: shape, to: shape)
        #expect(result.sectionInsertions.map(\.animation.rawValue) == (0..<10_000).reversed())
        #expect(result.supplementaryReloads.allSatisfy { $0.animation.rawValue == 9_999 })
    }
}
