import CollectionChanges
import TestSupport
import Testing

/// What edits of one thing become, with which option.
@Suite struct AnimationCompositionTests {
    private func composed(
        _ shapes: [HierarchyShape],
        _ records: [HierarchyChangeSet.Operation]...
    ) throws -> [HierarchyChangeSet.Operation] {
        let updates = try zip(records, zip(shapes, shapes.dropFirst())).map { operations, ends in
            try HierarchyChangeSet(operations).validated(from: ends.0, to: ends.1)
        }
        let sum = try #require(try ValidatedChangeSet(composing: updates))
        return HierarchyChangeSet(recording: sum).operations
    }

    private func names(
        _ operations: HierarchyChangeSet.Operation...
    ) -> [HierarchyChangeSet.Operation] {
        operations
    }

    @Test func anItemsLaterEditHasItsOption() throws {
        let a = path(0, 0)
        #expect(
            try composed([[3], [4], [3]], [.insertItems([a], .fade)], [.deleteItems([a], .top)])
                == []
        )
        #expect(
            try composed(
                [[3], [3], [3]],
                [.moveItem(at: a, to: path(0, 1), .fade)],
                [.moveItem(at: path(0, 1), to: path(0, 2), .top)]
            ) == names(.moveItem(at: a, to: path(0, 2), .top))
        )
        #expect(
            try composed(
                [[3], [3], [3]],
                [.moveItem(at: a, to: path(0, 2), .fade)],
                [.moveItem(at: path(0, 2), to: a, .top)]
            ) == []
        )
        #expect(
            try composed(
                [[3], [3], [2]],
                [.reconfigureItems([a], .fade)],
                [.deleteItems([a], .top)]
            )
                == names(.deleteItems([a], .top))
        )
        #expect(
            try composed(
                [[3], [3], [3]],
                [.reconfigureItems([a], .fade)],
                [.reconfigureItems([a], .top)]
            )
                == names(.reconfigureItems([a], .top))
        )
        #expect(
            try composed([[3], [3], [3]], [.reloadItems([a], .fade)], [.reloadItems([a], .top)])
                == names(.reloadItems([a], .top))
        )
        #expect(
            try composed(
                [[3], [3], [3]],
                [.reconfigureItems([a], .fade)],
                [.reloadItems([a], .top)]
            )
                == names(.reloadItems([a], .top))
        )
        #expect(
            try composed([[3], [4], [4]], [.insertItems([a], .fade)], [.reloadItems([a], .top)])
                == names(.insertItems([a], .top))
        )
        #expect(
            try composed(
                [[3], [4], [4]],
                [.insertItems([a], .fade)],
                [.reloadItems([path(0, 2)], .top)]
            )
                == names(.reloadItems([path(0, 1)], .top), .insertItems([a], .fade))
        )
        #expect(
            try composed(
                [[3], [3], [3]],
                [.reloadItems([a], .fade)],
                [.moveItem(at: a, to: path(0, 2), .top)]
            ) == names(.deleteItems([a], .top), .insertItems([path(0, 2)], .top))
        )
    }

    @Test func whatGoesWithASectionHasTheSectionsOption() throws {
        #expect(
            try composed(
                [[2, 1], [1, 2], [1]],
                [.moveItem(at: path(0, 0), to: path(1, 0), .fade)],
                [.deleteSections([1], .top)]
            ) == names(.deleteItems([path(0, 0)], .top), .deleteSections([1], .top))
        )
        #expect(
            try composed(
                [[2, 1], [1, 2], [1, 0], [1]],
                [.moveItem(at: path(0, 0), to: path(1, 0), .fade)],
                [.reloadSections([1], .bottom)],
                [.deleteSections([1], .top)]
            ) == names(.deleteItems([path(0, 0)], .bottom), .deleteSections([1], .top))
        )
    }

    /// Each of many that are deleted by several updates has the option of its own, whatever their order.
    @Test func everyDeletedItemHasTheOptionWithWhichItWasDeleted() throws {
        let options: [AnimationOption] = [.fade, .automatic, .top, .bottom]
        for seed in UInt64(0)..<40 {
            var random = SeededNumbers(seed: seed)
            // By their places in two sections at the start.
            var items = [Array(0..<9), Array(9..<16)]
            let start = HierarchyShape(items.map(\.count))
            var expected: [Int: AnimationOption] = [:]
            var composition = ChangeSetComposition(from: start)
            for option in options {
                let old = HierarchyShape(items.map(\.count))
                var paths: [ItemPath] = []
                for section in 0..<2 {
                    for item in items[section].indices.reversed() where random.isTrue(oneIn: 4) {
                        paths.append(path(section, item))
                        expected[items[section].remove(at: item)] = option
                    }
                }
                let changes = HierarchyChangeSet([.deleteItems(paths, option)])
                try composition.append(
                    try changes.validated(from: old, to: HierarchyShape(items.map(\.count)))
                )
            }
            for edit in composition.update.itemRemovals {
                let item = edit.path.section * 9 + edit.path.item
                #expect(expected[item] == edit.animation, "seed \(seed), item \(item)")
                expected[item] = nil
            }
            #expect(expected.isEmpty, "seed \(seed)")
        }
    }

    /// What a section took with it when it was reloaded, and when it was deleted afterwards.
    @Test func whatWasDeletedInASectionThatGoesIsForgotten() throws {
        #expect(
            try composed(
                [[2, 2], [2, 1], [2, 5], [2, 4]],
                [.deleteItems([path(1, 0)], .fade)],
                [.reloadSections([1], .bottom)],
                [.deleteItems([path(1, 0)], .top)]
            ) == names(.reloadSections([1], .bottom))
        )
        #expect(
            try composed(
                [[2, 2], [2, 1], [2]],
                [.deleteItems([path(1, 0)], .fade)],
                [.deleteSections([1], .automatic)]
            ) == names(.deleteSections([1], .automatic))
        )
        #expect(
            try composed(
                [[1, 2], [1], [0]],
                [.deleteSections([1], .top)],
                [.deleteItems([path(0, 0)], .fade)]
            ) == names(.deleteItems([path(0, 0)], .fade), .deleteSections([1], .top))
        )
        // A section that was reloaded, and could not stay, has the option of what came last.
        #expect(
            try composed(
                [[1, 2, 3], [5, 2, 3], [2, 3]],
                [.reloadSections([0], .bottom)],
                [.deleteSections([0], .top)]
            ) == names(.deleteSections([0], .top))
        )
    }

    @Test func aSectionsLaterEditHasItsOption() throws {
        #expect(
            try composed(
                [[1], [1, 2], [2, 1]],
                [.insertSections([1], .fade)],
                [.moveSection(1, toSection: 0, .top)]
            )
                == names(.insertSections([0], .top))
        )
        #expect(
            try composed(
                [[1], [1, 2], [1, 5]],
                [.insertSections([1], .fade)],
                [.insertItems([path(1, 0), path(1, 1), path(1, 2)], .top)]
            )
                == names(.insertSections([1], .fade))
        )
        // The one that was replaced cannot be kept, so the other stays.
        #expect(
            try composed(
                [[1, 1], [1, 4], [4, 1]],
                [.reloadSections([1], .fade)],
                [.moveSection(1, toSection: 0, .top)]
            ) == names(.deleteSections([1], .top), .insertSections([0], .top))
        )
    }

    @Test func headersAreAskedForAgainWhereTheirSectionIsNow() throws {
        let header = SupplementaryKind.header
        #expect(
            try composed(
                [[1, 1], [1, 1], [1, 1, 1]],
                [.reloadSupplementaries(header, in: [0, 1], .fade)],
                [.insertSections([0], .none), .reloadSupplementaries(header, in: [0, 2], .top)]
            )
                == names(
                    .insertSections([0], .none),
                    .reloadSupplementaries(header, in: [1], .fade),
                    .reloadSupplementaries(header, in: [2], .top)
                )
        )
        #expect(
            try composed(
                [[1, 1], [1, 1], [1]],
                [.reloadSupplementaries(header, in: [0, 1], .fade)],
                [.deleteSections([0], .none)]
            ) == names(.deleteSections([0], .none), .reloadSupplementaries(header, in: [0], .fade))
        )
    }
}
