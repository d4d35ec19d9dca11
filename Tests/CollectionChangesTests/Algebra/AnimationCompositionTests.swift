import CollectionChanges
import Testing

/// What edits of one thing become, with which option.
@Suite struct AnimationCompositionTests {
    private func composed(
        _ shapes: [HierarchyShape],
        _ records: [HierarchyChangeSet.Operation]...
    ) throws -> [String] {
        let updates = try zip(records, zip(shapes, shapes.dropFirst())).map { operations, ends in
            try HierarchyChangeSet(operations).validated(from: ends.0, to: ends.1)
        }
        let sum = try #require(try ValidatedChangeSet(composing: updates))
        return HierarchyChangeSet(recording: sum).operations.map { "\($0)" }
    }

    private func names(_ operations: HierarchyChangeSet.Operation...) -> [String] {
        operations.map { "\($0)" }
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
